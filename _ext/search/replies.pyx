"""All replies of some units to fixed orders, adjudicated, and the worst result.

The result is the ownership of centres after this turn's retreats. A centre is *lost* if a power that is to keep it does
not own it. It is also lost if a power that is to be stopped owns it.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from bordeaux._ext.search.closure cimport *
from bordeaux._ext.search.field cimport Field
from bordeaux._ext.rules.adjudicate cimport fight
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport after_movement


cdef class Replies:
    """All joint replies of a field's repliers to the orders of the other units.

    With `keeping`, a centre is lost unless `power` (a number) has it, else if `power` has it. `limit` is the maximum
    number of replies for one question. Fixed orders are bytes of codes; units that neither have one nor reply hold.
    Centres are numbers of provinces.

    `asked` counts the replies adjudicated, and an equivalent for other work; `allow` may limit it. Raises ValueError
    for input that is not on the map.
    """

    def __cinit__(self, Field field not None, int power, bint keeping, int limit):
        if not 0 <= power < field.ground.map.n_powers:
            raise ValueError(f"there is no power {power}")
        self.field, self.map = field, field.ground.map
        self.power, self.keeping, self.limit = power, keeping, limit
        self.allow(float("inf"))

    def allow(self, double more, late=None):
        """Allow further replies, until `late`, called periodically, returns true."""
        self.patience, self.late = self.asked + more, late
        self.is_late, self.next_look = False, self.asked

    @property
    def tired(self):
        """Whether the limit is used."""
        return self.is_late or self.asked > self.patience

    cdef int fix(self, bytes fixed) except -1:
        memset(self.orders, 0, sizeof(self.orders))
        self.asked += CALL
        return self.field.fix(fixed, self.orders, &self.area)

    cdef int centre_on(self, centres) except -1:
        cdef int k, centre
        if len(centres) > self.map.n_provinces:
            raise ValueError("too many centres")
        self.n_centres = len(centres)
        for k, centre in enumerate(centres):
            if not 0 <= centre < self.map.n_provinces:
                raise ValueError(f"there is no province {centre}")
            self.centres[k] = centre
        return 0

    cdef int look(self) except -1:
        """Whether to stop, by the limit or by the clock."""
        if self.asked >= self.next_look and self.late is not None:
            self.next_look = self.asked + LOOKS
            self.is_late = self.is_late or bool(self.late())
        return self.is_late or self.asked > self.patience

    cdef int look_again(self) except -1 with gil:
        return self.look()

    cdef void close(self) noexcept nogil:
        """Find the units that can affect the centres."""
        cdef int k
        memset(self.area.asked, 0, sizeof(self.area.asked))
        for k in range(self.n_centres):
            set_bit(self.area.asked, self.centres[k])
        near(&self.field.ground, &self.area)
        self.asked += CLOSURE

    cdef int search(self, int enough) except -1:
        """Try the replies until one loses `enough` of the centres. `worst` is the largest loss, `reply` that reply.
        Returns whether all replies were tried, or `enough` was reached.

        A support or convoy of a move that is not made in the same reply, or of a unit that leaves, is void and so equal
        to a hold: such replies are not tried.
        """
        cdef int u
        self.close()
        self.has_clock = self.late is not None
        self.count, self.most, self.worst, self.enough = 0, self.limit, -1, enough
        if not choose(&self.field.ground, &self.area, &self.choices):
            return False
        with nogil:
            self.guess()
            if not self.over():
                self.choose_moves(0)
        for u in range(self.choices.n_units):
            self.orders[self.choices.place[u]].kind = NO_ORDER
        self.asked += self.count
        return self.worst >= enough or self.count < self.most

    cdef int guess(self) except -1 nogil:
        """Try the most frequent captures first: a unit that can go to a centre, or stays there, with all help."""
        cdef Order stands
        cdef int u, k, c
        for c in range(self.n_centres):
            for u in range(self.choices.n_units):
                for k in range(self.choices.n_moves[u]):
                    if self.map.province[self.choices.moves[u][k].target] == self.centres[c] and not self.over():
                        self.lead(u, &self.choices.moves[u][k])
                if self.choices.place[u] == self.centres[c] and not self.over():
                    stands = self.choices.stays[u][0]
                    self.lead(u, &stands)
        return 0

    cdef int lead(self, int leader, const Order* order) except -1 nogil:
        """Let one unit go or stay with the help of others that can help; the rest hold, or they cut supports."""
        cdef const Order* chosen
        cdef int u, attack
        for attack in range(2):
            for u in range(self.choices.n_units):
                chosen = order
                if u != leader:
                    chosen = self.help(u, order)
                    if attack and chosen.kind == HOLD:
                        chosen = self.cut(u)
                self.orders[self.choices.place[u]] = chosen[0]
            self.play()
            if self.over():
                break
        return 0

    cdef const Order* help(self, int u, const Order* order) noexcept nogil:
        """A unit's support, or convoy, for another's order; else it holds."""
        cdef const Order* stay
        cdef int k
        for k in range(1, self.choices.n_stays[u]):
            stay = &self.choices.stays[u][k]
            if stay.target == order.unit and (
                stay.kind == SUPPORT_HOLD and order.kind == HOLD
                or order.kind == MOVE and self.map.province[stay.destination] == self.map.province[order.target]
                and (stay.kind == SUPPORT_MOVE or stay.kind == CONVOY and order.flags & FLAG_VIA)
            ):
                return stay
        return &self.choices.stays[u][0]

    cdef const Order* cut(self, int u) noexcept nogil:
        """A unit's attack on a fixed supporting one; else it holds."""
        cdef int k, number
        for k in range(self.choices.n_moves[u]):
            number = self.area.fixed_at[self.map.province[self.choices.moves[u][k].target]]
            if number and is_support(&self.area.fixed[number - 1]):
                return &self.choices.moves[u][k]
        return &self.choices.stays[u][0]

    cdef bint over(self) noexcept nogil:
        return self.worst >= self.enough or self.count >= self.most

    cdef int choose_moves(self, int u) except -1 nogil:
        """Let unit u and the following ones move or stay, in all combinations."""
        cdef int k, p
        if u == self.choices.n_units:
            self.choose_stays(0)
            return 0
        p = self.choices.place[u]
        for k in range(self.choices.n_moves[u]):
            self.orders[p] = self.choices.moves[u][k]
            self.choose_moves(u + 1)
            if self.over():
                return 0
        self.orders[p] = self.choices.stays[u][0]
        self.choose_moves(u + 1)
        return 0

    cdef int choose_stays(self, int u) except -1 nogil:
        """Let unit u and the following ones, if they stay, do everything sensible with these moves."""
        cdef int k, p
        while u < self.choices.n_units and self.orders[self.choices.place[u]].kind == MOVE:
            u += 1
        if u == self.choices.n_units:
            self.play()
            return 0
        p = self.choices.place[u]
        for k in range(self.choices.n_stays[u]):
            if self.is_idle(&self.choices.stays[u][k]):
                continue
            self.orders[p] = self.choices.stays[u][k]
            self.choose_stays(u + 1)
            if self.over():
                break
        self.orders[p] = self.choices.stays[u][0]
        return 0

    cdef bint is_idle(self, const Order* order) noexcept nogil:
        """Whether an order helps nothing that is done, so that it is equal to a hold."""
        cdef const Order* helped
        if order.kind == HOLD:
            return False
        helped = &self.orders[self.map.province[order.target]]
        if order.kind == SUPPORT_HOLD:
            return helped.kind == MOVE
        return helped.kind != MOVE or (
            self.map.province[helped.target] != self.map.province[order.destination]
        )

    cdef int play(self) except -1 nogil:
        cdef int lost = self.judge(), u
        self.count += 1
        if lost > self.worst:
            self.worst = lost
            for u in range(self.choices.n_units):
                self.reply[u] = self.orders[self.choices.place[u]]
        if self.asked + self.count > self.patience or (
            self.count % LOOKS == 0 and self.has_clock and self.look_again()
        ):
            self.most = self.count
        return 0

    cdef int judge(self) noexcept nogil:
        """The centres lost after the orders are carried out, and others have retreated in any way.

        Dislodged own units (with `keeping`: those of `power`) do not count any more; of others' each may take an empty
        centre, but no two of them the same.
        """
        cdef const State* before = &self.field.position.state
        cdef State* after = &self.after
        cdef uint8_t open_centres[256]
        cdef uint64_t wanted[MAX_REPLIERS]
        cdef uint64_t bits
        cdef int i, k, p, q, token, location, centre, n_open = 0, n_driven = 0, lost = 0
        cdef bint has
        memset(self.taken, 0, sizeof(self.taken))
        fight(&self.battle, self.map, before.unit, self.orders, 0, NULL)
        after_movement(&self.battle, before, after)
        for i in range(self.n_centres):
            p = self.centres[i]
            token = after.unit[p]
            has = power_of(token) == self.power if token else before.owner[p] == self.power
            if has != self.keeping:
                set_bit(self.taken, p)
                lost += 1
            elif token == 0 and n_open < 64:
                open_centres[n_open] = p
                n_open += 1
        if after.kind != RETREATS or n_open == 0:
            return lost
        for i in range(self.battle.n_units):
            p = self.battle.units[i]
            token = after.dislodged[p]
            if token == 0 or n_driven == MAX_REPLIERS or (power_of(token) == self.power) == self.keeping:
                continue
            location = location_of(token)
            bits = 0
            for k in range(self.map.n_neighbours[location]):
                if after.retreats[p] >> k & 1:
                    q = self.map.province[self.map.neighbours[location][k]]
                    for centre in range(n_open):
                        if open_centres[centre] == q:
                            set_bit(self.taken, q)
                            bits |= (<uint64_t>1) << centre
            if bits:
                wanted[n_driven] = bits
                n_driven += 1
        return lost + pairs(wanted, n_driven, 0, 0)


cdef int pairs(const uint64_t* wanted, int n, int i, uint64_t taken) noexcept nogil:
    """How many of the choosers from i on can each have a separate item: all combinations are tried."""
    cdef uint64_t open_bits
    cdef int most, served, k
    if i == n:
        return 0
    most = pairs(wanted, n, i + 1, taken)
    open_bits = wanted[i] & ~taken
    while open_bits and most < n - i:
        k = lowest_bit(open_bits)
        open_bits &= open_bits - 1
        served = 1 + pairs(wanted, n, i + 1, taken | (<uint64_t>1) << k)
        if served > most:
            most = served
    return most
