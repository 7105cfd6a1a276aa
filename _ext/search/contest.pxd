from libc.stdint cimport uint64_t

from bordeaux._ext.rules.structures cimport MAX_POWERS, Order, State
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.search.joint_values cimport JointValues

# The sets of orders that one power chooses among, `width` orders apart.
cdef struct Pool:
    int n, width
    int* count              # orders of each set
    double* share           # of 1
    Order* orders

# One set in one joint sample: what came of it, and what that is worth.
cdef struct Trial:
    State after
    uint64_t key            # of the result
    uint64_t chance
    int source              # the trial that has its points: an earlier one with the same result, or itself
    bint known              # whether it has had them from the beginning
    int nodes
    float points[MAX_POWERS]


cdef class Contest:
    cdef readonly Tables tables
    cdef public long long nodes
    cdef tuple rollouts                 # one for each thread
    cdef object crew                    # the other threads, started with the first work for them
    cdef JointValues joint_values       # adjudicates, and knows what has been valued
    cdef double concern[MAX_POWERS][MAX_POWERS]
    cdef Pool pools[MAX_POWERS]
    cdef int drawn[MAX_POWERS]          # the set that each power plays in a sample
    cdef bint open
    cdef int* origin                    # by slot of what is known: the trial that it comes from, -1 for none
    cdef Trial* trials
    cdef int n_trials, room
    cdef int movements                  # of the rollouts of the present trials
    cdef int taken                      # trials that threads have begun with
    cdef bytearray done                 # by trial
    cdef bint halted
    cdef bint busy                      # whether trials are under way

    cdef void clear(self) noexcept
    cdef int check_power(self, int power) except -1
    cdef int make_room(self, int n) except -1
    cdef void spread(self, uint64_t base, int number) noexcept nogil
    cdef void plan(self, int power, int own, int movements, uint64_t salt) noexcept nogil
    cdef double worth(self, int power, const Trial* trial) noexcept nogil
    cdef int check_idle(self) except -1
    cdef int begin(self, list helpers) except -1
    cdef bint take(self, int thread, int most) except *
    cdef int end(self, list helpers) except -1
    cdef void settle(self)
