/* The arithmetic of the learnt policy, compiled for each kind of vectors (`wide_vectors`) where that helps. All give the
 * same values to the last bit.
 */
#ifndef BORDEAUX_NET_H
#define BORDEAUX_NET_H

#include "rules/portable.h"

#define NET(name) net_##name##_plain
#define NET_TARGET
#define NET_LANES 4
#define NET_NODES 2
#define NET_VECTORS 4
#include "net/kernels_vector.h"

#if WIDE_VECTORS
#define NET(name) net_##name##_wide
#define NET_TARGET __attribute__((target("avx2")))
#define NET_LANES 8
#define NET_NODES 4
#define NET_VECTORS 2
#include "net/kernels_vector.h"

#define NET(name) net_##name##_widest
#define NET_TARGET __attribute__((target("avx512f")))
#define NET_LANES 16
#define NET_NODES 8
#define NET_VECTORS 2
#include "net/kernels_vector.h"
#define NET_CHOOSE(wide, name, ...) ((wide) ? net_##name##_wide(__VA_ARGS__) : net_##name##_plain(__VA_ARGS__))
#else
#define NET_CHOOSE(wide, name, ...) ((void)(wide), net_##name##_plain(__VA_ARGS__))
#endif

static inline void net_dense(int wide, const float *in, int count, int n_in, const float *weights, const float *bias,
                             int n_out, float *out, int cut)
{
#if WIDE_VECTORS
    if (wide > 1) {
        net_dense_widest(in, count, n_in, weights, bias, n_out, out, cut);
        return;
    }
#endif
    NET_CHOOSE(wide, dense, in, count, n_in, weights, bias, n_out, out, cut);
}

static inline void net_gather(int wide, const float *table, const uint16_t *rows, int count, const float *base, int n,
                              float *out, int cut)
{
    NET_CHOOSE(wide, gather, table, rows, count, base, n, out, cut);
}

static inline void net_join(int wide, const float *in, const float *own, const uint8_t *near, const uint8_t *place,
                            int count, int n, float *both)
{
    NET_CHOOSE(wide, join, in, own, near, place, count, n, both);
}

static inline float net_score(int wide, const float *a, const float *b, const float *c, const float *d,
                              const float *weights, int n)
{
    return NET_CHOOSE(wide, score, a, b, c, d, weights, n);
}

static inline float net_dot(int wide, const float *a, const float *b, int n)
{
    return NET_CHOOSE(wide, dot, a, b, n);
}

#endif
