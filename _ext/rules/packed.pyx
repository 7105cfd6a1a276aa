"""The interface of the core: positions in packed form, validated before any use.

Orders pass this interface as integers, the eight bytes of an `Order`: kind | flags << 8 | unit << 16 |
target << 32 | destination << 48, with locations by number.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy, memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight, record_outcomes
from bordeaux._ext.rules.codes cimport check_legal, check_order, codes_of
from bordeaux._ext.rules.legal cimport (
    Convoys, adjustments_of, find_convoys, is_legal, orders_of_unit, retreats_of_unit
)
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport adjustments_due, after_adjustments, after_movement, after_retreats, victor

STATE_SIZE: int = sizeof(State)

cdef enum:
    MAX_LISTED = 8192       # legal orders of one unit, or of one power in Winter

cdef Tables NO_MAP = Tables(1, [(INLAND, False, 0)], [(0, False, [])], [0])


cdef class Packed:
    """A position in the fixed arrays of the core.

    `units` and `dislodged` are tokens ((power + 1) << 10 | location), `retreats` for each dislodged unit the bits of
    its possible retreats, `owners` a power or 255 for each centre in the order of the map. Season: 0 Spring, 1 Fall, 2
    Winter; kind: 0 movement, 1 retreats, 2 adjustments, 3 completed. Raises ValueError for anything that cannot be on
    the board.
    """

    def __cinit__(self):
        # An object that never saw __init__ is an empty position, not a way into no tables at all.
        self.tables = NO_MAP

    def __init__(
        self, Tables tables not None, int year, int season, int kind, units: Iterable[int], dislodged: Iterable[int],
        retreats: Iterable[int], owners: Sequence[int],
    ):
        cdef const MapTables* m = tables.map
        cdef State* s = &self.state
        cdef int token, i, owner
        cdef uint64_t ways
        self.tables = tables
        memset(s, 0, sizeof(State))
        memset(s.owner, NOTHING, m.n_provinces)
        if not 0 <= season <= WINTER or not 0 <= kind <= COMPLETED or not 0 <= year <= 9999:
            raise ValueError(f"no such phase: year {year}, season {season}, kind {kind}")
        s.year, s.season, s.kind = year, season, kind
        for token in units:
            check_token(m, token)
            if s.unit[m.province[location_of(token)]]:
                raise ValueError("two units in one province")
            s.unit[m.province[location_of(token)]] = token
        for token, bits in zip(dislodged, retreats, strict=True):
            check_token(m, token)
            if s.dislodged[m.province[location_of(token)]]:
                raise ValueError("two units dislodged from one province")
            ways = bits
            if kind != RETREATS:
                raise ValueError("a dislodged unit outside a retreat phase")
            if ways >> m.n_neighbours[location_of(token)]:
                raise ValueError(f"retreats {ways:#b} of a unit with {m.n_neighbours[location_of(token)]} neighbours")
            s.dislodged[m.province[location_of(token)]] = token
            s.retreats[m.province[location_of(token)]] = ways
        if len(owners) != m.n_centres:
            raise ValueError(f"{len(owners)} owners for {m.n_centres} centres")
        for i, owner in enumerate(owners):
            if owner != NOTHING and not 0 <= owner < m.n_powers:
                raise ValueError(f"no power {owner}")
            s.owner[m.centres[i]] = owner

    @property
    def phase(self) -> tuple[int, int, int]:
        """``(year, season, kind)`` as numbers."""
        return self.state.year, self.state.season, self.state.kind

    def units(self) -> list[int]:
        """Tokens of the undislodged units, by province."""
        return [self.state.unit[p] for p in range(self.tables.map.n_provinces) if self.state.unit[p]]

    def dislodged(self) -> list[tuple[int, int]]:
        """``(token, retreat bits)`` of the dislodged units, by province."""
        return [
            (self.state.dislodged[p], self.state.retreats[p])
            for p in range(self.tables.map.n_provinces) if self.state.dislodged[p]
        ]

    def owners(self) -> list[int]:
        """The owner of each centre in the order of the map, 255 for none."""
        return [self.state.owner[self.tables.map.centres[i]] for i in range(self.tables.map.n_centres)]

    def due(self, int power) -> int:
        """Builds (positive) or removals (negative) of a power if it is Winter."""
        check_power(self.tables.map, power)
        return adjustments_due(self.tables.map, &self.state, power)

    def victor(self) -> int:
        """The power that owns more than half of the centres, or -1."""
        return victor(self.tables.map, &self.state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Packed):
            return NotImplemented
        cdef Packed o = other
        return self.tables is o.tables and memcmp(&self.state, &o.state, sizeof(State)) == 0

    def __hash__(self) -> int:
        return hash(self.tobytes())

    def tobytes(self) -> bytes:
        """The packed bytes, a row of the arrays that `bordeaux._ext.rules.batch` works on."""
        return (<unsigned char*>&self.state)[:sizeof(State)]

    def legal(self) -> dict[int, dict[int, list[int]]]:
        """Legal orders of this phase: ``{power: {location of the unit: [orders]}}``, in Winter by the location that is
        built or removed; waiving is not listed. Raises ValueError if one unit has more than 8,192 orders, which only
        artificial maps reach."""
        cdef const MapTables* m = self.tables.map
        cdef const State* s = &self.state
        cdef Convoys convoys
        cdef Order orders[MAX_LISTED]
        cdef int p, i, n, power
        result = {}
        if s.kind == MOVEMENT:
            find_convoys(m, s.unit, -1, &convoys)
        for p in range(m.n_provinces):
            if s.kind == MOVEMENT and s.unit[p]:
                n = orders_of_unit(m, s, &convoys, p, orders, MAX_LISTED)
                power = power_of(s.unit[p])
            elif s.kind == RETREATS and s.dislodged[p]:
                n = retreats_of_unit(m, s, p, orders, MAX_LISTED)
                power = power_of(s.dislodged[p])
            else:
                continue
            result.setdefault(power, {})[orders[0].unit] = listed(orders, n)
        if s.kind == ADJUSTMENTS:
            for power in range(m.n_powers):
                n = adjustments_of(m, s, power, orders, MAX_LISTED)
                for i, value in enumerate(listed(orders, n)):
                    result.setdefault(power, {}).setdefault(orders[i].unit, []).append(value)
        return result

    def is_legal(self, uint64_t code, int power) -> bool:
        """Whether a power may give an order in this phase."""
        cdef Order order
        check_power(self.tables.map, power)
        memcpy(&order, &code, sizeof(order))
        check_order(self.tables.map, &order, WAIVE)
        return is_legal(self.tables.map, &self.state, &order, power)

    def adjudicate(
        self, orders: Iterable[tuple[int, int]], int rules=0, routes: Mapping[int, Iterable[int]] | None = None
    ) -> tuple[Packed, list[int], list[int], list[bool]]:
        """Resolve this phase.

        `orders` is a list of ``(power, order)``, all legal, at most one for a unit outside Winter. Raises ValueError
        for orders that are not on the map or of another phase, and in retreats and Winter for illegal orders; a
        movement phase accepts any orders on the map. `rules` are bits of RULE_...; `routes`, if routes must be given,
        maps an army's province to the provinces of its fleets, all by number. Returns ``(next, outcomes, arrivals,
        convoyed)``. Outcomes are bits, in Winter by order, else by province. Arrivals give for each province the origin
        of the unit that moved in (255: none), and convoyed the moves by convoy; both are empty outside movement phases.
        """
        cdef Packed after = Packed.__new__(Packed)
        cdef const MapTables* m = self.tables.map
        cdef Battle battle
        cdef Order by_province[256]
        cdef Order listed_orders[512]
        cdef uint8_t powers[512]
        cdef uint8_t outcome[512]
        cdef Order order
        cdef uint64_t code
        cdef uint64_t fleets[256 * WORDS]
        cdef const uint64_t* named = NULL
        cdef int n = 0, power, army, fleet
        after.tables = self.tables
        memset(by_province, 0, sizeof(by_province))
        memset(outcome, 0, sizeof(outcome))
        for power, value in orders:
            code = value
            check_power(m, power)
            memcpy(&order, &code, sizeof(order))
            check_legal(m, &self.state, &order, power)
            if n == 512:
                raise ValueError("more than 512 orders in one phase")
            by_province[m.province[order.unit]] = order
            listed_orders[n] = order
            powers[n] = power
            n += 1
        if routes is not None:
            memset(fleets, 0, sizeof(fleets))
            named = fleets
            for army, route in routes.items():
                for fleet in route:
                    if not (0 <= army < m.n_provinces and 0 <= fleet < m.n_provinces):
                        raise ValueError(f"no such provinces in a route: {army}, {fleet}")
                    set_bit(fleets + army * WORDS, fleet)
        if self.state.kind == MOVEMENT:
            with nogil:
                fight(&battle, m, self.state.unit, by_province, rules, named)
                record_outcomes(&battle)
                after_movement(&battle, &self.state, &after.state)
            n = m.n_provinces
            return (
                after,
                [battle.outcome[p] for p in range(n)],
                [battle.arrival[p] for p in range(n)],
                [battle.kind[p] == MOVE and battle.via[p] != 0 for p in range(n)],
            )
        if self.state.kind == RETREATS:
            after_retreats(m, &self.state, by_province, &after.state, outcome)
            n = m.n_provinces
        elif self.state.kind == ADJUSTMENTS:
            after_adjustments(m, &self.state, listed_orders, powers, n, &after.state, outcome)
        else:
            raise ValueError("the game is over")
        return after, [outcome[p] for p in range(n)], [], []


cdef list listed(const Order* orders, int n):
    if n > MAX_LISTED:
        raise ValueError(f"{n} legal orders for one unit or power, more than {MAX_LISTED}")
    return codes_of(orders, n)


cdef int check_token(const MapTables* m, int token) except -1:
    if not 0 < token <= 0xFFFF or not 0 <= power_of(token) < m.n_powers or location_of(token) >= m.n_locations:
        raise ValueError(f"no such unit: {token}")
    return 0


cdef int check_power(const MapTables* m, int power) except -1:
    if not 0 <= power < m.n_powers:
        raise ValueError(f"no power {power}")
    return 0
