"""A study without a server, for ``bordeaux analyse --out`` and ``--link``: as one file, or as a link."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.report.errors import report
from bordeaux.cli.report.files import check_place, write_whole
from bordeaux.cli.report.output import print_json, print_text
from bordeaux.cli.report.progress import estimating
from bordeaux.engine import Engine
from bordeaux.view.chances import chances, expected_of_others
from bordeaux.web.links import shared_fragment
from bordeaux.web.paper import EngineLine, Lines, carried, positions_to_search, reader_page, study_page
from bordeaux.web.store import Store, default_folder
from bordeaux.web.study import Study

__all__ = ["engine_lines", "kept_study", "link_study", "write_study"]


def kept_study(identity: str, folder: str | None) -> Study:
    """A study of the store, by its id. Raises BordeauxError."""
    return Store(default_folder() if folder is None else Path(folder), report).get(identity)


def write_study(out: str, study: Study, time: float | None, as_json: bool) -> int:
    """Write a study, with the engine's lines if `time` is set (seconds for a movement phase). Raises
    BordeauxError."""
    _check_page(out)
    lines = {} if time is None else engine_lines(study, time)
    write_whole(out, study_page(study, lines, "" if time is None else _searched(time)))
    if as_json:
        print_json({"file": out, "study": study.id, "positions": len(study.nodes), "searched": len(lines)})
    else:
        print_text(f"written to {out}: {len(study.nodes)} positions, {len(lines)} of them searched")
    return 0


def link_study(study: Study, out: str | None, reader: str | None, time: float | None, as_json: bool) -> int:
    """Print a link with a study in it. It leads to the page at the address `reader`, to one that is written
    as the file `out`, or else has the page in it as well. Raises BordeauxError."""
    if out is not None:
        _check_page(out)
    lines = {} if time is None else engine_lines(study, time)
    fragment = shared_fragment(study, listed(lines), "" if time is None else _searched(time))
    if out is not None:
        write_whole(out, reader_page(study.map))
        reader = Path(out).resolve().as_uri()
    address = f"{carried(reader_page(study.map)) if reader is None else reader.partition('#')[0]}#{fragment}"
    if as_json:
        print_json(
            {"link": address, "study": study.id, "positions": len(study.nodes), "searched": len(lines)}
        )
    else:
        # A link is one word, however long; nothing may break it.
        click.echo(address)
    return 0


def listed(lines: Lines) -> Mapping[str, Mapping[str, list[list[Any]]]]:
    """Lines of the engine as a link has them."""
    return {
        name: {power: [_row(line) for line in lines] for power, lines in by_power.items()}
        for name, by_power in lines.items()
    }


def _row(line: EngineLine) -> list[Any]:
    promised = [] if line.promised is None else [round(part, 3) for part in line.promised]
    return [list(line.orders), round(line.points), *promised]


def _check_page(out: str) -> None:
    if not out.lower().endswith((".html", ".htm")):
        raise BordeauxError(f"--out: {out} does not end in .html; name a file that does")
    check_place(out, "--out")


def _searched(time: float) -> str:
    return f"the engine searched {time:g} s in each movement phase"


def engine_lines(study: Study, time: float) -> dict[str, dict[str, tuple[EngineLine, ...]]]:
    """The engine's lines for every power in every movement phase of a study, `time` seconds for each, with
    what they promise."""
    names = list(positions_to_search(study))
    lines: dict[str, dict[str, tuple[EngineLine, ...]]] = {}
    with Engine(seed=0) as engine, estimating("phases", 0, len(names)) as counter:
        for number, name in enumerate(names, 1):
            answers = engine.search_all(study.position(name), time=time, lines=3)
            lines[name] = {
                power: tuple(
                    EngineLine(line.orders, line.value, promised)
                    for line, promised in zip(
                        answer.lines, chances(answer, expected_of_others(engine, answer)), strict=True
                    )
                )
                for power, answer in answers.items()
            }
            counter.update(number)
    return lines
