from libc.stdint cimport uint64_t

from bordeaux._ext.search.choices cimport Ranked
from bordeaux._ext.search.joint_values cimport JointValues
from bordeaux._ext.rules.structures cimport MAX_POWERS, Order
from bordeaux._ext.rules.tables cimport Tables

# The sets of orders that one power chooses among, `width` orders apart.
cdef struct Pool:
    int n, width
    int* count              # orders of each set
    double* prior           # logarithms
    double* total           # of weighed values, by set
    double* share           # of 1, as the values stand
    Order* orders


cdef class Contest:
    cdef readonly Tables tables
    cdef JointValues joint_values
    cdef double concern[MAX_POWERS][MAX_POWERS]
    cdef Pool pools[MAX_POWERS]
    cdef int drawn[MAX_POWERS]          # the set that each power plays in a sample
    cdef bint open
    cdef double weights                 # of all iterations so far
    cdef int iterations
    cdef uint64_t chance

    cdef void clear(self) noexcept
    cdef int check_power(self, int power) except -1
    cdef void weigh(self, double temperature) noexcept nogil
    cdef void sample(self) noexcept nogil
    cdef void spread(self, uint64_t base, int number) noexcept nogil
    cdef void judge(self, int power, int samples, uint64_t base, int first, Ranked* sets) noexcept nogil
    cdef void iterate(self, int n, double temperature, int movements) noexcept nogil
    cdef double worth(self, int power, int own, int movements, uint64_t salt) noexcept nogil
