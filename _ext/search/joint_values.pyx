"""What joint orders of all powers are worth in one position: judged after adjudication, or some movement phases later.

Different orders often lead to the same position, so that what is known of positions is kept.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from bordeaux._ext.rules.resolve cimport resolve_joint
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport victor
from bordeaux._ext.search.rollout cimport SOONER, Rollout
from bordeaux._ext.value.valuer cimport Value, all_points


cdef class JointValues:
    """Values of joint orders by the value of a rollout, whose policy plays on. For use by one thread."""

    def __cinit__(self, Rollout rollout not None):
        self.rollout = rollout
        self.map = rollout.evaluator.tables.map
        self.value = rollout.evaluator.value
        self.known = <Known*>calloc(SLOTS, sizeof(Known))
        if self.known == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.known)

    cdef void enter(self, const State* root) noexcept nogil:
        """Begin a new position. Nothing is known of it."""
        self.root = root[0]
        self.nonce = mix(self.nonce + 1) | 1

    cdef const float* points(self, int movements, uint64_t salt) noexcept nogil:
        """Points of all powers after the joint orders given and so many movement phases (`DIRECT`: after adjudication).
        `salt` determines the chance in them."""
        cdef Known* slot
        cdef uint64_t key
        resolve_joint(&self.joint, self.map, &self.root, 0, &self.after)
        self.asked += 1
        key = self.key_of(&self.after, movements, salt)
        slot = &self.known[key & (SLOTS - 1)]
        if slot.key == key:
            return slot.points
        slot.key = key
        self.judged += 1
        value_after(self.rollout, &self.value, &self.after, movements, salt, slot.points)
        return slot.points

    cdef uint64_t key_of(self, const State* after, int movements, uint64_t salt) noexcept nogil:
        """A key of what a state is worth that joint orders have led to."""
        cdef uint64_t key = digest(self.map, after) ^ self.nonce
        if movements != DIRECT:
            # The result of a rollout also depends on the chance of the sample and on its length.
            key += mix(salt)
            key ^= mix(<uint64_t>(movements + 1))
        return key


cdef int value_after(
    Rollout rollout, const Value* value, const State* after, int movements, uint64_t salt, float* points
) noexcept nogil:
    """Write the points of all powers in a state, or at the end of a rollout from there; returns the nodes of the
    rollout, as `Rollout` counts them."""
    cdef const MapTables* m = rollout.evaluator.tables.map
    cdef long long before = rollout.nodes
    cdef int left, winner
    if movements == DIRECT:
        all_points(value, after, points, m.n_powers)
        return 0
    rollout.state, rollout.chance = after[0], salt
    if movements == RETREATED:
        if rollout.state.kind == RETREATS:
            rollout.step()
        all_points(value, &rollout.state, points, m.n_powers)
        return 0
    left = rollout.play(movements)
    all_points(value, &rollout.state, points, m.n_powers)
    winner = victor(m, &rollout.state) if left else -1
    if winner >= 0:
        # A game played on gains centres: who is sure to win would never do so at once.
        points[winner] += value.victory * left / SOONER
    return <int>(rollout.nodes - before)


cdef uint64_t digest(const MapTables* m, const State* s) noexcept nogil:
    """A key of everything in a position that a phase's orders can change: units, and in retreats the dislodged ones."""
    cdef uint64_t key = s.kind + 1, word
    cdef int p
    # Arrays have room for 256 provinces, and what lies past a map's is 0.
    for p in range(0, m.n_provinces, 4):
        memcpy(&word, &s.unit[p], sizeof(word))
        key = (key ^ word) * <uint64_t>0x9E3779B97F4A7C15
        key ^= key >> 29
    if s.kind == RETREATS:
        for p in range(m.n_provinces):
            if s.dislodged[p]:
                key = mix(key ^ <uint64_t>s.dislodged[p] << 40 ^ <uint64_t>p << 32 ^ s.retreats[p])
    return mix(key)
