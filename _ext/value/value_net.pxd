from libc.stdint cimport uint16_t

from bordeaux._ext.value.prospect_rows cimport HEADS, NOBODY_ROWS, Listed, Scene, Weighing
from bordeaux._ext.rules.structures cimport MAX_POWERS, State
from bordeaux._ext.value.prospect cimport EndValue

cdef enum:
    WIDEST_SUM = 72         # of the sums of rows: 64 in a file, and 8 more in a middle (evaluation/prospect.py)
    WIDEST_MIDDLE = 32      # of the layer behind them

# The arrays of a net as they are laid out.
cdef enum:
    PART_ROWS
    PART_LAYER
    PART_BIAS
    PART_OUT
    PART_NOBODY
    VALUE_PARTS

cdef struct ValueWeights:
    const Weighing* weighing
    int wide                # which wide vectors are at hand
    int n_rows, width, middle
    const float* rows       # [n_rows][width]: the first two are the logits' own parts
    const float* layer      # [2 width][middle]: a power's sums, then the mean of all
    const float* bias       # [middle]
    const float* out        # [middle][HEADS]
    const float* nobody     # [NOBODY_ROWS]

# The results for a position, by power; dead powers have none.
cdef struct Sight:
    float sums[MAX_POWERS][WIDEST_SUM]
    float both[MAX_POWERS * 2 * WIDEST_SUM]     # [power][2 width]: sums above 0, and their mean
    float middle[MAX_POWERS * WIDEST_MIDDLE]    # [power][middle]
    float logits[HEADS][MAX_POWERS]
    float nobody
    uint16_t common[4]
    Scene scene


cdef class ValueNet(EndValue):
    cdef ValueWeights weights
    cdef float* memory
    cdef size_t n_weights
    cdef size_t starts[VALUE_PARTS + 1]
    cdef readonly dict widths

    cdef void point(self, ValueWeights* w, float* memory) noexcept nogil


cdef void sum_rows(const ValueWeights* w, const Listed* listed, float* out) noexcept nogil
cdef void reckon(const ValueWeights* w, Sight* x) noexcept nogil
