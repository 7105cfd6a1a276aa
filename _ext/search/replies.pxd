from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.adjudicate cimport Battle
from bordeaux._ext.rules.structures cimport MapTables, Order, State, WORDS
from bordeaux._ext.search.closure cimport MAX_REPLIERS, Area, Choices
from bordeaux._ext.search.field cimport Field

cdef enum:
    CALL = 10               # what `asked` counts for a call,
    CLOSURE = 6             # and for an area that is closed
    LOOKS = 512             # adjudications between two looks at the clock


cdef class Replies:
    cdef Field field
    cdef const MapTables* map
    cdef int power
    cdef bint keeping
    cdef public int limit
    cdef readonly long long asked
    cdef double patience
    cdef object late
    cdef bint is_late, has_clock
    cdef long long next_look
    cdef Area area
    cdef Choices choices
    cdef Order orders[256]
    cdef int n_centres
    cdef uint8_t centres[256]
    cdef Battle battle
    cdef State after
    cdef long long count, most
    cdef int worst, enough
    cdef uint64_t taken[WORDS]      # the centres lost to the last reply; with several ways to retreat, any of them
    cdef Order reply[MAX_REPLIERS]
    cdef int fix(self, bytes fixed) except -1
    cdef int centre_on(self, centres) except -1
    cdef int look(self) except -1
    cdef int look_again(self) except -1 with gil
    cdef void close(self) noexcept nogil
    cdef int search(self, int enough) except -1
    cdef int guess(self) except -1 nogil
    cdef int lead(self, int leader, const Order* order) except -1 nogil
    cdef const Order* help(self, int u, const Order* order) noexcept nogil
    cdef const Order* cut(self, int u) noexcept nogil
    cdef bint over(self) noexcept nogil
    cdef int choose_moves(self, int u) except -1 nogil
    cdef int choose_stays(self, int u) except -1 nogil
    cdef bint is_idle(self, const Order* order) noexcept nogil
    cdef int play(self) except -1 nogil
    cdef int judge(self) noexcept nogil
