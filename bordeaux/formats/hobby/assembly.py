"""Assembles a game from the sheets of its phases: the orders are read for the positions that they lead to.
The readers of sites make the sheets.

The game begins at the start of the map, or at the first position of a page. The rules give the next position
after every phase. If a page lists other units or owners, the page is used, and a note says so. Nothing is
dropped without a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
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
    line of the page, 0 if unknown. `unit` is the ordered unit with its coast, if the page gives it
    unambiguously.
    """

    power: str
    text: str
    words: tuple[str, ...] | None = None
    line: int = 0
    unit: Unit | None = None


class Sheet(NamedTuple):
    """The orders of one phase, as far as a page has them.

    `units` are all undislodged units (None: not listed), `centres` the owned centres by power (None: not
    given). If `complete`, every undislodged unit has an entry, so that the entries list them.
    """

    phase: Phase
    entries: Sequence[SheetEntry] = ()
    units: Sequence[Unit] | None = None
    centres: Mapping[str, Sequence[str]] | None = None
    complete: bool = False


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
    """One sheet for each phase, in order; sheets of one phase from several pages are merged."""
    ordered = sorted(sheets, key=lambda sheet: order_of_play(sheet.phase))
    merged: list[Sheet] = []
    for phase, group in groupby(ordered, key=lambda sheet: sheet.phase):
        listed = list(group)
        entries = list(listed[0].entries)
        for sheet in listed[1:]:
            entries += [entry for entry in sheet.entries if entry not in listed[0].entries]
        units = next((sheet.units for sheet in listed if sheet.units is not None), None)
        centres = next((sheet.centres for sheet in listed if sheet.centres is not None), None)
        merged.append(Sheet(phase, entries, units, centres, any(sheet.complete for sheet in listed)))
    return _without_echo(merged, map)


def _without_echo(sheets: list[Sheet], map: Map) -> list[Sheet]:
    """The sheets without a last movement phase that only repeats the one before. webDiplomacy's archive has
    such a phase for drawn games: a unit that has moved away cannot move from there again."""
    moves = [sheet for sheet in sheets if sheet.phase.kind == "M"]
    if len(moves) < 2:
        return sheets
    before, last = ({(entry.power, entry.text, entry.words) for entry in move.entries} for move in moves[-2:])
    moved = any(entry.words == () and _is(entry, map, OrderKind.MOVE) for entry in moves[-1].entries)
    if before != last or not moved:
        return sheets
    return [sheet for sheet in sheets if order_of_play(sheet.phase) < order_of_play(moves[-1].phase)]


