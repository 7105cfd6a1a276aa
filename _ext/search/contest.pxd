from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.battle cimport Battle
from bordeaux._ext.search.choices cimport Ranked
from bordeaux._ext.search.rollout cimport Rollout
from bordeaux._ext.learn.selfplay cimport Known
from bordeaux._ext.rules.structures cimport MAX_POWERS, Order, State
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.value.valuer cimport Value

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
    cdef readonly long long nodes
    cdef Rollout rollout                # keeps alive what it is made of
    cdef Value value
    cdef double concern[MAX_POWERS][MAX_POWERS]
    cdef Pool pools[MAX_POWERS]
    cdef int drawn[MAX_POWERS]          # the set that each power plays in a sample
    cdef bint open
    cdef double weights                 # of all iterations so far
    cdef int iterations
    cdef State root
    cdef State after
    cdef Battle battle
    cdef Known* known
    cdef uint64_t nonce
    cdef uint64_t chance
    cdef Order joint[256]
    cdef Order listed[256]
    cdef uint8_t powers[256]
    cdef uint8_t outcome[512]

    cdef void clear(self) noexcept
    cdef int check_power(self, int power) except -1
    cdef void weigh(self, double temperature) noexcept nogil
    cdef void sample(self) noexcept nogil
    cdef void spread(self, uint64_t base, int number) noexcept nogil
    cdef void judge(self, int power, int samples, uint64_t base, int first, Ranked* sets) noexcept nogil
    cdef void iterate(self, int n, double temperature, int movements) noexcept nogil
    cdef const float* points(self, int power, int own, int movements, uint64_t salt) noexcept nogil
    cdef double worth(self, int power, int own, int movements, uint64_t salt) noexcept nogil
    cdef void resolve(self, int power, int own) noexcept nogil
