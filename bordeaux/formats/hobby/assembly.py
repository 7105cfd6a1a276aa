"""Assembles a game from the sheets of its phases: the orders are read for the positions that they lead to.
The readers of sites make the sheets.

The game begins at the start of the map, or at the first position of a page. The rules give the next position
after every phase. If a page lists other units or owners, the page is used, and a note says so. Nothing is
dropped without a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bordeaux.board.code import DISLODGED
from bordeaux.board.errors import BordeauxError, FormatError, MapError, PositionError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order, read_order
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.board.submission import check, giver, submit

MOST_PHASES = 2000
"""Phases of one game; a game of 100 years has some 500."""


class SheetEntry(NamedTuple):
    """One order of a page.

    `power` is its full name, "" if only the owner of the unit tells it. `text` is the order in any notation
    that Bordeaux reads. `words` are our words for its result (empty: success; None: not given). `line` is the
    line of the page, 0 if unknown.
    """

    power: str
    text: str
    words: tuple[str, ...] | None = None
    line: int = 0


class Sheet(NamedTuple):
    """The orders of one phase, as far as a page has them.

    `units` are all undislodged units (None: not listed), `centres` the owned centres by power (None: not
    given).
    """

    phase: Phase
    entries: Sequence[SheetEntry] = ()
    units: Sequence[Unit] | None = None
    centres: Mapping[str, Sequence[str]] | None = None


class Story(NamedTuple):
    """All sheets of one game, with its `id`, their source (``webDiplomacy``), and `notes` on unreadable
    parts."""

    site: str
    id: str
    sheets: Sequence[Sheet]
    notes: Sequence[str] = ()


def game_of_story(story: Story, map: Map) -> dict[str, Any]:
    """The saved game of a story, as JSON, with ``notes``: the unreadable parts with phase, line and reason.
    Raises FormatError, with the site, without a phase that can begin a game."""
    walk = _Walk(map, list(story.notes))
    try:
        sheets = _by_phase(story.sheets, map)
        walk.movements = {sheet.phase: sheet for sheet in sheets if sheet.phase.kind == "M"}
        for sheet in sheets:
            walk.take(sheet)
        walk.end()
    except BordeauxError as error:
        site = f"{story.site}: " if isinstance(error, MapError | PositionError) else ""
        raise FormatError(f"{site}{error}") from None
    if not walk.phases:
        raise FormatError("there are no orders in it that could be read")
    document: dict[str, Any] = {"id": story.id, "map": map.name, "rules": [], "phases": walk.phases}
    return {**document, "site": story.site, "notes": walk.notes}


def _by_phase(sheets: Iterable[Sheet], map: Map) -> list[Sheet]:
    """One sheet for each phase, in order; sheets of one phase from several pages are merged. A last movement
    phase that only repeats the one before is left out: webDiplomacy's archive has it for drawn games, and a
    unit that has moved away cannot move from there again."""
    merged: dict[Phase, Sheet] = {}
    for sheet in sorted(sheets, key=lambda sheet: order_of_play(sheet.phase)):
        if (before := merged.get(sheet.phase)) is not None:
            more = [entry for entry in sheet.entries if entry not in before.entries]
            units = sheet.units if before.units is None else before.units
            centres = sheet.centres if before.centres is None else before.centres
            sheet = before._replace(entries=[*before.entries, *more], units=units, centres=centres)
        merged[sheet.phase] = sheet
    moves = [sheet for sheet in merged.values() if sheet.phase.kind == "M"][-2:]
    said = [{(entry.power, entry.text, entry.words) for entry in sheet.entries} for sheet in moves]
    last = moves[-1].entries if len(moves) > 1 else ()
    moved = any(entry.words == () and _is(entry, map, OrderKind.MOVE) for entry in last)
    if not moved or said[0] != said[1]:
        return list(merged.values())
    return [sheet for sheet in merged.values() if order_of_play(sheet.phase) < order_of_play(moves[1].phase)]


def _is(entry: SheetEntry, map: Map, kind: OrderKind) -> bool:
    try:
        return read_order(entry.text, map).kind == kind
    except BordeauxError:
        return False


class _Walk:
    """Processes the phases of a game in order. `movements` are the sheets of all movement phases."""

    def __init__(self, map: Map, notes: list[str]) -> None:
        self.map = map
        self.notes = notes
        self.movements: dict[Phase, Sheet] = {}
        self.phases: list[dict[str, Any]] = []
        self.position: Position | None = None
        self.destroyed: set[str] = set()
        """Provinces of the units that were dislodged last and could not retreat."""
        self.idle: dict[str, list[str]] = {}

    def take(self, sheet: Sheet) -> None:
        position = self._first(sheet) if self.position is None else self._reached(sheet, self.position)
        if position is None:
            return
        position = self._corrected(position, sheet)
        if not sheet.entries and sheet.units is not None:
            # The board as it stands, for which nobody's orders are known yet.
            self.position = position
            return
        orders, results = self._read(position, sheet.entries)
        self._retreated(position, orders)
        if position.phase.kind == "M":
            idle = [power for power in position.orderable() if not orders.get(power)]
            self.idle.setdefault(", ".join(idle), []).append(str(position.phase))
        self._play(position, orders, results)

    def _play(
        self, position: Position, orders: Mapping[str, list[Order]], results: dict[str, list[str]]
    ) -> Position:
        """Keep a phase; the position after its orders."""
        self._add(position, orders, results)
        after, outcomes, *_ = position.packed.adjudicate(submit(position, orders).codes())
        self.position = following = Position.from_packed(self.map, after)
        moved = position.units if position.phase.kind == "M" else ()
        gone = {
            unit.province for unit in moved if outcomes[self.map.province(unit.province).index] & DISLODGED
        }
        self.destroyed = gone - {unit.province for unit, _ in following.dislodged}
        return following

    def end(self) -> None:
        for powers, phases in self.idle.items():
            if powers:
                self.notes.append(f"{', '.join(phases)}: no orders of {powers} are there; their units hold")
        if self.position is not None:
            self._add(self.position, {}, {})

    def _add(
        self, position: Position, orders: Mapping[str, list[Order]], results: dict[str, list[str]]
    ) -> None:
        if len(self.phases) >= MOST_PHASES:
            raise FormatError(f"more than {MOST_PHASES:,} phases; no game has that many")
        texts = {power: [str(order) for order in given] for power, given in orders.items()}
        state = position.to_json()
        self.phases.append({"name": state["name"], "state": state, "orders": texts, "results": results})

    def _note(self, phase: Phase, note: str, entry: SheetEntry | None = None) -> None:
        where = f"line {entry.line}: " if entry is not None and entry.line else ""
        self.notes.append(f"{phase}: {where}{note}")

    def _first(self, sheet: Sheet) -> Position:
        start, units, owned = Position.start(self.map), sheet.units, sheet.centres
        if sheet.phase != start.phase and (units is None or owned is None):
            raise FormatError(
                f"it begins with {sheet.phase}, and no position is told before it; save the pages from"
                f" {start.phase} on, or the whole archive of orders"
            )
        if units is None or (sheet.phase == start.phase and set(units) == set(start.units)):
            return start
        if sheet.phase == start.phase:
            said = "it begins with other units than the standard game; those of the page count"
            self._note(sheet.phase, said)
        if owned is None:
            # A game for fewer powers: nobody owns the homes of those who do not play.
            playing = {unit.power for unit in units}
            owned = {power: tags for power, tags in start.centres.items() if power in playing}
        return Position(self.map, sheet.phase, units, owned)

    def _reached(self, sheet: Sheet, position: Position) -> Position | None:
        """The position at the sheet's phase; None, with a note, if the rules have no such phase."""
        while order_of_play(position.phase) < order_of_play(sheet.phase):
            orders: dict[str, list[Order]] = {}
            self._retreated(position, orders)
            owing = [power for power in position.orderable() if position.adjustments(power) < 0]
            driven_out = ", ".join(f"{unit.power} {unit}" for unit, _ in position.dislodged)
            if not orders and (position.phase.kind != "A" or owing):
                said = {
                    "M": "no orders of this phase are on the page; all units hold",
                    "R": f"no retreats are on the page; disbanded: {driven_out}",
                    "A": f"no removals are on the page; the rules choose for {', '.join(owing)}",
                }[position.phase.kind]
                self._note(position.phase, said)
            position = self._play(position, orders, {})
        if position.phase == sheet.phase:
            return position
        if position.phase.kind == "-" and sheet.phase.kind == "M":
            # Play continued after a victory, as in some games: from the position of the rules.
            if sheet.units is None:
                said = f"left out: by our rules the game was over ({position.victor} has won)"
                self._note(sheet.phase, said)
                return None
            self._note(sheet.phase, f"play goes on, although {position.victor} has won by our rules")
            owned = position.centres if sheet.centres is None else sheet.centres
            return Position(self.map, sheet.phase, sheet.units, owned)
        for entry in sheet.entries if position.phase.kind != "-" else ():
            # A unit without a retreat is disbanded at once here; some sites let it be ordered to.
            if not _is(entry, self.map, OrderKind.DISBAND):
                said = f"{quote(entry.text)} is left out: by our rules nothing is due in it"
                self._note(sheet.phase, said, entry)
        return None

    def _retreated(self, position: Position, orders: dict[str, list[Order]]) -> None:
        """Add the retreats and adjustments that the pages lack: the next turn shows who stands where."""
        year, season, kind = position.phase
        turn = Phase(year, "F", "M") if season == "S" else Phase(year + 1, "S", "M")
        following = self.movements.get(turn)
        listed = set((following.units if following is not None else None) or ())
        if kind == "M" or not listed:
            return
        before = set(position.units)
        if kind == "A" and not any(orders.values()):
            for does, units in ((OrderKind.BUILD, listed - before), (OrderKind.DISBAND, before - listed)):
                for unit in sorted(units, key=str):
                    order = Order(does, unit.kind, unit.location)
                    if not check(position, unit.power, order).fault:
                        orders.setdefault(unit.power, []).append(order)
                        said = f"{unit.power}: {order} is not on the page; {turn} shows it"
                        self._note(position.phase, said)
        ordered = {order.location for given in orders.values() for order in given}
        for unit, retreats in position.dislodged:
            goals = [place for place in retreats if Unit(unit.power, unit.kind, place) in listed - before]
            if unit.location not in ordered and len(goals) == 1:
                order = Order(OrderKind.RETREAT, unit.kind, unit.location, destination=goals[0])
                orders.setdefault(unit.power, []).append(order)
                said = f"no retreat of {unit} is on the page; it stands in {goals[0]} in {turn}"
                self._note(position.phase, f"{unit.power}: {said}")

    def _corrected(self, position: Position, sheet: Sheet) -> Position:
        """The position with the units and owners of the page, if they differ."""
        phase, before = position.phase, set(position.units)
        listed = before if sheet.units is None else set(sheet.units)
        if listed != before:
            ours = ", ".join(sorted(map(str, before - listed))) or "none"
            theirs = ", ".join(sorted(map(str, listed - before))) or "no unit"
            self._note(phase, f"the page has {theirs} where our rules have {ours}; the page counts")
        centres = position.centres if sheet.centres is None else sheet.centres
        if _owners(centres) != _owners(position.centres):
            self._note(phase, "the page has other owners of centres than our rules; the page counts")
        elif listed == before:
            return position
        units = position.units if listed == before else sheet.units or ()
        return Position(self.map, phase, units, centres, position.dislodged)

    def _read(
        self, position: Position, entries: Sequence[SheetEntry]
    ) -> tuple[dict[str, list[Order]], dict[str, list[str]]]:
        """The orders by power and their results by unit; an unreadable line gives a note."""
        phase = position.phase
        orders: dict[str, list[Order]] = {}
        results: dict[str, list[str]] = {}
        driven_out = {unit.province for unit, _ in position.dislodged}
        for entry in entries:
            if phase.kind == "R" and entry.text.upper() in {f"{tag} D" for tag in self.destroyed}:
                # Of a unit that is gone already its kind is not known.
                continue
            try:
                order = parse_order(entry.text, position.map, position)
                power = entry.power or giver(order, position)
            except BordeauxError as error:
                named = f"{entry.power}: " if entry.power else ""
                self._note(phase, f"{named}{error}; left out", entry)
                continue
            if phase.kind == "R" and order.province not in driven_out:
                # A unit without a retreat is disbanded at once here; some sites let it be ordered to.
                stands = order.kind != OrderKind.DISBAND or position.unit_at(order.province)
                if stands and order.province not in self.destroyed:
                    said = f"{quote(entry.text)} is left out: by our rules nothing is dislodged there"
                    self._note(phase, said, entry)
                continue
            given = orders.setdefault(power, [])
            earlier = [one for one in given if one.province == order.province and one != order]
            if earlier and order.province and phase.kind != "A":
                said = f"{power}: {order} is an order for the unit of {earlier[0]} again"
                self._note(phase, f"{said}; the first legal one counts", entry)
            given.append(order)
            if entry.words is not None and order.kind != OrderKind.WAIVE:
                results.setdefault(f"{order.unit} {order.location}", list(entry.words))
        for power, order, _, fault in submit(position, orders).orders:
            due = abs(position.adjustments(power))
            if " belongs to " in fault or fault.endswith(("already", f"than {due}")):
                self._note(phase, f"{power}: {order} is void: {fault}")
        return orders, results


def _owners(centres: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {tag: power for power, owned in centres.items() for tag in owned}
