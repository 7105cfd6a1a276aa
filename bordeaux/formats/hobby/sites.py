"""The pages behind a game's address on each site, and the pages to save by hand if they cannot be fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bordeaux.board.errors import FormatError, name_of, quote
from bordeaux.formats.hobby.fetching import fetch
from bordeaux.formats.registry import BREAK
from bordeaux.formats.source import is_address, text_of_bytes

Fetch = Callable[[str], bytes]

MOST_PAGES = 150
"""Pages of one game that are fetched: fifty years of three seasons."""
MOST_FILES = 1000
MOST_BYTES = 64 << 20
SUFFIXES = frozenset({".html", ".htm", ".mhtml", ".mht", ".xhtml", ".txt", ".text", ".eml", ""})

_BACKSTABBR = re.compile(r"(?P<base>/(?:game|sandbox)/(?:[^/?#]*+/)*?\d{6,20})(?:/.*)?$")
_NO_ORDERS = re.compile(rb"\borders\s*=\s*\{\s*\}")


def gathered(address: str, fetched: Fetch = fetch) -> bytes:
    """The pages of the game at an address, or saved in a folder, separated by form feeds, or its JSON.
    Raises OSError, and FormatError with advice on what to save by hand."""
    if not is_address(address):
        return _in_folder(Path(address))
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    number = parse_qs(parts.query).get("gameID", [""])[0] if "diplomacy" in host else ""
    try:
        if number.isdecimal():
            return _archive(f"{parts.scheme}://{parts.netloc}", int(number), "vdiplomacy" in host, fetched)
        if "backstabbr" in host and (match := _BACKSTABBR.match(parts.path)) is not None:
            return _joined(_seasons(f"{parts.scheme}://{parts.netloc}{match['base'].rstrip('/')}", fetched))
        history = parse_qs(parts.query).get("game_id", [""])[0]
        if "playdiplomacy" in host and history.isdecimal():
            return _joined(_history(f"{parts.scheme}://{parts.netloc}", history, fetched))
        return fetched(address)
    except FormatError as error:
        raise FormatError(f"cannot fetch {quote(address, 200)}: {error}; {_by_hand(host, number)}") from None


def _by_hand(host: str, number: str) -> str:
    """The file to save without a network."""
    if number:
        return (
            f"without a network, save the page board.php?gameID={number}&viewArchive=Orders from a browser"
            " (on the game's page: Archive, Orders) and give the file"
        )
    if "backstabbr" in host:
        return (
            "without a network, save the page of every season (the game's address with /1901/spring,"
            " /1901/fall, /1901/winter and so on behind it) into one folder and give the folder"
        )
    if "playdiplomacy" in host:
        return "without a network, save the History page of every phase into one folder and give the folder"
    return "else open it in a browser, save it (Ctrl-S), and give the file"


def _archive(base: str, number: int, plain: bool, fetched: Fetch) -> bytes:
    """The public file of a game of webDiplomacy, or else the archive of its orders."""
    if not plain:
        try:
            return fetched(f"{base}/cache/games/{number // 100}/{number}/history.json")
        except FormatError as error:
            if "status 4" not in str(error):
                raise
    return fetched(f"{base}/board.php?gameID={number}&viewArchive=Orders")


def _seasons(base: str, fetched: Fetch) -> Iterator[bytes]:
    """The pages of the seasons, up to the first without orders."""
    for count in range(MOST_PAGES):
        season = ("spring", "fall", "winter")[count % 3]
        try:
            page = fetched(f"{base}/{1901 + count // 3}/{season}")
        except FormatError as error:
            if count and "status" in str(error):
                return
            raise
        if b"unitsByPlayer" not in page:
            if count:
                return
            raise FormatError("there is no board on its first page; it may want you to sign in")
        yield page
        if season != "winter" and _NO_ORDERS.search(page) is not None:
            return


def _history(base: str, number: str, fetched: Fetch) -> Iterator[bytes]:
    """playdiplomacy's pages of phases; a turn without orders is the end."""
    for turn in range(MOST_PAGES // 2):
        stages = ("O", "R") if turn % 2 == 0 else ("O", "R", "B")
        for stage in stages:
            page = fetched(f"{base}/game_history.php?game_id={number}&gdate={turn}&phase={stage}")
            if b"no orders" not in page:
                yield page
            elif stage == "O":
                return


def _joined(pages: Iterator[bytes]) -> bytes:
    return BREAK.encode().join(text_of_bytes(page).replace(BREAK, " ").encode() for page in pages)


def _in_folder(folder: Path) -> bytes:
    """The saved pages in a folder, by name, separated by form feeds."""
    files = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.suffix.lower() in SUFFIXES and path.name[0] != "."
    )
    if not files:
        known = ", ".join(sorted(SUFFIXES - {""}))
        said = f"Is a directory, and there is no saved page in it (files in {known})"
        raise FormatError(f"cannot read {name_of(folder)}: {said}")
    if len(files) > MOST_FILES or sum(path.stat().st_size for path in files) > MOST_BYTES:
        raise FormatError(f"cannot read {name_of(folder)}: too many pages in it; give those of one game")
    return _joined(path.read_bytes() for path in files)
