"""The interface of policies: they give orders for a power in a state.

A policy is functions and their data. Subclasses of `Chooser` own the data and fill in `policy`.
"""

from libc.stdint cimport uint64_t

from bordeaux._ext.rules.codes cimport codes_of
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *

cdef enum:
    COST = 10       # of DumbBot and its family


cdef class Chooser:
    """A policy on a map, with a random generator of its own (`chance`, 64 bits) for direct calls.

    This base class gives no orders: its units hold, and dislodged ones disband. Other policies are its subclasses.
    """

    def __cinit__(self, Tables tables not None, *subclass: Any, **named: Any):
        self.tables = tables
        self.policy.orders = nothing
        self.policy.cost = COST

    def orders(self, Packed position not None, int power) -> list[int]:
        """Codes of the orders of a power by the policy: at most one for each unit, or for each build or removal due.
        Raises ValueError for a position on another map, or a power that is not on it."""
        cdef Order out[256]
        cdef int n = 0
        self.check(position, power)
        if position.state.kind == COMPLETED:
            return []
        with nogil:
            n = self.policy.orders(self.policy.work, &position.state, power, &self.chance, out)
        return codes_of(out, n)

    def check(self, Packed position not None, int power):
        """Raise ValueError unless the position is on the map and the power plays on it."""
        if position.tables is not self.tables:
            raise ValueError("the position is on another map than the player")
        if not 0 <= power < self.tables.map.n_powers:
            raise ValueError(f"no power {power}")


cdef int nothing(void* work, const State* s, int power, uint64_t* chance, Order* out) noexcept nogil:
    """No orders."""
    return 0
