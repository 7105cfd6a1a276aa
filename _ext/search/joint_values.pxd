from libc.stdint cimport uint64_t

from bordeaux._ext.rules.resolve cimport Joint
from bordeaux._ext.rules.structures cimport MAX_POWERS, MapTables, State
from bordeaux._ext.search.rollout cimport Rollout
from bordeaux._ext.value.valuer cimport Value

cdef enum:
    RETREATED = -2  # movement phases played on: none, and of what comes before the next one only retreats
    DIRECT = -1     # none, not even retreats
    SLOTS = 4096    # of what is known of a position

cdef struct Known:
    uint64_t key
    float points[MAX_POWERS]


cdef class JointValues:
    cdef Rollout rollout
    cdef const MapTables* map
    cdef Value value
    cdef State root
    cdef State after
    cdef Joint joint            # the orders to value: `clear_joint`, then `give`
    cdef Known* known           # by slot
    cdef uint64_t nonce
    cdef long long asked        # joint orders valued, and how many of them anew
    cdef long long judged

    cdef void enter(self, const State* root) noexcept nogil
    cdef const float* points(self, int movements, uint64_t salt) noexcept nogil
    cdef uint64_t key_of(self, const State* after, int movements, uint64_t salt) noexcept nogil


cdef uint64_t digest(const MapTables* m, const State* s) noexcept nogil
cdef int value_after(
    Rollout rollout, const Value* value, const State* after, int movements, uint64_t salt, float* points
) noexcept nogil
