from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from bordeaux._ext.rules.order_numbers cimport OrderNumbers
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.resolve cimport Joint
from bordeaux._ext.rules.structures cimport MAX_POWERS, State
from bordeaux._ext.rules.tables cimport Tables

# The rows of one game: provinces, by power.
cdef struct Rows:
    int n
    int first[MAX_POWERS + 1]
    uint8_t province[256]   # NOTHING for a build or removal
    int due[MAX_POWERS]     # builds (positive) or removals, in adjustments


cdef class Games:
    cdef readonly Tables tables
    cdef readonly int n
    cdef OrderNumbers numbers
    cdef State start
    cdef int rules
    cdef State* states
    cdef uint8_t* ended         # by game
    cdef uint64_t* chance       # by game
    cdef uint8_t* counts        # by game and power: how many rows there are
    cdef int64_t* rows          # and where they begin; the last is the number of all
    cdef uint64_t* given        # by row: the code of its order, 0 for none
    cdef int64_t room           # for `given`
    cdef uint8_t* laid          # by game: whether `given` is for the phase that it is in
    cdef int32_t* last_order    # by game and province
    cdef int8_t* last_power
    cdef uint8_t* last_result

    cdef void begin(self, int g, const State* s) noexcept nogil
    cdef void note_rows(self, int g) noexcept nogil
    cdef int64_t n_rows(self) noexcept nogil
    cdef int64_t rows_of(self, int g, Rows* rows) noexcept nogil
    cdef int check_range(self, int low, int high) except -1
    cdef int check_length(self, name, Py_ssize_t length, Py_ssize_t wanted) except -1
    cdef int list_legal(
        self, int g, uint8_t* provinces, int64_t* ends, int32_t* orders, int64_t room, int64_t* used
    ) noexcept nogil
    cdef int lay(self, int g, const uint64_t* codes, Py_ssize_t width, int* where) noexcept nogil
    cdef void step_range(
        self, int low, int high, const uint8_t[:, ::1] votes, const uint8_t[::1] waits, int until, int scoring,
        bint again, float[:, ::1] scores, uint8_t[::1] ends
    ) noexcept nogil
    cdef void play(self, int g, Joint* joint, State* after) noexcept nogil
    cdef void show(
        self, int g, int8_t* units, int8_t* dislodged, int8_t* owners, int8_t* phase, int8_t* due, int8_t* centres
    ) noexcept nogil
