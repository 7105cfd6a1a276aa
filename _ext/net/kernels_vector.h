/* The dense layers of the learnt policy, for the processors that NET_TARGET names, on vectors of NET_LANES floats. The
 * rest of its arithmetic is for vectors of 8 floats at most: its sums over a width have 8 lanes.
 *
 * Included once for each kind of processor. NET_NODES nodes and NET_VECTORS vectors of outputs are taken at a time, as
 * many as its registers hold. Widths are multiples of 8. Each output is summed in the order of the inputs, product by
 * product, so that all processors give the same floats.
 */

typedef float NET(vector) __attribute__((vector_size(4 * NET_LANES), aligned(4), may_alias));
typedef int32_t NET(bits) __attribute__((vector_size(4 * NET_LANES), may_alias));

#define NET_INLINE NET_TARGET static inline __attribute__((always_inline))
#define NET_AT(place) (*(NET(vector) *)(place))
#define NET_IN(place) (*(const NET(vector) *)(place))
/* The elements of a vector that are above 0, and 0 for the others */
#define NET_ABOVE(v) ((NET(vector))((NET(bits))(v) & (NET(bits))((v) > 0)))

/* Outputs from `at` on, so many vectors of them, of `count` nodes: out = bias + in * weights, not below 0 where `cut` is
 * set. */
NET_INLINE void NET(block)(const float *in, int n_in, const float *weights, const float *bias, int n_out, float *out,
                           int cut, int at, const int vectors, const int count)
{
    NET(vector) sum[NET_NODES][NET_VECTORS];
    for (int i = 0; i < count; i++)
        for (int v = 0; v < vectors; v++)
            sum[i][v] = bias ? NET_IN(bias + at + NET_LANES * v) : (NET(vector)){0};
    for (int k = 0; k < n_in; k++)
        for (int v = 0; v < vectors; v++) {
            NET(vector) weight = NET_IN(weights + k * n_out + at + NET_LANES * v);
            for (int i = 0; i < count; i++)
                sum[i][v] += weight * in[i * n_in + k];
        }
    for (int i = 0; i < count; i++)
        for (int v = 0; v < vectors; v++)
            NET_AT(out + i * n_out + at + NET_LANES * v) = cut ? NET_ABOVE(sum[i][v]) : sum[i][v];
}

/* The same of any number of nodes: one after the other, while the weights of these outputs are near */
NET_INLINE void NET(columns)(const float *in, int nodes, int n_in, const float *weights, const float *bias, int n_out,
                             float *out, int cut, int at, const int vectors)
{
    int i = 0;
    for (; i + NET_NODES <= nodes; i += NET_NODES)
        NET(block)(in + i * n_in, n_in, weights, bias, n_out, out + i * n_out, cut, at, vectors, NET_NODES);
    for (; i + NET_NODES / 2 <= nodes; i += NET_NODES / 2)
        NET(block)(in + i * n_in, n_in, weights, bias, n_out, out + i * n_out, cut, at, vectors, NET_NODES / 2);
    for (; i < nodes; i++)
        NET(block)(in + i * n_in, n_in, weights, bias, n_out, out + i * n_out, cut, at, vectors, 1);
}

/* out = bias + in * weights for `count` nodes, rows one after the other; `bias` may be NULL. */
NET_TARGET static void NET(dense)(const float *in, int count, int n_in, const float *weights, const float *bias,
                                  int n_out, float *out, int cut)
{
    int at = 0;
    for (; at + NET_LANES * NET_VECTORS <= n_out; at += NET_LANES * NET_VECTORS)
        NET(columns)(in, count, n_in, weights, bias, n_out, out, cut, at, NET_VECTORS);
    for (; at + NET_LANES <= n_out; at += NET_LANES)
        NET(columns)(in, count, n_in, weights, bias, n_out, out, cut, at, 1);
#if NET_LANES > 8
    if (at < n_out)
        net_columns_wide(in, count, n_in, weights, bias, n_out, out, cut, at, 1);
#endif
}

#if NET_LANES <= 8
#define NET_PARTS (8 / NET_LANES)

