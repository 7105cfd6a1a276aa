"""Map files: TOML with the powers, then one table for each province.

::

    name = "three"                  # one word; the default is the name of the file
    title = "Three Islands"
    phase = "S1901M"                # the first phase
    base = "standard"               # take the provinces of that bundled map (see below)

    [powers.FRANCE]
    tag = "FRA"                     # the default is the first three letters
    aliases = ["French Republic"]   # other names, for input
    homes = "BRE MAR PAR"           # where it builds; several powers may share a home
    centres = "BRE MAR PAR"         # what it owns at first; default: its homes, if it alone has them
    units = ["F BRE", "A MAR"]      # what it starts with

    [provinces.SPA]
    name = "Spain"
    aliases = ["Iberia"]
    daide = "SPA"                   # its token in DAIDE, if that is not its tag
    kind = "coastal"                # inland, coastal or sea; the default follows from the next two
    centre = true
    army = "GAS MAR POR"            # where armies can go from here; on an island ""
    fleet = { NC = "GAS MAO POR", SC = "LYO MAO MAR POR WES" }   # or one text, without coasts

Every border must be listed from both sides. With a `base`, a province in the file changes the entries that
it gives and keeps the rest. If the file lists powers, only these play. A power of the base keeps every
entry that the file does not give. A file may contain an MDF message of DAIDE instead, or a map of the package
`diplomacy` (`bordeaux.board.package_maps`).
"""

from __future__ import annotations

import functools
import json
import re
import warnings
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bordeaux.board.errors import BordeauxError, FormatError, MapError, ReadingNote, name_of, nearest, quote
from bordeaux.board.mapcheck import Contradiction, Draft
from bordeaux.board.order import KINDS, STANDS, Province, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.toml import Lines, parse_toml

if TYPE_CHECKING:
    from bordeaux.board.package_maps import Beside

LARGEST = 4 << 20
"""Most bytes of a map file; that of the standard map has 13 thousand."""

FIRST_PHASE = "S1901M"
_TOP = ("name", "title", "phase", "base", "powers", "provinces")
_POWER = ("tag", "aliases", "homes", "centres", "units")
_PROVINCE = ("name", "aliases", "daide", "kind", "centre", "army", "fleet")
_MDF = re.compile(r"\s*MDF\s*\(", re.IGNORECASE)
_DATA = resources.files("bordeaux.board") / "data"


@functools.cache
def bundled_maps() -> tuple[str, ...]:
    """The names of the bundled maps."""
    return tuple(sorted(e.name.removesuffix(".toml") for e in _DATA.iterdir() if e.name.endswith(".toml")))


@functools.cache
def _starts() -> dict[str, dict[str, Any]]:
    """Other first positions on bundled maps: each has the ``map``, other ``names``, and where it differs from
    the start of the map the ``powers`` that play, their ``units`` and ``centres``, or ``build_any``."""
    listed: dict[str, dict[str, Any]] = json.loads((_DATA / "starts.json").read_text("utf-8"))
    return listed


@functools.cache
def known_maps() -> tuple[str, ...]:
    """The names of the bundled maps, and of other starts on them."""
    return tuple(dict.fromkeys((*bundled_maps(), *_starts())))


@functools.cache
def _by_name() -> dict[str, str]:
    """Each of `known_maps` by all its names."""
    others = {other: first for first, start in _starts().items() for other in start["names"]}
    return {name: name for name in known_maps()} | others


def bundled_name(name: str) -> str | None:
    """The one of `known_maps` that has a name, ``fva``, in any case; None for another name."""
    return _by_name().get(name.strip().lower())


def _started(name: str) -> dict[str, Any]:
    """The tables of a start: those of its map, with what differs."""
    start = _starts()[name]
    tables = _toml(_bundled_text(start["map"]), name)
    every = " ".join(tag for tag, entry in tables["provinces"].items() if entry.get("centre"))
    powers = {
        power: tables["powers"][power]
        | ({"homes": every} if start.get("build_any") else {})
        | {key: start[key][power] for key in ("units", "centres") if power in start.get(key, {})}
        for power in start.get("powers", tables["powers"])
    }
    return {**tables, "name": name, "powers": powers}


