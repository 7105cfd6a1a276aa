"""Compares the output of Bordeaux with the recorded output, and renews the record.

    python tools/golden.py [--check]

The record consists of the signatures of `bordeaux bench` (tests/golden.json) and the outputs of commands in
README.md and docs/*.md. Without --check both are renewed where they are stale. Do this when a search
changes on purpose, and end the commit with ``Bench: <learnt> <paper>``. With --check nothing is written, and
the exit code is 1 if something is stale. Exit code 2, with one line on standard error, if it cannot be done.

On a page, a block of the language ``console`` holds commands, each a line that begins with ``$ ``, and below
each its output. If no output is shown, nothing is compared. A line of ``...`` alone, at most one for a
command, matches any lines or none; ``...`` within a line matches any text. A comment above a block can say
more:

    <!-- varies: in # s; nps # -->     figures # beside these words differ from run to run
    <!-- not run: it needs a file -->  the block is not run by a test, and why
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from bordeaux.arena import bench
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.program import Script
from bordeaux.cli.report.output import write_whole

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden.json"
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
TUTORIALS = "tutorials"
FIGURE = r"\d[\d,]*(?:\.\d+)?"
MARK = re.compile(r"<!-- (varies|not run): (.*) -->")
#: Variables with which a terminal would change the output.
TERMINAL = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE")


class CannotError(BordeauxError):
    """Gives the reason in one line."""


class Shown(NamedTuple):
    """A command on a page: its text, its output on the page (lines `first` to `last`, the last one not
    included), words whose figures vary, and the reason why it is not run, "" if it is."""

    page: Path
    command: str
    first: int
    last: int
    varies: tuple[str, ...]
    not_run: str


def commands(page: Path) -> Iterator[Shown]:
    """The commands of a page, in order."""
    lines = page.read_text("utf-8").splitlines()
    number = 0
    while number < len(lines):
        if lines[number] != "```console":
            number += 1
            continue
        mark = MARK.fullmatch(lines[number - 1]) if number else None
        kind, words = mark.groups() if mark else ("", "")
        varies = tuple(words.split("; ")) if kind == "varies" else ()
        end = lines.index("```", number)
        begins = [at for at in range(number + 1, end) if lines[at].startswith("$ ")]
        for begin, last in zip(begins, [*begins[1:], end], strict=True):
            first = begin + 1
            while lines[first - 1].endswith("\\"):
                first += 1
            text = "\n".join(lines[begin:first])[2:]
            yield Shown(page, text, first, last, varies, words if kind == "not run" else "")
        number = end


def printed(command: str, folder: Path) -> list[str]:
    """The output lines of a command in a folder, with the `bordeaux` of this Python and no terminal.

    Raises CannotError if it fails. Exit code 1 with output, "the answer is no", is not a failure.
    """
    env = {name: value for name, value in os.environ.items() if name not in TERMINAL}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', os.defpath)}"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env=env,
        check=False,
    )
    # A reader that has seen enough, like head, ends what it reads from.
    if run.returncode not in (0, 1, 141) or (run.returncode and not run.stdout):
        raise CannotError(f"{command}: {(run.stderr.strip() or 'failed').splitlines()[-1]}")
    return run.stdout.rstrip().splitlines()


def same(written: str, line: str, varies: Sequence[str] = ()) -> bool:
    """Whether a line of a page matches a printed line."""
    for words in varies:
        figures = re.escape(words).replace(r"\#", FIGURE)
        written, line = (re.sub(figures, words, text) for text in (written, line))
    return re.fullmatch(".*".join(map(re.escape, written.split("..."))), line) is not None


def renewed(written: Sequence[str], lines: Sequence[str], varies: Sequence[str] = ()) -> list[str]:
    """The lines that a page should show of the output: its present lines if they match, else as many of the
    first and of the last as it shows now.

    Raises CannotError if a part of a stale line is omitted, which only its author can choose again.
    """
    gaps = [at for at, line in enumerate(written) if line.strip() == "..."]
    if len(gaps) > 1:
        raise CannotError("more than one line of ... below one command")
    wanted = list(lines)
    if gaps and len(lines) >= len(written) - 1:
        tail = len(written) - gaps[0] - 1
        wanted[gaps[0] : len(lines) - tail] = [written[gaps[0]]]
    if len(wanted) == len(written) and all(map(partial(same, varies=varies), written, wanted)):
        return list(written)
    cut = [line for line in written if "..." in line and line.strip() != "..."]
    if cut:
        raise CannotError(f"stale, and ... leaves out a part of a line, so mend it by hand: {cut[0]!r}")
    return wanted


def stale(page: Path) -> list[tuple[Shown, list[str]]]:
    """The commands of a page with a different output, and their present output.

    The commands of a tutorial are all run, in one folder: some read files that others write.
    """
    lines = page.read_text("utf-8").splitlines()
    differing = []
    tutorial = page.stem == TUTORIALS
    with tempfile.TemporaryDirectory() as top:
        for number, shown in enumerate(commands(page)):
            written = lines[shown.first : shown.last]
            if shown.not_run or not (written or tutorial):
                continue
            folder = Path(top, "all" if tutorial else str(number))
            folder.mkdir(exist_ok=True)
            try:
                lines_now = printed(shown.command, folder)
                wanted = renewed(written, lines_now, shown.varies) if written else []
            except CannotError as error:
                raise CannotError(f"{page.name}, line {shown.first}: {error}") from None
            if wanted != written:
                differing.append((shown, wanted))
    return differing


def renew(check: bool) -> int:
    """Renew everything that is stale, or only report it; returns the number of stale items."""
    count = 0
    signatures = bench.signatures()
    text = json.dumps({"bench": signatures, "quick": bench.signatures(quick=True)}) + "\n"
    if not GOLDEN.exists() or GOLDEN.read_text("utf-8") != text:
        print(f"{GOLDEN.relative_to(ROOT)}: Bench: {' '.join(signatures.values())}")
        count += 1
        if not check:
            write_whole(GOLDEN, text)
    for page in PAGES:
        lines = page.read_text("utf-8").splitlines()
        for shown, wanted in reversed(stale(page)):
            print(f"{page.relative_to(ROOT)}, line {shown.first}: {shown.command}")
            count += 1
            lines[shown.first : shown.last] = wanted
        if not check and lines != page.read_text("utf-8").splitlines():
            write_whole(page, "\n".join(lines) + "\n")
    return count


@click.command(cls=Script)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where something is stale.")
def main(check: bool) -> int:
    """Renew the recorded outputs of Bordeaux: tests/golden.json and the pages."""
    count = renew(check)
    print("nothing is stale" if not count else f"{count} stale" if check else f"{count} renewed")
    return 1 if check and count else 0


if __name__ == "__main__":
    main()
