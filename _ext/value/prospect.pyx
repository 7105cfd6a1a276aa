"""The expected result of a game for each power: a share of it, and the probability of a solo, term by term.

A share is a power's square of centres over the sum of all squares, and 1 for a solo. Each living power has a logit, the
sum of the weights of a few *rows* of one table. The softmax of the logits gives the shares. A second column of the
table gives the probabilities of a solo likewise, with a further logit for no solo. A row represents a fact, such as
"five centres in the Fall of the third year", or "an empty own centre that two units of others can enter and one of
ours". So a logit can be read term by term, and there is no hidden layer.

Counts of centres are scaled to a map with 34, and so are the weights of rows for single centres. Rows of names (powers,
owners of centres, places of units) are for the standard map only.
"""

from libc.math cimport expf
from libc.stdint cimport uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.value.prospect_rows cimport *
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables

from bisect import bisect_right

N_GENERAL: int = POWER
N_NOBODY: int = NOBODY_ROWS


def count_rows(Tables tables not None, bint names) -> int:
    """The number of rows of the table of weights on a map, with or without those of names."""
    cdef const MapTables* m = tables.map
    return posts_row(m) + m.n_powers * m.n_powers * m.n_locations if names else POWER


cdef class EndValue(Valuer):
    """What predicts the end of a game from rows: a share of it for each power, and the probability of a solo.

    A subclass sets `weighing` and overrides `judge`.
    """

    cdef void judge(self, const State* s, float* share, float* solo) noexcept nogil:
        """Write the shares of all powers and, unless NULL, their probabilities of a solo."""

    cdef void value_by(self, float scale) noexcept:
        """Make the share of a power in points the value."""
        self.value.points, self.value.all, self.value.work = points_of_end, points_of_all, <void*>self
        self.value.victory = scale

    @property
    def first_rows(self) -> dict[str, int]:
        """The first row of each term in the table of weights, by name, in their order."""
        cdef const MapTables* m = self.tables.map
        general = {
            "centres": CENTRES, "units": UNITS, "safety": SAFETY, "reach": REACH, "support": SUPPORT,
            "control": CONTROL, "rivals": RIVALS, "neighbours": NEIGHBOURS, "homes": HOMES,
        }
        if not self.weighing.names:
            return general
        return general | {"power": POWER, "place": place_row(m), "posts": posts_row(m)}

    def shares(self, Packed position not None) -> list[float]:
        """The expected share of the result of each power: numbers that add up to 1, 0 for eliminated ones. Raises
        ValueError for a position on another map."""
        return self.judged(position)[0]

    def solos(self, Packed position not None) -> list[float]:
        """Each power's probability of a solo; the rest to 1 is that of a game without one. Raises as `shares`."""
        return self.judged(position)[1]

    def judged(self, Packed position not None) -> tuple[list[float], list[float]]:
        """Shares and probabilities of a solo. Raises as `shares`."""
        cdef float share[MAX_POWERS]
        cdef float solo[MAX_POWERS]
        cdef int i, n = self.tables.map.n_powers
        self.check(position, 0)
        self.judge(&position.state, share, solo)
        return [share[i] for i in range(n)], [solo[i] for i in range(n)]


cdef class Prospect(EndValue):
    """Weights laid out for a map.

    `rows` are ``float32[count_rows(tables, names)][2]``, for shares and solos, and `nobody` ``float32[N_NOBODY]``, as
    bytes. `first_year` is the year in which games on the map begin, `scale` the points of `points` for a whole
    share. Raises ValueError for weights of another shape, and for names on a map too large for them.
    """

    def __cinit__(
        self, Tables tables not None, bytes rows not None, bytes nobody not None, bint names, int first_year,
        float scale=1.0,
    ):
        cdef Weighing* w = &self.weighing
        cdef const MapTables* m = tables.map
        cdef int n = count_rows(tables, names)
        self.value_by(scale)
        prepare(w, m, names, first_year, scale)
        if n > 0xFFFF:
            raise ValueError(f"a map with {n} rows of names is too large for them")
        if len(rows) != n * HEADS * sizeof(float) or len(nobody) != NOBODY_ROWS * sizeof(float):
            raise ValueError(f"weights of {len(rows)} and {len(nobody)} bytes, not {n} by 2 and {NOBODY_ROWS} numbers")
        w.rows = <float*>calloc(n * HEADS + NOBODY_ROWS, sizeof(float))
        if w.rows == NULL:
            raise MemoryError
        w.nobody = w.rows + n * HEADS
        memcpy(w.rows, <const char*>rows, len(rows))
        memcpy(w.nobody, <const char*>nobody, len(nobody))

    def __dealloc__(self):
        free(self.weighing.rows)

    cdef void judge(self, const State* s, float* share, float* solo) noexcept nogil:
        judge(&self.weighing, s, share, solo)

    def terms(self, Packed position not None, int power) -> dict[str, float]:
        """Parts of the logit of a power's share, by the names of the terms; all 0 for an eliminated one. Raises
        ValueError for a position on another map, IndexError for a power that is not on it."""
        self.check(position, power)
        cdef Scene scene
        cdef Listed listed
        cdef int i
        first = self.first_rows
        starts, parts = list(first.values()), [0.0] * len(first)
        look(&self.weighing, &position.state, &scene)
        if scene.alive[power]:
            list_rows(&self.weighing, &scene, &position.state, power, &listed)
            for i in range(listed.n_once):
                parts[bisect_right(starts, listed.once[i]) - 1] += self.weighing.rows[HEADS * listed.once[i]]
            for i in range(listed.n_single):
                parts[bisect_right(starts, listed.single[i]) - 1] += (
                    self.weighing.factor * self.weighing.rows[HEADS * listed.single[i]]
                )
        return dict(zip(first, parts, strict=True))

    def features(self, Packed position not None) -> tuple[list[bytes], bytes]:
        """The rows of a position, for training: those of each power, and those of the logit of no solo, as bytes of
        ``uint16``. An eliminated power has none. Raises ValueError for a position on another map."""
        self.check(position, 0)
        cdef Scene scene
        cdef Listed listed
        cdef uint16_t common[4]
        cdef int power
        look(&self.weighing, &position.state, &scene)
        result = []
        for power in range(self.tables.map.n_powers):
            listed.n_once = listed.n_single = 0
            if scene.alive[power]:
                list_rows(&self.weighing, &scene, &position.state, power, &listed)
            result.append(
                (<char*>listed.once)[:listed.n_once * sizeof(uint16_t)]
                + (<char*>listed.single)[:listed.n_single * sizeof(uint16_t)]
            )
        list_common(&scene, common)
        return result, (<char*>common)[:sizeof(common)]


