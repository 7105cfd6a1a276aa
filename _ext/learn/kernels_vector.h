/* Included once for each kind of processor (kernels.h). */

/* Slopes of outputs `at` to at + 8 * parts, all inputs: sums over rows stay in registers. */
LEARN_TARGET static inline __attribute__((always_inline)) void
LEARN(block)(const float *in, int count, int n_in, const float *slopes, int n_out, float *grad, int at, const int parts)
{
    for (int k = 0; k < n_in; k += 2) {
        LearnVector sum[2][4] = {{{0}}};
        for (int i = 0; i < count; i++) {
            float left = in[i * n_in + k], right = in[i * n_in + k + 1];
            for (int v = 0; v < parts; v++) {
                LearnVector slope = *(const LearnVector *)(slopes + i * n_out + at + 8 * v);
                sum[0][v] += left * slope;
                sum[1][v] += right * slope;
            }
        }
        for (int v = 0; v < parts; v++) {
            *(LearnVector *)(grad + k * n_out + at + 8 * v) += sum[0][v];
            *(LearnVector *)(grad + (k + 1) * n_out + at + 8 * v) += sum[1][v];
        }
    }
}

/* grad[k][o] += in[i][k] * slopes[i][o], over `count` rows i; widths are multiples of 8. */
LEARN_TARGET static void LEARN(outer)(const float *in, int count, int n_in, const float *slopes, int n_out, float *grad)
{
    int at = 0;
    for (; at + 32 <= n_out; at += 32)
        LEARN(block)(in, count, n_in, slopes, n_out, grad, at, 4);
    for (; at + 16 <= n_out; at += 16)
        LEARN(block)(in, count, n_in, slopes, n_out, grad, at, 2);
    for (; at < n_out; at += 8)
        LEARN(block)(in, count, n_in, slopes, n_out, grad, at, 1);
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
