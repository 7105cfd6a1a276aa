"""The seam for values: whatever can say what a state is worth to a power."""

from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport *


cdef class Valuer:
    """A value of the positions of a map. This one is the number of centres owned; other kinds are its
    subclasses."""

    def __cinit__(self, Tables tables not None, *subclass, **named):
        self.tables = tables
        self.value.points = count_owned
        self.value.work = tables.map

    def points(self, Packed position not None, int power):
        """What a position is worth to a power, by its number. Raises ValueError for a position on another
        map, IndexError for a power that is not on it."""
        self.check(position, power)
        return points_of(self, &position.state, power)

    def check(self, Packed position not None, int power):
        """Refuse a position on another map (ValueError) and a power that is not on it (IndexError)."""
        if position.tables is not self.tables:
            raise ValueError("the position is on another map than the evaluator")
        if not 0 <= power < self.tables.map.n_powers:
            raise IndexError(f"power {power} is not on the map")


cdef float count_owned(const void* work, const State* s, int power) noexcept nogil:
    """Centres owned."""
    cdef const MapTables* m = <const MapTables*>work
    cdef int i, n = 0
    for i in range(m.n_centres):
        n += s.owner[m.centres[i]] == power
    return n