def _is(entry: SheetEntry, map: Map, kind: OrderKind) -> bool:
    """Whether an entry is an order of a kind."""
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
        """The next phase of the pages."""
        position = self._first(sheet) if self.position is None else self._reached(sheet)
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
        self._add(position, orders, results)
        self._play(position, orders)

    def _play(self, position: Position, orders: Mapping[str, list[Order]]) -> Position:
        """Go on to the position after these orders."""
        after, outcomes, *_ = position.packed.adjudicate(submit(position, orders).codes())
        self.position = following = Position.from_packed(self.map, after)
        retreating = {unit for unit, _ in following.dislodged}
        number = {province.name: province.index for province in self.map.provinces}
        self.destroyed = {
            unit.province
            for unit in position.units
            if position.phase.kind == "M" and outcomes[number[unit.province]] & DISLODGED
        } - {unit.province for unit in retreating}
        return following

    def end(self) -> None:
        """The last position of the game."""
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

    def _note(self, phase: Phase, note: str) -> None:
        self.notes.append(f"{phase}: {note}")

    def _left_out(self, phase: Phase, entry: SheetEntry, nothing: str) -> None:
        said = f"{_where(entry)}{quote(entry.text)} is left out: by our rules nothing {nothing}"
        self._note(phase, said)

    def _first(self, sheet: Sheet) -> Position:
        """The position of the first sheet."""
        units = _listed(sheet)
        if sheet.phase == self.map.start_phase:
            start = Position.start(self.map)
            if units is None or set(units) == set(start.units):
                return start
            # A game for fewer powers: nobody owns the homes of those who do not play.
            playing = {unit.power for unit in units}
            centres = {power: owned for power, owned in start.centres.items() if power in playing}
            owned = centres if sheet.centres is None else sheet.centres
            self._note(
                sheet.phase, "it begins with other units than the standard game; those of the page count"
            )
            return Position(self.map, sheet.phase, units, owned)
        if units is None or sheet.centres is None:
            raise FormatError(
                f"it begins with {sheet.phase}, and no position is told before it; save the pages from"
                f" {self.map.start_phase} on, or the whole archive of orders"
            )
        return Position(self.map, sheet.phase, units, sheet.centres)

    def _reached(self, sheet: Sheet) -> Position | None:
        """The position at the sheet's phase; None, with a note, if the rules have no such phase."""
        position = self.position
        assert position is not None
        while order_of_play(position.phase) < order_of_play(sheet.phase):
            orders: dict[str, list[Order]] = {}
            self._retreated(position, orders)
            if not orders:
                self._pass_over(position)
            self._add(position, orders, {})
            position = self._play(position, orders)
        if position.phase == sheet.phase:
            return position
        if position.phase.kind == "-":
            return self._after_the_end(position, sheet)
        # A unit without a retreat is disbanded at once here; some sites let it be ordered to.
        for entry in sheet.entries:
            if not _is(entry, self.map, OrderKind.DISBAND):
                self._left_out(sheet.phase, entry, "is due in it")
        return None

    def _after_the_end(self, position: Position, sheet: Sheet) -> Position | None:
        """Play continued after a victory, as in some games: from the position of the rules."""
        if sheet.phase.kind != "M":
            return None
        units = _listed(sheet)
        if units is None:
            self._note(sheet.phase, f"left out: by our rules the game was over ({position.victor} has won)")
            return None
        self._note(sheet.phase, f"play goes on, although {position.victor} has won by our rules")
        owned = position.centres if sheet.centres is None else sheet.centres
        return Position(self.map, sheet.phase, units, owned)

    def _retreated(self, position: Position, orders: dict[str, list[Order]]) -> None:
        """Add the retreats and adjustments that the pages lack: the next turn shows who stands where."""
        year, season, kind = position.phase
        turn = Phase(year, "F", "M") if season == "S" else Phase(year + 1, "S", "M")
        following = self.movements.get(turn)
        listed = set((_listed(following) if following is not None else None) or ())
        if kind == "M" or not listed:
            return
        standing = listed - set(position.units)
        if kind == "A" and not any(orders.values()):
            self._adjusted(position, listed, turn, orders)
        ordered = {order.location for given in orders.values() for order in given}
        for unit, retreats in position.dislodged:
            goals = [place for place in retreats if Unit(unit.power, unit.kind, place) in standing]
            if unit.location not in ordered and len(goals) == 1:
                order = Order(OrderKind.RETREAT, unit.kind, unit.location, destination=goals[0])
                orders.setdefault(unit.power, []).append(order)
                said = f"no retreat of {unit} is on the page; it stands in {goals[0]} in {turn}"
                self._note(position.phase, f"{unit.power}: {said}")

    def _adjusted(
        self, position: Position, listed: set[Unit], turn: Phase, orders: dict[str, list[Order]]
    ) -> None:
        """Add builds and removals from the units of the next turn."""
        before = set(position.units)
        for kind, units in ((OrderKind.BUILD, listed - before), (OrderKind.DISBAND, before - listed)):
            for unit in sorted(units, key=str):
                order = Order(kind, unit.kind, unit.location)
                if not check(position, unit.power, order).fault:
                    orders.setdefault(unit.power, []).append(order)
                    self._note(position.phase, f"{unit.power}: {order} is not on the page; {turn} shows it")

    def _pass_over(self, position: Position) -> None:
        """Note that a page has nothing for a phase in which orders are due."""
        phase = position.phase
        if phase.kind == "M":
            self._note(phase, "no orders of this phase are on the page; all units hold")
        elif phase.kind == "R":
            driven_out = ", ".join(f"{unit.power} {unit}" for unit, _ in position.dislodged)
            self._note(phase, f"no retreats are on the page; disbanded: {driven_out}")
        else:
            owing = [power for power in position.orderable() if position.adjustments(power) < 0]
            if owing:
                self._note(phase, f"no removals are on the page; the rules choose for {', '.join(owing)}")

    def _corrected(self, position: Position, sheet: Sheet) -> Position:
        """The position with the units and owners of the page, if they differ."""
        phase, listed = position.phase, _listed(sheet) if position.phase.kind == "M" else sheet.units
        units = position.units if listed is None else listed
        if set(units) != set(position.units):
            ours = ", ".join(sorted(str(unit) for unit in set(position.units) - set(units))) or "none"
            theirs = ", ".join(sorted(str(unit) for unit in set(units) - set(position.units))) or "no unit"
            self._note(phase, f"the page has {theirs} where our rules have {ours}; the page counts")
        else:
            units = position.units
        centres = position.centres if sheet.centres is None else sheet.centres
        if _owners(centres) != _owners(position.centres):
            self._note(phase, "the page has other owners of centres than our rules; the page counts")
        elif units is position.units:
            return position
        return Position(self.map, phase, units, centres, position.dislodged)

    def _read(
        self, position: Position, entries: Sequence[SheetEntry]
    ) -> tuple[dict[str, list[Order]], dict[str, list[str]]]:
        """The orders by power and their results by unit; an unreadable line gives a note."""
        orders: dict[str, list[Order]] = {}
        results: dict[str, list[str]] = {}
        driven_out = {unit.province for unit, _ in position.dislodged}
        disbanded = {f"{tag} D" for tag in self.destroyed if position.phase.kind == "R"}
        for entry in entries:
            if entry.text.upper() in disbanded:
                # Of a unit that is gone already its kind is not known.
                continue
            try:
                order = parse_order(entry.text, position.map, position)
                power = entry.power or giver(order, position)
            except BordeauxError as error:
                named = f"{entry.power}: " if entry.power else ""
                self._note(position.phase, f"{_where(entry)}{named}{error}; left out")
                continue
            if position.phase.kind == "R" and order.province not in driven_out:
                # A unit without a retreat is disbanded at once here; some sites let it be ordered to.
                stands = order.kind != OrderKind.DISBAND or position.unit_at(order.province)
                if stands and order.province not in self.destroyed:
                    self._left_out(position.phase, entry, "is dislodged there")
                continue
            given = orders.setdefault(power, [])
            earlier = [one for one in given if one.province == order.province and one != order]
            if earlier and order.province and position.phase.kind != "A":
                said = f"{_where(entry)}{power}: {order} is an order for the unit of {earlier[0]}"
                self._note(position.phase, f"{said} again; the first legal one counts")
            given.append(order)
            if entry.words is not None and order.kind != OrderKind.WAIVE:
                results.setdefault(f"{order.unit} {order.location}", list(entry.words))
        for power, order, _, fault in submit(position, orders).orders:
            due = abs(position.adjustments(power))
            if " belongs to " in fault or fault.endswith(("already", f"than {due}")):
                self._note(position.phase, f"{power}: {order} is void: {fault}")
        return orders, results


def _listed(sheet: Sheet) -> list[Unit] | None:
    """All units of a sheet, if it lists them."""
    if sheet.units is not None:
        return list(sheet.units)
    units = [entry.unit for entry in sheet.entries]
    if not sheet.complete or not units or None in units:
        return None
    return list(dict.fromkeys(unit for unit in units if unit is not None))


def _owners(centres: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The owner of each centre."""
    return {tag: power for power, owned in centres.items() for tag in owned}


def _where(entry: SheetEntry) -> str:
    return f"line {entry.line}: " if entry.line else ""
