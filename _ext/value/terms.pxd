from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.value.lines cimport LineTable
from bordeaux._ext.rules.structures cimport WORDS, MapTables, State
from bordeaux._ext.value.survey cimport Survey

cdef enum:
    MAX_TERMS = 32

cdef struct Judge:
    const MapTables* map
    float weights[MAX_TERMS]    # in the order of the table
    float owned             # the weight of the term of that name
    bint drawn              # whether gravity has a weight, so that it must be worked out
    int home_delay          # moves by which a build is later than a unit; 0: homes exert nothing
    int dilute              # raiders spread over the centres they cover
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
    const LineTable* lines  # stalemate lines

cdef struct View:
    Survey seen             # who has which share of the provinces
    const Judge* judge
    const State* state
    int power
    bint after_spring       # ownership is not settled before another movement phase
    const float* altitude   # [column]: of the power, in the season
    float control           # altitude times influence
    float gravity           # pull of provinces not held; 0 if it has no weight
    int n_owned             # centres
    int n_occupied          # centres of others under own units, before ownership is settled
    int n_units             # of all powers
    uint8_t places[256]     # their provinces
    int n_others            # units of others
    uint8_t columns[256]    # their columns
    uint8_t owner[256]      # by centre, like `standing`: the power of the unit there plus one
    uint8_t standing[256]
    uint64_t owned[32][WORDS]   # by power, as bits: centres


cdef float sum_terms(const View* v, float* terms) noexcept nogil
