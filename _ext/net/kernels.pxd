"""The arithmetic of the learnt policy (`kernels.h`)."""

from libc.stdint cimport uint8_t, uint16_t

cdef extern from "net/kernels.h" nogil:
    void net_dense(
        int wide, const float* data, int count, int n_in, const float* weights, const float* bias, int n_out,
        float* out, int cut
    )
    void net_gather(
        int wide, const float* table, const uint16_t* rows, int count, const float* base, int n, float* out,
        int cut
    )
    void net_join(
        int wide, const float* data, const float* own, const uint8_t* near, const uint8_t* place, int count, int n,
        float* both
    )
    float net_score(
        int wide, const float* a, const float* b, const float* c, const float* d, const float* weights, int n
    )
    float net_dot(int wide, const float* a, const float* b, int n)
