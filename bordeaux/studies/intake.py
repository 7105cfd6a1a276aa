"""Makes studies from input: a saved game, a position in any supported format, a state, a link."""

from __future__ import annotations

import hashlib
import io
import signal
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, NoReturn

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import named_map, table
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, game_from_json
from bordeaux.formats.load import position_in, start_of
from bordeaux.formats.registry import game_of_pages
from bordeaux.formats.source import (
    documents,
    first_line,
    is_json,
    text_of_bytes,
    unpacked,
)
from bordeaux.jobs import limit_processor
from bordeaux.jobs.background import background
from bordeaux.rules.rulesets import DATC
from bordeaux.studies.saved import EMBEDDED, SHARED, fragment_in, position_of_fragment, study_of_shared
from bordeaux.studies.store import named
from bordeaux.studies.study import MOST_NODES, ROOT, Study, StudyNode
from bordeaux.view.board.units import heading


class Read(NamedTuple):
    """A study, and the number of games in the input; 0 for a position."""

    study: Study
    games: int


def read_any(
    data: bytes, map: Map | None = None, index: int = 0, name: str = "", *, count: bool = True
) -> Read:
    """A study from any supported input: a saved game, the `index`-th of several (from 0), a position in JSON,
    text or DAIDE, ``start``, or a link or a page with a study or a position. Without `count`, games after the
    wanted one are not read. Raises BordeauxError."""
    if (begun := start_of(data[:100].decode("utf-8", "replace").strip(), map)) is not None:
        return Read(study_of_position(begun, name), 0)
    if fragment := fragment_in(data):
        return Read(study_of_fragment(fragment, name), 0)
    if (parsed := _documents(data)) is None:
        return _of_text(data, map, name)
    chosen: object = None
    number = 0
    for number, document in enumerate(parsed, 1):
        if number == index + 1:
            chosen = document
            if not count:
                break
    if index and number <= index:
        raise FormatError(f"there is no game {index + 1}: there are {number}, counted from 1")
    if not number:
        raise FormatError("the list is empty; expected an object in it: a saved game or a position")
    given = table(chosen, "a position or a saved game")
    if "phases" not in given:
        return Read(study_of_position(Position.from_json(given, map), name), 0)
    return Read(study_of_game(game_from_json(given), map, name), number)


def _of_text(data: bytes, map: Map | None, name: str) -> Read:
    """A study from a text: a page with a study in it, a position, or the orders of several phases."""
    text = text_of_bytes(data)
    if EMBEDDED.search(text):
        return Read(study_of_shared(text), 0)
    try:
        return Read(study_of_position(position_in(data, map, lists=False), name), 0)
    except BordeauxError:
        game = game_of_pages(text, map)
        if game is None:
            raise
        return Read(study_of_game(game_from_json(game), map, name), 1)


def study_of_fragment(link: str, name: str = "") -> Study:
    """The study that a link has in it, or one of the position that it has. Raises BordeauxError."""
    if SHARED not in link:
        return study_of_position(position_of_fragment(link), name)
    study = study_of_shared(link)
    return replace(study, name=named(name) or study.name)


def identified(study: Study, data: bytes, map_text: str = "", board: str = "") -> Study:
    """A study with an id from the input and its map, so that the same input opens the same study again."""
    digest = hashlib.sha256(b"\0".join([data.strip(), map_text.encode(), board.encode()]))
    return replace(study, id=digest.hexdigest()[:16], map_text=map_text or study.map_text)


def _documents(data: bytes) -> Iterator[object] | None:
    """The JSON documents of a text, or the items of a list; None if it is not JSON."""
    handle = unpacked(io.BytesIO(data))
    first = first_line(handle)
    if not first:
        raise FormatError("there is nothing in it; expected a saved game or a position")
    return documents(handle, first) if is_json(first) else None


def study_of_position(position: Position, name: str = "", map_text: str = "") -> Study:
    """A study that begins with a position."""
    node = StudyNode(ROOT, None, position.to_json())
    called = named(name) or f"{position.map.name.capitalize()}, {heading(position.phase).split(',')[0]}"
    return Study("", called, position.map, {ROOT: node}, DATC.name, map_text)