cdef void prepare(Weighing* w, const MapTables* m, bint names, int first_year, float scale) noexcept nogil:
    """Set the data for listing rows."""
    cdef int i
    w.map, w.names, w.first_year, w.scale = m, names, first_year, scale
    w.factor = <float>EVEN / max(1, m.n_centres)
    for i in range(256):
        w.scaled[i] = min(FULL, (2 * i * EVEN + m.n_centres) / max(1, 2 * m.n_centres))


cdef bint over(const Scene* c, const State* s, int n, float* share, float* solo) noexcept nogil:
    """Whether a game is over; then the shares of all powers are known, and written."""
    cdef float squares = 0
    cdef int power
    if c.victor < 0 and s.kind != COMPLETED:
        return False
    for power in range(n):
        squares += c.count[power] * c.count[power]
    for power in range(n):
        share[power] = power == c.victor
        if solo != NULL:
            solo[power] = share[power]
        if c.victor < 0 and squares > 0:
            share[power] = c.count[power] * c.count[power] / squares
    return True


cdef void judge(const Weighing* w, const State* s, float* share, float* solo) noexcept nogil:
    """Write the shares of all powers and, unless NULL, their probabilities of a solo."""
    cdef Scene scene
    cdef Listed listed
    cdef uint16_t common[4]
    cdef float logits[HEADS][MAX_POWERS]
    cdef float nobody = 0
    cdef float parts[2 * HEADS]
    cdef const float* row
    cdef int power, i, n = w.map.n_powers
    look(w, s, &scene)
    if over(&scene, s, n, share, solo):
        return
    for power in range(n):
        if not scene.alive[power]:
            continue
        list_rows(w, &scene, s, power, &listed)
        memset(parts, 0, sizeof(parts))
        for i in range(listed.n_once):
            row = w.rows + HEADS * listed.once[i]
            parts[0] += row[0]
            parts[1] += row[1]
        for i in range(listed.n_single):
            row = w.rows + HEADS * listed.single[i]
            parts[2] += row[0]
            parts[3] += row[1]
        logits[0][power] = parts[0] + w.factor * parts[2]
        logits[1][power] = parts[1] + w.factor * parts[3]
    softmax(&scene, logits[0], n, NULL, share)
    if solo != NULL:
        list_common(&scene, common)
        for i in range(4):
            nobody += w.nobody[common[i]]
        softmax(&scene, logits[1], n, &nobody, solo)


cdef void softmax(const Scene* c, const float* logits, int n, const float* beside, float* out) noexcept nogil:
    """The shares of living powers from their logits, with one more logit `beside` them unless NULL."""
    cdef float top = -1e30, total = 0
    cdef int i
    if beside != NULL:
        top = beside[0]
    for i in range(n):
        if c.alive[i]:
            top = max(top, logits[i])
    if beside != NULL:
        total = expf(beside[0] - top)
    for i in range(n):
        out[i] = expf(logits[i] - top) if c.alive[i] else 0
        total += out[i]
    for i in range(n):
        out[i] = out[i] / total if total > 0 else 0


cdef float points_of_end(const void* work, const State* s, int power) noexcept nogil:
    """The share of a power in points."""
    cdef float share[MAX_POWERS]
    (<EndValue>work).judge(s, share, NULL)
    return (<EndValue>work).weighing.scale * share[power]


cdef void points_of_all(const void* work, const State* s, float* out) noexcept nogil:
    """The shares of all powers in points."""
    cdef int power
    (<EndValue>work).judge(s, out, NULL)
    for power in range((<EndValue>work).weighing.map.n_powers):
        out[power] *= (<EndValue>work).weighing.scale