def load_draft(name: str | Path) -> Draft:
    """Read a bundled map or start by name, or a map file by path. Raises MapError with the wrong line."""
    if str(name) in bundled_maps():
        return _Reader(_bundled_text(str(name)), f"{name}.toml").draft()
    if str(name) in _starts():
        return _Reader("", str(name), _started(str(name))).draft()
    path = _found(name)
    return read_draft(_file_text(path), name_of(path), _beside(Path(path).parent))


def map_text(name: str | Path) -> str:
    """The text of a map file, in our own form if it is a map of the package. Raises MapError."""
    path = _found(name)
    text = _file_text(path)
    tables = _of_package(text, name_of(path), _beside(Path(path).parent))
    if tables is None:
        return text
    from bordeaux.board.package_maps import toml_of

    return toml_of(tables)


def read_draft(text: str, source: str, beside: Beside | None = None) -> Draft:
    """Read the text of a map file and check it; `beside` gives the text of other files in its folder, where
    there is a folder. Raises MapError with file and line."""
    if _MDF.match(text):
        from bordeaux.board.mapmessage import draft_from_mdf

        try:
            return draft_from_mdf(text, _stem(source))
        except MapError as error:
            raise MapError(f"{source}: {error}") from None
    return _Reader(text, source, _of_package(text, source, beside or _beside(None))).draft()


def _of_package(text: str, source: str, beside: Beside) -> dict[str, Any] | None:
    """The tables of a map of the package; None for a map file of ours. Its notes are warnings."""
    from bordeaux.board.package_maps import package_map  # Few files need it.

    try:
        made = package_map(text, source, beside)
    except MapError as error:
        raise MapError(f"{source}: {error}") from None
    if made is None:
        return None
    for note in made[1]:
        warnings.warn(f"{source}: {note}", ReadingNote, stacklevel=2)
    return {"name": _stem(source), **made[0]}


def _found(name: str | Path) -> str:
    """The path of a map file: as given, or that of a map of the installed package `diplomacy`."""
    path = str(name)
    if path.endswith(".map") and Path(path).name == path and not Path(path).exists():
        package = find_spec("diplomacy")
        for folder in (package and package.submodule_search_locations) or ():
            if (installed := Path(folder) / "maps" / path).is_file():
                return str(installed)
    return path


def _beside(folder: Path | None) -> Beside:
    """What gives the text of other files in the folder of a map, if it has one."""

    def text_of(other: str) -> str:
        plain = re.fullmatch(r"(?!\.)[\w. -]+", other) is not None
        if folder is None or not plain or not (folder / other).is_file():
            raise MapError(f"it needs the file {quote(other)}, which is not in its folder")
        return _file_text(str(folder / other))

    return text_of


def _bundled_text(name: str) -> str:
    return (_DATA / f"{name}.toml").read_text("utf-8")


def _file_text(name: str) -> str:
    shown, maps = quote(name), f"maps: {', '.join(known_maps())}"
    if "\0" in name:
        raise MapError(f"no map {shown}: not a file name; {maps}")
    try:
        with Path(name).open("rb") as handle:
            data = handle.read(LARGEST + 1)
    except OSError as error:
        raise MapError(f"no map {shown}: {error.strerror}{nearest(name, known_maps())}; {maps}") from None
    if len(data) > LARGEST:
        raise MapError(f"map {shown} has more than {LARGEST >> 20} MB; that is no map")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if name.lower().endswith(".map"):
            return data.decode("cp1252", "replace")
        raise MapError(f"map {shown} is not UTF-8 text") from None


def _stem(source: str) -> str:
    """The default name of a map: that of its file."""
    return re.sub(r"[^A-Za-z0-9_-]", "", Path(source).stem)[:60] or "map"


