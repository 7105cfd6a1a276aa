"""Studies in a folder, one JSON file each, replaced atomically after every change, and who hears of changes.

So a file always holds a complete study, even if the program is killed. Changes are made under a lock of this
process and of the folder. So two tabs, or two servers on one folder, do not lose each other's changes.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import re
import secrets
import stat
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, name_of, quote
from bordeaux.formats.games import write_document
from bordeaux.formats.source import parse_json, read_text
from bordeaux.studies.saved import header_of, study_from_json, study_to_json
from bordeaux.studies.study import Missing, Refused, Study

SUFFIX = ".json"
BROKEN = ".broken"
LONGEST_NAME = 120
MOST_STUDIES = 10_000
"""Studies of a folder."""
KEPT = 32
"""Studies that are held in memory."""
HEAD = 8192
"""Bytes at the beginning of a file that hold the fields of a study in lists."""
IDENTITY = re.compile(r"[0-9a-f]{16}")
"""The id of a study."""
_BEGINS = '{"study": '

Signature = tuple[int, int, int]
Change = Callable[[Study], Study]


class Stale(BordeauxError):
    """A change was based on an older version of a study."""


def default_folder() -> Path:
    """``bordeaux/studies`` in the folder for data of programs: $XDG_DATA_HOME, else ~/.local/share."""
    return user_data_path("bordeaux") / "studies"


def named(text: str) -> str:
    """A name for a study: one line, printable, limited in length."""
    words = clean(" ".join(text.split()))
    return words if len(words) <= LONGEST_NAME else words[: LONGEST_NAME - 3] + "..."


LONGEST_TOKEN = 200


class Store:
    """The studies of a folder, which is created if necessary.

    `tell` is called with one line for the user: a broken file that was set aside. Methods may be called from
    any thread. They raise OSError if the folder cannot be read or written, and Missing for unknown studies.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None] = lambda line: None) -> None:
        self.folder = folder
        self._tell = tell
        self._lock = threading.RLock()
        self._depth = 0
        self._kept: OrderedDict[str, tuple[Signature, Study]] = OrderedDict()
        self._heads: dict[str, tuple[Signature, dict[str, Any]]] = {}
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def token(self) -> str:
        """The token that opens the page: created once for the folder, and readable by the owner only."""
        path = self.folder / "token"
        with self._alone():
            with contextlib.suppress(OSError, ValueError):
                with path.open("rb") as file:
                    token = file.read(LONGEST_TOKEN).decode("ascii").strip()
                if re.fullmatch(r"[\w-]{40,100}", token):
                    path.chmod(0o600)
                    return token
            made = secrets.token_urlsafe(32)
            part = self.folder / f".token.{os.getpid()}.part"
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(made + "\n")
            part.replace(path)
            return made

    def listed(self) -> list[dict[str, Any]]:
        """Id, name, phase and time of change of every study, the most recently changed first. Broken files
        that were set aside have an ``error`` instead of a phase."""
        heads = []
        for identity in self._ids(SUFFIX):
            # It may be deleted, or set aside, meanwhile.
            with contextlib.suppress(OSError, Missing):
                heads.append({"id": identity, **self._head(identity)})
        for identity in self._ids(SUFFIX + BROKEN):
            with contextlib.suppress(OSError):
                name = f"{identity}{SUFFIX}{BROKEN}"
                error = f"this study could not be read; its file is set aside as {name}"
                head = {"id": identity, "name": name, "phase": None, "error": error}
                heads.append(head | {"changed": (self.folder / name).stat().st_mtime})
        return sorted(heads, key=lambda head: (-head["changed"], head["id"]))

    def _ids(self, suffix: str) -> list[str]:
        """The ids of all files with a suffix."""
        with os.scandir(self.folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(suffix) and entry.is_file()]
        return [name.removesuffix(suffix) for name in names if IDENTITY.fullmatch(name.removesuffix(suffix))]

    def get(self, identity: str) -> Study:
        """The study of an id. A broken file is set aside under another name. Raises Missing."""
        path = self._path(identity)
        with self._lock:
            try:
                signature = _signature(path)
            except FileNotFoundError:
                raise Missing(self._where_it_went(identity)) from None
            kept = self._kept.get(identity)
            if kept is None or kept[0] != signature:
                kept = signature, self._read(identity, path)
                self._kept[identity] = kept
            self._kept.move_to_end(identity)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return kept[1]

    def add(self, study: Study) -> Study:
        """Save a new study under its id, or under a new one if it has none. If a study with its id exists,
        that one is kept and returned. Raises Refused if there are MOST_STUDIES already."""
        with self._alone():
            with contextlib.suppress(Missing):
                if study.id:
                    return self.get(study.id)
            if len(self._ids(SUFFIX)) >= MOST_STUDIES:
                raise Refused(409, f"there are {MOST_STUDIES:,} studies in {self.folder}: delete some first")
            made = replace(study, id=study.id or secrets.token_hex(8), changed=time.time())
            self._write(made)
            return made

    def change(self, identity: str, change: Change, version: int | None = None) -> Study:
        """Replace a study by the result of `change`; if that is the same study, nothing is written.

        With a `version` the study must have that version, else Stale is raised. Raises Missing, OSError, and
        what `change` raises; then the study is unchanged.
        """
        with self._alone():
            before = self.get(identity)
            if version is not None and version != before.version:
                now = f"to version {before.version}"
                raise Stale(f"this study has been changed elsewhere, {now}; load it again")
            after = change(before)
            if after is before:
                return before
            after = replace(after, version=before.version + 1, changed=time.time())
            self._write(after)
            return after

    def has(self, identity: str) -> bool:
        """Whether there is a study of an id, readable or not. Raises Missing for an invalid id."""
        return self._path(identity).exists()

    def delete(self, identity: str) -> None:
        """Remove a study, also one that was set aside as broken."""
        path = self._path(identity)
        with self._alone():
            self._kept.pop(identity, None)
            aside = path.with_name(path.name + BROKEN)
            if not path.exists() and not aside.exists():
                raise Missing(f"there is no study {quote(identity)}")
            path.unlink(missing_ok=True)
            aside.unlink(missing_ok=True)
            for review in self.folder.glob(f"{identity}.review.*"):
                review.unlink(missing_ok=True)

    def _path(self, identity: str) -> Path:
        """The file of a study. Raises Missing for an invalid id."""
        if not IDENTITY.fullmatch(identity):
            raise Missing(f"there is no study {quote(identity)}")
        return self.folder / f"{identity}{SUFFIX}"

    def _where_it_went(self, identity: str) -> str:
        aside = f"{identity}{SUFFIX}{BROKEN}"
        if (self.folder / aside).exists():
            return f"study {identity} could not be read; its file is set aside as {aside}"
        return f"there is no study {quote(identity)}"

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock against other processes that change the folder."""
        with self._lock, contextlib.ExitStack() as stack:
            if not self._depth:
                handle = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
                stack.callback(os.close, handle)
                fcntl.flock(handle, fcntl.LOCK_EX)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def _write(self, study: Study) -> None:
        path = self._path(study.id)
        write_document(path, study_to_json(study), private=True)
        self._kept[study.id] = _signature(path), study
        self._kept.move_to_end(study.id)

    def _read(self, identity: str, path: Path) -> Study:
        """The study of a file; a file without a valid study is set aside. Raises Missing and OSError."""
        try:
            with path.open("rb") as handle:
                return study_from_json(identity, parse_json(read_text(handle)))
        except (BordeauxError, RecursionError) as error:
            aside = path.with_name(path.name + BROKEN)
            with contextlib.suppress(OSError):
                path.replace(aside)
            message = f"study {identity} is broken and was set aside as {aside.name}: {error}"
            self._tell(message)
            raise Missing(message) from None

    def _head(self, identity: str) -> dict[str, Any]:
        """Name, phase and time of change, from the beginning of a file. Raises Missing and OSError."""
        path = self._path(identity)
        signature = _signature(path)
        known = self._heads.get(identity)
        if known is None or known[0] != signature:
            with path.open("rb") as handle:
                begins = handle.read(HEAD).decode("utf-8", "replace")
            try:
                head, _ = json.JSONDecoder().raw_decode(begins.removeprefix(_BEGINS))
                changed = float(head["changed"])
                summary = {"name": str(head["name"]), "phase": str(head["phase"]), "changed": changed}
            except (ValueError, KeyError, TypeError, RecursionError):
                summary = header_of(self.get(identity))
                summary.pop("form")
            known = self._heads[identity] = signature, summary
        return known[1]


def _signature(path: Path) -> Signature:
    """What another file of the same name would not have. Raises OSError: a pipe is no study."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise FileNotFoundError(errno.ENOENT, "no ordinary file", str(path))
    return status.st_mtime_ns, status.st_size, status.st_ino


