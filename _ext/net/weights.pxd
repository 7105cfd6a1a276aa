from bordeaux._ext.net.options cimport OPTIONS

cdef enum:
    WIDEST = 128        # the most that a layer may be wide
    MOST_TOLD = 32      # the most that orders tell each other in a wide net
    SECONDS = 5         # numbers of the second look at an option
    RELATIONS = 20      # how two orders of one power may fit

# The arrays as they are laid out, from PART_LAYERS on those of a wide net.
cdef enum:
    PART_INPUT
    PART_LAYER2
    PART_BIAS2
    PART_LAYER3
    PART_BIAS3
    PART_SOURCE
    PART_GOALS
    PART_OTHER
    PART_FAR
    PART_KIND_BIAS
    PART_KIND_OUT
    PART_KIND_BASE
    PART_ORDERS
    PART_ORDER_BIAS
    PART_SECOND
    PART_AGAIN
    PART_PATTERN
    PART_RELATION
    PART_SHARPNESS
    PART_LAYERS
    PART_WHOLES
    PART_BIASES
    PART_ASK_SOURCE
    PART_ASK_GOAL
    PART_ASK_KIND
    PART_ASK_ORDER
    PART_TELL_SOURCE
    PART_TELL_GOAL
    PART_TELL_KIND
    PART_TELL_ORDER
    PART_FITTING
    PARTS

# Words of q numbers that an option has, by what it does: the sum of all that fit.
cdef struct Spoken:
    const float* source             # [c][q], from what is known of its provinces
    const float* goal
    const float* kind               # [OPTIONS][q]
    const float* order              # [n_orders][q]

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
    const float* again              # [2 * OPTIONS], for AGAIN and for BACK
    const float* pattern            # [PATTERN_ROWS]
    float relation[RELATIONS]
    float sharpness
    float fits[OPTIONS][RELATIONS]  # the same by kinds of options, as a wide net has them
    # Of a wide net alone
    int rounds, q                   # further rounds, and the width of what orders tell each other
    const float* layers             # by round: [2 c][c], own then near
    const float* wholes             # by round: [c][c], for the mean of all provinces
    const float* biases             # by round: [c]
    Spoken ask                      # what an option wants to hear of its power's other orders
    Spoken tell                     # what an order tells the other units

cdef class Net:
    cdef Weights weights
    cdef float* memory
    cdef size_t n_weights
    cdef size_t starts[PARTS + 1]   # where each array begins
    cdef dict sizes
    cdef dict shapes
    cdef readonly int n_rows
    cdef readonly int rounds

    cdef int rows_of(self, int part)
    cdef void point(self, Weights* w, float* memory) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef dict split(self, const float* laid)
