"""The losses that replies cause to fixed orders, with a memory across sets of orders.

Replies that took a centre once will often take it again (*killers*). If no reply took a centre, none will
as long as the orders that touch its area stay the same (*shields*). A centre with too many replies is not
tried again either.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memmove, memset

from bordeaux._ext.rules.codes cimport codes_of, lay
from bordeaux._ext.search.field cimport *
from bordeaux._ext.search.replies cimport Replies
from bordeaux._ext.rules.structures cimport *

cdef enum:
    KEPT = 12               # killers and shields that are remembered for each centre
    MAX_TOUCHING = 40       # orders that a shield can have
    TRIED = 48              # replies that compare sets of orders

# The answer to a question.
cdef enum:
    SAFE = 0
    TAKEN = 1
    UNKNOWN = 2

cdef struct Killer:
    int n
    Order orders[MAX_REPLIERS]

cdef struct Shield:
    int tried               # replies after which it was given up, 0 where it is proved
    uint64_t touched[WORDS]
    int n
    Order orders[MAX_TOUCHING]

cdef struct Memory:
    int n_killers
    int n_shields
    Killer killers[KEPT]
    Shield shields[KEPT]


cdef class Adversary(Replies):
    """Replies to fixed orders, with a memory of captures by centre; see `Replies`.

    When the limit is used, unknown centres count as lost.
    """

    cdef Memory* memory             # by province

    def __cinit__(self, Field field not None, int power, bint keeping, int limit):
        self.memory = <Memory*>calloc(self.map.n_provinces, sizeof(Memory))
        if self.memory == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.memory)

    def stakes(self, bytes fixed not None) -> list[int]:
        """The centres that the power may own afterwards: its own, and those at places and destinations of its units.

        A power to be stopped may also retreat to a centre, which is no farther than a move.
        """
        cdef const State* s = &self.field.position.state
        cdef uint64_t reached[WORDS]
        cdef const Replier* r
        cdef int p, w
        self.fix(fixed)
        memset(reached, 0, sizeof(reached))
        for p in range(self.map.n_provinces):
            if self.map.is_centre[p] and s.owner[p] == self.power:
                set_bit(reached, p)
            if s.unit[p] == 0 or power_of(s.unit[p]) != self.power:
                continue
            set_bit(reached, p)
            if has_bit(self.field.ground.replying, p):
                r = &self.field.ground.of[p]
                for w in range(WORDS):
                    reached[w] |= r.land[w] | r.sea[w]
            elif self.orders[p].kind == MOVE:
                set_bit(reached, self.map.province[self.orders[p].target])
        return [p for p in range(self.map.n_provinces) if has_bit(reached, p) and self.map.is_centre[p]]

    def gone(self, bytes fixed not None, centres: Iterable[int]) -> list[int]:
        """The centres among some that every reply leaves to a power to be stopped, if only its units reply: its own,
        where it stands or nobody does, and where no fixed unit goes."""
        cdef const State* s = &self.field.position.state
        cdef int p, token
        if self.keeping:
            return []
        for p in range(self.map.n_provinces):
            if has_bit(self.field.ground.replying, p) and power_of(s.unit[p]) != self.power:
                return []
        self.fix(fixed)
        gone = []
        for p in centres:
            token = s.unit[p]
            if (
                s.owner[p] == self.power and not has_bit(self.area.fixed_goals, p)
                and (token == 0 or power_of(token) == self.power)
            ):
                gone.append(p)
        return gone

    def safe(self, bytes fixed not None, centres: Iterable[int]) -> list[int]:
        """The centres among some that no reply takes, each tested alone."""
        self.fix(fixed)
        return [centre for centre in centres if self.ask(centre) == SAFE]

    def lost(self, bytes fixed not None, centres: Sequence[int], int enough) -> tuple[int, list[int], bool]:
        """The largest number of some centres that can be lost at once, up to `enough`; all of them if it takes too
        long.

        Returns ``(lost, reply, proved)``, with the orders that lose them as a list of codes.
        """
        cdef int verdict
        cdef Killer* killer
        self.fix(fixed)
        if len(centres) == 1:
            verdict = self.ask(centres[0])
            if verdict != TAKEN:
                return verdict != SAFE, [], verdict == SAFE
            killer = &self.memory[<int>centres[0]].killers[0]
            return 1, codes_of(killer.orders, killer.n), True
        self.centre_on(centres)
        if self.look() or not self.search(enough):
            return self.n_centres, [], False
        return max(self.worst, 0), codes_of(self.reply, self.choices.n_units), True

    def hands(self, bytes fixed not None, centres: Collection[int]) -> list[int]:
        """The places of the repliers that can affect some centres."""
        cdef int p
        self.fix(fixed)
        self.centre_on(centres)
        self.close()
        return [p for p in range(self.map.n_provinces) if has_bit(self.area.who, p)]

    def lost_to(
        self, bytes fixed not None, centres: Collection[int], replies: Iterable[bytes], int enough
    ) -> tuple[int, int]:
        """The largest number of some centres lost to one of some replies (bytes of codes), up to `enough`; and the
        index of that reply (-1: none)."""
        cdef int worst = -1, lost, which = -1, u
        cdef bytes reply
        cdef Order kept[256]
        self.fix(fixed)
        self.centre_on(centres)
        memcpy(kept, self.orders, sizeof(kept))
        for u, reply in enumerate(replies):
            lay(self.map, reply, self.orders)
            lost = self.judge()
            self.asked += 1
            memcpy(self.orders, kept, sizeof(kept))
            if lost > worst:
                worst, which = lost, u
            if worst >= enough:
                break
        return worst, which

    def losses(
        self, bytes fixed not None, changes: Iterable[bytes], centres: Collection[int], replies: Iterable[bytes],
        int spare, int most, int wanted,
    ) -> list[int]:
        """How far each of some changes of the fixed orders (bytes of codes) is from losing no more than `spare` of some
        centres to the first replies (bytes of codes).

        That is the number of centres that any reply takes, and the number that the worst one takes, each as far as it
        is above `spare`, added and doubled. It is odd where a reply takes more than `spare`. A number above `most`, or
        above those of `wanted` changes before it, may be too small: no further replies are tried then. When the limit
        is used the rest are above `most`.
        """
        cdef int worst, total, n = 0, k, w
        cdef uint64_t taken[WORDS]
        cdef uint64_t took[TRIED][WORDS]
        cdef uint8_t order[TRIED]
        cdef int less[1024]         # how many changes have a number
        cdef bytes change, reply
        cdef Order kept[256]
        cdef Order changed[256]
        self.fix(fixed)
        self.centre_on(centres)
        memcpy(kept, self.orders, sizeof(kept))
        replies = replies[:TRIED]
        for reply in replies:
            lay(self.map, reply, self.orders)
            self.judge()
            self.asked += 1
            memcpy(self.orders, kept, sizeof(kept))
            memcpy(took[n], self.taken, sizeof(self.taken))
            n += 1
        by_harm(&took[0][0], n, order)
        memset(less, 0, sizeof(less))
        found = []
        for change in changes:
            if self.asked > self.patience:
                found.append(most + 1)
                continue
            memcpy(self.orders, kept, sizeof(kept))
            lay(self.map, change, self.orders)
            memcpy(changed, self.orders, sizeof(changed))
            memset(taken, 0, sizeof(taken))
            worst = total = 0
            for k in range(n):
                lay(self.map, replies[order[k]], self.orders)
                worst = max(worst, self.judge() - spare)
                self.asked += 1
                memcpy(self.orders, changed, sizeof(changed))
                total = -spare
                for w in range(WORDS):
                    taken[w] |= self.taken[w]
                    total += count_bits(taken[w])
                total = 2 * (max(0, worst) + max(0, total)) + (worst > 0)
                if total > most:
                    break
            found.append(total)
            if total <= most and total < 1024:
                less[total] += 1
                most = bounded(less, most, wanted)
        return found

    cdef int ask(self, int centre) except -1:
        """Whether replies take one centre; that reply is then the first of its killers."""
        cdef Memory* known
        cdef Killer killer
        cdef Shield* shield
        cdef bint proved
        cdef int k
        if not 0 <= centre < self.map.n_provinces:
            raise ValueError(f"there is no province {centre}")
        known = &self.memory[centre]
        self.n_centres, self.centres[0] = 1, centre
        for k in range(known.n_shields):
            shield = &known.shields[k]
            if (shield.tried == 0 or shield.tried >= self.limit) and self.is_shielded(shield):
                return UNKNOWN if shield.tried else SAFE
        for k in range(known.n_killers):
            if self.is_killed(&known.killers[k]):
                killer = known.killers[k]
                memmove(&known.killers[1], &known.killers[0], k * sizeof(Killer))
                known.killers[0] = killer
                return TAKEN
        if self.look():
            return UNKNOWN
        proved = self.search(1)
        if self.worst > 0:
            memmove(&known.killers[1], &known.killers[0], (KEPT - 1) * sizeof(Killer))
            known.n_killers = min(known.n_killers + 1, KEPT)
            known.killers[0].n = self.choices.n_units
            memcpy(known.killers[0].orders, self.reply, sizeof(self.reply))
            return TAKEN
        if not proved and (self.is_late or self.asked > self.patience):
            return UNKNOWN
        memmove(&known.shields[1], &known.shields[0], (KEPT - 1) * sizeof(Shield))
        known.n_shields = min(known.n_shields + 1, KEPT)
        shield = &known.shields[0]
        shield.tried = 0 if proved else self.limit
        touched(&self.field.ground, &self.area, shield.touched)
        shield.n = self.touching(shield.touched, shield.orders)
        if shield.n > MAX_TOUCHING:
            known.n_shields -= 1
            memmove(&known.shields[0], &known.shields[1], known.n_shields * sizeof(Shield))
        return SAFE if proved else UNKNOWN

    cdef bint is_killed(self, const Killer* killer) noexcept nogil:
        cdef Order kept[MAX_REPLIERS]
        cdef int i, lost
        for i in range(killer.n):
            kept[i] = self.orders[self.map.province[killer.orders[i].unit]]
            self.orders[self.map.province[killer.orders[i].unit]] = killer.orders[i]
        lost = self.judge()
        self.asked += 1
        for i in range(killer.n):
            self.orders[self.map.province[killer.orders[i].unit]] = kept[i]
        return lost > 0

    cdef bint is_shielded(self, const Shield* shield) noexcept nogil:
        """Whether the same orders touch the area."""
        cdef Order orders[MAX_TOUCHING]
        return (
            self.touching(shield.touched, orders) == shield.n
            and memcmp(orders, shield.orders, shield.n * sizeof(Order)) == 0
        )

    cdef int touching(self, const uint64_t* places, Order* out) noexcept nogil:
        """Write the fixed orders, in the order of provinces, that begin, help or end in some places; returns their
        number. Holds may be left out."""
        cdef const Part* part
        cdef int k, n = 0
        for k in range(self.area.n_fixed):
            part = &self.area.fixed[k]
            if part.kind != HOLD and (
                has_bit(places, part.unit) or has_bit(places, part.goal) or has_bit(places, part.helped)
            ):
                if n < MAX_TOUCHING:
                    out[n] = self.orders[part.unit]
                n += 1
        return n


cdef int bounded(const int* counts, int most, int wanted) noexcept nogil:
    """The number up to which `wanted` have been counted, or `most`."""
    cdef int total, sum = 0
    for total in range(min(most, 1023)):
        sum += counts[total]
        if sum >= wanted:
            return total
    return most


cdef void by_harm(const uint64_t* took, int n, uint8_t* order) noexcept nogil:
    """Order replies by what each takes beyond those before it, most first, so that a few refute most sets."""
    cdef uint64_t taken[WORDS]
    cdef uint64_t left = 0
    cdef int place, k, w, best, most, more
    memset(taken, 0, sizeof(taken))
    for k in range(n):
        left |= (<uint64_t>1) << k
    for place in range(n):
        best, most = -1, -1
        for k in range(n):
            if not left >> k & 1:
                continue
            more = 0
            for w in range(WORDS):
                more += count_bits(took[k * WORDS + w] & ~taken[w])
            if more > most:
                best, most = k, more
        order[place] = best
        left &= ~((<uint64_t>1) << best)
        for w in range(WORDS):
            taken[w] |= took[best * WORDS + w]
