/* Included once for each kind of processor (learn.h). */

/* grad[k][o] += in[i][k] * slopes[i][o], over `count` rows i. */
LEARN_TARGET static void LEARN(outer)(const float *restrict in, int count, int n_in, const float *restrict slopes,
                                      int n_out, float *restrict grad)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < n_in; k++) {
            float value = in[i * n_in + k];
            /* What was cut off is 0, and often. */
            if (value == 0.0f)
                continue;
            for (int o = 0; o < n_out; o++)
                grad[k * n_out + o] += value * slopes[i * n_out + o];
        }
}

/* to += factor * from */
LEARN_TARGET static void LEARN(add)(float *restrict to, const float *restrict from, float factor, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += factor * from[i];
}

/* One step of Adam on `n` weights by `scale` times their slopes, which are 0 afterwards; `mean` follows the weights, of
 * which it keeps the share `keep` of before. */
LEARN_TARGET static void LEARN(adam)(float *restrict weights, float *restrict grad, float *restrict first,
                                     float *restrict second, float *restrict mean, size_t n, const AdamStep *step)
{
    const AdamStep s = *step;
    for (size_t i = 0; i < n; i++) {
        float slope = s.scale * grad[i];
        grad[i] = 0.0f;
        first[i] = s.beta1 * first[i] + (1.0f - s.beta1) * slope;
        second[i] = s.beta2 * second[i] + (1.0f - s.beta2) * slope * slope;
        float way = first[i] * s.correct1 / (sqrtf(second[i] * s.correct2) + 1e-8f);
        weights[i] -= s.rate * (way + s.decay * weights[i]);
        mean[i] += (1.0f - s.keep) * (weights[i] - mean[i]);
    }
}

#undef LEARN
#undef LEARN_TARGET
