from libc.stdint cimport uint8_t, uint16_t

from bordeaux._ext.net.facts cimport NODE_ROWS, Survey
from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.net.options cimport (
    MAX_CHOICES, MAX_OPTIONS, OPTION_CONVOY_OTHER, OPTION_CONVOY_OWN, OPTION_HOLD_OWN, OPTION_VIA, Option
)
from bordeaux._ext.net.weights cimport MOST_TOLD, WIDEST, Weights
from bordeaux._ext.rules.structures cimport MAX_POWERS, MapTables, State

# The options of a power with their inputs, by choice: those of choice c go from first[c] to first[c + 1].
cdef struct Table:
    int n_options, n_choices
    Option options[MAX_OPTIONS]
    float base[MAX_OPTIONS]
    float score[MAX_OPTIONS]
    float helps[MAX_OPTIONS]        # the first number of the second look
    uint16_t first[MAX_CHOICES + 1]
    # Queries and messages of orders in a wide net, by province; with `named` also by name.
    int named
    float ask_source[256 * MOST_TOLD]
    float ask_goal[256 * MOST_TOLD]
    float tell_source[256 * MOST_TOLD]
    float tell_goal[256 * MOST_TOLD]

# The provinces that matter to a power, nearest to its options first: `n_sources` where its units choose, `n_scored`
# with their goals too, `n_second` with their neighbours, `n` all. A wide net needs every province on the way:
# `n_scored` has those of all that options name.
cdef struct Places:
    int n_sources, n_scored, n_second, n
    uint8_t listed[256]
    uint8_t place[256]          # where each is on the list

# Room for what is worked out, by province.
cdef struct Scratch:
    uint16_t facts[256][NODE_ROWS]
    float h1[256 * WIDEST]
    float both[256 * 2 * WIDEST]
    float h2[256 * WIDEST]
    float h3[256 * WIDEST]
    float source[256 * 2 * WIDEST]
    float goals[256 * 2 * WIDEST]
    float other[256 * WIDEST]
    float far[256 * WIDEST]
    float packed[256 * 2 * WIDEST]  # rows of some provinces, one after the other
    float mass[256][256]            # chance that the unit of a province moves to another
    float helped[256][256]          # own support that the move is likely to have; at its own place, for standing
    float stay[256]
    float arrivals[MAX_POWERS][256]
    float all_arrivals[256]

# How a net looks at boards of one map (`look_by`).
cdef struct Looker:
    const MapTables* map
    const Weights* weights
    int wide
    int names                       # where rows by name begin, 0 for none
    uint8_t n_near[256]
    uint8_t near[256][256]


cdef inline bint is_far(int kind) noexcept nogil:
    """Whether an option's goal is looked at as the province is told, and not as its neighbours are heard."""
    return kind == OPTION_VIA or kind == OPTION_CONVOY_OWN or kind == OPTION_CONVOY_OTHER


cdef inline bint is_help(int kind) noexcept nogil:
    return OPTION_HOLD_OWN <= kind <= OPTION_CONVOY_OTHER


cdef void look_by(Looker* look, const MapTables* m, const Weights* weights, int names) noexcept nogil
cdef void base_scores(
    const Looker* look, const State* s, const Survey* v, const Record* memory, int power, Places* places, Scratch* x,
    Table* t
) noexcept nogil
cdef void second_look(const Looker* look, Scratch* x, Table* tables) noexcept nogil
cdef void listen(const Weights* w, const Table* t, const uint16_t* chosen, int n_chosen, float* heard) noexcept nogil
cdef float answer(const Weights* w, const Table* t, const Option* o, const float* heard) noexcept nogil
