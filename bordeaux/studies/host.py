"""What serves a store of studies: it tells listeners of changes, and says in one line why a request fails."""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable
from typing import Any

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, name_of
from bordeaux.studies.store import Change, Stale, Store
from bordeaux.studies.study import Missing, Refused, Study


class StudyHost:
    """A store of studies, and who is informed of its changes.

    `publish` sends an event about a study, by its id, with a name and data. `log` takes a line for standard
    error. `leaving` holds callbacks for deleted studies, `closing` callbacks for the end.
    """

    def __init__(self, store: Store, log: Callable[[str], None] = lambda line: None) -> None:
        self.store = store
        self.log = log
        self.closing: list[Callable[[], None]] = []
        self.leaving: list[Callable[[str], None]] = []

    def publish(self, identity: str, name: str, data: Any) -> None:
        """Send an event; here nobody listens."""

    def change(self, identity: str, change: Change, version: int | None = None, **details: Any) -> Study:
        """Change a study and inform all its listeners, with additional data if given; see `Store.change`."""
        before: Study | None = None

        def noted(study: Study) -> Study:
            nonlocal before
            before = study
            return change(study)

        after = self.store.change(identity, noted, version)
        if after is not before:
            self.publish(identity, "changed", {"version": after.version, **details})
        return after

    def close(self) -> None:
        """End all work."""
        for close in self.closing:
            close()


TRACEBACK_SWITCH = "BORDEAUX_TRACEBACK"
LONGEST_LINE = 500


def fault_of(error: Exception) -> tuple[int, str]:
    """The status, as HTTP has it, and one line for an exception in the answer to a request. 500 is a fault of
    this machine or of the program."""
    status, text = 400, str(error)
    if isinstance(error, Refused):
        status = error.status
    elif isinstance(error, Missing):
        status = 404
    elif isinstance(error, Stale):
        status = 409
    elif isinstance(error, RecursionError):
        text = "this is nested too deeply; no game, position or order is"
    elif isinstance(error, OSError):
        status = 500
        where = "" if error.filename is None else f" ({name_of(str(error.filename))})"
        why = f"{error.strerror or error}{where}"
        text = f"the studies cannot be read or saved: {why}; mend that, and do it again"
    elif not isinstance(error, BordeauxError):
        if os.environ.get(TRACEBACK_SWITCH):
            with contextlib.suppress(OSError):
                traceback.print_exception(error)
        status = 500
        text = f"internal error, a fault of bordeaux and not of yours: {type(error).__name__}: {error}"
    return status, clean(" ".join(text.split()))[:LONGEST_LINE]
