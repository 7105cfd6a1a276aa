"""Which process searches for which power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["deal"]


def deal(
    wanted: Sequence[str], others: Sequence[str], units: Mapping[str, int], processes: int
) -> tuple[frozenset[str], ...]:
    """The powers that each process searches; with as many processes as powers, each has its own.

    `wanted` are the powers whose orders are wanted, `others` those of their background; `units` gives their
    sizes. With fewer processes than wanted powers these are dealt out, with the load measured in units. With
    more, every process has one of them, so several search for the same power with different random seeds. The
    others are dealt out in either case.
    """
    shares: list[set[str]] = [set() for _ in range(processes)]
    rest = [*others]
    if len(wanted) >= processes:
        rest = [*wanted, *rest]
    elif wanted:
        for number, share in enumerate(shares):
            share.add(wanted[number % len(wanted)])
    # Wanted ones first: they have a turn in every round.
    for power in sorted(rest, key=lambda power: (power not in wanted, -units[power])):
        least = min(range(processes), key=lambda number: sum(units[power] for power in shares[number]))
        shares[least].add(power)
    return tuple(frozenset(share) for share in shares)
