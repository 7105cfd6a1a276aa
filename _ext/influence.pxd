from libc.stdint cimport uint8_t, uint16_t, uint32_t

from bordeaux._ext.structures cimport MapTables, State
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
    float* altitude         # [2 seasons][power][stride]
    float* pull             # [location][stride]: 1 / (1 + distance) ** 2
    uint8_t* home_rows      # [province][stride]: distance of a unit yet to be built
    float* goals            # [power][stride]: points added for regional goals; NULL: none
    float* marches          # [power][location]: points for a unit that stands there; NULL with goals


cdef class Evaluator:
    cdef Judge judge
    cdef readonly Tables tables
    cdef Evaluator parent       # keeps alive what a raised evaluator shares with it
    cdef bint shares            # altitude, pull and home_rows are those of the parent


cdef float value_of(const Judge* j, const State* s, int power, float* terms) noexcept nogil
