"""Orders of a policy for powers of many games at once."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.net.policy cimport Chooser
from bordeaux._ext.rules.games cimport Games
from bordeaux._ext.rules.structures cimport *


def orders_of(Games games not None, Chooser chooser not None, const uint8_t[:, ::1] who, uint64_t[:, :, ::1] out):
    """Write the orders of a policy for the powers of games that `who` marks, as codes [games, powers, M], 0 where there
    is none; orders beyond M are left out. A policy with a memory sees none of earlier phases. Raises ValueError for
    arrays that do not fit, and a policy on another map."""
    cdef const MapTables* m = games.tables.map
    cdef Order listed[256]
    cdef Py_ssize_t width = out.shape[2]
    cdef int g, power, n
    if chooser.tables is not games.tables:
        raise ValueError("the policy is on another map than the games")
    if who.shape[0] != games.n or who.shape[1] != m.n_powers or out.shape[0] != games.n or out.shape[1] != m.n_powers:
        raise ValueError(f"arrays are for {games.n} games and {m.n_powers} powers")
    if width == 0:
        return
    with nogil:
        for g in range(games.n):
            for power in range(m.n_powers):
                if not who[g, power]:
                    continue
                memset(&out[g, power, 0], 0, width * sizeof(uint64_t))
                if games.ended[g] or games.states[g].kind == COMPLETED:
                    continue
                n = chooser.policy.orders(chooser.policy.work, &games.states[g], power, &chooser.chance, listed)
                memcpy(&out[g, power, 0], listed, min(n, width) * sizeof(Order))
