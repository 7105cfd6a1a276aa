"""A retreat phase: everybody goes where he may, and two who want the same province are disbanded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.oracle.board import Board, Unit, province_of

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


# An adjustment phase: builds and disbands one by one from the top, then civil disorder (4.D.4-8).


BUILD_OR_REMOVAL = re.compile(r"(?:([AF]) )?([A-Z]{3}(?:/[A-Z]{2})?) ([BD])")


@dataclass(frozen=True)
class Adjusted:
    """`tags` for every order, in the order given: succeeds or illegal; `automatic` the units that
    civil disorder took; `units` that stand afterwards."""

    tags: list[str]
    automatic: list[Unit]
    units: list[Unit]


def adjust(
    board: Board,
    power: str,
    units: Iterable[Unit],
    centres: Mapping[str, Iterable[str]],
    orders: Iterable[str],
) -> Adjusted:
    """Adjudicate the adjustments of one power; `units` are those of every power."""
    everybody = {province_of(unit.location): unit for unit in units}
    owned = tuple(centres.get(power, ()))
    mine = sum(unit.power == power for unit in everybody.values())
    builds, removals = max(len(owned) - mine, 0), max(mine - len(owned), 0)
    tags = []
    for text in orders:
        if text == "WAIVE":
            tags.append("succeeds" if builds else "illegal")
            builds = max(builds - 1, 0)
            continue
        match = BUILD_OR_REMOVAL.fullmatch(text)
        kind, place, what = match.groups() if match else ("", "", "")
        done = False
        if what == "B" and builds:
            if not kind:
                # 4.C.3: inland it can only be an army, on a named coast only a fleet.
                kind = "A" if board.kinds[province_of(place)] == "inland" else "F" * ("/" in place)
            location = province_of(place) if kind == "A" else place
            done = (
                board.exists(kind, location)
                and province_of(place) in board.homes.get(power, ())
                and province_of(place) in owned
                and province_of(place) not in everybody
            )
            if done:
                everybody[province_of(place)] = Unit(power, kind, location)
                builds -= 1
        elif what == "D" and removals:
            victim = everybody.get(province_of(place))
            done = victim is not None and victim.power == power
            if done:
                del everybody[province_of(place)]
                removals -= 1
        tags.append("succeeds" if done else "illegal")
    automatic = disorder(board, [u for u in everybody.values() if u.power == power], owned)[:removals]
    standing = [unit for unit in everybody.values() if unit not in automatic]
    return Adjusted(tags, automatic, standing)


def disorder(board: Board, units: Iterable[Unit], owned: Iterable[str]) -> list[Unit]:
    """Units in the order in which civil disorder takes them: the farthest from an owned centre
    first, over land and sea alike; then fleets before armies; then by the province's name."""
    centres = tuple(owned)

    def key(unit: Unit) -> tuple[int, bool, str]:
        province = province_of(unit.location)
        span = min((board.spans[centre].get(province, 999) for centre in centres), default=0)
        return -span, unit.kind == "A", board.full[province].upper()

    return sorted(units, key=key)