def study_of_game(game: Game, map: Map | None = None, name: str = "") -> Study:
    """A study whose main line is a saved game, with the positions of the record even where the rules differ.

    If orders are recorded for the last phase, the last node is their result by the rules. Raises FormatError
    or PositionError, with the phase.
    """
    if not game.phases:
        raise FormatError(f"game {quote(game.id)} has no phases")
    if len(game.phases) > MOST_NODES:
        many = f"more than {MOST_NODES} phases"
        raise FormatError(f"game {quote(game.id)} has {many}; no study has room for it")
    board = map or named_map(game.map)
    nodes: dict[str, StudyNode] = {}
    for number, phase in enumerate(game.phases):
        before = game.phases[number - 1] if number else None
        nodes[str(number)] = StudyNode(
            str(number),
            str(number - 1) if before else None,
            game.position(number, board).to_json(),
            (str(number + 1),) if number + 1 < len(game.phases) else (),
            _orders(game, number - 1, board) if before else {},
            DATC.name,
            _results(before.results) if before else {},
            True,
            messages=phase.messages,
        )
    if any(node.children and node.phase == str(Phase.COMPLETED) for node in nodes.values()):
        raise FormatError(f"game {quote(game.id)} goes on after its end")
    called = named(name) or named(f"game {game.id}".strip())
    study = Study("", called, board, nodes, DATC.name, made=len(nodes), game=game.id[:200])
    last = len(game.phases) - 1
    orders = _orders(game, last, board)
    if any(orders.values()) and study.position(str(last)).phase.kind != "-":
        study, added = study.adjudicated(str(last), orders, DATC)
        study = study.changed_node(added, recorded=True, results=_results(game.phases[last].results))
    return study


def _orders(game: Game, number: int, board: Map) -> dict[str, list[str]]:
    """The readable recorded orders of a phase, by full names of powers, in our notation."""
    position = game.position(number, board)
    return {power: [*map(str, orders)] for power, orders in game.given(number, position).items()}


def _results(recorded: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Recorded results by unit, where success is an empty list."""
    return {unit: [word for word in words if word] for unit, words in recorded.items()}


# Reading foreign texts where it can be stopped: in a process of its own, with a limit of processor time.

SECONDS = 10
"""Of processor time for one text; a saved game of a hundred years takes one."""
SHORT = 5000
"""Letters of a text that is read at once: none of them takes half a second."""


class Reading(NamedTuple):
    """A text, or a link if `link`; the map, the number of the game, and the name of the study."""

    text: str
    map: Map | None = None
    number: int = 0
    name: str = ""
    link: bool = False


def read(reading: Reading) -> Read:
    """Read a text here. Raises BordeauxError."""
    if reading.link:
        return Read(study_of_fragment(reading.text, reading.name), 0)
    return read_any(reading.text.encode("utf-8", "replace"), reading.map, reading.number, reading.name)


def read_within(job: tuple[Reading, int]) -> Read:
    """Read a text in a process that ends with SIGXCPU after some seconds of processor time."""
    reading, seconds = job
    limit_processor(seconds)
    return read(reading)


class Readings:
    """Reads texts one after another, `seconds` of processor time for each; any thread may ask. Closing it
    ends what is being read at once."""

    def __init__(self, seconds: int = SECONDS) -> None:
        self._seconds = seconds
        self._process = background(read_within)

    def read(self, reading: Reading) -> Read:
        """The study of a text. Raises BordeauxError, also when the limit of time is passed."""
        packed = reading.link or "position=" in reading.text or "shared=" in reading.text
        if len(reading.text) <= SHORT and not packed:
            return read(reading)
        result: Read = self._process.answer((reading, self._seconds), died=self._refuse)
        return result

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _refuse(self, death: str) -> NoReturn:
        """Raise why a text is not read whose process died."""
        if signal.Signals.SIGXCPU.name in death:
            limit = f"more than {self._seconds} s of the processor"
            raise BordeauxError(f"reading this takes {limit}; give one game or position")
        raise BordeauxError(f"this cannot be read: its reader {death}; is memory short?")