def _toml(text: str, source: str) -> dict[str, Any]:
    """Parse TOML. Raises MapError for any invalid text."""
    try:
        return parse_toml(text)
    except FormatError as error:
        at = ", " if str(error).startswith("line ") else ": "
        raise MapError(f"{source}{at}{error}") from None


class _Reader:
    """Checks the types of one map file part by part, and names the line of a wrong part."""

    def __init__(self, text: str, source: str, tables: dict[str, Any] | None = None) -> None:
        """Read a text, or the `tables` that another reader has made of it."""
        self.source = source
        self.data = _toml(text, source) if tables is None else tables
        self.files = [Lines("" if tables else text, source)]
        self.keys(self.data, _TOP, "a map")
        if "base" in self.data:
            self.data = self.merged()

    def fail(self, message: str, *path: str, word: str = "") -> NoReturn:
        """Raise the error for the part at a path, with the file and the line of the deepest existing key."""
        file = max(self.files, key=lambda lines: lines.depth(path))
        raise MapError(f"{file.place(path, word)}: {message}")

    def merged(self) -> dict[str, Any]:
        """The data of the base, overridden by those of this file."""
        name = self.data["base"]
        if not isinstance(name, str) or name not in bundled_maps():
            hint = nearest(str(name), bundled_maps())
            self.fail(f"unknown base {quote(name)}{hint}; maps: {', '.join(bundled_maps())}", "base")
        base = _Reader(_bundled_text(name), f"{name}.toml")
        self.files += base.files
        merged: dict[str, Any] = {"phase": base.data.get("phase", FIRST_PHASE), **self.data}
        for part in ("powers", "provinces"):
            below = base.table(base.data, part)
            above = self.table(self.data, part) if part in self.data else {}
            given = {
                key: {**below.get(key, {}), **entry} if isinstance(entry, dict) else entry
                for key, entry in above.items()
            }
            merged[part] = given if part == "powers" and given else {**below, **given}
        return merged

    def draft(self) -> Draft:
        """The parts of the map, each of the right type, checked."""
        listed = self.table(self.data, "powers")
        powers = {power: self.table(listed, power, "powers") for power in listed}
        provinces = self.provinces(powers)
        draft = Draft(
            self.text(self.data, "name", _stem(self.source)),
            {power: self.text(entry, "tag", power[:3], "powers", power) for power, entry in powers.items()},
            provinces,
            {key: places for province in provinces for key, places in self.borders(province).items()},
            self.text(self.data, "title", ""),
            self.phase(),
            [unit for power, entry in powers.items() for unit in self.units(power, entry)],
            self.centres(powers, provinces),
            {power: tuple(self.texts(entry, "aliases", "powers", power)) for power, entry in powers.items()},
        )
        try:
            return draft.checked()
        except Contradiction as error:
            self.fail(str(error), *error.spot, word=error.word)

    def keys(self, entry: dict[str, Any], known: tuple[str, ...], what: str, *path: str) -> None:
        for key in entry:
            if key not in known:
                hint = nearest(key, known) or f"; keys: {', '.join(known)}"
                self.fail(f"{what} has no key {quote(key)}{hint}", *path, key)

    def table(self, parent: dict[str, Any], key: str, *path: str) -> dict[str, Any]:
        table = parent.get(key)
        if not isinstance(table, dict) or (not table and not path):
            what = "missing or empty" if table in (None, {}) else f"{quote(table)}, not a table"
            self.fail(f"table {quote(key)} is {what}", *path, key)
        return table

    def text(self, entry: dict[str, Any], key: str, default: str, *path: str) -> str:
        value = entry.get(key, default)
        if not isinstance(value, str):
            self.fail(f"{key} must be a text, not {quote(value)}", *path, key)
        return value

    def names(self, entry: dict[str, Any], key: str, *path: str) -> tuple[str, ...]:
        """Names in one text, separated by blanks; none if the key is missing."""
        return tuple(self.text(entry, key, "", *path).split())

    def texts(self, entry: dict[str, Any], key: str, *path: str) -> list[str]:
        value = entry.get(key, [])
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            self.fail(f"{key} must be a list of texts, not {quote(value)}", *path, key)
        return value

    def phase(self) -> Phase:
        try:
            return Phase.parse(self.data.get("phase", FIRST_PHASE))
        except BordeauxError as error:
            self.fail(str(error), "phase")

    def provinces(self, powers: dict[str, dict[str, Any]]) -> list[Province]:
        tables = self.table(self.data, "provinces")
        builders: dict[str, list[str]] = {}
        for power, entry in powers.items():
            self.keys(entry, _POWER, f"power {power}", "powers", power)
            for tag in self.names(entry, "homes", "powers", power):
                if tag not in tables:
                    said = f"unknown home {quote(tag)} of {power}{nearest(tag, tables)}"
                    self.fail(said, "powers", power, "homes", word=tag)
                builders.setdefault(tag, []).append(power)
        return [
            self.province(index, tag, self.table(tables, tag, "provinces"), builders.get(tag, []))
            for index, tag in enumerate(tables)
        ]

    def province(self, index: int, tag: str, entry: dict[str, Any], homes: list[str]) -> Province:
        path = "provinces", tag
        self.keys(entry, _PROVINCE, f"province {tag}", *path)
        stands = "".join(kind for kind, key in (("A", "army"), ("F", "fleet")) if key in entry)
        kind = entry.get("kind", next((kind for kind in KINDS if STANDS[kind] == stands), None))
        if kind not in KINDS:
            self.fail(f"{tag} has kind {quote(kind)}; write inland, coastal or sea", *path, "kind")
        centre = entry.get("centre", False)
        if not isinstance(centre, bool):
            self.fail(f"centre must be true or false, not {quote(centre)}", *path, "centre")
        fleet = entry.get("fleet", "")
        return Province(
            index,
            tag,
            self.text(entry, "name", tag, *path),
            kind,
            tuple(fleet) if isinstance(fleet, dict) else (),
            tuple(self.texts(entry, "aliases", *path)),
            centre,
            tuple(homes),
            self.text(entry, "daide", tag, *path),
        )

    def borders(self, province: Province) -> dict[tuple[str, str], tuple[str, ...]]:
        tag, stands = province.name, STANDS[province.kind]
        entry = self.data["provinces"][tag]
        path = "provinces", tag
        for key, kind in (("army", "A"), ("fleet", "F")):
            if entry.get(key) and kind not in stands:
                self.fail(f"{tag} is {province.kind} and cannot list {key} borders", *path, key)
        borders = {("A", tag): self.names(entry, "army", *path)} if "A" in stands else {}
        for coast in province.coasts:
            borders["F", f"{tag}/{coast}"] = self.names(entry["fleet"], coast, *path, "fleet")
        if "F" in stands and not province.coasts:
            borders["F", tag] = self.names(entry, "fleet", *path)
        return borders

    def units(self, power: str, entry: dict[str, Any]) -> list[Unit]:
        path = "powers", power, "units"
        units = []
        for text in self.texts(entry, "units", "powers", power):
            words = text.split()
            if len(words) != 2:
                self.fail(f"{quote(text)} is no unit; write it like 'A PAR' or 'F STP/SC'", *path, word=text)
            units.append(Unit(power, *words))
        return units

    def centres(self, powers: dict[str, Any], provinces: list[Province]) -> dict[str, tuple[str, ...]]:
        """The centres of each power at the start: those that it gives, or else its homes that it does not
        share and that nobody else owns."""
        owned = {
            power: self.names(entry, "centres", "powers", power)
            for power, entry in powers.items()
            if "centres" in entry
        }
        taken = {tag for tags in owned.values() for tag in tags}
        for power in powers:
            free = (place.name for place in provinces if place.home_of == power and place.name not in taken)
            owned.setdefault(power, tuple(free))
        return owned
