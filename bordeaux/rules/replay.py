"""Recorded games adjudicated again and compared with the recorded next states, or written in another form.

Every phase starts from the recorded state, so one difference does not cause others. Where two states
differ, a proven explanation is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, product
from typing import Any, NamedTuple

from bordeaux.board.cleaning import json_line
from bordeaux.board.code import DISLODGED
from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.formats.game_text import Adjudicated, to_judge, to_text, was_played
from bordeaux.formats.games import Game, GamePhase
from bordeaux.rules.adjudication import adjudicate, walkers
from bordeaux.rules.rulesets import KEEP_DISLODGED, LAND_ROUTE

Owned = frozenset[tuple[str, str]]


class Recorded(NamedTuple):
    """The name of a phase with its units, ``("FRANCE", "*A PAR")`` (a star for dislodged ones), and its
    centres, ``("FRANCE", "PAR")``. The possible retreats of each dislodged unit are ``("FRANCE", "A PAR: BRE
    GAS")``, or None if not recorded."""

    name: str
    units: Owned
    centres: Owned
    retreats: Owned | None

    @classmethod
    def of_state(cls, name: str, state: Mapping[str, Any]) -> Recorded:
        """The recorded state of a position's JSON form."""
        retreats = frozenset(
            (power, choices(unit, places))
            for power, by_unit in (state.get("retreats") or {}).items()
            for unit, places in (by_unit or {}).items()
        )
        units, centres = owned(state.get("units") or {}), owned(state.get("centers") or {})
        return cls(name, units, centres, retreats or None)

    @classmethod
    def of_position(cls, position: Position) -> Recorded:
        """The recorded state of `position`."""
        units = [(unit.power, str(unit)) for unit in position.units]
        units += [(unit.power, f"*{unit}") for unit, _ in position.dislodged]
        retreats = [(unit.power, choices(str(unit), places)) for unit, places in position.dislodged]
        return cls(str(position.phase), frozenset(units), owned(position.centres), frozenset(retreats))

    def agrees(self, expected: Recorded) -> bool:
        """Whether this state equals the `expected` one in all recorded parts."""
        if self[:3] != expected[:3]:
            return False
        return expected.retreats is None or somewhere(expected.retreats) == somewhere(self.retreats)

    def same_board(self, other: Recorded) -> bool:
        """Whether two states have the same units and centres, whatever the phase."""
        return (self.units, self.centres) == (other.units, other.centres)

    def differences(self, expected: Recorded) -> tuple[str, ...]:
        """The differences between `expected` and this state, in words."""
        lines = []
        if self.name != expected.name:
            lines.append(f"phase: {expected.name} expected, {self.name} got")
        parts = [("unit", expected.units, self.units), ("centre", expected.centres, self.centres)]
        if expected.retreats:  # A fact that the record lacks is no difference.
            parts.append(("retreats of", somewhere(expected.retreats), somewhere(self.retreats)))
        for what, theirs, ours in parts:
            lines += [f"{power}: {what} {name} expected, not got" for power, name in sorted(theirs - ours)]
            lines += [f"{power}: {what} {name} got, not expected" for power, name in sorted(ours - theirs)]
        return tuple(lines)

    def to_json(self) -> dict[str, Any]:
        """The state in the JSON form of positions, without what replay does not compare."""
        return {"name": self.name, "units": by_power(self.units), "centers": by_power(self.centres)}


def owned(table: Mapping[str, Iterable[str]]) -> Owned:
    """Pairs from ``{power: [names]}``."""
    return frozenset((power, name) for power, names in table.items() for name in names or ())


def somewhere(retreats: Owned | None) -> Owned:
    """The units that have a retreat; some records also name those that have none."""
    return frozenset(retreat for retreat in retreats or () if not retreat[1].endswith(":"))


def choices(unit: str, places: Iterable[str]) -> str:
    """A dislodged unit and its retreats, as one comparable text."""
    return " ".join([f"{unit}:", *sorted(places)])


def by_power(pairs: Owned) -> dict[str, list[str]]:
    """``{power: [names]}`` from pairs, sorted."""
    table: dict[str, list[str]] = {}
    for power, name in sorted(pairs):
        table.setdefault(power, []).append(name)
    return table


# An explanation is given only if it is proven: the other rule, applied here, leads to exactly the recorded
# state. Other differences stay unexplained.

Orders = Mapping[str, Sequence[Order]]

MOST_TRIES = 5000
"""How many sets of unrecorded orders are tried to find one that leads to the recorded state."""


class Discrepancy(NamedTuple):
    """A position and its orders, the next position `got` (`got_record` in the form of records), and the
    recorded state that was expected instead."""

    position: Position
    orders: Orders
    got: Position
    got_record: Recorded
    expected: Recorded


def explain(case: Discrepancy) -> str | None:
    """The rule, or the gap in the record, that causes the difference; None if none is proven."""
    told = (explanation(case) for explanation in EXPLANATIONS)
    return next(filter(None, told), None)


def victory(case: Discrepancy) -> str | None:
    """A power owns more than half of the centres: the game is over, and the record continues."""
    if case.got.phase.kind != "-" or case.expected.name != f"W{case.position.phase.year}A":
        return None
    if not case.got_record.same_board(case.expected):
        return None
    return f"victory: {case.got.victor} owns more than half of the centres, and the record plays on"


def idle_phase(case: Discrepancy) -> str | None:
    """The record has a Winter without any decision."""
    before, after = case.position.phase, case.got.phase
    if after != Phase(before.year + 1, "S", "M") or case.expected.name != f"W{before.year}A":
        return None
    if not case.got_record.same_board(case.expected):
        return None
    winter = Position(case.got.map, Phase(before.year, "W", "A"), case.got.units, case.got.centres)
    if any(winter.orderable().values()):
        return None
    return f"idle phase: nobody has anything to order in {winter.phase}, which the record has nevertheless"


def missing_phase(case: Discrepancy) -> str | None:
    """The record skips a phase; some orders in it, or none, lead to the recorded state."""
    if case.got_record.name == case.expected.name or case.got.phase.kind == "-":
        return None
    ways = [
        [
            (unit.power, Order(OrderKind.DISBAND, unit.kind, unit.location)),
            *((unit.power, Order(OrderKind.RETREAT, *unit[1:], destination=place)) for place in places),
        ]
        for unit, places in case.got.dislodged
    ]
    for chosen in chain([()], islice(product(*ways), MOST_TRIES)):
        orders: dict[str, list[Order]] = {}
        for power, order in chosen:
            orders.setdefault(power, []).append(order)
        if Recorded.of_position(case.got.next(orders)).agrees(case.expected):
            listed = ", ".join(str(order) for _, order in chosen) or "no orders"
            return f"missing phase: the record has no {case.got.phase}; {listed} in it would fit"
    return None


def convoy_intent(case: Discrepancy) -> str | None:
    """An army moves to a neighbouring province and a fleet convoys it, but the move has no VIA.

    Here a convoy by a fleet of the same power is used, and one by another power is not (DATC 4.A.3). The
    record may have the opposite in either case.
    """
    moves = {
        (order.location, order.destination): power
        for power, given in case.orders.items()
        for order in given
        if order.kind == OrderKind.MOVE and order.unit == "A" and not order.via
    }
    convoys = {
        (order.target, order.destination)
        for given in case.orders.values()
        for order in given
        if order.kind == OrderKind.CONVOY
    }
    for origin, goal in sorted(convoys & moves.keys()):
        owner = moves[origin, goal]
        # Without the convoys of its own power it goes by land, with VIA by sea.
        by_land = {
            power: [
                order
                for order in given
                if (power, order.kind, order.target, order.destination)
                != (owner, OrderKind.CONVOY, origin, goal)
            ]
            for power, given in case.orders.items()
        }
        by_sea = {
            power: [
                order._replace(via=order.via or (order.location, order.destination) == (origin, goal))
                for order in given
            ]
            for power, given in case.orders.items()
        }
        for text, orders in (("takes the land route", by_land), ("goes by sea", by_sea)):
            if Recorded.of_position(case.position.next(orders)).agrees(case.expected):
                return f"convoy intent (DATC 4.A.3): in the record A {origin} - {goal}, without VIA, {text}"
    return None


def other_rules(case: Discrepancy) -> str | None:
    """The program of the record lets an army without a convoy walk despite VIA, or keeps dislodged units
    without a retreat for a retreat phase, or both (`bordeaux.rules.rulesets`)."""
    if case.position.phase.kind != "M":
        return None
    for rules in (LAND_ROUTE, KEEP_DISLODGED, LAND_ROUTE | KEEP_DISLODGED):
        then = adjudicate(case.position, case.orders, rules).after
        if not Recorded.of_position(then).agrees(case.expected):
            continue
        texts = []
        if rules.land_route:
            listed = ", ".join(map(str, walkers(case.position, case.orders)))
            texts.append(f"{listed} goes by land in the record, as nobody convoys it")
        if rules.keep_dislodged:
            kept = (dislodged.unit for dislodged in then.dislodged if dislodged not in case.got.dislodged)
            texts.append(f"the record keeps {', '.join(map(str, kept))}, which has nowhere to retreat to")
        return f"{rules.name}: {'; '.join(texts)}"
    return None


def civil_disorder(case: Discrepancy) -> str | None:
    """A power ordered too few removals, and the record follows an earlier rule book.

    There the unit farthest from the homes of its power goes first, whoever owns them now; here the one
    farthest from the centres that its power owns. Both count steps of any kind of unit.
    """
    position = case.position
    if position.phase.kind != "A":
        return None
    units = set(case.got_record.units)
    texts = []
    for power in position.map.powers:
        ordered = {order.location for order in case.orders.get(power, ()) if order.kind == OrderKind.DISBAND}
        free = [unit for unit in position.units_of(power) if unit.location not in ordered]
        owed = len(free) - len([unit for owner, unit in case.got_record.units if owner == power])
        if position.adjustments(power) >= 0 or owed <= 0:
            continue
        kept = {
            (power, str(unit)) for unit in sorted(free, key=partial(nearness_to_home, position.map))[:-owed]
        }
        others = {(owner, unit) for owner, unit in units if owner != power}
        for _, unit in sorted((units - others) - kept):
            texts.append(f"{power} loses {unit}")
        units = others | kept
    if not texts or not case.got_record._replace(units=frozenset(units)).agrees(case.expected):
        return None
    named = ", ".join(texts)
    return f"civil disorder (DATC 4.D.8): farthest from home, not from the centres owned now, so that {named}"


def nearness_to_home(map: Map, unit: Unit) -> tuple[int, bool, list[int]]:
    """A sort key for a power's units: the last one is removed first."""
    steps = map.tables.steps(map.province(unit.province).index)
    far = min((steps[map.province(home).index] for home in map.homes[unit.power]), default=0)
    return far, unit.kind == "F", [-ord(letter) for letter in unit.province]


def convoyed_retreat(case: Discrepancy) -> str | None:
    """The record lets a unit that a convoyed army dislodged retreat to any neighbour.

    This includes occupied and contested ones. It is a fault of the program that kept the record (version
    1.1.2 of the package ``diplomacy``), and not a rule of any edition.
    """
    position, map = case.position, case.position.map
    if position.phase.kind != "M" or case.expected.retreats is None:
        return None
    _, outcomes, arrivals, convoyed = position.packed.adjudicate(submit(position, case.orders).codes())
    places = [(unit, map.province(unit.province).index) for unit in position.units]
    driven_out = [unit for unit, at in places if outcomes[at] & DISLODGED and convoyed[arrivals[at]]]
    if not driven_out:
        return None
    open_to = dict(case.got.dislodged)
    open_to.update({unit: map.adjacent(unit.kind, unit.location) for unit in driven_out})
    standing = frozenset((unit.power, str(unit)) for unit in case.got.units)
    record = Recorded(
        str(position.phase._replace(kind="R")),
        standing | {(unit.power, f"*{unit}") for unit in open_to},
        owned(position.centres),
        frozenset((unit.power, choices(str(unit), places)) for unit, places in open_to.items()),
    )
    if not record.agrees(case.expected):
        return None
    named = ", ".join(f"{unit.power} {unit}" for unit in driven_out)
    return f"retreat from a convoyed army: {named} may go to any neighbour in the record, taken or contested"


EXPLANATIONS = (
    victory,
    idle_phase,
    missing_phase,
    convoy_intent,
    other_rules,
    civil_disorder,
    convoyed_retreat,
)
"""In the order of trying."""


class Mismatch(NamedTuple):
    """A phase after which record and rules differ.

    `expected` is the recorded next state, `got` the adjudicated one; `difference` lists in words what only
    one of them has. `explanation` names the rule that differs, None if none is known.
    """

    game: str
    phase: str
    expected: Recorded
    got: Recorded
    difference: tuple[str, ...]
    explanation: str | None

    def to_json(self) -> dict[str, Any]:
        """The mismatch as ``bordeaux replay --json`` gives it."""
        states = {"expected": self.expected.to_json(), "got": self.got.to_json()}
        return {**self._asdict(), **states, "difference": list(self.difference)}


class ResultDifference(NamedTuple):
    """A unit with different results in record and rules; the states may agree."""

    game: str
    phase: str
    unit: str
    order: str
    expected: tuple[str, ...]
    got: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The difference as ``bordeaux replay --json`` gives it."""
        return {**self._asdict(), "expected": list(self.expected), "got": list(self.got)}


@dataclass
class ReplayReport:
    """The result of replaying one game.

    `phases` counts recorded phases, `compared` those with a next state; `results` counts orders with a
    recorded result. `unreadable` lists orders that could not be read; their units had none.
    """

    game: str
    phases: int = 0
    compared: int = 0
    results: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    differences: list[ResultDifference] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def add(self, other: ReplayReport) -> None:
        """Add the counts and findings of another game to this report."""
        self.phases += other.phases
        self.compared += other.compared
        self.results += other.results
        self.mismatches += other.mismatches
        self.differences += other.differences
        self.unreadable += other.unreadable


def replay_game(game: Game, map: Map | None = None) -> ReplayReport:
    """Adjudicate every phase of a game, on another map than it names if one is given, and compare it with the
    recorded next one.

    Raises FormatError if a recorded state is not a position.
    """
    report = ReplayReport(game.id)
    following: Position | None = None
    for index, phase in enumerate(game.phases):
        report.phases += 1
        try:
            position = following if following is not None else game.position(index, map)
            following = None
            if position.phase.kind == "-":
                continue
            orders = read_orders(position, phase.orders, report)
            if any(phase.results.values()):
                resolution = adjudicate(position, orders)
                got = resolution.after
                compare_results(report, phase.name, orders, phase.results, resolution.results)
            else:
                got = position.next(orders)
            if index + 1 == len(game.phases):
                continue
            report.compared += 1
            adjudicated = Recorded.of_position(got)
            if agrees_at_sight(adjudicated, game.phases[index + 1]):
                following = got
                continue
            expected = recorded(game, index + 1, map)
        except BordeauxError as error:
            named = str(error).startswith("game ")
            raise FormatError(
                str(error) if named else f"game {quote(game.id)}, phase {phase.name}: {error}"
            ) from None
        if adjudicated.agrees(expected):
            following = got
        elif ends(position, adjudicated, expected):
            continue
        else:
            why = explain(Discrepancy(position, orders, got, adjudicated, expected))
            difference = adjudicated.differences(expected)
            report.mismatches.append(Mismatch(game.id, phase.name, expected, adjudicated, difference, why))
    return report


def ends(position: Position, adjudicated: Recorded, expected: Recorded) -> bool:
    """Whether the record ends here by agreement, concession or a limit: with the board before or after the
    orders, which is no matter of adjudication."""
    if expected.name != str(Phase.COMPLETED):
        return False
    standing = frozenset(unit for unit in adjudicated.units if not unit[1].startswith("*"))
    boards = (adjudicated, adjudicated._replace(units=standing), Recorded.of_position(position))
    return any(board.same_board(expected) for board in boards)


def agrees_at_sight(adjudicated: Recorded, phase: GamePhase) -> bool:
    """Whether a recorded state has exactly the words of `adjudicated`, which saves parsing it.

    If not, it may still be the same state in other words, or invalid.
    """
    try:
        return adjudicated.agrees(Recorded.of_state(phase.name, phase.state))
    except (AttributeError, TypeError):
        return False


def recorded(game: Game, index: int, map: Map | None = None) -> Recorded:
    """The recorded state of a phase, in the words of positions. Raises FormatError."""
    said = Recorded.of_position(game.position(index, map))
    phase = game.phases[index]
    return said._replace(retreats=Recorded.of_state(phase.name, phase.state).retreats)


def read_orders(
    position: Position, recorded: Mapping[str, list[str] | None], report: ReplayReport
) -> dict[str, list[Order]]:
    """Read the recorded orders; unreadable ones are listed and omitted."""
    orders: dict[str, list[Order]] = {}
    for power, texts in recorded.items():
        orders[power] = []
        for text in texts or ():
            try:
                orders[power].append(parse_order(text, position.map, position))
            except OrderError as error:
                report.unreadable.append(f"{report.game} {position.phase} {power}: {error}")
    return orders


def compare_results(
    report: ReplayReport,
    phase: str,
    orders: Mapping[str, list[Order]],
    recorded: Mapping[str, list[str]],
    adjudicated: Mapping[str, list[str]],
) -> None:
    """Compare the results of every unit that both record and resolution have."""
    order_of = {f"{order.unit} {order.location}": str(order) for given in orders.values() for order in given}
    for unit, words in recorded.items():
        if unit not in adjudicated:
            continue
        report.results += 1
        # The record writes success as no words or as one empty word.
        expected = tuple(sorted(filter(None, words)))
        got = tuple(sorted(adjudicated[unit]))
        # Some records only say that an order failed, and not how.
        failed = "fail" in expected and bool(got) and {*expected} - {"fail"} <= {*got}
        if expected != got and not failed:
            report.differences.append(
                ResultDifference(report.game, phase, unit, order_of.get(unit, ""), expected, got)
            )


FORMS = {"json": "json", "judge": "txt", "text": "txt"}
"""The forms in which a whole game is written, each with the end of a file's name: that of the package
`diplomacy`, the history of a judge, which jDip imports, and the orders with their results, for people."""


def exported(game: Game, form: str, map: Map | None = None) -> str:
    """The text of a game in one of `FORMS`. Raises FormatError for another form or one that cannot hold the
    game, and what `Game.position` raises."""
    if form not in FORMS:
        raise FormatError(f"no form {quote(form)}; forms: {', '.join(FORMS)}")
    if form == "json":
        return json_line(game.to_json()) + "\n"
    phases = played_phases(game, map)
    board = phases[0][0].map if phases else Map.standard()
    if phases and phases[0][0] != Position.start(board):
        begins = f"game {quote(game.id)} does not begin as map {board.name} does"
        raise FormatError(f"{begins}, which no {form} tells; write it as json")
    if form == "judge":
        return to_judge(phases, game.id) + "\n"
    named = f"map {board.name}\n\n" if board != Map.standard() else ""
    return f"{named}{to_text(phases)}\n"


def played_phases(game: Game, map: Map | None = None) -> list[Adjudicated]:
    """The phases with their readable orders; one that was not played has no results. Raises what
    `Game.position` raises."""
    phases: list[Adjudicated] = []
    positions = [game.position(index, map) for index in range(len(game.phases))]
    for index, (position, after) in enumerate(zip(positions, [*positions[1:], None], strict=False)):
        orders = {power: given for power, given in game.given(index, position).items() if given}
        played = orders or was_played(position, after)
        results = adjudicate(position, orders).results if played else {}
        phases.append((position, orders, results))
    return phases
