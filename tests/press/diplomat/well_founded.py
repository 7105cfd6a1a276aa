"""The well-founded model by its definition of 1991, with unfounded sets, from the beginning each time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

__all__ = ["Ground", "well_founded"]

Ground = tuple[Hashable, tuple[Hashable, ...], tuple[Hashable, ...]]


def well_founded(grounds: Iterable[Ground]) -> set[Hashable]:
    """What holds: what has a ground in which all is settled, while what can have none any more is false."""
    by_fact: dict[Hashable, list[tuple[set[Hashable], set[Hashable]]]] = {}
    for fact, because, unless in grounds:
        by_fact.setdefault(fact, []).append((set(because), set(unless)))
        for premise in (*because, *unless):
            by_fact.setdefault(premise, [])
    true: set[Hashable] = set()
    false: set[Hashable] = set()
    while True:
        now = {
            fact
            for fact, theirs in by_fact.items()
            if any(because <= true and unless <= false for because, unless in theirs)
        }
        never = unfounded(by_fact, true, false)
        if now <= true and never <= false:
            return true
        true |= now
        false |= never


def unfounded(
    by_fact: dict[Hashable, list[tuple[set[Hashable], set[Hashable]]]],
    true: set[Hashable],
    false: set[Hashable],
) -> set[Hashable]:
    """The greatest set of facts that nothing can make hold any more: every ground of each is defeated, or
    rests on something false, or on the set itself."""
    unfounded = set(by_fact) - true
    while True:
        kept = {
            fact
            for fact in unfounded
            if all(
                because & false or because & unfounded or unless & true for because, unless in by_fact[fact]
            )
        }
        if kept == unfounded:
            return unfounded
        unfounded = kept
