/* What compilers have names of their own for. VECTORS says whether this one knows the vector notation of gcc and
 * clang; all that is written in it has a twin in plain C, with the same values to the last bit. BORDEAUX_PORTABLE
 * takes the twins everywhere, which is how they are tested.
 */
#ifndef BORDEAUX_PORTABLE_H
#define BORDEAUX_PORTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(BORDEAUX_PORTABLE)
#define VECTORS 1
#else
#define VECTORS 0
#endif

/* Vectors that not all processors of the family have */
#if VECTORS && defined(__x86_64__)
#define WIDE_VECTORS 1
#else
#define WIDE_VECTORS 0
#endif

/* The number of the lowest bit that is set; there is one. */
static inline int lowest_bit(uint64_t bits)
{
#if VECTORS
    return __builtin_ctzll(bits);
#else
    /* The bit alone times a sequence of De Bruijn has another number in its upper six bits for each place. */
    static const uint8_t places[64] = {
        0,  1,  2,  53, 3,  7,  54, 27, 4,  38, 41, 8,  34, 55, 48, 28, 62, 5,  39, 46, 44, 42,
        22, 9,  24, 35, 59, 56, 49, 18, 29, 11, 63, 52, 6,  26, 37, 40, 33, 47, 61, 45, 43, 21,
        23, 58, 17, 10, 51, 25, 36, 32, 60, 20, 57, 16, 50, 31, 19, 15, 30, 14, 13, 12,
    };
    return places[((bits & (~bits + 1)) * UINT64_C(0x022fdd63cc95386d)) >> 58];
#endif
}

/* How many bits are set */
static inline int count_bits(uint64_t bits)
{
#if VECTORS
    return __builtin_popcountll(bits);
#else
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(bits * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* Have memory that is needed soon brought near */
static inline void fetch_line(const void *start)
{
#if VECTORS
    __builtin_prefetch(start);
#else
    (void)start;
#endif
}

/* The wider vectors of this processor: 0 none, 1 those of 8 floats, 2 those of 16 as well */
static inline int wide_vectors(void)
{
#if WIDE_VECTORS
    return !__builtin_cpu_supports("avx2") ? 0 : __builtin_cpu_supports("avx512f") ? 2 : 1;
#else
    return 0;
#endif
}

/* Zeroed memory, at the beginning of a cache line where that can be had, or NULL; `free` gives it back. */
static inline void *zeroed(size_t size)
{
    size = (size + 63) & ~(size_t)63;
#if VECTORS && !defined(_WIN32)
    void *table = aligned_alloc(64, size);
    return table == NULL ? NULL : memset(table, 0, size);
#else
    return calloc(1, size);
#endif
}

#endif
