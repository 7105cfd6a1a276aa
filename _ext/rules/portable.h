/* What processors and systems differ in. The core is written in the vector notation that gcc and clang share. */
#ifndef BORDEAUX_PORTABLE_H
#define BORDEAUX_PORTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Vectors that not all processors of the family have */
#ifdef __x86_64__
#define WIDE_VECTORS 1
#else
#define WIDE_VECTORS 0
#endif

/* The number of the lowest bit that is set; there is one. */
static inline int lowest_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

/* How many bits are set */
static inline int count_bits(uint64_t bits)
{
    return __builtin_popcountll(bits);
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

/* Zeroed memory at the beginning of a cache line, or NULL; `free` gives it back. */
static inline void *zeroed(size_t size)
{
    size = (size + 63) & ~(size_t)63;
    void *table = aligned_alloc(64, size);
    return table == NULL ? NULL : memset(table, 0, size);
}

#endif
