"""Policies and values learnt from self-play, generation after generation, until told to stop.

    python -m training.league FOLDER [--games 4000] [--value hand] [--play.people_share 0.1] ...

In each generation powers play sampled best responses to the policies so far. A policy is trained on the
orders and a value on the results of the games, and then matches are played. FOLDER holds everything. After
a kill the same command continues the run and produces the same weights. ``ladder.md``, ``ladder.json`` and
``ladder.svg`` there have the ratings of the generations. The run ends after three generations without gain,
or after ``--generations``. docs/learning.md describes the steps.
"""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import processes_option, whole
from bordeaux.formats.source import parse_json
from bordeaux.jobs import available_cores
from training.command import Command, plan_options, summary_of
from training.league.run import League, Settings, check_players

PARTS = ("play", "policy_plan", "value_plan")
"""Settings that have settings of their own; options name these with a point between."""
GIVEN_BY_RUN = {
    "play": {"games", "seed", "policy", "older", "value"},
    "policy_plan": {"seed"},
    "value_plan": {"seed"},
}
"""Those that the run itself decides, generation by generation."""
PLAIN = Settings()


def settings_of(folder: Path, asked: dict[str, Any]) -> Settings:
    """The settings of the run in a folder, if there is one, else the defaults; with the requested changes.
    Raises BordeauxError for a rival without a name, and for a damaged note."""
    plain = Settings()
    note = folder / "run.json"
    if note.exists():
        try:
            kept = parse_json(note.read_text("utf-8"))
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


@click.command(cls=Command, help=summary_of(__doc__))
@click.argument("folder", type=Path)
@click.option(
    "--generations",
    type=whole(1, 10**6),
    metavar="N",
    help="End after N generations, 1 or more; by default when they gain nothing.",
)
@processes_option("Processes, by default one a core.")
@click.option("--rival", multiple=True, metavar="NAME=FILE", help="A policy to be measured by; repeatable.")
@plan_options(PLAIN, unset=True)
@plan_options(PLAIN.play, "play", without=GIVEN_BY_RUN["play"], unset=True)
@plan_options(PLAIN.policy_plan, "policy", without=GIVEN_BY_RUN["policy_plan"], unset=True)
@plan_options(PLAIN.value_plan, "value", without=GIVEN_BY_RUN["value_plan"], unset=True)
def main(folder: Path, generations: int | None, processes: int | None, **settings: Any) -> None:
    """Begin or continue the run in FOLDER. What is not given is as the run has it."""
    asked = {name.replace("__", "."): value for name, value in settings.items()}
    chosen = settings_of(folder, asked).checked()
    if not (folder / "run.json").exists():
        check_players(folder, chosen)
    league = League(
        folder,
        chosen,
        processes=processes or available_cores(),
        notice=partial(print, file=sys.stderr, flush=True),
    )
    number = 0
    for report in league.generations():
        number = report["number"]
        lead = report["lead"]
        print(
            f"generation {number}: {report['games']} games, {lead['mean']:+.2f} centres"
            f" ({lead['low']:+.2f} to {lead['high']:+.2f}) beyond the best before",
            flush=True,
        )
        if generations is not None and number >= generations:
            print(f"{number} generations were asked for; the ladder is in {folder / 'ladder.md'}")
            return
    patience = league.settings.patience
    print(f"{patience} generations in a row gained nothing; the ladder is in {folder / 'ladder.md'}")


if __name__ == "__main__":
    # What travels to processes must be of a module that they can import.
    from training.league.__main__ import main as run_main

    sys.exit(run_main())