NET_INLINE void NET(rows_sum)(const float *table, const uint16_t *rows, int count, const float *base, int n, float *out,
                              int cut, int at, const int vectors)
{
    NET(vector) sum[4];
    for (int v = 0; v < vectors; v++)
        sum[v] = NET_IN(base + at + NET_LANES * v);
    for (int k = 0; k < count; k++)
        for (int v = 0; v < vectors; v++)
            sum[v] += NET_IN(table + rows[k] * n + at + NET_LANES * v);
    for (int v = 0; v < vectors; v++)
        NET_AT(out + at + NET_LANES * v) = cut ? NET_ABOVE(sum[v]) : sum[v];
}

/* out = base plus rows of a table, with `cut` not below 0; `n` is the width of all. */
NET_TARGET static void NET(gather)(const float *table, const uint16_t *rows, int count, const float *base, int n,
                                   float *out, int cut)
{
    int at = 0;
    for (; at + 4 * NET_LANES <= n; at += 4 * NET_LANES)
        NET(rows_sum)(table, rows, count, base, n, out, cut, at, 4);
    for (; at < n; at += NET_LANES)
        NET(rows_sum)(table, rows, count, base, n, out, cut, at, 1);
}

NET_INLINE void NET(node)(const float *in, const float *own, const uint8_t *near, const uint8_t *place, int count,
                          float part, int n, float *both, int at, const int vectors)
{
    NET(vector) sum[4];
    for (int v = 0; v < vectors; v++)
        sum[v] = (NET(vector)){0};
    for (int k = 0; k < count; k++)
        for (int v = 0; v < vectors; v++)
            sum[v] += NET_IN(in + place[near[k]] * n + at + NET_LANES * v);
    for (int v = 0; v < vectors; v++) {
        NET_AT(both + at + NET_LANES * v) = NET_IN(own + at + NET_LANES * v);
        NET_AT(both + n + at + NET_LANES * v) = sum[v] * part;
    }
}

/* both = a node's own row and, beside it, the mean of its neighbours' rows of `in`; `place` says where a province has
 * its row. */
NET_TARGET static void NET(join)(const float *in, const float *own, const uint8_t *near, const uint8_t *place, int count,
                                 int n, float *both)
{
    float part = count ? 1.0f / (float)count : 0.0f;
    int at = 0;
    for (; at + 4 * NET_LANES <= n; at += 4 * NET_LANES)
        NET(node)(in, own, near, place, count, part, n, both, at, 4);
    for (; at < n; at += NET_LANES)
        NET(node)(in, own, near, place, count, part, n, both, at, 1);
}

/* The sum of eight lanes, in an order that is the same everywhere */
NET_INLINE float NET(total)(const NET(vector) *parts)
{
    const float *v = (const float *)parts;
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* The sum of weights times what is above 0 of a + b + d + c; `c` may be NULL. */
NET_TARGET static float NET(score)(const float *a, const float *b, const float *c, const float *d,
                                   const float *weights, int n)
{
    NET(vector) total[NET_PARTS] = {0};
    for (int at = 0; at < n; at += 8)
        for (int v = 0; v < NET_PARTS; v++) {
            int k = at + NET_LANES * v;
            NET(vector) sum = NET_IN(a + k) + NET_IN(b + k) + NET_IN(d + k);
            if (c)
                sum += NET_IN(c + k);
            total[v] += NET_ABOVE(sum) * NET_IN(weights + k);
        }
    return NET(total)(total);
}

NET_TARGET static float NET(dot)(const float *a, const float *b, int n)
{
    NET(vector) total[NET_PARTS] = {0};
    for (int at = 0; at < n; at += 8)
        for (int v = 0; v < NET_PARTS; v++)
            total[v] += NET_IN(a + at + NET_LANES * v) * NET_IN(b + at + NET_LANES * v);
    return NET(total)(total);
}

#undef NET_PARTS
#endif

#undef NET
#undef NET_TARGET
#undef NET_LANES
#undef NET_NODES
#undef NET_VECTORS
#undef NET_INLINE
#undef NET_AT
#undef NET_IN
#undef NET_ABOVE
