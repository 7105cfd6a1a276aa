"""What all tools share: the folder of studies, positions by what a model gives, and one search at a time
in a process of its own."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.board.pieces import named_map
from bordeaux.board.position import Position
from bordeaux.formats.games import Played
from bordeaux.formats.load import start_of
from bordeaux.formats.source import is_address
from bordeaux.jobs.background import BackgroundProcess
from bordeaux.protocols.mcp.searches import do
from bordeaux.search.task import Limit
from bordeaux.studies.games import game_of_study
from bordeaux.studies.intake import Reading, Readings, study_of_position
from bordeaux.studies.orders import history_of
from bordeaux.studies.store import IDENTITY, Store, StudyHost
from bordeaux.studies.study import Refused, Study

MOST_SECONDS, MOST_NODES = 30.0, 200_000
"""The most that one call may search."""
SECONDS = 2.0
"""The time of a search without a limit."""
PATIENCE = 0.5
"""Seconds that a search which is asked to stop has for its answer."""
PLACES = {
    "search": (4, "search already, or wait for it"),
    "read": (4, "read long texts already"),
    "wait": (16, "wait for players already"),
}
"""How many calls may do what takes long. All others are refused at once, so that no thread is missing for
calls that take milliseconds."""
Answer = TypeVar("Answer")
CANCELLED: ContextVar[threading.Event] = ContextVar("cancelled")
"""Set when the client takes back the call in whose context this is."""


class PhaseAt(NamedTuple):
    """A node of a study, kept or not."""

    study: Study
    node: str

    @property
    def position(self) -> Position:
        """Its position."""
        return self.study.position(self.node)

    @property
    def history(self) -> tuple[Played, ...]:
        """The movement phases before it with their orders."""
        return history_of(self.study, self.node)


class AgentDesk(StudyHost):
    """The studies of a folder, and who waits for their changes."""

    def __init__(self, store: Store, log: Callable[[str], None] = lambda line: None) -> None:
        super().__init__(store, log)
        self.changes = 0
        """The number of changes so far."""
        self._changed = threading.Condition()
        self._held: Counter[str] = Counter()
        self._ending = threading.Event()
        self.closing.append(self.stop)
        self._readings = Readings()
        self._searches = BackgroundProcess(do, PATIENCE)
        self.closing += self._readings.close, self._searches.close

    def publish(self, identity: str, name: str, data: Any) -> None:
        """Wake all who wait for a change."""
        with self._changed:
            self.changes += 1
            self._changed.notify_all()

    def wait(self, changes: int, seconds: float) -> None:
        """Wait until there are more changes than a number, at the longest for some seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.changes > changes or self._ending.is_set(), seconds)

    def stop(self) -> None:
        """End what takes long: calls that search or wait are answered with what is there."""
        self._ending.set()
        with self._changed:
            self._changed.notify_all()

    @contextmanager
    def place(self, what: str) -> Iterator[None]:
        """A place among the calls that do what takes long (PLACES). Raises Refused if there is none."""
        most, words = PLACES[what]
        with self._changed:
            if self._held[what] >= most:
                raise Refused(503, f"{most} calls {words}; try again in a minute")
            self._held[what] += 1
        try:
            yield
        finally:
            with self._changed:
                self._held[what] -= 1

    def stopped(self) -> bool:
        """Whether the client took back the call in whose context this is, or all ends."""
        return self._ending.is_set() or CANCELLED.get(self._ending).is_set()

    def at(self, given: str, phase: str = "", map: str = "") -> PhaseAt:
        """The phase that a model means: ``start``, another start's name, the id of a study, or the content of
        anything that Bordeaux reads. Of several phases it is the named one, by default the present or last.
        No file and no address is opened. Raises BordeauxError."""
        text = given.strip()
        study = self._study(text, map)
        if phase:
            return PhaseAt(study, study.in_phase(phase).id)
        game = game_of_study(study)
        return PhaseAt(study, study.main_line()[-1].id if game is None else game.node)

    def _study(self, text: str, map: str) -> Study:
        if IDENTITY.fullmatch(text):
            return self.store.get(text)
        board = named_map(map) if map else None
        if (first := start_of(text.lower(), board)) is not None:
            return study_of_position(first)
        if is_address(text):
            raise FormatError("nothing is fetched from addresses here; give the text that is there")
        try:
            with self.place("read"):
                return self._readings.read(Reading(text, board)).study
        except Refused:
            raise
        except BordeauxError as error:
            if len(text.split()) != 1:
                raise
            raise type(error)(
                f"{error}; files are not read here: give their content, start, or the id of a game"
            ) from None

    def search(self, function: Callable[..., Answer], *given: Any) -> Answer:
        """What a function gives in the process that searches, for one call after another. It ends soon after
        a stop. Raises what the function raises."""
        answer: Answer = self._searches.answer((function, given), stop=self.stopped)
        return answer


def limit_within(seconds: float | None, nodes: int | None) -> Limit:
    """The limit of one call; a limit in nodes alone has the greatest time as well."""
    if seconds is None:
        seconds = SECONDS if nodes is None else MOST_SECONDS
    return Limit(seconds, nodes)
