"""A run: generation after generation of games, training and matches, in a folder that records its progress.

Each step ends with a file that exists or not, and gives the same result whenever it is repeated: shards of
games, ``policy.npz``, ``value.npz``, ``matches.json``. So a run that was killed continues where it was.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import MOST_SEED
from bordeaux.cli.report.output import write_whole
from bordeaux.evaluation.prospect import is_value_net, write_value_net
from bordeaux.jobs import pool
from bordeaux.policy.net import BUNDLED, load_net
from bordeaux.search.config import named, ranged
from training.command import check_plan
from training.league.games import Options, generation_folder, located, play_generation, value_of
from training.league.ladder import Results, climbed, picture, rated, settle, table, write_json
from training.league.matches import Mind, one_against_six, three_against_four
from training.league.policy import PolicyPlan, train_policy, write_policy
from training.league.records import Notice
from training.league.value import PROSPECT, ValuePlan, train_value

ENGINES, PEOPLE, DUMBBOT = "engines", "people", "dumbbot"
ANCHOR = ENGINES
GRACE = 3600.0
"""Seconds after which an unfinished match is given up."""


@dataclass(frozen=True)
class Settings:
    """The settings that determine a run, stored in its folder as ``run.json``.

    `games` are those of each generation, `policy` and `value` those that play the first one; the games of the
    last `window` generations are used for training. `matches` are the games of each pairing after a
    generation, until the end of `until`. `rivals` are further policies for comparison only, files by name.
    After `patience` generations without gain the run ends. `also` are policies, separated by commas, that are
    among the older ones from the beginning, for example those of a run that this one continues.
    """

    games: int = ranged(4000, 1, 10**9, "", "games of a generation")
    seed: int = ranged(1, 0, MOST_SEED, "", "seed of all random choices")
    policy: str = named(ENGINES, "policy that plays the first generation")
    value: str = named("hand", "value of the first generation: hand, prospect or a file")
    window: int = ranged(1, 1, 10**6, "generations", "last generations that are learnt from")
    matches: int = ranged(280, 2, 10**6, "", "games of each pairing after a generation")
    until: int = ranged(1914, 0, 9999, "", "last year of these games")
    patience: int = ranged(3, 1, 10**6, "generations", "generations without gain that end the run")
    also: str = named("", "policies, with commas, that are among the older ones from the beginning")
    rivals: dict[str, str] = field(default_factory=dict)
    play: Options = field(default_factory=Options)
    policy_plan: PolicyPlan = field(default_factory=PolicyPlan)
    value_plan: ValuePlan = field(default_factory=ValuePlan)

    def checked(self) -> Settings:
        """The settings themselves. Raises BordeauxError for invalid values."""
        check_plan(self)
        known = {ENGINES, PEOPLE, DUMBBOT, "first", "before", "best"}
        for name in self.rivals:
            if name in known or name.startswith("generation"):
                raise BordeauxError(f"a rival cannot be called {name!r}: others are")
        self.play.checked()
        check_plan(self.policy_plan)
        check_plan(self.value_plan)
        return self


def check_players(folder: Path, settings: Settings) -> None:
    """Raises BordeauxError for a policy or value of the settings that cannot be read. A new run checks this
    before its folder stores the settings, so that a mistyped name can be corrected there."""
    value_of(located(folder, settings.value))
    also = [name for name in settings.also.split(",") if name]
    for name in (settings.policy, *also, *settings.rivals.values()):
        if name != DUMBBOT:
            load_net(located(folder, name))


class League:
    """A run in a folder, begun or continued with the same settings. Raises BordeauxError if the folder has a
    run with others, naming one that differs."""

    def __init__(
        self, folder: Path, settings: Settings, *, processes: int = 1, notice: Notice = lambda _: None
    ) -> None:
        self.folder, self.settings = folder, settings.checked()
        self.processes, self.notice = processes, notice
        folder.mkdir(parents=True, exist_ok=True)
        settle(folder / "run.json", asdict(self.settings), "a run", "folder")

    def place(self, number: int) -> Path:
        """The folder of a generation."""
        return generation_folder(self.folder, number).parent

    def named(self, number: int, what: str, first: str) -> str:
        """A generation's ``policy`` or ``value`` as a name within the folder of the run; `first` for none."""
        return f"{self.place(number).name}/{what}.npz" if number else first

    def generations(self) -> Iterator[dict[str, Any]]:
        """Play and train, generation by generation, from the present state of the run; yields the results of
        each generation's matches, those before the first included. Ends after `patience` generations without
        gain."""
        reports: list[dict[str, Any]] = []
        while climbed([report["lead"] for report in reports], self.settings.patience):
            number = len(reports) + 1
            self.play(number)
            self.learn_policy(number)
            self.learn_value(number)
            reports.append(self.measure(number, reports))
            if self.shown() < number:
                self.show(reports)
            yield reports[-1]

    def play(self, number: int) -> None:
        """The games of a generation."""
        settings = self.settings
        earlier = [self.named(earlier, "policy", settings.policy) for earlier in range(max(1, number - 1))]
        earlier += [name for name in settings.also.split(",") if name]
        options = replace(
            settings.play,
            games=settings.games,
            seed=settings.seed,
            policy=self.named(number - 1, "policy", settings.policy),
            older=",".join(earlier),
            value=self.named(number - 1, "value", settings.value),
        )
        if self.file(number, "policy.npz").exists() and self.file(number, "value.npz").exists():
            return
        play_generation(self.folder, number, options, processes=self.processes, notice=self.notice)

    def file(self, number: int, name: str) -> Path:
        """A file of a generation."""
        return self.place(number) / name

    def shards(self, number: int) -> list[Path]:
        """The shards for the training of a generation."""
        first = max(1, number - self.settings.window + 1)
        return [
            path
            for generation in range(first, number + 1)
            for path in sorted(generation_folder(self.folder, generation).glob("shard-*.npz"))
        ]

    def header(self, number: int, figures: dict[str, float], plan: Any) -> dict[str, Any]:
        """The header of a generation's files."""
        return {
            "run": self.folder.resolve().name,
            "generation": number,
            "games": number * self.settings.games,
            "command": f"python -m training.league {self.folder.resolve().name}",
            "settings": {
                name: value
                for name, value in json.loads((self.folder / "run.json").read_text("utf-8")).items()
                # Nothing is learnt from these, and they lie wherever they lie.
                if name != "rivals"
            },
            "plan": asdict(plan),
            "figures": figures,
        }

    def learn_policy(self, number: int) -> None:
        """The policy of a generation."""
        target, work = self.file(number, "policy.npz"), self.file(number, "work-policy")
        if not target.exists():
            start = located(self.folder, self.named(number - 1, "policy", self.settings.policy))
            plan = replace(self.settings.policy_plan, seed=self.settings.seed + number)
            net, figures = train_policy(self.shards(number), start, plan, work=work, notice=self.notice)
            write_policy(target, net, self.header(number, figures, plan))
        shutil.rmtree(work, ignore_errors=True)

    def first_value(self) -> str:
        """The initial weights of the first value: those of the value of the first games, if it is a net."""
        first = located(self.folder, self.settings.value)
        return first if is_value_net(first) else PROSPECT

    def learn_value(self, number: int) -> None:
        """The value of a generation."""
        target, work = self.file(number, "value.npz"), self.file(number, "work-value")
        if not target.exists():
            start = located(self.folder, self.named(number - 1, "value", self.first_value()))
            plan = replace(self.settings.value_plan, seed=self.settings.seed + number)
            net, figures = train_value(self.shards(number), start, plan, work=work, notice=self.notice)
            write_value_net(target, net, self.header(number, figures, plan))
        shutil.rmtree(work, ignore_errors=True)

    def best(self, reports: list[dict[str, Any]]) -> int:
        """The last generation that gained, which the next one is compared with; 0 for the start of the
        run."""
        return max([report["number"] for report in reports if report["lead"]["low"] > 0], default=0)

    def measure(self, number: int, reports: list[dict[str, Any]]) -> dict[str, Any]:
        """The matches of a generation."""
        target = self.file(number, "matches.json")
        if target.exists():
            return dict(json.loads(target.read_text("utf-8")))
        jobs = list(enumerate(self.pairings(number, self.best(reports))))
        work = partial(paired, self.folder, self.settings, number)
        outcomes = pool.run(work, jobs, processes=self.processes, grace=GRACE)
        results_of = {outcome.job: outcome.result() for outcome in outcomes}
        report: dict[str, Any] = {
            "number": number,
            "games": number * self.settings.games,
            "policy": self.named(number, "policy", ""),
            "value": self.named(number, "value", ""),
            "centres": {},
            "alone": {},
        }
        results = Results()
        for job in jobs:
            kind, label, *_ = job[1]
            interval, played = results_of[job]
            results.extend(played)
            if kind == "lead":
                report["lead"] = interval
            else:
                report[kind][label] = interval
            self.notice(f"generation {number}: {kind} {label} {interval['mean']:+.2f}")
        report["results"] = asdict(results)
        write_json(target, report)
        return report

    def pairings(self, number: int, best: int) -> list[tuple[str, str, str, str]]:
        """The matches of a generation: ``centres`` (three against four) or ``alone`` (one against six), as
        measure, the player's name on the ladder, its policy."""
        first = self.named(1, "policy", "")
        older = int(np.random.default_rng([self.settings.seed, number]).integers(number))
        start = self.settings.policy
        pairings = [
            ("lead", f"generation {best}", name_of(best, start), self.named(best, "policy", start)),
            ("centres", ENGINES, ENGINES, ENGINES),
            ("centres", PEOPLE, PEOPLE, PEOPLE),
            ("centres", "before", name_of(number - 1, start), self.named(number - 1, "policy", start)),
            ("centres", "an older one", name_of(older, start), self.named(older, "policy", start)),
        ]
        pairings += [("centres", name, name, path) for name, path in self.settings.rivals.items()]
        pairings += [("alone", spec, spec, spec) for spec in (PEOPLE, DUMBBOT)]
        if number > 1:
            pairings.append(("alone", "generation 1", "generation 1", first))
        return pairings

    def shown(self) -> int:
        """The number of generations on the ladder."""
        path = self.folder / "ladder.json"
        return len(json.loads(path.read_text("utf-8"))["generations"]) if path.exists() else 0

    def show(self, reports: list[dict[str, Any]]) -> None:
        """Write the ladder: ``ladder.json``, ``ladder.md``, ``ladder.svg``, and logs for TensorBoard."""
        results = Results()
        for report in reports:
            results.extend(Results(**report["results"]))
        rungs = rated(results, ANCHOR)
        generations = [{name: report[name] for name in report if name != "results"} for report in reports]
        write_whole(self.folder / "ladder.md", table(generations, rungs))
        write_whole(self.folder / "ladder.svg", picture(rungs))
        self.log(generations[-1])
        write_json(
            self.folder / "ladder.json",
            {"generations": generations, "ratings": [asdict(rung) for rung in rungs]},
        )

    def log(self, report: dict[str, Any]) -> None:
        """Write the figures of a generation for TensorBoard, if `tensorboardX` is installed."""
        try:
            from tensorboardX import SummaryWriter
        except ImportError:
            return
        number = report["number"]
        with SummaryWriter(str(self.folder / "logs")) as writer:
            for kind in ("centres", "alone"):
                for name, interval in report[kind].items():
                    writer.add_scalar(f"{kind}/{name}", interval["mean"], number)
            writer.add_scalar("lead", report["lead"]["mean"], number)
            for what in ("policy", "value"):
                for name, figure in figures_of(self.file(number, f"{what}.npz")).items():
                    writer.add_scalar(f"{what}/{name}", figure, number)


def figures_of(path: Path) -> dict[str, float]:
    """The figures of the held-out shards in the header of a net."""
    with np.load(path, allow_pickle=False) as archive:
        return dict(json.loads(archive["header"].tobytes())["figures"])


def name_of(generation: int, start: str) -> str:
    """The name of a generation on the ladder."""
    if generation:
        return f"generation {generation}"
    return start if start in BUNDLED else Path(start).stem


def paired(
    folder: Path, settings: Settings, number: int, pairing: tuple[int, tuple[str, str, str, str]]
) -> tuple[dict[str, float], Results]:
    """Play a pairing of a generation, in any process: returns the interval of its measure, and the games."""
    index, (kind, _, name, policy) = pairing
    ours = Mind(str(generation_folder(folder, number).with_name("policy.npz")))
    others = Mind(located(folder, policy))
    seed = settings.seed + 1000 * number + index
    played = one_against_six if kind == "alone" else three_against_four
    match = played(ours, others, settings.matches, seed, settings.until)
    results = Results()
    results.add([f"generation {number}", name], np.where(match.ours, 0, 1).astype(np.uint8), match.shares)
    return (match.share() if kind == "alone" else match.lead()).as_json(), results
