"""A retreat phase: everybody goes where he may, and two who want the same province are disbanded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.oracle.board import Unit, province_of

__all__ = ["Retreated", "retreat"]

ORDER = re.compile(r"(?:[AF] )?(\w{3})(?:/\w\w)? (?:(?:R|-) (\w{3}(?:/\w\w)?)|D)")


@dataclass(frozen=True)
class Retreated:
    """`tags` for every order, in the order given: illegal, succeeds or fails; `units` that stand
    after the retreats."""

    tags: dict[str, list[str]]
    units: list[Unit]


def retreat(
    standing: Iterable[Unit],
    dislodged: Mapping[str, Unit],
    options: Mapping[str, Iterable[str]],
    orders: Mapping[str, Iterable[str]],
) -> Retreated:
    """Adjudicate a retreat phase. `options` gives the locations open to each dislodged unit."""
    wishes: dict[str, str] = {}
    tags: dict[str, list[str]] = {}
    parsed: list[tuple[str, str, str]] = []
    for power, texts in orders.items():
        for text in texts:
            place, goal = _read(text, power, dislodged, options)
            parsed.append((power, place, goal))
            if place and goal:
                wishes.setdefault(place, goal)
    crowd = Counter(province_of(goal) for goal in wishes.values())
    for power, place, goal in parsed:
        if not place:
            word = "illegal"
        else:
            word = "fails" if goal and crowd[province_of(goal)] > 1 else "succeeds"
        tags.setdefault(power, []).append(word)
    arrived = [
        dislodged[place]._replace(location=goal)
        for place, goal in wishes.items()
        if crowd[province_of(goal)] == 1
    ]
    return Retreated(tags, [*standing, *arrived])


def _read(
    text: str, power: str, dislodged: Mapping[str, Unit], options: Mapping[str, Iterable[str]]
) -> tuple[str, str]:
    """The dislodged unit that an order is for and where it goes ("" to disband); "", "" if illegal."""
    match = ORDER.fullmatch(text)
    if match is None:
        return "", ""
    place, goal = match.group(1), match.group(2) or ""
    if place not in dislodged or dislodged[place].power != power:
        return "", ""
    if not goal:
        return place, ""
    open_ = tuple(options[place])
    if dislodged[place].kind == "A":
        goal = province_of(goal)
    elif goal not in open_ and "/" not in goal:
        coasts = [retreat for retreat in open_ if province_of(retreat) == goal]
        goal = coasts[0] if len(coasts) == 1 else goal
    return (place, goal) if goal in open_ else ("", "")
