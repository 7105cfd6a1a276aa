from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.adjudicate cimport Battle
from bordeaux._ext.rules.structures cimport MapTables, Order, State, WORDS
from bordeaux._ext.search.field cimport MAX_REPLIERS, Area, Choices, Field, Part

cdef enum:
    CALL = 10               # what `asked` counts for a call,
    CLOSURE = 6             # and for an area that is closed
    LOOKS = 512             # adjudications between two looks at the clock
    BOUNDS = 8              # bounds of what a centre can be lost to that take as long as an adjudication


# How fixed units keep a centre from being lost: `OPEN` where nothing is known of it, `STANDS` where a unit stays there,
# `ENTERS` where one goes there, `FOLLOWS` where one does and another leaves, `EMPTY` where it is enough that nobody
# comes.
cdef enum:
    OPEN = 0
    STANDS = 1
    ENTERS = 2
    FOLLOWS = 3
    EMPTY = 4
    MAX_HELPERS = 16

cdef struct Stand:
    uint8_t kind
    uint8_t unit                    # the place of the unit that stays or goes
    uint8_t by_sea                  # whether that needs a convoy
    uint8_t owned                   # whether the centre is kept if nobody goes there
    uint8_t left_for                # of a unit that follows another: where that one goes, which is foreseen too
    uint8_t n_helpers
    uint8_t helpers[MAX_HELPERS]    # the places of those that support it

# What is known of a replier's order while a reply is made up: nothing, that it does not move, all.
cdef enum:
    FREE = 0
    STAYS = 1
    GIVEN = 2


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
    cdef long long count, most, bounds
    cdef int worst, enough
    cdef uint64_t taken[WORDS]      # the centres lost to the last reply; with several ways to retreat, any of them
    cdef Order reply[MAX_REPLIERS]
    cdef uint8_t turn[MAX_REPLIERS]  # the units of `choices` in the order in which they are given orders
    cdef uint8_t known[256]         # of the replier in each province
    cdef Stand stands[256]          # by province, of the centres and of where their units go
    cdef uint8_t n_cutters[256]     # by province the fixed units that surely attack it, and one of them
    cdef uint8_t cutter[256]
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
    cdef void take_turns(self) noexcept nogil
    cdef void find_cutters(self) noexcept nogil
    cdef bint goes_by_land(self, const Part* part) noexcept nogil
    cdef void foresee(self, int place) noexcept nogil
    cdef bint may_retreat(self, int place) noexcept nogil
    cdef void list_helpers(self, int place, Stand* stand) noexcept nogil
    cdef bint is_enough(self) except -1 nogil
    cdef bint is_kept(self, int place) noexcept nogil
    cdef bint is_uncut(self, int helper, int aim) noexcept nogil
    cdef bint is_sailed(self, int army, int goal) noexcept nogil
    cdef bint may_be_driven(self, int place) noexcept nogil
    cdef bint may_come(self, int place, int most, int one, int most_of_one) noexcept nogil
    cdef int resistance(self, int place, int mover) noexcept nogil
    cdef int force(self, int unit, int goal) noexcept nogil
    cdef int helpers(self, int kind, int helped, int goal) noexcept nogil
    cdef bint may_help(self, int unit, int kind, int helped, int goal) noexcept nogil
    cdef bint may_go(self, int unit, int goal) noexcept nogil
    cdef bint is_carried(self, int u) noexcept nogil
    cdef bint is_chain(self, uint64_t* fleets, int army, int goal) noexcept nogil
    cdef bint carries(self, int u) noexcept nogil
    cdef bint is_propped(self, int place) noexcept nogil
    cdef int choose_moves(self, int u) except -1 nogil
    cdef int choose_stays(self, int u) except -1 nogil
    cdef bint is_idle(self, const Order* order) noexcept nogil
    cdef int play(self) except -1 nogil
    cdef int spend(self) except -1 nogil
    cdef int judge(self) noexcept nogil
