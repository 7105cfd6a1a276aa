"""Sampled best responses in one position, in steps, so that a caller decides how long to continue.

The policies are those of `bordeaux._ext.learn.selfplay`. First a power's sets are drawn. Then some of them are valued
against joint samples of the others, repeatedly while there is time.
"""

from libc.stdint cimport uint64_t

from bordeaux._ext.learn.selfplay cimport MAX_DRAWS, MAX_ORDERS, Mind, OrderSet
from bordeaux._ext.net.memory cimport Memory
from bordeaux._ext.rules.codes cimport count_codes, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.splitmix cimport mix, next_number
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.search.joint_values cimport JointValues


cdef class Responder(SelfPlay):
    """Responses by the minds of a `SelfPlay`, with its arguments, in any position.

    A `memory` (`Memory`, None if unknown) has the orders before the position; `seed` determines all random choices.
    Raises ValueError for a position on another map or of a game that is over, IndexError for an unknown mind or power.
    """

    cdef int see(self, Packed position, Memory memory, int mind, int power, seed) except -1:
        """Set the position."""
        if position.tables is not self.tables or position.state.kind == COMPLETED:
            raise ValueError("a phase to play, on the map of the policies, is needed")
        if not 0 <= mind < self.n_minds or not 0 <= power < self.tables.map.n_powers:
            raise IndexError(f"no mind {mind} or power {power}")
        self.state = position.state
        self.chance = mix(<uint64_t>seed)
        self.salt = next_number(&self.chance)
        self.remind(NULL if memory is None else &memory.record)
        return 0

    def draws(self, Packed position not None, Memory memory, int mind, int power, seed):
        """The different sets that the mind's proposers draw for a power, in order of the first draw: bytes of codes.
        None for a power that need not give orders."""
        cdef const char* data
        cdef int n, i
        self.see(position, memory, mind, power, seed)
        try:
            if not self.owes(power):
                return []
            n = self.propose(&self.minds[mind], power)
            sets = []
            for i in range(n):
                data = <const char*>self.candidates[i].orders
                sets.append(data[:self.candidates[i].n * sizeof(Order)])
            return sets
        finally:
            self.forget()

    def values(self, Packed position not None, Memory memory, int mind, int power, candidates, seed):
        """The values of at most 64 sets of a power for it, summed over the mind's samples of the others; all are
        evaluated on the same samples. Also raises ValueError for unreadable orders."""
        cdef const MapTables* m = self.tables.map
        cdef const Mind* chosen
        cdef OrderSet* own
        cdef int n = len(candidates), i, k, c
        cdef bytes orders
        self.see(position, memory, mind, power, seed)
        try:
            chosen = &self.minds[mind]
            if n > MAX_DRAWS or not chosen.samples:
                raise ValueError(f"{n} sets, or a mind without samples; there can be {MAX_DRAWS} sets")
            for i in range(n):
                orders, own = candidates[i], &self.candidates[i]
                own.n, own.total = count_codes(orders), 0
                if own.n > MAX_ORDERS:
                    raise ValueError(f"a set of {own.n} orders")
                for k in range(own.n):
                    read_code(m, orders, k, WAIVE, &own.orders[k])
            with nogil:
                (<JointValues>self.judge[chosen.value]).enter(&self.state)
                self.sample(chosen)
                for c in range(chosen.samples):
                    for i in range(n):
                        own = &self.candidates[i]
                        own.total += self.worth(chosen, power, self.samples + c * m.n_powers, own, c)
            return [self.candidates[i].total for i in range(n)]
        finally:
            self.forget()
