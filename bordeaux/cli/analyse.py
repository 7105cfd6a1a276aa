"""``bordeaux analyse``: the analysis page, served on this machine only."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.board.phase import Phase
from bordeaux.cli.options import json_option, seconds, whole
from bordeaux.cli.report.errors import report
from bordeaux.cli.report.output import print_json
from bordeaux.cli.report.progress import counting
from bordeaux.formats.dfen import is_dfen
from bordeaux.formats.documents import LARGEST_PAGES
from bordeaux.formats.load import START
from bordeaux.formats.source import (
    LARGEST,
    LARGEST_TEXT,
    documents,
    first_line,
    name_of,
    open_source,
    read_text,
)

if TYPE_CHECKING:
    from bordeaux.web.store import Store
    from bordeaux.web.study import Study

__all__ = ["command"]

MOST_GAMES = 10_000_000
NEEDED = ("starlette", "uvicorn")
ONE = "there is one position in it; --game is for files of many games"


@click.command("analyse")
@click.argument("position", metavar="[POSITION|GAME]", required=False)
@click.option("--phase", metavar="NAME", help="Open a game at a phase, like F1903M; else at its last.")
@click.option(
    "--game", "number", type=whole(1, MOST_GAMES), default=1, metavar="N", help="Which of many games."
)
@click.option("--map", "board", metavar="NAME|FILE", help="The map: a bundled one or a map file.")
@click.option(
    "--port",
    type=whole(0, 65535),
    metavar="P",
    help="The port; 0: any free one.  [default: 16714 if it is free]",
)
@click.option(
    "--studies", metavar="FOLDER", help="Where studies are kept.  [default: bordeaux/studies with your data]"
)
@click.option(
    "--games",
    metavar="FILE",
    help="Saved games, one a line: the Book panel counts and opens those that came to a position.",
)
@click.option("--out", metavar="FILE", help="Write the study into one HTML file, and serve nothing.")
@click.option(
    "--link",
    "linked",
    is_flag=True,
    help="Print a link with the whole study in it, and serve nothing. With --out the page that opens it is"
    " written there.",
)
@click.option("--reader", metavar="ADDRESS", help="With --link: where such a page stands.")
@click.option(
    "--study", "identity", metavar="ID", help="With --out or --link: a study that is kept, by its id."
)
@click.option(
    "--time",
    type=seconds,
    metavar="S",
    help="With --out or --link: the engine searches S seconds for each movement phase.  [default: 1; 0.05 is"
    " a glance]",
)
@click.option("--no-engine", is_flag=True, help="With --out or --link: no lines of the engine.")
@click.option("--verbose", is_flag=True, help="Log every request on standard error.")
@json_option
def command(
    position: str | None,
    phase: str | None,
    number: int,
    board: str | None,
    port: int | None,
    studies: str | None,
    games: str | None,
    out: str | None,
    linked: bool,
    reader: str | None,
    identity: str | None,
    time: float | None,
    no_engine: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Study games and positions on a page in the browser.

    Prints the address of the page first; Ctrl-C ends the server. Only this machine can reach it, and
    only with the token in the address. Studies are files in a folder; they stay when the server ends,
    and the same game or position opens the same study again. It needs the extra web.

    With --out the study is written into one file instead: its boards, lines, comments, and the engine's
    lines for every movement phase. It opens anywhere, without a server or a network. --link prints a link
    with the same in it: paste it into the address bar of any browser, or give it to bordeaux analyse.

    \b
    Examples:
      bordeaux analyse
      bordeaux analyse game.json --phase F1903M
      bordeaux analyse start --map pure --port 8000
      bordeaux analyse --games games.jsonl.gz
      bordeaux analyse game.json --out study.html
      bordeaux analyse game.json --link --time 0.2
    """
    serving = out is None and not linked
    if serving and (identity is not None or time is not None or no_engine):
        raise click.UsageError("--study, --time and --no-engine go with --out or --link")
    if reader is not None and (not linked or out is not None):
        raise click.UsageError("--reader goes with --link, and not with --out")
    if position is None and (phase is not None or board is not None or number > 1):
        raise click.UsageError("--phase, --game and --map go with a POSITION or GAME")
    if not serving:
        from bordeaux.cli.study_file import kept_study, link_study, write_study

        if games is not None:
            raise click.UsageError("--games goes with the page, not with --out or --link")
        if (position is None) == (identity is None):
            raise click.UsageError("give one study: a POSITION or GAME, or --study ID")
        study = (
            study_of(position, number, board) if position is not None else kept_study(identity or "", studies)
        )
        seconds_each = None if no_engine else time or 1.0
        if linked:
            return link_study(study, out, reader, seconds_each, as_json)
        assert out is not None
        return write_study(out, study, seconds_each, as_json)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise BordeauxError(f"the page needs {' and '.join(missing)}: pip install 'bordeaux-diplomacy[web]'")
    from bordeaux.web.gamefile import GameFile
    from bordeaux.web.house import House
    from bordeaux.web.serve import ADDRESS, listening, serve
    from bordeaux.web.store import Store, default_folder

    read = None if position is None else study_of(position, number, board)
    store = Store(default_folder() if studies is None else folder_named(studies), report)
    opened = None if read is None else kept(store, read, phase)
    house = House(store, report)
    if games is not None:
        with counting("games") as counter:
            house.games = GameFile(games, counter.update)
    token = store.token()
    with listening(port) as sock:
        base = f"http://{ADDRESS}:{sock.getsockname()[1]}/"
        end = "" if opened is None else f"#study={opened[0]}&node={opened[1]}"
        address = f"{base}?token={token}{end}"

        def ready() -> None:
            if as_json:
                study, node = opened or (None, None)
                print_json({"address": address, "token": token, "study": study, "node": node})
            else:
                click.echo(address)

        return serve(house, token, sock, ready, verbose=verbose)


