from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.structures cimport WORDS, MapTables, State
from bordeaux._ext.tables cimport Tables

cdef enum:
    CONTROL = 0
    OWNED = 1
    OCCUPIED = 2
    PRESSURE = 3
    GRAVITY = 4
    DANGER = 5
    LOSSES = 6
    VICTORY = 7
    GOALS = 8
    N_TERMS = 9

cdef enum:
    AFTER_SPRING = 0
    AFTER_FALL = 1

cdef struct Weights:
    float owned             # for each centre owned
    float occupied          # for each centre of others occupied before ownership is settled
    float pressure          # for a unit's part in next provinces that others occupy
    float gravity           # for the pull of provinces not held
    float danger            # for each own centre at risk, as far as it is
    float losses            # for each own unit dislodged
    float victory           # for owning more than half of the centres
    int home_delay          # moves by which a build is later than a unit; 0: homes exert nothing
    int dilute              # raiders spread over the centres they cover

cdef struct Judge:
    const MapTables* map
    Weights weights
    bint wide               # the processor has wider vectors than every one of its kind
    int n_columns           # the row length of the tables: provinces, centres first, and what fills up
    int n_words             # 64-bit words that hold a bit for every centre
    uint8_t column[256]     # of each province
    float part[256]         # n / (n + 1)
    uint64_t homes[32][WORDS]   # centres where each power may build
    float* altitude         # [2 seasons][power][column]
    float* pull             # [location][column]: 1 / (1 + distance) ** 2
    float* goals            # [power][column]: points added for regional goals; NULL: none
    float* marches          # [power][location]: points for a unit that stands there; NULL with goals
    uint8_t* near           # [location][column]: distance
    uint8_t* home_rows      # [centre][column]: distance of a unit yet to be built


cdef class Evaluator:
    cdef Judge judge
    cdef readonly Tables tables
    cdef Evaluator parent       # keeps alive what a raised evaluator shares with it
    cdef bint shares            # all tables but goals are those of the parent


cdef float value_of(const Judge* j, const State* s, int power, float* terms) noexcept nogil
