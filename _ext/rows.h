/* Loops over whole rows of the tables, written so that compilers turn them into vector instructions.
 *
 * A row has `n` entries, a multiple of 16. Rows never overlap.
 */
#ifndef BORDEAUX_ROWS_H
#define BORDEAUX_ROWS_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Sixteen bytes at a time, in the vector notation that gcc and clang share. Comparison gives 0 or -1. */
typedef uint8_t rows_bytes __attribute__((vector_size(16), aligned(1), may_alias));

static inline rows_bytes rows_smaller(rows_bytes a, rows_bytes b)
{
#ifdef __SSE2__
    return (rows_bytes)_mm_min_epu8((__m128i)a, (__m128i)b);
#else
    rows_bytes less = (rows_bytes)(a < b);
    return (a & less) | (b & ~less);
#endif
}

/* Who is nearest to each place. Of `count` rows of distances, those with own[k] = 255 are ours and the others
 * have own[k] = 0. nearest[i] becomes the least distance, but no more than `far`; total[i] how many rows have
 * it, mine[i] how many of ours. Column by column, so that the running values stay in registers.
 */
static inline void rows_influence(uint8_t *nearest, uint8_t *total, uint8_t *mine, const uint8_t *const *rows,
                                  const uint8_t *own, int count, uint8_t far, int n)
{
    for (int i = 0; i < n; i += 16) {
        rows_bytes least = (rows_bytes){0} + far, all = {0}, ours = {0};
        for (int k = 0; k < count; k++) {
            rows_bytes row = *(const rows_bytes *)(rows[k] + i);
            least = rows_smaller(row, least);
        }
        for (int k = 0; k < count; k++) {
            rows_bytes equal = (rows_bytes)(*(const rows_bytes *)(rows[k] + i) == least);
            all -= equal;
            ours -= equal & own[k];
        }
        *(rows_bytes *)(nearest + i) = least;
        *(rows_bytes *)(total + i) = all;
        *(rows_bytes *)(mine + i) = ours;
    }
}

/* How many of `count` rows of distances are one move from each place: all[i], and mine[i] of ours (own[k] = 255). */
static inline void rows_reached(uint8_t *all, uint8_t *mine, const uint8_t *const *rows, const uint8_t *own, int count,
                                int n)
{
    for (int i = 0; i < n; i += 16) {
        rows_bytes any = {0}, ours = {0};
        for (int k = 0; k < count; k++) {
            rows_bytes beside = (rows_bytes)(*(const rows_bytes *)(rows[k] + i) == 1);
            any -= beside;
            ours -= beside & own[k];
        }
        *(rows_bytes *)(all + i) = any;
        *(rows_bytes *)(mine + i) = ours;
    }
}

/* In how many places marked 255 in `open` and not owned by `power` row equals nearest. */
static inline int rows_raided(const uint8_t *row, const uint8_t *nearest, const uint8_t *open, const uint8_t *owner,
                              uint8_t power, int n)
{
    rows_bytes found = {0};
    int sum = 0;
    for (int i = 0; i < n; i += 16) {
        rows_bytes equal = (rows_bytes)(*(const rows_bytes *)(row + i) == *(const rows_bytes *)(nearest + i));
        rows_bytes own = (rows_bytes)(*(const rows_bytes *)(owner + i) == power);
        found -= equal & *(const rows_bytes *)(open + i) & ~own;
    }
    for (int k = 0; k < 16; k++)
        sum += found[k];
    return sum;
}

/* shares[i] = mine[i] / total[i], 0 where there is nothing to share */
static inline void rows_shares(float *restrict shares, const uint8_t *restrict mine, const uint8_t *restrict total, int n)
{
    for (int i = 0; i < (n & ~15); i++)
        shares[i] = (float)mine[i] / (float)(total[i] | (total[i] == 0));
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

/* places[0..] = the indices of the nonzero tokens, without a branch; returns how many */
static inline int rows_places(uint8_t *restrict places, const uint16_t *restrict tokens, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        places[count] = (uint8_t)i;
        count += tokens[i] != 0;
    }
    return count;
}

static inline int lowest_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

#endif