def study_of(source: str, number: int, board: str | None) -> Study:
    """The study from a file, standard input or the word ``start``; its id is derived from the input.

    Raises BordeauxError, which names the source.
    """
    from bordeaux.web.intake import identified, read_any
    from bordeaux.web.links import fragment_in

    map, map_text = chosen_map(board)
    try:
        written = source == START or is_dfen(source) or bool(fragment_in(source.encode()))
        if written and number > 1:
            raise FormatError(ONE)
        if written:
            data = source.encode()
        else:
            with open_source(source) as handle:
                data = one_of(handle, number)
        read = read_any(data, map, 0, title_of(source, number), count=False)
    except BordeauxError as error:
        named = name_of(source)
        message = str(error)
        raise type(error)(message if named in message else f"{named}: {message}") from None
    return identified(read.study, data, map_text, board or "")


def title_of(source: str, number: int) -> str:
    """The title of the study of a source; "" for the default."""
    if source in (START, "-") or is_dfen(source) or "#" in source:
        return ""
    return Path(source).name + (f", game {number}" if number > 1 else "")


def one_of(handle: IO[bytes], number: int) -> bytes:
    """The content of a file; of several games, one a line, the wanted one. Raises FormatError."""
    first = first_line(handle)
    begins = first.lstrip()[:1]
    if begins == b"{":
        parsed = documents(handle, first)
        for count, document in enumerate(parsed, 1):
            if count == number:
                return json_line(document).encode()
        raise FormatError(f"there is no game {number} in it")
    if number > 1:
        raise FormatError(ONE)
    if begins == b"[":
        return read_text(handle, first, LARGEST).encode()
    data = first + handle.read(max(0, LARGEST_PAGES + 1 - len(first)))
    if len(data) > LARGEST_PAGES:
        raise FormatError(f"more than {LARGEST_PAGES >> 20} MB in it; give the pages of one game")
    return data


def chosen_map(name: str | None) -> tuple[Map | None, str]:
    """The map of a name or file, and its text if it is a file. Raises MapError."""
    if name is None:
        return None, ""
    if name in bundled_maps():
        return Map.load(name), ""
    map = Map.load(name)
    with open_source(name) as handle:
        return map, read_text(handle, most=LARGEST_TEXT)


def kept(store: Store, study: Study, phase: str | None) -> tuple[str, str]:
    """Save a study unless it exists already; returns its id and the node of a phase.

    Raises FormatError for a phase that it does not have.
    """
    line = store.add(study).main_line()
    if phase is None:
        return study.id, line[-1].id
    wanted = str(Phase.parse(phase))
    ids = [node.id for node in line if node.phase == wanted]
    if not ids:
        raise FormatError(f"there is no phase {wanted}; phases go from {line[0].phase} to {line[-1].phase}")
    return study.id, ids[-1]


def folder_named(name: str) -> Path:
    """The folder of an option. Raises BordeauxError if it is not one."""
    if not name or "\0" in name:
        raise BordeauxError(f"--studies: {name!r} is not the name of a folder")
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise BordeauxError(f"--studies: {name} is no folder; name one")
    return folder
