"""The prospect of the core, against the same said in Python and NumPy, and what must hold of any weights."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from bordeaux import Map, Phase, Position, Unit
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.prospect import N_GENERAL, N_NOBODY, Prospect, count_rows
from bordeaux._ext.value.valuer import Blend, Valuer
from bordeaux.board.order import Dislodged
from tests.oracle.scenarios import Seeded
from tests.policy.reference import softmax
from tests.rules.playing import phases

MAP = Map.standard()
HOMELESS = Map(
    "homeless",
    "",
    MAP.start_phase,
    dict(MAP.tags),
    [replace(province, homes=()) for province in MAP.provinces],
    {(place.kind, place.name): MAP.adjacent(place.kind, place.name) for place in MAP.locations},
    MAP.start_units,
    {power: MAP.homes[power] for power in MAP.powers},
)
MAPS = [MAP, Map.load("gulfs"), Map.load("pure"), Map.load("capitals"), HOMELESS]
COUNTS, YEARS, SIZES, FAR = 19, 16, 6, 255

Weights = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


def weights(map: Map, names: bool, seed: int = 0) -> Weights:
    chance = np.random.default_rng(seed)
    rows = chance.normal(0, 0.3, (count_rows(map.tables, names), 2)).astype(np.float32)
    return rows, chance.normal(0, 0.3, N_NOBODY).astype(np.float32)


def made(map: Map, names: bool, scale: float = 1.0, seed: int = 0) -> Prospect:
    rows, nobody = weights(map, names, seed)
    return Prospect(map.tables, rows.tobytes(), nobody.tobytes(), names, map.start_phase.year, scale)


def played(map: Map, seed: int, limit: int = 60) -> list[Position]:
    """Positions of every kind of phase, from a game of random orders."""
    start = Position.start(map)
    late = [
        Position(map, Phase(map.start_phase.year + years, "F", "M"), start.units, start.centres)
        for years in (3, 6, 8, 30)
    ]
    return [position for position, _ in phases(start, Seeded(seed), limit)] + late


class Board:
    """A position as the prospect looks at it, said in Python: what follows Fall moves as the next Spring."""

    def __init__(self, position: Position) -> None:
        self.position, self.map = position, position.map
        phase = position.phase
        self.after = phase.season == "W" or (phase.season, phase.kind) == ("F", "R")
        self.fall = phase.season == "F" and not self.after
        years = phase.year + self.after - self.map.start_phase.year
        self.span = int(np.searchsorted([1, 2, 3, 4, 5, 7, 10], years, "right")) + 8 * self.fall
        self.standing = {unit.province: unit.power for unit in position.units}
        self.owner = dict(zip(self.map.centres, position.owners, strict=True))
        if (phase.season, phase.kind) == ("F", "R"):
            self.owner |= {centre: self.standing[centre] for centre in self.owner if centre in self.standing}
        self.reach = [
            (unit.power, {name[:3] for name in self.map.adjacent(unit.kind, unit.location)})
            for unit in position.units
        ]
        self.count = {p: sum(owner == p for owner in self.owner.values()) for p in self.map.powers}
        self.units = {p: sum(unit.power == p for unit in position.units) for p in self.map.powers}
        self.living = [p for p in self.map.powers if self.count[p] + self.units[p]]
        self.size = {p: self.scaled(self.count[p]) for p in self.map.powers}
        self.near: dict[str, dict[str, int]] = {}
        for province in self.map.provinces:
            ways = dict.fromkeys(self.map.powers, FAR)
            for unit in position.units:
                way = self.map.distance(unit.kind, unit.location).get(province.name, FAR)
                ways[unit.power] = min(ways[unit.power], way)
            self.near[province.name] = ways

    def scaled(self, count: int) -> int:
        total = len(self.map.centres)
        return min(18, (2 * 34 * count + total) // (2 * total))

    def presses(self, power: str, other: str) -> int:
        """Units of `other`, and its centres without any unit, that units of `power` reach."""
        return sum(
            self.standing.get(place, self.owner.get(place)) == other
            for who, places in self.reach
            if who == power
            for place in places
        )

    def held_by(self, province: str) -> list[str]:
        """Powers to whose units a province is nearest."""
        ways = self.near[province]
        least = min(ways.values())
        return [p for p, way in ways.items() if way == least and least < FAR]

    def rows(self, power: str, first: dict[str, int]) -> tuple[list[int], list[int]]:
        """Rows of a living power, those that count once and those of single centres."""
        map, count, position = self.map, self.size[power], self.position
        beyond = self.units[power] - self.count[power]
        if position.phase.season == "W":
            beyond += position.packed.due(map.powers.index(power))
        elif self.after:
            beyond = 0
        once = [first["centres"] + count, first["centres"] + COUNTS * (1 + self.span) + count]
        once += [first["units"] + 7 * self.fall + int(np.clip(beyond, -3, 3)) + 3]
        holders = [self.held_by(centre) for centre in map.centres]
        land = [self.held_by(province.name) for province in map.provinces].count([power])
        shared = sum(power in holder and len(holder) > 1 for holder in holders)
        once += [first["control"] + COUNTS * count + self.scaled(holders.count([power]))]
        once += [first["control"] + COUNTS * COUNTS + self.scaled(shared)]
        once += [first["control"] + COUNTS * COUNTS + COUNTS + min(18, land * 34 // len(map.provinces))]
        sizes = [3, 5, 7, 10, 14]
        others = [p for p in self.living if p != power]
        for other in others:
            there, back = self.presses(power, other), self.presses(other, power)
            touch = int(np.searchsorted([1, 3, 7], there + back, "right"))
            mine, his = (int(np.searchsorted(sizes, self.size[p], "right")) for p in (power, other))
            once += [first["neighbours"] + (touch * SIZES + mine) * SIZES + his]
            once += [
                first["neighbours"] + 4 * SIZES * SIZES + int(np.clip(int((there - back) / 2), -2, 2)) + 2
            ]
        rivals, alive = first["rivals"], min(7, len(self.living))
        above = sum(self.size[p] > count for p in others)
        once += [rivals + count * COUNTS + max((self.size[p] for p in others), default=0)]
        once += [rivals + COUNTS * COUNTS + alive * COUNTS + count]
        once += [rivals + COUNTS * COUNTS + 8 * COUNTS + min(7, above) * 8 + alive]
        homes = [p.name for p in map.provinces if power in p.homes]
        if homes:
            held = sum(self.owner.get(home) == power for home in homes)
            lost = sum(self.standing.get(home, power) != power for home in homes)
            once += [first["homes"] + 3 * min(4, held) + min(2, lost)]
        if "power" in first:
            n, number = len(map.powers), map.powers.index(power)
            base = first["power"] + number * (YEARS + COUNTS + n * SIZES)
            once += [base + self.span, base + YEARS + count]
            for other_number, other in enumerate(map.powers):
                his = int(np.searchsorted(sizes, self.size[other], "right"))
                once += [base + YEARS + COUNTS + other_number * SIZES + his]
            for place, centre in enumerate(map.centres):
                owner = self.owner[centre]
                whose = n if owner is None else map.powers.index(owner)
                once += [first["place"] + (number * len(map.centres) + place) * (n + 1) + whose]
            for unit in position.units:
                where = map.location(unit.kind, unit.location).index
                whose = map.powers.index(unit.power)
                once += [first["posts"] + (number * n + whose) * len(map.locations) + where]
        return once, [*centre_rows(self, power, first), *unit_rows(self, power, first)]

    def common(self) -> list[int]:
        most, second, *_ = [*sorted(self.size.values(), reverse=True), 0]
        start = 1 + YEARS * COUNTS
        alive = min(7, len(self.living))
        sizes = start + most * COUNTS + second
        return [0, 1 + self.span * COUNTS + most, sizes, start + COUNTS * COUNTS + alive]


def entering(board: Board, province: str, power: str) -> tuple[int, int]:
    """Units of a power, and of others, that can move into a province: 3 at most."""
    who = [p for p, places in board.reach if province in places]
    return min(3, who.count(power)), min(3, len(who) - who.count(power))


def centre_rows(board: Board, power: str, first: dict[str, int]) -> list[int]:
    centre_rows = []
    for centre in board.map.centres:
        who, owner = board.standing.get(centre), board.owner[centre]
        mine, others = entering(board, centre, power)
        if owner == power:
            kind = 0 if who is None else 1 if who == power else 2
            centre_rows.append(first["safety"] + ((3 * board.fall + kind) * 4 + others) * 4 + mine)
        elif mine or who == power:
            kind = 3 if who == power else 2 if who else int(owner is not None)
            centre_rows.append(first["reach"] + ((4 * board.fall + kind) * 4 + others) * 4 + mine)
    return centre_rows


def unit_rows(board: Board, power: str, first: dict[str, int]) -> list[int]:
    unit_rows = []
    for province, who in board.standing.items():
        if who == power:
            mine, others = entering(board, province, power)
            on_centre = province in board.owner
            unit_rows.append(first["support"] + ((2 * board.fall + on_centre) * 4 + others) * 4 + mine)
    return unit_rows


@pytest.mark.parametrize("map", MAPS, ids=lambda map: map.name)
def test_rows_shares_solos_and_terms_are_those_said_in_numpy(map: Map) -> None:
    names = map is MAP
    rows, nobody = weights(map, names)
    core = made(map, names)
    first = core.first_rows
    factor = 34 / len(map.centres)
    kinds = set()
    for position in played(map, 2, 24):
        board = Board(position)
        kinds.add(position.phase.season + position.phase.kind)
        listed, common = core.features(position.packed)
        assert np.frombuffer(common, np.uint16).tolist() == board.common()
        logits = np.full((2, len(map.powers) + 1), -np.inf)
        logits[1, -1] = nobody[board.common()].sum()
        for number, power in enumerate(map.powers):
            rows_listed = np.frombuffer(listed[number], np.uint16).tolist()
            if power not in board.living:
                assert rows_listed == []
                continue
            once, centres = board.rows(power, first)
            assert sorted(rows_listed) == sorted(once + centres)
            logits[:, number] = rows[once].sum(0) + factor * rows[centres].sum(0)
            terms = core.terms(position.packed, number)
            assert sum(terms.values()) == pytest.approx(logits[0, number], abs=1e-4)
            owns = rows[once[:2], 0].sum()
            assert terms["centres"] == pytest.approx(owns, abs=1e-5)
        if 2 * max(board.count.values()) > len(map.centres):
            logits[:] = np.where(
                [p == max(board.count, key=board.count.__getitem__) for p in (*map.powers, "")], 0, -np.inf
            )
        assert core.shares(position.packed) == pytest.approx(softmax(logits[0])[:-1], abs=1e-5)
        assert core.solos(position.packed) == pytest.approx(softmax(logits[1])[:-1], abs=1e-5)
    assert {"SM", "FM"} < kinds and len(kinds) > 2


@pytest.mark.parametrize("map", MAPS, ids=lambda map: map.name)
def test_shares_add_up_to_one_and_the_dead_have_nothing(map: Map) -> None:
    core = made(map, map is MAP, scale=500.0)
    start = Position.start(map)
    dead = map.powers[1]
    units = [unit for unit in start.units if unit.power != dead]
    without = Position(map, start.phase, units, {p: c for p, c in start.centres.items() if p != dead})
    for position in (*played(map, 5, 20), without):
        shares, solos = core.shares(position.packed), core.solos(position.packed)
        assert sum(shares) == pytest.approx(1, abs=1e-5)
        assert 0 < sum(solos) <= 1 + 1e-5
        assert min(shares) >= 0
        for number, share in enumerate(shares):
            assert core.points(position.packed, number) == pytest.approx(500 * share, rel=1e-5)
    assert (shares[1], solos[1]) == (0, 0)
    assert set(core.terms(without.packed, 1).values()) == {0.0}


def test_without_names_powers_are_alike() -> None:
    core = made(MAP, False)
    for position in played(MAP, 7, 25):
        # Homes are the powers' own: who changes names with another has no home any more that he knows.
        turned = dict(zip(MAP.powers, (*MAP.powers[1:], MAP.powers[0]), strict=True))
        judge = made(HOMELESS, False)
        values = []
        for names in (dict(zip(MAP.powers, MAP.powers, strict=True)), turned):
            units = [Unit(names[unit.power], unit.kind, unit.location) for unit in position.units]
            centres = {names[power]: owned for power, owned in position.centres.items()}
            dislodged = [
                Dislodged(
                    Unit(names[dislodged.unit.power], dislodged.unit.kind, dislodged.unit.location),
                    dislodged.retreats,
                )
                for dislodged in position.dislodged
            ]
            again = Position(HOMELESS, position.phase, units, centres, dislodged)
            shares, solos = judge.shares(again.packed), judge.solos(again.packed)
            values.append({power: (shares[n], solos[n]) for n, power in enumerate(MAP.powers)})
        for power in MAP.powers:
            assert values[1][turned[power]] == pytest.approx(values[0][power], abs=1e-5)
    assert core.first_rows == judge.first_rows


def test_what_is_settled_is_not_foretold() -> None:
    core = made(MAP, True, scale=100.0)
    powers = itertools.cycle(MAP.powers[1:])
    owned: dict[str, list[str]] = {MAP.powers[0]: list(MAP.centres[:18])}
    for centre in MAP.centres[18:]:
        owned.setdefault(next(powers), []).append(centre)
    won = Position(MAP, Phase(1905, "F", "M"), [], owned).packed
    assert core.shares(won) == [1, 0, 0, 0, 0, 0, 0]
    assert core.solos(won) == [1, 0, 0, 0, 0, 0, 0]
    assert (core.points(won, 0), core.points(won, 1)) == (100, 0)
    draw = Position(MAP, Phase.COMPLETED, [], {"FRANCE": MAP.centres[:3], "ITALY": MAP.centres[3:4]}).packed
    assert core.shares(draw) == pytest.approx([0, 0, 0.9, 0, 0.1, 0, 0])
    assert core.solos(draw) == [0] * 7
    empty = Position(MAP, MAP.start_phase, [], {}).packed
    assert core.shares(empty) == [0] * 7


def test_rollouts_end_in_it() -> None:
    core = made(MAP, True, scale=1000.0)
    position = Position.start().packed
    rollout = Rollout(core, Chooser(MAP.tables))
    [[value]] = rollout.compare(position, 2, [b""], [b""], 2, [5])
    [end] = Rollout(core, Chooser(MAP.tables)).ends(position, b"", 2, [5])
    assert value == pytest.approx(1000 * core.shares(end)[2], rel=1e-5)


def test_a_blend_is_a_part_of_each() -> None:
    prospect, centres = made(MAP, True, scale=1000.0), Valuer(MAP.tables)
    position = Position.start().packed
    for part in (0.0, 0.25, 1.0):
        blend = Blend(MAP.tables, centres, prospect, part)
        for power in range(len(MAP.powers)):
            wanted = (1 - part) * centres.points(position, power) + part * prospect.points(position, power)
            assert blend.points(position, power) == pytest.approx(wanted, rel=1e-5)
    for part in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="outside 0 to 1"):
            Blend(MAP.tables, centres, prospect, part)
    with pytest.raises(ValueError, match="another map"):
        Blend(MAP.tables, centres, made(Map.load("gulfs"), False), 0.5)


def test_weights_of_another_shape_are_refused() -> None:
    rows, nobody = (weight.tobytes() for weight in weights(MAP, True))
    year = MAP.start_phase.year
    for broken in ((rows[:-4], nobody), (rows, nobody + b"1234"), (b"", nobody), (rows, b"")):
        with pytest.raises(ValueError, match="weights of"):
            Prospect(MAP.tables, *broken, True, year)
    with pytest.raises(ValueError, match="weights of"):
        Prospect(MAP.tables, rows, nobody, False, year)
    core = made(MAP, False)
    assert count_rows(MAP.tables, False) == N_GENERAL
    other = Position.start(Map.load("gulfs")).packed
    for ask in (core.shares, core.solos, core.features, lambda packed: core.terms(packed, 0)):
        with pytest.raises(ValueError, match="another map"):
            ask(other)
    with pytest.raises(IndexError):
        core.terms(Position.start().packed, 7)
