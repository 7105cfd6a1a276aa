/* The twin of `kernels_vector.h` in plain C: the same sums in the same order, float by float. `wide` is asked for in vain.
 */

static inline float net_above(float value)
{
    return value > 0 ? value : 0.0f;
}

static inline void net_dense(int wide, const float *in, int count, int n_in, const float *weights, const float *bias,
                             int n_out, float *out, int cut)
{
    (void)wide;
    for (int i = 0; i < count; i++, in += n_in, out += n_out) {
        for (int j = 0; j < n_out; j++)
            out[j] = bias ? bias[j] : 0.0f;
        for (int k = 0; k < n_in; k++)
            for (int j = 0; j < n_out; j++)
                out[j] += weights[k * n_out + j] * in[k];
        for (int j = 0; cut && j < n_out; j++)
            out[j] = net_above(out[j]);
    }
}

static inline void net_gather(int wide, const float *table, const uint16_t *rows, int count, const float *base, int n,
                              float *out, int cut)
{
    (void)wide;
    memcpy(out, base, n * sizeof(float));
    for (int k = 0; k < count; k++)
        for (int j = 0; j < n; j++)
            out[j] += table[rows[k] * n + j];
    for (int j = 0; cut && j < n; j++)
        out[j] = net_above(out[j]);
}

static inline void net_join(int wide, const float *in, const float *own, const uint8_t *near, const uint8_t *place,
                            int count, int n, float *both)
{
    float part = count ? 1.0f / (float)count : 0.0f;
    (void)wide;
    memcpy(both, own, n * sizeof(float));
    for (int j = 0; j < n; j++)
        both[n + j] = 0.0f;
    for (int k = 0; k < count; k++)
        for (int j = 0; j < n; j++)
            both[n + j] += in[place[near[k]] * n + j];
    for (int j = 0; j < n; j++)
        both[n + j] *= part;
}

/* The sum of eight lanes in the order of all kernels */
static inline float net_total(const float *v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

static inline float net_score(int wide, const float *a, const float *b, const float *c, const float *d,
                              const float *weights, int n)
{
    float lanes[8] = {0};
    (void)wide;
    for (int k = 0; k < n; k++) {
        float sum = a[k] + b[k] + d[k];
        if (c)
            sum += c[k];
        lanes[k & 7] += net_above(sum) * weights[k];
    }
    return net_total(lanes);
}

static inline float net_dot(int wide, const float *a, const float *b, int n)
{
    float lanes[8] = {0};
    (void)wide;
    for (int k = 0; k < n; k++)
        lanes[k & 7] += a[k] * b[k];
    return net_total(lanes);
}
