"""``bordeaux analyse``: the analysis page, served on this machine only."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import IO, Any

import click

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError, FormatError, name_of, quote
from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_name, map_text
from bordeaux.cli.options import folder_named, game_option, is_wanted, json_option, seconds, whole
from bordeaux.cli.report import report
from bordeaux.cli.report.output import check_place, print_json, print_result, write_whole
from bordeaux.cli.report.progress import estimating
from bordeaux.engine import Engine, Line
from bordeaux.formats.games import LARGEST_PAGES
from bordeaux.formats.load import is_dfen, is_start
from bordeaux.formats.source import LARGEST, documents, first_line, open_source, read_text
from bordeaux.studies.saved import shared_fragment
from bordeaux.studies.store import Store
from bordeaux.studies.study import Study
from bordeaux.web.standalone import carried, listed, reader_page, study_page


def export_study(study: Study, out: str | None, time: float | None, as_json: bool, *, linked: bool) -> int:
    """Write a study as the file `out`, or print a link with it in it; with the engine's lines if `time` is
    set (seconds for a movement phase). A link leads to the page that is written as `out`, or else has the
    page in it as well. Raises BordeauxError."""
    if out is not None:
        if not out.lower().endswith((".html", ".htm")):
            raise BordeauxError(f"--out: {out} does not end in .html; name a file that does")
        check_place(out, "--out")
    lines = {} if time is None else engine_lines(study, time)
    told = "" if time is None else f"the engine searched {time:g} s in each movement phase"
    counts = {"study": study.id, "positions": len(study.nodes), "searched": len(lines)}
    if not linked:
        assert out is not None
        write_whole(out, study_page(study, lines, told))
        said = f"written to {out}: {len(study.nodes)} positions, {len(lines)} of them searched"
        print_result(as_json, {"file": out, **counts}, said)
        return 0
    page = carried(reader_page(study.map))
    if out is not None:
        write_whole(out, reader_page(study.map))
        page = Path(out).resolve().as_uri()
    address = f"{page}#{shared_fragment(study, listed(lines), told)}"
    if as_json:
        print_json({"link": address, **counts})
    else:
        # A link is one word, however long; nothing may break it.
        click.echo(address)
    return 0


def engine_lines(study: Study, time: float) -> dict[str, dict[str, tuple[Line, ...]]]:
    """The engine's lines for every power in every movement phase of a study, `time` seconds for each."""
    names = [node.id for node in study.nodes.values() if node.phase.endswith("M")]
    lines: dict[str, dict[str, tuple[Line, ...]]] = {}
    with Engine(seed=0) as engine, estimating("phases", 0, len(names)) as counter:
        for number, name in enumerate(names, 1):
            answers = engine.search_all(study.position(name), time=time, lines=3)
            lines[name] = {power: answer.lines for power, answer in answers.items()}
            counter.update(number)
    return lines


ONE = "there is one position in it; --game is for files of many games"


