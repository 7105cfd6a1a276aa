/* The loops of `survey.h` over vectors of SURVEY_BYTES bytes, for the processors that SURVEY_TARGET names.
 *
 * Included once for each width. Every sum has 16 lanes whatever the width, so that all give the same floats.
 */

typedef uint8_t SURVEY(bytes) __attribute__((vector_size(SURVEY_BYTES), aligned(1), may_alias));
typedef float SURVEY(floats) __attribute__((vector_size(SURVEY_BYTES), aligned(4), may_alias));

/* Vectors of bytes in a group of 32 columns, floats in a vector, vectors in 16 floats */
enum {
    SURVEY(parts) = SURVEY_GROUP / SURVEY_BYTES,
    SURVEY(lanes) = SURVEY_BYTES / 4,
    SURVEY(rows) = 64 / SURVEY_BYTES,
};

/* Count, for the 32 columns from `at` on, the rows from `from` to `to` that have the least distance, and where
 * `reach` is set those at distance 1; `covers`, if there, receives for each row where it has the least. */
SURVEY_TARGET static inline __attribute__((always_inline)) void SURVEY(count)(
    const Side *side, int at, int from, int to, const SURVEY(bytes) *least, SURVEY(bytes) *nearest,
    SURVEY(bytes) *beside, int reach, uint64_t *covers)
{
    for (int k = from; k < to; k++) {
        uint64_t mask = 0;
        for (int v = 0; v < SURVEY(parts); v++) {
            SURVEY(bytes) row = *(const SURVEY(bytes) *)(side->rows[k] + at + v * SURVEY_BYTES);
            SURVEY(bytes) equal = (SURVEY(bytes))(row == least[v]);
            nearest[v] -= equal;
            if (reach)
                beside[v] -= (SURVEY(bytes))(row == 1);
            if (covers)
                mask |= (uint64_t)SURVEY_MASK(equal) << (v * SURVEY_BYTES);
        }
        if (covers)
            covers[k] = at & SURVEY_GROUP ? covers[k] | mask << SURVEY_GROUP : mask;
    }
}

/* All that `survey_look` finds in the 32 columns from `at` on */
SURVEY_TARGET static inline __attribute__((always_inline)) void SURVEY(group)(
    Survey *s, const Side *own, const Side *others, int at, uint64_t *own_covers, uint64_t *covers)
{
    SURVEY(bytes) least[SURVEY(parts)], nearest[SURVEY(parts)], beside[SURVEY(parts)];
    for (int v = 0; v < SURVEY(parts); v++) {
        least[v] = (SURVEY(bytes)){0} + SURVEY_FAR;
        nearest[v] = beside[v] = (SURVEY(bytes)){0};
    }
    for (int k = 0; k < own->n; k++)
        for (int v = 0; v < SURVEY(parts); v++)
            least[v] = SURVEY_LEAST(least[v], *(const SURVEY(bytes) *)(own->rows[k] + at + v * SURVEY_BYTES));
    for (int k = 0; k < others->n; k++)
        for (int v = 0; v < SURVEY(parts); v++)
            least[v] = SURVEY_LEAST(least[v], *(const SURVEY(bytes) *)(others->rows[k] + at + v * SURVEY_BYTES));
    SURVEY(count)(own, at, 0, own->n_units, least, nearest, beside, 1, own_covers);
    SURVEY(count)(own, at, own->n_units, own->n, least, nearest, beside, 0, own_covers);
    for (int v = 0; v < SURVEY(parts); v++) {
        *(SURVEY(bytes) *)(s->mine + at + v * SURVEY_BYTES) = nearest[v];
        *(SURVEY(bytes) *)(s->own_beside + at + v * SURVEY_BYTES) = beside[v];
    }
    SURVEY(count)(others, at, 0, others->n_units, least, nearest, beside, 1, covers);
    SURVEY(count)(others, at, others->n_units, others->n, least, nearest, beside, 0, covers);
    for (int v = 0; v < SURVEY(parts); v++) {
        *(SURVEY(bytes) *)(s->total + at + v * SURVEY_BYTES) = nearest[v];
        *(SURVEY(bytes) *)(s->beside + at + v * SURVEY_BYTES) = beside[v];
    }
}

SURVEY_TARGET static void SURVEY(look)(Survey *s, const Side *own, const Side *others, int n, int n_centres)
{
    int at = 0;
    for (; at < n_centres; at += SURVEY_GROUP)
        SURVEY(group)(s, own, others, at, s->own_covers[at / 64], s->covers[at / 64]);
    for (; at < n; at += SURVEY_GROUP)
        SURVEY(group)(s, own, others, at, NULL, NULL);
    for (int i = 0; i < (n & ~31); i++)
        s->shares[i] = (float)s->mine[i] / (float)(s->total[i] | (s->total[i] == 0));
}

/* control: the sum of altitude times share; gravity: that of altitude times what is missing to a whole share,
 * times the pull of it on `count` units. */
SURVEY_TARGET static void SURVEY(weigh)(
    const float *altitude, const float *shares, const float *const *pulls, int count, int n, float *control,
    float *gravity)
{
    SURVEY(floats) held[SURVEY(rows)], drawn[SURVEY(rows)];
    for (int v = 0; v < SURVEY(rows); v++)
        held[v] = drawn[v] = (SURVEY(floats)){0};
    for (int i = 0; i < n; i += 16) {
        SURVEY(floats) pull[SURVEY(rows)];
        for (int v = 0; v < SURVEY(rows); v++)
            pull[v] = (SURVEY(floats)){0};
        for (int k = 0; k < count; k++)
            for (int v = 0; v < SURVEY(rows); v++)
                pull[v] += *(const SURVEY(floats) *)(pulls[k] + i + v * SURVEY(lanes));
        for (int v = 0; v < SURVEY(rows); v++) {
            SURVEY(floats) height = *(const SURVEY(floats) *)(altitude + i + v * SURVEY(lanes));
            SURVEY(floats) share = *(const SURVEY(floats) *)(shares + i + v * SURVEY(lanes));
            held[v] += height * share;
            drawn[v] += height * (1.0f - share) * pull[v];
        }
    }
    *control = *gravity = 0;
    for (int v = 0; v < SURVEY(rows); v++)
        for (int k = 0; k < SURVEY(lanes); k++) {
            *control += held[v][k];
            *gravity += drawn[v][k];
        }
}

#undef SURVEY_TARGET
#undef SURVEY_BYTES
#undef SURVEY_MASK
#undef SURVEY_LEAST
#undef SURVEY
