"""Functions that have different names in different compilers (`portable.h`)."""

from libc.stdint cimport uint64_t


cdef extern from "rules/portable.h" nogil:
    const int WIDE_VECTORS
    int wide_vectors()
    int count_bits(uint64_t bits)
    void* zeroed(size_t size)
