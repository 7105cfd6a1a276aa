from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.structures cimport MAX_POWERS


cdef class RegretGame:
    cdef readonly int n_players
    cdef readonly int room                  # actions that a player may come to have
    cdef readonly long long iterations
    cdef readonly long long nodes           # values that had to be worked out
    cdef int count[MAX_POWERS]              # actions of each player so far
    cdef uint8_t learns[MAX_POWERS]
    cdef double* regrets                    # [player][room], the sums over the iterations
    cdef double* latest                     # and what the last iteration added
    cdef double* current                    # the strategies that the next joint action is drawn from
    cdef double* sums                       # the strategies played, each weighing its iteration's number
    cdef double* row
    cdef double worth[MAX_POWERS]           # the values of the strategies played, summed alike
    cdef double weight                      # sum of the numbers of the iterations
    cdef uint64_t chance

    cdef void begin(self, const int* joint) noexcept nogil
    cdef void outcomes(self, const int* joint, int player, double* values) noexcept nogil
    cdef int draw(self, const double* shares, int n) noexcept nogil
    cdef void iterate(self) noexcept nogil
    cdef void take(self, int player, double weight) noexcept nogil
    cdef void learn(self, int player) noexcept nogil
    cdef int check_player(self, int player) except -1
