"""Every reply that some units can give to fixed orders, adjudicated, and the worst that comes of them.

What counts is who will own centres once this turn's retreats are over. A centre is *lost* where a
power that is to keep it does not have it, or where a power that is to be stopped does.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.battle cimport Battle
from bordeaux._ext.codes cimport check_order, lay
from bordeaux._ext.adjudicate cimport fight
from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport *
from bordeaux._ext.transition cimport after_movement

cdef enum:
    MAX_UNITS = 40
    MAX_CHOICES = 128


cdef class Adversary:
    """All joint replies of some units.

    `fixed` are the orders that stand, as bytes of codes; units in neither hold. `choices` has for every
    replying unit a pair of lists of codes: its moves, and what it may do where it stands. `centres`
    are numbers of provinces. With `keeping`, a centre is lost unless `power` has it, else if `power`
    has it. Raises ValueError for what is not on the map, for more than 40 units or 128 orders of one.
    """

    cdef Packed position
    cdef const MapTables* map
    cdef Order orders[256]
    cdef int n_units, n_centres, power
    cdef bint keeping
    cdef uint8_t place[MAX_UNITS]
    cdef int n_moves[MAX_UNITS]
    cdef int n_stays[MAX_UNITS]
    cdef Order moves[MAX_UNITS][MAX_CHOICES]
    cdef Order stays[MAX_UNITS][MAX_CHOICES]
    cdef uint8_t centres[256]
    cdef Battle battle
    cdef State after
    cdef long long count, limit
    cdef int worst, enough
    cdef Order reply[MAX_UNITS]

    def __init__(self, Packed position not None, bytes fixed, choices, centres, int power, bint keeping):
        cdef const MapTables* m = position.tables.map
        cdef int u, k, centre
        if position.state.kind != MOVEMENT:
            raise ValueError("replies are of a movement phase")
        if not 0 <= power < m.n_powers:
            raise ValueError(f"there is no power {power}")
        self.position, self.map, self.power, self.keeping = position, m, power, keeping
        memset(self.orders, 0, sizeof(self.orders))
        lay(m, fixed, self.orders)
        self.n_units = len(choices)
        self.n_centres = len(centres)
        if self.n_units > MAX_UNITS or self.n_centres > m.n_provinces:
            raise ValueError("too many units or centres")
        for k, centre in enumerate(centres):
            if not 0 <= centre < m.n_provinces:
                raise ValueError(f"there is no province {centre}")
            self.centres[k] = centre
        for u, (moves, stays) in enumerate(choices):
            if len(moves) > MAX_CHOICES or not 0 < len(stays) <= MAX_CHOICES:
                raise ValueError("a unit has no order, or too many")
            self.n_moves[u], self.n_stays[u] = len(moves), len(stays)
            for k, code in enumerate(moves):
                self.read(code, &self.moves[u][k])
            for k, code in enumerate(stays):
                self.read(code, &self.stays[u][k])
            self.place[u] = m.province[self.stays[u][0].unit]

    cdef int read(self, uint64_t code, Order* into) except -1:
        memcpy(into, &code, sizeof(Order))
        return check_order(self.map, into, CONVOY)

    def search(self, int enough, long long limit):
        """Try the replies until one loses `enough` centres, or `limit` are adjudicated.

        Returns ``(worst, reply, count, complete)``: the most centres lost, the orders that lose them as
        a list of codes, the adjudications, and whether it was all replies or enough. A support or
        convoy of a move that is not made in the same reply, or of a stand that is left, is void and so
        the same as to hold: such replies are not tried.
        """
        cdef int u
        cdef uint64_t code
        self.count, self.limit, self.worst, self.enough = 0, limit, -1, enough
        with nogil:
            self.choose_moves(0)
        reply = []
        for u in range(self.n_units if self.worst >= 0 else 0):
            memcpy(&code, &self.reply[u], sizeof(code))
            reply.append(code)
        return self.worst, reply, self.count, self.worst >= enough or self.count < limit

    def lost_to(self, replies):
        """The most centres lost to any of some replies, each bytes of codes, and which it was (-1: none)."""
        cdef int worst = -1, lost, which = -1, u
        cdef bytes reply
        cdef Order kept[256]
        memcpy(kept, self.orders, sizeof(kept))
        for u, reply in enumerate(replies):
            lay(self.map, reply, self.orders)
            lost = self.judge()
            memcpy(self.orders, kept, sizeof(kept))
            if lost > worst:
                worst, which = lost, u
        return worst, which

    cdef bint over(self) noexcept nogil:
        return self.worst >= self.enough or self.count >= self.limit

    cdef void choose_moves(self, int u) noexcept nogil:
        """Let unit u and those after it move or stay, in all ways."""
        cdef int k, p
        if u == self.n_units:
            self.choose_stays(0)
            return
        p = self.place[u]
        for k in range(self.n_moves[u]):
            self.orders[p] = self.moves[u][k]
            self.choose_moves(u + 1)
            if self.over():
                return
        self.orders[p] = self.stays[u][0]
        self.choose_moves(u + 1)

    cdef void choose_stays(self, int u) noexcept nogil:
        """Let unit u and those after it, as far as they stay, do what makes sense beside the moves."""
        cdef int k, p
        while u < self.n_units and self.orders[self.place[u]].kind == MOVE:
            u += 1
        if u == self.n_units:
            self.play()
            return
        p = self.place[u]
        for k in range(self.n_stays[u]):
            if self.is_idle(&self.stays[u][k]):
                continue
            self.orders[p] = self.stays[u][k]
            self.choose_stays(u + 1)
            if self.over():
                break
        self.orders[p] = self.stays[u][0]

    cdef bint is_idle(self, const Order* order) noexcept nogil:
        """Whether an order helps nothing that is done, so that it is the same as to hold."""
        cdef const Order* helped
        if order.kind == HOLD:
            return False
        helped = &self.orders[self.map.province[order.target]]
        if order.kind == SUPPORT_HOLD:
            return helped.kind == MOVE
        return helped.kind != MOVE or (
            self.map.province[helped.target] != self.map.province[order.destination]
        )

    cdef void play(self) noexcept nogil:
        cdef int lost = self.judge(), u
        self.count += 1
        if lost > self.worst:
            self.worst = lost
            for u in range(self.n_units):
                self.reply[u] = self.orders[self.place[u]]

    cdef int judge(self) noexcept nogil:
        """Centres lost once the orders are carried out, and others have retreated as they like.

        Own units that are dislodged (with `keeping`: those of `power`) count for nothing any more; of
        others' every one may take a centre that is left empty, two of them never the same.
        """
        cdef const State* before = &self.position.state
        cdef State* after = &self.after
        cdef uint8_t open_centres[256]
        cdef uint64_t wanted[MAX_UNITS]
        cdef uint64_t bits
        cdef int i, k, p, q, token, location, n_open = 0, n_driven = 0, lost = 0
        cdef bint has
        fight(&self.battle, self.map, before.unit, self.orders, 0, NULL)
        after_movement(&self.battle, before, after)
        for i in range(self.n_centres):
            p = self.centres[i]
            token = after.unit[p]
            has = power_of(token) == self.power if token else before.owner[p] == self.power
            if has != self.keeping:
                lost += 1
            elif token == 0 and n_open < 64:
                open_centres[n_open] = p
                n_open += 1
        if after.kind != RETREATS or n_open == 0:
            return lost
        for i in range(self.battle.n_units):
            p = self.battle.units[i]
            token = after.dislodged[p]
            if token == 0 or n_driven == MAX_UNITS or (power_of(token) == self.power) == self.keeping:
                continue
            location = location_of(token)
            bits = 0
            for k in range(self.map.n_neighbours[location]):
                if after.retreats[p] >> k & 1:
                    q = self.map.province[self.map.neighbours[location][k]]
                    for token in range(n_open):
                        if open_centres[token] == q:
                            bits |= (<uint64_t>1) << token
            if bits:
                wanted[n_driven] = bits
                n_driven += 1
        return lost + pairs(wanted, n_driven, 0, 0)


cdef int pairs(const uint64_t* wanted, int n, int i, uint64_t taken) noexcept nogil:
    """How many of the choosers from i on can each have something of its own: all ways are tried."""
    cdef uint64_t open_bits
    cdef int most, found, k
    if i == n:
        return 0
    most = pairs(wanted, n, i + 1, taken)
    open_bits = wanted[i] & ~taken
    while open_bits and most < n - i:
        k = lowest_bit(open_bits)
        open_bits &= open_bits - 1
        found = 1 + pairs(wanted, n, i + 1, taken | (<uint64_t>1) << k)
        if found > most:
            most = found
    return most
