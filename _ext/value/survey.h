/* Whole rows of the tables surveyed at once: who is nearest to each province, who could move there next.
 *
 * A *column* stands for a province, centres first, so that bits in words of 64 serve for the centres. Rows have a
 * multiple of 32 columns. The loops are compiled twice where that helps, for vectors that every x86-64 processor has
 * and for wider ones; both give the same values to the last bit.
 */
#ifndef BORDEAUX_SURVEY_H
#define BORDEAUX_SURVEY_H

#include "rules/rows.h"
#if WIDE_VECTORS
#include <immintrin.h>
#endif

#define SURVEY_FAR 254
#define SURVEY_GROUP 32
#define SURVEY_WORDS 4
#define SURVEY_SOURCES 512

/* The sources of influence of one side: `n_units` units, then homes where units could be built, `n` in all. */
typedef struct {
    int n_units, n;
    const uint8_t *rows[SURVEY_SOURCES]; /* distances by column */
    uint8_t power[SURVEY_SOURCES];
} Side;

/* The results, by column. */
typedef struct {
    uint8_t mine[256];       /* own sources among the nearest */
    uint8_t total[256];      /* nearest sources */
    uint8_t own_beside[256]; /* own units one move away */
    uint8_t beside[256];     /* units one move away */
    float shares[256];       /* mine / total, 0 where there are none */
    uint64_t own_covers[SURVEY_WORDS][SURVEY_SOURCES]; /* centres that each own source is nearest to */
    uint64_t covers[SURVEY_WORDS][SURVEY_SOURCES];     /* and each source of others */
} Survey;

#define SURVEY(name) survey_##name##_16
#define SURVEY_TARGET
#define SURVEY_BYTES 16
#define SURVEY_MASK(set) rows_mask((rows_bytes)(set))
#define SURVEY_LEAST(a, b) rows_smaller((rows_bytes)(a), (rows_bytes)(b))
#include "value/survey_vector.h"

#if WIDE_VECTORS
#define SURVEY(name) survey_##name##_32
#define SURVEY_TARGET __attribute__((target("avx2")))
#define SURVEY_BYTES 32
#define SURVEY_MASK(set) (uint32_t)_mm256_movemask_epi8((__m256i)(set))
#define SURVEY_LEAST(a, b) (survey_bytes_32)_mm256_min_epu8((__m256i)(a), (__m256i)(b))
#include "value/survey_vector.h"
#endif

static inline void survey_look(int wide, Survey *s, const Side *own, const Side *others, int n, int n_centres)
{
#if WIDE_VECTORS
    if (wide) {
        survey_look_32(s, own, others, n, n_centres);
        return;
    }
#endif
    survey_look_16(s, own, others, n, n_centres);
}

static inline void survey_weigh(int wide, const float *altitude, const float *shares, const float *const *pulls,
                                int count, int n, float *control, float *gravity)
{
#if WIDE_VECTORS
    if (wide) {
        survey_weigh_32(altitude, shares, pulls, count, n, control, gravity);
        return;
    }
#endif
    survey_weigh_16(altitude, shares, pulls, count, n, control, gravity);
}

/* words[w] = the bits of the bytes equal to `value`; n is a multiple of 64 */
static inline void survey_equal(uint64_t *words, const uint8_t *bytes, uint8_t value, int n)
{
    for (int i = 0; i < n; i += 64) {
        uint64_t word = 0;
        for (int k = 0; k < 64; k += 16)
            word |= (uint64_t)rows_mask((rows_bytes)(*(const rows_bytes *)(bytes + i + k) == value)) << k;
        words[i / 64] = word;
    }
}

/* How many centres of `power` are at risk, in tenths of one; `standing` is the power of the unit in each plus one,
 * 0 where there is none; `taken` counts for one that another stands in. n is a multiple of 16. */
static inline int survey_danger(const Survey *s, const uint8_t *owner, const uint8_t *standing, uint8_t power,
                                uint8_t taken, int n)
{
    int tenths = 0;
    for (int i = 0; i < n; i += 16) {
        rows_bytes mine = *(const rows_bytes *)(s->own_beside + i);
        rows_bytes foes = *(const rows_bytes *)(s->beside + i) - mine;
        rows_bytes unit = *(const rows_bytes *)(standing + i);
        rows_bytes own = (rows_bytes)(unit == (uint8_t)(power + 1));
        rows_bytes empty = (rows_bytes)(unit == 0), outnumbered = (rows_bytes)(foes > mine);
        rows_bytes alone = (rows_bytes)(mine == 0);
        rows_bytes risk = own & (rows_bytes)(foes > mine + 1) & 5;
        rows_bytes open = (alone & 10) | (~alone & outnumbered & 6) | (~outnumbered & 3);
        risk |= empty & (rows_bytes)(foes != 0) & open;
        risk |= ~own & ~empty & taken;
        risk &= (rows_bytes)(*(const rows_bytes *)(owner + i) == power);
        for (int k = 0; k < 16; k++)
            tenths += risk[k];
    }
    return tenths;
}

#endif
