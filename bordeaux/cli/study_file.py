"""A study written into one file, for ``bordeaux analyse --out``."""

from __future__ import annotations

from pathlib import Path

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.errors import report
from bordeaux.cli.files import check_place, write_whole
from bordeaux.cli.output import print_json, print_text
from bordeaux.cli.progress import estimating
from bordeaux.engine import Engine
from bordeaux.search.result import Line
from bordeaux.web.paper import positions_to_search, study_page
from bordeaux.web.store import Store, default_folder
from bordeaux.web.study import Study

__all__ = ["engine_lines", "write_study"]


def write_study(
    out: str, read: Study | None, identity: str | None, folder: str | None, time: float | None, as_json: bool
) -> int:
    """Write a study, from input or from the store, with the engine's lines if `time` is set (seconds for a
    movement phase). Raises BordeauxError."""
    if not out.lower().endswith((".html", ".htm")):
        raise BordeauxError(f"--out: {out} does not end in .html; name a file that does")
    check_place(out, "--out")
    study = read
    if study is None:
        assert identity is not None
        study = Store(default_folder() if folder is None else Path(folder), report).get(identity)
    lines = {} if time is None else engine_lines(study, time)
    engine = "" if time is None else f"the engine searched {time:g} s in each movement phase"
    write_whole(out, study_page(study, lines, engine))
    if as_json:
        print_json({"file": out, "study": study.id, "positions": len(study.nodes), "searched": len(lines)})
    else:
        print_text(f"written to {out}: {len(study.nodes)} positions, {len(lines)} of them searched")
    return 0


def engine_lines(study: Study, time: float) -> dict[str, dict[str, tuple[Line, ...]]]:
    """The engine's lines for every power in every movement phase of a study, `time` seconds for each."""
    names = list(positions_to_search(study))
    found: dict[str, dict[str, tuple[Line, ...]]] = {}
    with Engine(seed=0) as engine, estimating("phases", 0, len(names)) as counter:
        for number, name in enumerate(names, 1):
            answers = engine.search_all(study.position(name), time=time, lines=3)
            found[name] = {power: answer.lines for power, answer in answers.items()}
            counter.update(number)
    return found
