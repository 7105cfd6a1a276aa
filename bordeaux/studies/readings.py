"""Reading foreign texts where it can be stopped: in a process of its own, with a limit of processor time."""

from __future__ import annotations

import signal
from typing import NamedTuple, NoReturn

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.jobs.background import background
from bordeaux.jobs.process import limit_processor
from bordeaux.studies.intake import Read, read_any, study_of_fragment

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

    @property
    def busy(self) -> bool:
        """Whether a text is being read."""
        return self._process.tasks > 0

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
