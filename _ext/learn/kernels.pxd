"""The arithmetic of learning (kernels.h)."""

cdef extern from "learn/kernels.h" nogil:
    ctypedef struct AdamStep:
        float rate
        float decay
        float beta1
        float beta2
        float correct1
        float correct2
        float keep
        float scale
    void learn_outer(int wide, const float* data, int count, int n_in, const float* slopes, int n_out, float* grad)
    void learn_add(int wide, float* to, const float* data, float factor, int n)
    void learn_adam(
        int wide, float* weights, float* grad, float* first, float* second, float* mean, size_t n, const AdamStep* step
    )
