/* The twin of `survey_vector.h`, and of what else `survey.h` does with vectors, in plain C: bytes wrap around as they do
 * there, and sums of floats have the same 16 lanes. `wide` is asked for in vain.
 */

/* Count, by column, the rows of a side that have the least distance, and the units at distance 1; `covers`, if there,
 * receives for each row the centres where it has the least. */
static inline void survey_nearest(const Side *side, const uint8_t *least, int n, int n_centres, uint8_t *nearest,
                                  uint8_t *beside, uint64_t covers[][SURVEY_SOURCES])
{
    for (int w = 0; w * 64 < n_centres; w++)
        memset(covers[w], 0, side->n * sizeof(uint64_t));
    for (int k = 0; k < side->n; k++) {
        const uint8_t *row = side->rows[k];
        for (int i = 0; i < n; i++) {
            nearest[i] += row[i] == least[i];
            if (k < side->n_units)
                beside[i] += row[i] == 1;
        }
        for (int i = 0; i < ((n_centres + 31) & ~31); i++)
            covers[i / 64][k] |= (uint64_t)(row[i] == least[i]) << (i & 63);
    }
}

static inline void survey_look(int wide, Survey *s, const Side *own, const Side *others, int n, int n_centres)
{
    uint8_t least[256];
    int columns = (n + 31) & ~31;
    (void)wide;
    memset(least, SURVEY_FAR, columns);
    memset(s->mine, 0, columns);
    memset(s->own_beside, 0, columns);
    for (int k = 0; k < own->n + others->n; k++) {
        const uint8_t *row = k < own->n ? own->rows[k] : others->rows[k - own->n];
        for (int i = 0; i < columns; i++)
            least[i] = row[i] < least[i] ? row[i] : least[i];
    }
    survey_nearest(own, least, columns, n_centres, s->mine, s->own_beside, s->own_covers);
    memcpy(s->total, s->mine, columns);
    memcpy(s->beside, s->own_beside, columns);
    survey_nearest(others, least, columns, n_centres, s->total, s->beside, s->covers);
    for (int i = 0; i < (n & ~31); i++)
        s->shares[i] = (float)s->mine[i] / (float)(s->total[i] | (s->total[i] == 0));
}

static inline void survey_weigh(int wide, const float *altitude, const float *shares, const float *const *pulls,
                                int count, int n, float *control, float *gravity)
{
    float held[16] = {0}, drawn[16] = {0};
    (void)wide;
    for (int i = 0; i < n; i++) {
        float pull = 0;
        for (int k = 0; k < count; k++)
            pull += pulls[k][i];
        held[i & 15] += altitude[i] * shares[i];
        drawn[i & 15] += altitude[i] * (1.0f - shares[i]) * pull;
    }
    *control = *gravity = 0;
    for (int k = 0; k < 16; k++) {
        *control += held[k];
        *gravity += drawn[k];
    }
}

static inline void survey_equal(uint64_t *words, const uint8_t *bytes, uint8_t value, int n)
{
    for (int i = 0; i < n; i += 64) {
        words[i / 64] = 0;
        for (int k = 0; k < 64; k++)
            words[i / 64] |= (uint64_t)(bytes[i + k] == value) << k;
    }
}

static inline int survey_danger(const Survey *s, const uint8_t *owner, const uint8_t *standing, uint8_t power,
                                uint8_t taken, int n)
{
    int tenths = 0;
    for (int i = 0; i < n; i++) {
        uint8_t mine = s->own_beside[i], foes = (uint8_t)(s->beside[i] - mine), unit = standing[i];
        if (owner[i] != power)
            continue;
        if (unit == 0)
            tenths += foes == 0 ? 0 : mine == 0 ? 10 : foes > mine ? 6 : 3;
        else if (unit == (uint8_t)(power + 1))
            tenths += foes > (uint8_t)(mine + 1) ? 5 : 0;
        else
            tenths += taken;
    }
    return tenths;
}
