"""The weights of a learnt policy."""

cdef enum:
    WIDEST = 64         # the most that a layer may be wide
    SECONDS = 5         # numbers of the second look at an option
    RELATIONS = 20      # how two orders of one power may fit
    PARTS = 19          # arrays as they are laid out

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

cdef class Net:
    cdef Weights weights
    cdef float* memory
    cdef size_t n_weights
    cdef size_t starts[PARTS + 1]   # where each array begins
    cdef dict sizes
    cdef readonly int n_rows

    cdef int keep(self, dict flat, dict sizes) except -1
    cdef void point(self, Weights* w, float* memory) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef dict split(self, const float* laid)
