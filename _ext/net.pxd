"""The net of a learnt policy: its weights, and what it makes of a board for every power."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from bordeaux._ext.facts cimport MAX_CHOICES, MAX_OPTIONS, OPTIONS, Option, Record, Survey
from bordeaux._ext.structures cimport MAX_POWERS, WORDS, MapTables, State

cdef enum:
    WIDEST = 64         # the most that a layer may be wide
    SECONDS = 5         # numbers of the second look at an option
    RELATIONS = 20      # how two orders of one power may fit

cdef struct Weights:
    int n_rows, n_orders
    int a, b, c, k, e               # widths: input, the two layers of neighbours, options, names of orders
    const float* input              # [n_rows][a]
    const float* layer2             # [2 a][b], own then near
    const float* bias2
    const float* layer3             # [2 b][c]
    const float* bias3
    const float* source             # [c][k + e], the last e for the names of orders
    const float* goals              # [c][2 k]: moves to it, help there
    const float* other              # [a][k]
    const float* far                # [a][k]
    const float* kind_bias          # [OPTIONS][k]
    const float* kind_out           # [OPTIONS][k]
    const float* kind_base          # [OPTIONS]
    const float* orders             # [n_orders][e]
    const float* order_bias
    const float* second             # [OPTIONS][SECONDS]
    const float* again              # [OPTIONS]
    float relation[RELATIONS]
    float sharpness

# What a power may do, and how it looks: options by choice, each choice's from first[c] to first[c + 1].
cdef struct Table:
    int n_options, n_choices
    Option options[MAX_OPTIONS]
    float base[MAX_OPTIONS]
    float score[MAX_OPTIONS]
    float helps[MAX_OPTIONS]        # the first number of the second look
    uint16_t first[MAX_CHOICES + 1]

# Room for what is worked out, by province.
cdef struct Scratch:
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

cdef class Net:
    cdef Weights weights
    cdef float* memory
    cdef readonly int n_rows

    cdef int keep(self, dict flat, dict sizes) except -1


# How a net looks at boards of one map.
cdef struct Looker:
    const MapTables* map
    const Weights* weights
    int wide
    int names                       # where rows by name begin, 0 for none
    uint8_t n_near[256]
    uint8_t near[256][256]

cdef void base_scores(
    const Looker* look, const State* s, const Survey* v, const Record* memory, int power, Scratch* x, Table* t
) noexcept nogil
cdef void second_look(const Looker* look, Scratch* x, Table* tables) noexcept nogil
