/* Loops over whole rows of the tables, written so that compilers turn them into vector instructions.
 *
 * A row has `n` entries, a multiple of 16. Rows never overlap.
 */
#ifndef BORDEAUX_ROWS_H
#define BORDEAUX_ROWS_H

#include <stdint.h>
#include "rules/portable.h"
#ifdef __SSE2__
#define ROWS_SSE2 1
#include <emmintrin.h>
#else
#define ROWS_SSE2 0
#endif

/* Sixteen bytes at a time. Comparison gives 0 or -1. */
typedef uint8_t rows_bytes __attribute__((vector_size(16), aligned(1), may_alias));

static inline rows_bytes rows_smaller(rows_bytes a, rows_bytes b)
{
#if ROWS_SSE2
    return (rows_bytes)_mm_min_epu8((__m128i)a, (__m128i)b);
#else
    rows_bytes less = (rows_bytes)(a < b);
    return (a & less) | (b & ~less);
#endif
}

/* Which of 16 bytes, each 0 or 255, are set, as bits */
static inline uint32_t rows_mask(rows_bytes set)
{
#if ROWS_SSE2
    return (uint32_t)_mm_movemask_epi8((__m128i)set);
#else
    uint32_t mask = 0;
    for (int k = 0; k < 16; k++)
        mask |= (uint32_t)(set[k] & 1) << k;
    return mask;
#endif
}

static inline float rows_dot(const float *restrict a, const float *restrict b, int n)
{
    float lanes[16] = {0}, sum = 0;
    for (int i = 0; i < (n & ~15); i += 16)
        for (int k = 0; k < 16; k++)
            lanes[k] += a[i + k] * b[i + k];
    for (int k = 0; k < 16; k++)
        sum += lanes[k];
    return sum;
}

/* Which of 16 tokens are 0, as bits */
static inline uint32_t rows_vacant(const uint16_t *tokens)
{
#if ROWS_SSE2
    __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)tokens), _mm_setzero_si128());
    __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(tokens + 8)), _mm_setzero_si128());
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
    uint32_t mask = 0;
    for (int k = 0; k < 16; k++)
        mask |= (uint32_t)(tokens[k] == 0) << k;
    return mask;
#endif
}

/* places[0..] = the indices of the nonzero tokens among the first n, of 256; returns how many */
static inline int rows_places(uint8_t *restrict places, const uint16_t *restrict tokens, int n)
{
    int count = 0;
    for (int i = 0; i < n; i += 64) {
        uint64_t bits = 0;
        for (int k = 0; k < 64 && i + k < n; k += 16)
            bits |= (uint64_t)(rows_vacant(tokens + i + k) ^ 0xFFFF) << k;
        if (n - i < 64)
            bits &= ((uint64_t)1 << (n - i)) - 1;
        for (; bits; bits &= bits - 1)
            places[count++] = (uint8_t)(i + lowest_bit(bits));
    }
    return count;
}

/* Whether any of the first n bytes is neither below `limit` nor `none` */
static inline int rows_beyond(const uint8_t *bytes, uint8_t limit, uint8_t none, int n)
{
    uint8_t found = 0;
    for (int i = 0; i < n; i++)
        found |= (uint8_t)((bytes[i] >= limit) & (bytes[i] != none));
    return found;
}

/* Have memory that is needed soon brought near */
static inline void rows_fetch(const void *start, int size)
{
    for (int i = 0; i < size; i += 64)
        __builtin_prefetch((const char *)start + i);
}

#endif
