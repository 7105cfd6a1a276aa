"""The interface of values: they give the value of a state for a power.

A value is a function and its data. Subclasses of `Valuer` own the data and fill in `value`.
"""

from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *


cdef class Valuer:
    """A value of the positions of a map. This base class counts the centres owned; others are its subclasses."""

    def __cinit__(self, Tables tables not None, *subclass: Any, **named: Any):
        self.tables = tables
        self.value.points = count_owned
        self.value.work = tables.map

    def points(self, Packed position not None, int power) -> float:
        """The value of a position for a power, by its number. Raises ValueError for a position on another map,
        IndexError for a power that is not on it."""
        self.check(position, power)
        return points_of(self, &position.state, power)

    def all(self, Packed position not None) -> list[float]:
        """The values of a position for every power, in their order. Raises ValueError for a position on another map."""
        cdef float out[MAX_POWERS]
        cdef int power
        self.check(position, 0)
        all_points(&self.value, &position.state, out, self.tables.map.n_powers)
        return [out[power] for power in range(self.tables.map.n_powers)]

    def check(self, Packed position not None, int power):
        """Refuse a position on another map (ValueError) and a power that is not on it (IndexError)."""
        if position.tables is not self.tables:
            raise ValueError("the position is on another map than the evaluator")
        if not 0 <= power < self.tables.map.n_powers:
            raise IndexError(f"power {power} is not on the map")


cdef class Blend(Valuer):
    """Two values combined: the second with the weight `part`, from 0 to 1, and the first with the rest. Raises
    ValueError for another part, and for values of another map."""

    def __cinit__(self, Tables tables not None, Valuer first not None, Valuer second not None, float part):
        if first.tables is not tables or second.tables is not tables:
            raise ValueError("the values are of another map")
        if not 0 <= part <= 1:
            raise ValueError(f"a part of {part} is outside 0 to 1")
        self.mixed = first, second
        self.mixture.first, self.mixture.second, self.mixture.part = first.value, second.value, part
        self.value.points, self.value.work = blended, &self.mixture
        self.value.victory = (1 - part) * first.value.victory + part * second.value.victory


cdef float blended(const void* work, const State* s, int power) noexcept nogil:
    cdef const Mixed* m = <const Mixed*>work
    cdef float first = m.first.points(m.first.work, s, power)
    return first + m.part * (m.second.points(m.second.work, s, power) - first)


cdef float count_owned(const void* work, const State* s, int power) noexcept nogil:
    """Centres owned."""
    cdef const MapTables* m = <const MapTables*>work
    cdef int i, n = 0
    for i in range(m.n_centres):
        n += s.owner[m.centres[i]] == power
    return n