class StudyHost:
    """A store of studies, and who is informed of its changes.

    `publish` sends an event about a study, by its id, with a name and data. `log` takes a line for standard
    error. `closing` holds callbacks for the end.
    """

    def __init__(self, store: Store, log: Callable[[str], None] = lambda line: None) -> None:
        self.store = store
        self.log = log
        self.closing: list[Callable[[], None]] = []

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
    """The status, as HTTP has it, and one line for an exception; 500 is a fault of machine or program."""
    status, text = 400, str(error)
    if isinstance(error, Refused):
        status = error.status
    elif isinstance(error, Missing | Stale):
        status = 404 if isinstance(error, Missing) else 409
    elif isinstance(error, RecursionError):
        text = "this is nested too deeply; no game, position or order is"
    elif isinstance(error, OSError):
        where = "" if error.filename is None else f" ({name_of(str(error.filename))})"
        why = f"{error.strerror or error}{where}"
        status, text = 500, f"the studies cannot be read or saved: {why}; mend that, and do it again"
    elif not isinstance(error, BordeauxError):
        if os.environ.get(TRACEBACK_SWITCH):
            with contextlib.suppress(OSError):
                traceback.print_exception(error)
        fault = f"{type(error).__name__}: {error}"
        status, text = 500, f"internal error, a fault of bordeaux and not of yours: {fault}"
    return status, clean(" ".join(text.split()))[:LONGEST_LINE]
