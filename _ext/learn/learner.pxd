from libc.stdint cimport uint64_t


cdef class Learner:
    cdef readonly long long steps
    cdef float decay
    cdef float keep
    cdef float* weights                     # of the net that changes, and of the running mean
    cdef float* averaged
    cdef float* memory                      # slopes, then both moments of Adam
    cdef size_t n_weights
    cdef const size_t* starts               # where each of the arrays begins, and where the last one ends
    cdef int n_parts
    cdef uint64_t decaying                  # arrays that lose weight, as bits
    cdef int wide                           # which vectors are at hand

    cdef int lay_out(
        self, float* weights, float* averaged, const size_t* starts, int n_parts, uint64_t decaying
    ) except -1
    cdef void adam(self, double count, float rate) noexcept nogil
    cdef void settle(self) noexcept nogil
