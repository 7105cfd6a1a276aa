"""Policies and values learnt from self-play, generation after generation, until told to stop.

    python -m training.league FOLDER [--games 4000] [--value hand] [--play.people_share 0.1] ...

In each generation powers play sampled best responses to the policies so far. A policy is trained on the
orders and a value on the results of the games, and then matches are played. FOLDER holds everything. After
a kill the same command continues the run and produces the same weights. ``ladder.md``, ``ladder.json`` and
``ladder.svg`` there have the ratings of the generations. The run ends after three generations without gain,
or after ``--generations``. docs/selfplay.md describes the steps.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.jobs.cores import available_cores
from training.league.run import League, Settings

PARTS = ("play", "policy_plan", "value_plan")
"""Settings that have settings of their own; options name these with a point between."""
GIVEN_BY_RUN = {
    "play": {"games", "seed", "policy", "older", "value"},
    "policy_plan": {"seed"},
    "value_plan": {"seed"},
}
"""Those that the run itself decides, generation by generation."""


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    command_line = argparse.ArgumentParser("python -m training.league", description=__doc__.split("\n")[0])
    command_line.add_argument("folder", type=Path, help="folder of the run")
    command_line.add_argument(
        "--generations", type=int, metavar="N", help="end after so many  [none: by gain]"
    )
    command_line.add_argument(
        "--processes", type=int, default=available_cores(), metavar="N", help="[one a core]"
    )
    command_line.add_argument(
        "--scheduler", metavar="ADDRESS", help="play on the Dask cluster with this scheduler"
    )
    command_line.add_argument(
        "--rival", action="append", default=[], metavar="NAME=FILE", help="a policy to be measured by"
    )
    plain = Settings()
    for option in fields(Settings):
        default = getattr(plain, option.name)
        if option.name in PARTS:
            for inner in fields(default):
                if inner.name not in GIVEN_BY_RUN[option.name]:
                    kind = getattr(default, inner.name)
                    command_line.add_argument(
                        f"--{option.name.removesuffix('_plan')}.{inner.name}",
                        type=type(kind),
                        help=f"[{kind}]",
                    )
        elif option.name != "rivals":
            command_line.add_argument(f"--{option.name}", type=type(default), help=f"[{default}]")
    return command_line


def settings_of(folder: Path, asked: dict[str, Any]) -> Settings:
    """The settings of the run in a folder, if there is one, else the defaults; with the requested changes.
    Raises BordeauxError for a rival without a name, and for a damaged note."""
    plain = Settings()
    note = folder / "run.json"
    if note.exists():
        try:
            kept = json.loads(note.read_text("utf-8"))
            inner = {name: type(getattr(plain, name))(**kept.pop(name)) for name in PARTS}
            plain = Settings(**kept, **inner)
        except (ValueError, TypeError, KeyError) as error:
            raise BordeauxError(f"{note}: no settings of a run: {error}") from None
    rivals = {}
    for rival in asked["rival"]:
        name, equals, path = rival.partition("=")
        if not (name and equals and path):
            raise BordeauxError(f"--rival {rival}: a name and a file are needed, as reference=policy.npz")
        rivals[name] = path
    given = {name: value for name, value in asked.items() if value is not None}
    chosen: dict[str, Any] = {
        option.name: given[option.name]
        for option in fields(Settings)
        if option.name in given and option.name not in PARTS
    }
    for name in PARTS:
        prefix = name.removesuffix("_plan") + "."
        inner = {key.removeprefix(prefix): value for key, value in given.items() if key.startswith(prefix)}
        chosen[name] = replace(getattr(plain, name), **inner)
    if rivals:
        chosen["rivals"] = rivals
    return replace(plain, **chosen)


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit code: 0 done, 2 bad input with one line on standard error."""
    asked = vars(parser().parse_args(arguments))
    folder: Path = asked["folder"]
    try:
        league = League(
            folder,
            settings_of(folder, asked),
            processes=asked["processes"],
            scheduler=asked["scheduler"],
            notice=partial(print, file=sys.stderr, flush=True),
        )
        number, ended = 0, asked["generations"]
        for report in league.generations():
            number = report["number"]
            lead = report["lead"]
            print(
                f"generation {number}: {report['games']} games, {lead['mean']:+.2f} centres"
                f" ({lead['low']:+.2f} to {lead['high']:+.2f}) beyond the best before",
                flush=True,
            )
            if ended is not None and number >= ended:
                print(f"{number} generations were asked for; the ladder is in {folder / 'ladder.md'}")
                return 0
    except (BordeauxError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    patience = league.settings.patience
    print(f"{patience} generations in a row gained nothing; the ladder is in {folder / 'ladder.md'}")
    return 0


if __name__ == "__main__":
    # What travels to processes must be of a module that they can import.
    from training.league.__main__ import main as run_main

    sys.exit(run_main())
