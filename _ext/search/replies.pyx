"""All replies of some units to fixed orders, and the worst result.

The result is the ownership of centres after this turn's retreats. A centre is *lost* if a power that is to keep it does
not own it. It is also lost if a power that is to be stopped owns it.

Replies are made up unit by unit. As soon as the strengths that the units without an order could still have are too low
to lose more than the worst reply so far, nothing more is tried with the orders given (`is_enough`). Complete replies
are adjudicated. A strength is bounded by counting, without an adjudication: of fixed units the supports that surely are
not cut, of repliers all that could support.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.search.field cimport *
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

    def allow(self, double more, late: Callable[[], bool] | None = None):
        """Allow further replies, until `late`, called periodically, returns true."""
        self.patience, self.late = self.asked + more, late
        self.is_late, self.next_look = False, self.asked

    @property
    def tired(self) -> bool:
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

        Not tried are replies that are equal to others:

        - a support or convoy of a move that is not made in the same reply, or of a unit that leaves, is void and so
          equal to a hold;
        - an army without a chain of fleets that could carry it holds;
        - a fleet that could carry an army on its way need not hold: if the army arrives without it, that changes
          nothing, and if it does not, it could as well hold.
        """
        cdef int u
        self.close()
        self.has_clock = self.late is not None
        self.count, self.most, self.worst, self.enough, self.bounds = 0, self.limit, -1, enough, 0
        if not choose(&self.field.ground, &self.area, &self.choices):
            return False
        with nogil:
            self.take_turns()
            self.find_cutters()
            for u in range(self.n_centres):
                self.foresee(self.centres[u])
            if not self.is_enough():
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
        """Let one unit go or stay with the help of others that can help, and with attacks of others on supports: of
        none, of those that cannot help, of all."""
        cdef const Order* chosen
        cdef int u, attack
        for attack in range(3):
            for u in range(self.choices.n_units):
                chosen = order
                if u != leader:
                    chosen = self.cut(u) if attack == 2 else self.help(u, order)
                    if attack == 1 and chosen.kind == HOLD:
                        chosen = self.cut(u)
                    elif attack == 2 and chosen.kind == HOLD:
                        chosen = self.help(u, order)
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

    cdef int choose_moves(self, int turn) except -1 nogil:
        """Let the unit at a turn and the following ones move or stay, in all combinations."""
        cdef int u, k, p
        if turn == self.choices.n_units:
            for u in range(self.choices.n_units):
                if not self.is_carried(u):
                    return 0
            self.choose_stays(0)
            return 0
        u = self.turn[turn]
        p = self.choices.place[u]
        self.known[p] = GIVEN
        for k in range(self.choices.n_moves[u]):
            self.orders[p] = self.choices.moves[u][k]
            if not self.is_enough():
                self.choose_moves(turn + 1)
            if self.over():
                return 0
        self.orders[p] = self.choices.stays[u][0]
        self.known[p] = STAYS
        if not self.is_enough():
            self.choose_moves(turn + 1)
        self.known[p] = FREE
        return 0

    cdef int choose_stays(self, int turn) except -1 nogil:
        """Let the unit at a turn and the following ones, if they stay, do everything sensible with these moves."""
        cdef int u, k, p
        while turn < self.choices.n_units and self.orders[self.choices.place[self.turn[turn]]].kind == MOVE:
            turn += 1
        if turn == self.choices.n_units:
            self.play()
            return 0
        u = self.turn[turn]
        p = self.choices.place[u]
        self.known[p] = GIVEN
        for k in range(self.carries(u), self.choices.n_stays[u]):
            if self.is_idle(&self.choices.stays[u][k]):
                continue
            self.orders[p] = self.choices.stays[u][k]
            if not self.is_enough():
                self.choose_stays(turn + 1)
            if self.over():
                break
        self.orders[p] = self.choices.stays[u][0]
        self.known[p] = STAYS
        return 0

    cdef void take_turns(self) noexcept nogil:
        """Units that can go to the centres, or stand there, come first: their orders decide most."""
        cdef const Ground* g = &self.field.ground
        cdef int u, i, p, rank, n = 0
        cdef bint near
        memset(self.known, GIVEN, sizeof(self.known))
        for u in range(self.choices.n_units):
            self.known[self.choices.place[u]] = FREE
            self.reply[u] = self.choices.stays[u][0]
        for rank in range(2):
            for u in range(self.choices.n_units):
                p = self.choices.place[u]
                near = False
                for i in range(self.n_centres):
                    near |= p == self.centres[i] or has_bit(g.by_land[self.centres[i]], p)
                if near == (rank == 0):
                    self.turn[n] = u
                    n += 1

    cdef bint is_carried(self, int u) noexcept nogil:
        """False if a unit moves by convoy, and no chain of fleets that stay or are fixed could carry it. Also true
        where such an army is not equal to one that holds, since a fixed unit supports that."""
        cdef const Order* order = &self.orders[self.choices.place[u]]
        cdef const Part* part
        cdef const Order* stay
        cdef uint64_t fleets[WORDS]
        cdef int army = self.choices.place[u], goal, v, k
        if order.kind != MOVE or not order.flags & FLAG_VIA or self.is_propped(army):
            return True
        goal = self.map.province[order.target]
        memset(fleets, 0, sizeof(fleets))
        for k in range(self.area.n_fixed):
            part = &self.area.fixed[k]
            if part.kind == CONVOY and part.helped == army and part.goal == goal:
                set_bit(fleets, part.unit)
        for v in range(self.choices.n_units):
            if self.orders[self.choices.place[v]].kind == MOVE:
                continue
            for k in range(1, self.choices.n_stays[v]):
                stay = &self.choices.stays[v][k]
                if (
                    stay.kind == CONVOY and self.map.province[stay.target] == army
                    and self.map.province[stay.destination] == goal
                ):
                    set_bit(fleets, self.choices.place[v])
                    break
        return self.is_chain(fleets, army, goal)

    cdef bint is_chain(self, uint64_t* fleets, int army, int goal) noexcept nogil:
        """Whether some of the fleets in a set of places form a chain; the set is used up."""
        cdef uint64_t queue[WORDS]
        cdef int w, fleet
        for w in range(WORDS):
            queue[w] = fleets[w] & self.map.seas[army][w]
        while (fleet := next_bit(self.map, queue)) >= 0:
            if has_bit(self.map.seas[goal], fleet):
                return True
            fleets[fleet >> 6] &= ~((<uint64_t>1) << (fleet & 63))
            for w in range(WORDS):
                queue[w] |= fleets[w] & self.map.seas[fleet][w]
        return False

    cdef bint carries(self, int u) noexcept nogil:
        """Whether a unit could carry an army that moves by convoy, and so need not hold."""
        cdef const Order* stay
        cdef int k, army
        for k in range(1, self.choices.n_stays[u]):
            stay = &self.choices.stays[u][k]
            if stay.kind != CONVOY or self.is_idle(stay):
                continue
            army = self.map.province[stay.target]
            if self.orders[army].flags & FLAG_VIA and not self.is_propped(army):
                return True
        return False

    cdef bint is_propped(self, int place) noexcept nogil:
        """Whether a fixed unit supports the stand of the unit in a place."""
        cdef int k
        for k in range(self.area.n_fixed):
            if self.area.fixed[k].kind == SUPPORT_HOLD and self.area.fixed[k].helped == place:
                return True
        return False

    cdef bint is_idle(self, const Order* order) noexcept nogil:
        """Whether an order helps nothing that is done, so that it is equal to a hold."""
        cdef const Order* helped
        if order.kind == HOLD:
            return False
        helped = &self.orders[self.map.province[order.target]]
        if order.kind == SUPPORT_HOLD:
            return helped.kind == MOVE
        return helped.kind != MOVE or (self.map.province[helped.target] != self.map.province[order.destination])

    cdef void find_cutters(self) noexcept nogil:
        cdef const Part* part
        cdef int k
        memset(self.n_cutters, 0, sizeof(self.n_cutters))
        for k in range(self.area.n_fixed):
            part = &self.area.fixed[k]
            if part.kind == MOVE and self.goes_by_land(part):
                self.n_cutters[part.goal] += 1
                self.cutter[part.goal] = part.unit

    cdef bint goes_by_land(self, const Part* part) noexcept nogil:
        """Whether a fixed move needs no convoy. One that a fixed fleet convoys goes by sea (DATC 4.A.3)."""
        cdef const Part* other
        cdef int k
        if part.via or not has_bit(self.map.reach[self.orders[part.unit].unit], part.goal):
            return False
        for k in range(self.area.n_fixed):
            other = &self.area.fixed[k]
            if other.kind == CONVOY and other.helped == part.unit and other.goal == part.goal:
                return False
        return True

    cdef void foresee(self, int place) noexcept nogil:
        """How the fixed units keep a centre, or how one of them comes to another province. Nothing is said where they
        help repliers, or stand in each other's way."""
        cdef const State* s = &self.field.position.state
        cdef const Part* part
        cdef const Part* mover = NULL
        cdef Stand* stand = &self.stands[place]
        cdef int k, token = s.unit[place], movers = 0, number = self.area.fixed_at[place], goal
        cdef bint replies = has_bit(self.field.ground.replying, place)
        cdef bint leaves = number and self.area.fixed[number - 1].kind == MOVE
        memset(stand, 0, sizeof(Stand))
        stand.unit = place
        stand.owned = (s.owner[place] == self.power) == self.keeping
        for k in range(self.area.n_fixed):
            part = &self.area.fixed[k]
            if has_bit(self.field.ground.replying, part.helped):
                if part.helped == place or part.goal == place:
                    return
            elif part.kind == MOVE and part.goal == place:
                mover = part
                movers += 1
        if movers > 1 or (movers and (power_of(s.unit[mover.unit]) == self.power) != self.keeping):
            return
        if token and not replies and not leaves:
            if movers or (power_of(token) == self.power) != self.keeping:
                return
            stand.kind = STANDS
        elif not movers:
            if not replies and stand.owned and not self.may_retreat(place):
                stand.kind = EMPTY
            return
        elif leaves:
            goal = self.area.fixed[number - 1].goal
            if goal == mover.unit:
                return
            stand.kind, stand.left_for = FOLLOWS, place
            # No chain is looked through: it may be a circle.
            if not self.area.fixed_at[goal]:
                stand.left_for = goal
                self.foresee(goal)
        else:
            stand.kind = ENTERS
        if movers:
            stand.unit, stand.by_sea = mover.unit, not self.goes_by_land(mover)
        self.list_helpers(place, stand)

    cdef bint may_retreat(self, int place) noexcept nogil:
        """Whether units beside a place that do not reply could lose it by a retreat there."""
        cdef const State* s = &self.field.position.state
        cdef int p
        for p in range(self.map.n_provinces):
            if (
                s.unit[p] and has_bit(self.map.borders[place], p) and not has_bit(self.field.ground.replying, p)
                and (power_of(s.unit[p]) == self.power) != self.keeping
            ):
                return True
        return False

    cdef void list_helpers(self, int place, Stand* stand) noexcept nogil:
        """The fixed supports of a unit that stays in a place or goes there, to the coast that is meant."""
        cdef const Part* part
        cdef int k
        for k in range(self.area.n_fixed):
            part = &self.area.fixed[k]
            if (
                is_support(part) and part.goal == place and part.helped == stand.unit
                and (
                    stand.kind == STANDS or self.map.n_fleets[place] < 2
                    or self.orders[part.unit].destination == self.orders[stand.unit].target
                )
                and stand.n_helpers < MAX_HELPERS
            ):
                stand.helpers[stand.n_helpers] = part.unit
                stand.n_helpers += 1

    cdef bint is_enough(self) except -1 nogil:
        """Whether no reply with the orders given so far loses more than the worst one."""
        cdef int i, losable = 0
        for i in range(self.n_centres):
            self.bounds += 1
            if self.bounds % BOUNDS == 0:
                self.spend()
            losable += not self.is_kept(self.centres[i])
            if losable > max(self.worst, 0):
                return False
        return True

    cdef bint is_kept(self, int place) noexcept nogil:
        """Whether no reply with the orders given so far loses a centre, or keeps a fixed unit from coming to another
        province, as far as strengths can tell."""
        cdef const Ground* g = &self.field.ground
        cdef const Stand* stand = &self.stands[place]
        cdef uint64_t bits[WORDS]
        cdef int strength = 1, most = -1, beaten = -1, k, u
        if stand.kind == OPEN or (stand.by_sea and not self.is_sailed(stand.unit, place)):
            return False
        for k in range(stand.n_helpers):
            strength += self.is_uncut(stand.helpers[k], place)
        # The strength with which nobody may come.
        if stand.kind == STANDS:
            most = strength
        elif stand.kind == ENTERS:
            # In an empty centre that is owned an equal attacker changes nothing.
            most = strength - (not stand.owned or has_bit(g.replying, place))
            if self.resistance(place, stand.unit) > most:
                return False
        elif stand.kind == FOLLOWS:
            most = strength - (not stand.owned)
            if self.stands[stand.left_for].kind == ENTERS and self.is_kept(stand.left_for):
                if not has_bit(g.by_sea[place], stand.left_for) and not self.stands[stand.left_for].by_sea:
                    # The unit that is driven out there cannot come here.
                    beaten = stand.left_for
            else:
                most = min(1, most)
        if stand.kind == EMPTY:
            memcpy(bits, g.by_land[place], sizeof(bits))
            while (u := next_bit(self.map, bits)) >= 0:
                if self.may_be_driven(u):
                    return False
        return not self.may_come(place, most, beaten, MAX_REPLIERS)

    cdef bint is_uncut(self, int helper, int aim) noexcept nogil:
        """Whether a support into a province surely counts. A unit there cuts it only if it dislodges the helper."""
        return not self.may_come(helper, 0, aim, 1)

    cdef bint is_sailed(self, int army, int goal) noexcept nogil:
        """Whether fixed fleets that nobody can dislodge convoy a fixed army."""
        cdef const Part* part
        cdef uint64_t fleets[WORDS]
        cdef int k
        memset(fleets, 0, sizeof(fleets))
        for k in range(self.area.n_fixed):
            part = &self.area.fixed[k]
            if part.kind == CONVOY and part.helped == army and part.goal == goal:
                if not self.may_come(part.unit, 1, -1, 1):
                    set_bit(fleets, part.unit)
        return self.is_chain(fleets, army, goal)

    cdef bint may_be_driven(self, int place) noexcept nogil:
        """Whether a replier may be attacked."""
        return has_bit(self.area.fixed_goals, place) or self.may_come(place, 0, -1, 0)

    cdef bint may_come(self, int place, int most, int one, int most_of_one) noexcept nogil:
        """Whether a replier may go to a place with more than a strength. For `one` of them that is another strength."""
        cdef const Ground* g = &self.field.ground
        cdef uint64_t bits[WORDS]
        cdef int w, u, enough
        for w in range(WORDS):
            bits[w] = g.by_land[place][w] | g.by_sea[place][w]
        while (u := next_bit(self.map, bits)) >= 0:
            enough = most_of_one if u == one else most
            # A unit without help has a strength of 1.
            if self.may_go(u, place) and (enough < 1 or self.force(u, place) > enough):
                return True
        return False

    cdef int resistance(self, int place, int mover) noexcept nogil:
        """The most that a replier in a place can put up against a fixed unit's move there."""
        cdef int hold
        if not has_bit(self.field.ground.replying, place):
            return 0
        if self.known[place] == GIVEN and self.orders[place].kind == MOVE:
            return self.force(place, mover) if self.may_go(place, mover) else 1
        hold = 1 + self.helpers(SUPPORT_HOLD, place, place)
        if self.known[place] == FREE and has_bit(self.field.ground.by_land[mover], place):
            return max(hold, self.force(place, mover))
        return hold

    cdef int force(self, int unit, int goal) noexcept nogil:
        """The most that a replier's move can have: all supports that others could still give."""
        return 1 + self.helpers(SUPPORT_MOVE, unit, goal)

    cdef int helpers(self, int kind, int helped, int goal) noexcept nogil:
        """The number of repliers that may still support a unit's move to a place, or its stand there."""
        cdef uint64_t bits[WORDS]
        cdef int n = 0, v
        memcpy(bits, self.field.ground.by_land[goal], sizeof(bits))
        while (v := next_bit(self.map, bits)) >= 0:
            n += v != helped and self.may_help(v, kind, helped, goal)
        return n

    cdef bint may_help(self, int unit, int kind, int helped, int goal) noexcept nogil:
        """Whether a replier beside a place may support an order there. A fixed unit that attacks it cuts that, unless
        it comes from there."""
        cdef const Order* order = &self.orders[unit]
        if self.n_cutters[unit] > 1 or (self.n_cutters[unit] and self.cutter[unit] != goal):
            return False
        return self.known[unit] != GIVEN or (
            order.kind == kind and self.map.province[order.target] == helped
            and (kind == SUPPORT_HOLD or self.map.province[order.destination] == goal)
        )

    cdef bint may_go(self, int unit, int goal) noexcept nogil:
        cdef const Order* order = &self.orders[unit]
        if self.known[unit] == GIVEN:
            return order.kind == MOVE and self.map.province[order.target] == goal
        return self.known[unit] == FREE

    cdef int play(self) except -1 nogil:
        cdef int lost = self.judge(), u
        if lost > self.worst:
            self.worst = lost
            for u in range(self.choices.n_units):
                self.reply[u] = self.orders[self.choices.place[u]]
        self.spend()
        return 0

    cdef int spend(self) except -1 nogil:
        """Count an adjudication, and end the search when the limits are used."""
        self.count += 1
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
