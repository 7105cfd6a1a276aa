/* The arithmetic of learning: slopes of dense layers, and steps of Adam. Compiled twice where that helps, for vectors
 * that every processor has and for wider ones; both give the same floats, as nothing is summed across lanes.
 */
#ifndef BORDEAUX_LEARN_H
#define BORDEAUX_LEARN_H

#include <math.h>
#include <stddef.h>

#include "rules/portable.h"

/* How a step of Adam is made: decay is taken from the weights by themselves (AdamW). */
typedef struct {
    float rate, decay, beta1, beta2, correct1, correct2, keep, scale;
} AdamStep;

typedef float LearnVector __attribute__((vector_size(32), aligned(4), may_alias));

#define LEARN(name) learn_##name##_plain
#define LEARN_TARGET
#include "learn/kernels_vector.h"

#if WIDE_VECTORS
#define LEARN(name) learn_##name##_wide
#define LEARN_TARGET __attribute__((target("avx2")))
#include "learn/kernels_vector.h"
#define LEARN_CHOOSE(wide, name, ...) ((wide) ? learn_##name##_wide(__VA_ARGS__) : learn_##name##_plain(__VA_ARGS__))
#else
#define LEARN_CHOOSE(wide, name, ...) ((void)(wide), learn_##name##_plain(__VA_ARGS__))
#endif

static inline void learn_outer(int wide, const float *in, int count, int n_in, const float *slopes, int n_out,
                               float *grad)
{
    LEARN_CHOOSE(wide, outer, in, count, n_in, slopes, n_out, grad);
}

static inline void learn_add(int wide, float *to, const float *from, float factor, int n)
{
    LEARN_CHOOSE(wide, add, to, from, factor, n);
}

static inline void learn_adam(int wide, float *weights, float *grad, float *first, float *second, float *mean, size_t n,
                              const AdamStep *step)
{
    LEARN_CHOOSE(wide, adam, weights, grad, first, second, mean, n, step);
}

#endif
