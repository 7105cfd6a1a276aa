from libc.stdint cimport uint8_t, uint16_t, uint64_t

from bordeaux._ext.rules.structures cimport MapTables, Order, State

cdef enum:
    UNCHOSEN = 0xFFFF
    MAX_UNITS = 255
    MAX_SUCCESSORS = 4096
    CACHE_SLOTS = 1 << 18

# Maxims on whole sets, as bits (named in bordeaux.search.bestfirst).
cdef enum:
    NEVER_CLASH = 1         # two units ordered to the same province
    NEVER_BLOCKED = 2       # a move to where an own unit was told to stay
    NEVER_SWAP = 4          # two units ordered into each other's place by land

cdef struct Candidate:
    Order order
    uint64_t hash
    int first_help          # where the supports and convoys that belong to it start in `helpers`
    int n_help

cdef struct Helper:
    uint16_t unit
    uint16_t choice

cdef struct Successor:
    float value
    uint16_t choice[MAX_UNITS]

cdef struct Space:
    const MapTables* map
    State root
    int power
    int n_units
    int maxims
    uint8_t province[MAX_UNITS]     # of each own unit
    int unit_at[256]                # number of the own unit in a province, or -1
    uint8_t threatened[256]         # provinces that somebody else stands in or can enter
    int first[MAX_UNITS]            # where the candidates of each unit start
    int count[MAX_UNITS]
    uint16_t seed[MAX_UNITS]        # what units without a choice do
    bint frozen[MAX_UNITS]          # units that stay with the seed
    Candidate* candidates
    Helper* helpers
    Successor* successors
    int n_successors
    uint64_t* cache                 # keys of the sets seen, an open hash table
    int n_cached
    uint64_t salt                   # what keys start from: a new one forgets the sets seen


cdef inline const Order* order_of(const Space* e, const uint16_t* choice, int u) noexcept nogil:
    return &e.candidates[e.first[u] + (e.seed[u] if choice[u] == UNCHOSEN else choice[u])].order


cdef void find_threats(Space* e) noexcept nogil
cdef int count_helpers(Space* e) noexcept nogil
cdef void link_helpers(Space* e) noexcept nogil
cdef bint is_senseless(const Space* e, const uint16_t* choice, int u) noexcept nogil
cdef void mend(Space* e, uint16_t* choice) noexcept nogil
cdef void generate(Space* e, uint16_t* choice) noexcept nogil
