"""The game of candidate sets: each power's actions are full sets of orders for a movement phase.

A joint action is one set of each power. Its value for a power is the value of the position after
adjudication. Values are cached by joint action, so strategies with few actions cost few adjudications.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight
from bordeaux._ext.rules.codes cimport lay
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport after_movement
from bordeaux._ext.search.joint_values cimport digest
from bordeaux._ext.search.regret cimport RegretGame
from bordeaux._ext.value.valuer cimport Valuer, points_of


cdef enum:
    SLOTS = 1 << 15         # of the cache, direct-mapped


cdef inline uint64_t key_of(int player, int action) noexcept nogil:
    return mix((<uint64_t>(player + 1) << 32) | <uint64_t>action)


cdef class CandidateGame(RegretGame):
    """The powers of a movement position choose among sets of orders.

    `sets` maps powers, by number, to lists of sets: bytes of order codes (8 each), as `Expander.orders` gives them;
    units without an order hold. `background` are orders, in the same form, of powers that are not in the game. Players
    are powers by number; those without sets have no actions. `nodes` counts adjudications. Raises ValueError for
    invalid input.
    """

    cdef readonly Valuer evaluator
    cdef const MapTables* map
    cdef State root
    cdef State after
    cdef Battle battle
    cdef Order around[256]                  # the joint orders on the board, by province
    cdef uint64_t key                       # and what they are known by in the cache
    cdef int n_units[MAX_POWERS]
    cdef uint8_t provinces[MAX_POWERS][256]     # of each power's units
    cdef Order* sets[MAX_POWERS]            # [action][unit]
    cdef uint64_t* keys                     # of the joint orders in each slot of the cache, 0: none
    cdef uint32_t* known                    # powers whose value is known there, as bits
    cdef float* values                      # [slot][power]

    def __cinit__(self, *args: Any, **others: Any):
        self.keys = <uint64_t*>calloc(SLOTS, sizeof(uint64_t))
        self.known = <uint32_t*>calloc(SLOTS, sizeof(uint32_t))
        if self.keys == NULL or self.known == NULL:
            raise MemoryError

    def __init__(
        self, Packed position not None, Valuer evaluator not None,
        sets: Mapping[int, Iterable[bytes]] | Iterable[tuple[int, Iterable[bytes]]], bytes background=b"",
        **others: Any,
    ):
        cdef const MapTables* m = position.tables.map
        cdef int power, p
        if self.values != NULL:
            raise ValueError("a game is made once")
        if position.state.kind != MOVEMENT:
            raise ValueError("a movement phase is needed")
        if evaluator.tables is not position.tables:
            raise ValueError("the position is on another map than the evaluator")
        self.evaluator = evaluator
        self.map = m
        self.root = position.state
        self.values = <float*>calloc(SLOTS * m.n_powers, sizeof(float))
        if self.values == NULL:
            raise MemoryError
        lay(m, background, self.around)
        for p in range(m.n_provinces):
            if self.root.unit[p]:
                power = power_of(self.root.unit[p])
                self.provinces[power][self.n_units[power]] = p
                self.n_units[power] += 1
        self.n_players = m.n_powers
        for power, listed in sorted(dict(sets).items()):
            self.check_player(power)
            self.sets[power] = <Order*>calloc(self.room * self.n_units[power] + 1, sizeof(Order))
            if self.sets[power] == NULL:
                raise MemoryError
            for orders in listed:
                self.add(power, orders)
            if self.count[power]:
                self.start(power, [1.0] * self.count[power])

    def __dealloc__(self):
        cdef int power
        free(self.keys)
        free(self.known)
        free(self.values)
        for power in range(MAX_POWERS):
            free(self.sets[power])

    cdef int read(self, int player, bytes orders, Order* into) except -1:
        """Check a set and sort its orders by the player's units."""
        cdef Order by_province[256]
        cdef int p, i, given = 0
        memset(by_province, 0, sizeof(by_province))
        lay(self.map, orders, by_province)
        for i in range(self.n_units[player]):
            p = self.provinces[player][i]
            into[i] = by_province[p]
            given += into[i].kind != NO_ORDER and into[i].unit == location_of(self.root.unit[p])
        if given != len(orders) // <int>sizeof(Order):
            raise ValueError(f"power {player} orders a unit twice, or one that it has not got")
        return 0

    def add(self, int player, bytes orders) -> int:
        """Give a player of the game another action; returns its number.

        It is not played before its regret says so: see `credit`. Raises ValueError when there is
        no room for it.
        """
        cdef int action
        self.check_player(player)
        if self.sets[player] == NULL:
            raise ValueError(f"power {player} is not in the game")
        action = self.count[player]
        if action == self.room:
            raise ValueError(f"power {player} has {action} sets already")
        self.read(player, orders, self.sets[player] + action * self.n_units[player])
        self.count[player] = action + 1
        return action

    cdef void place(self, int player, int action) noexcept nogil:
        cdef const Order* orders = self.sets[player] + action * self.n_units[player]
        cdef int i
        for i in range(self.n_units[player]):
            self.around[self.provinces[player][i]] = orders[i]

    cdef const float* play(self, uint64_t key, uint32_t wanted) noexcept nogil:
        """The values, by power, of the joint orders on the board; `key` is theirs."""
        cdef int power
        cdef int slot = key & (SLOTS - 1)
        if self.keys[slot] != key:
            self.keys[slot] = key
            self.known[slot] = 0
        wanted &= ~self.known[slot]
        if wanted:
            self.nodes += 1
            fight(&self.battle, self.map, self.root.unit, self.around, 0, NULL)
            after_movement(&self.battle, &self.root, &self.after)
            for power in range(self.n_players):
                if wanted >> power & 1:
                    self.values[slot * self.n_players + power] = points_of(self.evaluator, &self.after, power)
            self.known[slot] |= wanted
        return self.values + slot * self.n_players

    cdef void begin(self, const int* joint) noexcept nogil:
        """Store the drawn sets, and value them for all learning players with one adjudication."""
        cdef uint32_t wanted = 0
        cdef int player
        self.key = 0
        for player in range(self.n_players):
            if self.count[player]:
                self.place(player, joint[player])
                self.key ^= key_of(player, joint[player])
                wanted |= <uint32_t>(self.learns[player] != 0) << player
        self.play(self.key, wanted)

    cdef void outcomes(self, const int* joint, int player, double* values) noexcept nogil:
        cdef uint64_t others = self.key ^ key_of(player, joint[player])
        cdef int k
        for k in range(self.count[player]):
            self.place(player, k)
            values[k] = self.play(others ^ key_of(player, k), <uint32_t>1 << player)[player]
        self.place(player, joint[player])


def consequences(Packed position not None, sets: Iterable[bytes], backgrounds: Iterable[bytes]) -> list[int]:
    """The effects of sets of orders: a 64-bit number for each set.

    Sets (bytes of order codes) with the same number lead to the same position against every one of `backgrounds`, the
    orders of all other units in the same form; units without an order hold. Raises ValueError outside movement phases,
    and for orders that are not on the map.
    """
    cdef const MapTables* m = position.tables.map
    cdef Battle battle
    cdef State after
    cdef Order around[256]
    cdef uint64_t key
    if position.state.kind != MOVEMENT:
        raise ValueError("a movement phase is needed")
    result = []
    for orders in sets:
        key = 0
        for background in backgrounds:
            memset(around, 0, sizeof(around))
            lay(m, background, around)
            lay(m, orders, around)
            with nogil:
                fight(&battle, m, position.state.unit, around, 0, NULL)
                after_movement(&battle, &position.state, &after)
                key = mix(key ^ digest(m, &after))
        result.append(key)
    return result
