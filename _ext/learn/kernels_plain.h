/* What kernels.h has, for compilers that know no vectors. Sums are made in the same order. */

static inline void learn_outer(int wide, const float *in, int count, int n_in, const float *slopes, int n_out,
                               float *grad)
{
    (void)wide;
    for (int k = 0; k < n_in; k++)
        for (int o = 0; o < n_out; o++) {
            float sum = 0;
            for (int i = 0; i < count; i++)
                sum += in[i * n_in + k] * slopes[i * n_out + o];
            grad[k * n_out + o] += sum;
        }
}

static inline void learn_add(int wide, float *to, const float *from, float factor, int n)
{
    (void)wide;
    for (int i = 0; i < n; i++)
        to[i] += factor * from[i];
}

static inline void learn_adam(int wide, float *weights, float *grad, float *first, float *second, float *mean, size_t n,
                              const AdamStep *step)
{
    (void)wide;
    for (size_t i = 0; i < n; i++) {
        float slope = step->scale * grad[i];
        grad[i] = 0.0f;
        first[i] = step->beta1 * first[i] + (1.0f - step->beta1) * slope;
        second[i] = step->beta2 * second[i] + (1.0f - step->beta2) * slope * slope;
        float way = first[i] * step->correct1 / (sqrtf(second[i] * step->correct2) + 1e-8f);
        weights[i] -= step->rate * (way + step->decay * weights[i]);
        mean[i] += (1.0f - step->keep) * (weights[i] - mean[i]);
    }
}