@click.command("analyse")
@click.argument("position", metavar="[POSITION|GAME]", required=False)
@click.option(
    "--phase",
    metavar="NAME",
    help="Open a game at a phase, like F1903M; else at its last, a finished one at its first.",
)
@game_option
@click.option("--map", "board", metavar="NAME|FILE", help="The map: a bundled one or a map file.")
@click.option(
    "--port",
    type=whole(0, 65535),
    metavar="PORT",
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
    wanted: str | None,
    board: str | None,
    port: int | None,
    studies: str | None,
    games: str | None,
    out: str | None,
    linked: bool,
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
      bordeaux analyse game.json --out study.html
      bordeaux analyse game.json --link --time 0.2
    """
    serving = out is None and not linked
    if serving and (identity is not None or time is not None or no_engine):
        raise click.UsageError("--study, --time and --no-engine go with --out or --link")
    if position is None and (phase is not None or board is not None or wanted is not None):
        raise click.UsageError("--phase, --game and --map go with a POSITION or GAME")
    if not serving:
        if games is not None:
            raise click.UsageError("--games goes with the page, not with --out or --link")
        if (position is None) == (identity is None):
            raise click.UsageError("give one study: a POSITION or GAME, or --study ID")
        if position is not None:
            study = study_of(position, wanted, board)
        else:
            study = Store(folder_named(studies), report).get(identity or "")
        return export_study(study, out, None if no_engine else time or 1.0, as_json, linked=linked)
    missing = [name for name in ("starlette", "uvicorn") if importlib.util.find_spec(name) is None]
    if missing:
        raise BordeauxError(f"the page needs {' and '.join(missing)}: pip install 'bordeaux-diplomacy[web]'")
    from bordeaux.web.recorded_games import GameFile
    from bordeaux.web.routing import ServerState
    from bordeaux.web.server import ADDRESS, listening, serve

    read = None if position is None else study_of(position, wanted, board)
    store = Store(folder_named(studies), report)
    opened = None if read is None else kept(store, read, phase)
    server_state = ServerState(store, report)
    if games is not None:
        server_state.games = GameFile(games)
        server_state.games.read_beside(report)
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

        return serve(server_state, token, sock, ready, verbose=verbose)


def study_of(source: str, wanted: str | None, board: str | None) -> Study:
    """The study from a file, standard input or the word ``start``; its id is derived from the input.

    Raises BordeauxError, which names the source.
    """
    from bordeaux.studies.intake import identified, read_any
    from bordeaux.studies.saved import fragment_in

    map = None if board is None else Map.load(board)
    # Of a map in a file, its text is a part of what the study is.
    text = "" if board is None or bundled_name(board) is not None else map_text(board)
    written = is_start(source) or is_dfen(source) or bool(fragment_in(source.encode()))
    data, which = source.encode(), ""
    try:
        if not written:
            with open_source(source) as handle:
                data, which = one_of(handle, wanted)
        elif wanted is not None:
            raise FormatError(ONE)
        if which and wanted is None:
            report(f"{name_of(source)} has several games: the first, {which}, is taken; --game names another")
        title = (
            ""
            if written or source == "-" or "#" in source
            else Path(source).name + (f", game {which}" if which else "")
        )
        read = read_any(data, map, 0, title, count=False)
    except BordeauxError as error:
        named, message = name_of(source), str(error)
        raise type(error)(message if named in message else f"{named}: {message}") from None
    return identified(read.study, data, text, board or "")


def one_of(handle: IO[bytes], wanted: str | None) -> tuple[bytes, str]:
    """The content of a file, and ""; of several games, one a line, the wanted one or the first, and its id.
    Raises FormatError."""
    first = first_line(handle)
    begins = first.lstrip()[:1]
    if begins == b"{":
        parsed = documents(handle, first)
        if wanted is None:
            document = next(parsed)
            several = next(parsed, None) is not None
            return json_line(document).encode(), _identity(document, 1) if several else ""
        for number, document in enumerate(parsed, 1):
            identity = _identity(document, number)
            if is_wanted(wanted, number, identity):
                return json_line(document).encode(), identity
        raise FormatError(f"there is no game {quote(wanted)} in it")
    if wanted is not None:
        raise FormatError(ONE)
    if begins == b"[":
        return read_text(handle, first, LARGEST).encode(), ""
    data = first + handle.read(max(0, LARGEST_PAGES + 1 - len(first)))
    if len(data) > LARGEST_PAGES:
        raise FormatError(f"more than {LARGEST_PAGES >> 20} MB in it; give the pages of one game")
    return data, ""


def _identity(document: Any, number: int) -> str:
    """The id of a saved game, or its number in the file."""
    named = document.get("id") if isinstance(document, dict) else None
    return str(named) if isinstance(named, (str, int)) and named != "" else str(number)


def kept(store: Store, study: Study, phase: str | None) -> tuple[str, str]:
    """Save a study unless it exists already; returns its id and the node of a phase. Without a phase it is
    the last one, of a finished game the first. Raises FormatError for a phase that it does not have."""
    study = store.add(study)
    if phase is not None:
        return study.id, study.in_phase(phase).id
    return study.id, (study.root if study.ended else study.main_line()[-1]).id
