"""Games of self-play in a folder: a generation's shards, played by all cores.

    python -m training.league.games FOLDER --games 5000 [--generation 1] [--policy FILE] [--value FILE] ...

Every game has seven seats. Most belong to the newest policy, which plays a sampled best response in each
phase (`bordeaux._ext.learn.selfplay`). Others are played by an older policy, by the net of people and by
DumbBot, to include unfamiliar opponents. Beliefs about the others have the same mix (fictitious play; T.
Anthony and others, *Learning to Play No-Press Diplomacy with Best Response Policy Iteration*, 2020).

A shard is one file of FOLDER/generation-0001/games, written when it is complete. Its games depend only on
the seed and its number: the same command continues after a kill and produces the same games.
``options.json`` beside them keeps the settings that determine them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from bordeaux import Map, Position
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import MOST_SEED, processes_option, whole
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.prospect import compiled, is_value_net, known_weights, laid_out, load_value_net
from bordeaux.jobs import available_cores, pool
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People
from bordeaux.search.config import named, ranged
from training.command import Command, check_plan, plan_options, summary_of
from training.league.ladder import settle
from training.league.records import Notice, Shard, make_header, read_shard, write_shard

CoreMind = tuple[list[tuple[int, int, float]], list[tuple[int, float, float]], int, int, int, int]
"""A player in the form of self-play in the core (`bordeaux._ext.learn.selfplay.SelfPlay`)."""


def value_of(name: str) -> Valuer:
    """``hand`` is the hand-made evaluation, in points; ``prospect`` the bundled one; else a file of a learnt
    value or of a prospect, all in shares of the game. Raises BordeauxError for an invalid one."""
    if name == "hand":
        return evaluator(MAP)
    if is_value_net(name):
        return laid_out(MAP, load_value_net(name), scale=1.0)
    return compiled(MAP, known_weights(None if name == "prospect" else name), scale=1.0)


MAP = Map.standard()
POWERS = len(MAP.powers)
MINDS = ("newest", "older", "people", "dumbbot")
"""The players, in the order in which shards number them; the policies have the same order."""
SHARD = 100
"""Games of a shard."""
GRACE = 3600.0
"""Seconds after which an unfinished shard is given up."""


@dataclass(frozen=True)
class Options:
    """The settings that determine the games of a generation.

    `policy` is a net, a file or a bundled name; `older` has several separated by commas, of which each shard
    draws one. `value` is ``hand`` (the hand-made evaluation), ``prospect`` (the bundled one), or a file of a
    learnt value. Files are first looked for in the folder of the run. A response is chosen from `draws` sets
    of the newest policy at `temperature`, `strange` sets of the older one and as many of people. It is
    evaluated against `samples` joint samples of the others in `rounds` rounds of halving (1: every set with
    every sample), after `movements` movement phases (-1: directly after adjudication).

    Seats and beliefs have the shares ``1 - older_share - people_share - dumbbot_share`` for the newest policy
    and those for the others, which play at `others_temperature`. Games end with a year drawn from `first_end`
    to `last_end`, so that no value learns the year in which a game ends.
    """

    games: int = ranged(1000, 1, 10**9, "", "games of a generation")
    seed: int = ranged(1, 0, MOST_SEED, "", "seed of all random choices")
    policy: str = named("engines", "policy that plays")
    older: str = named("engines", "older policies, with commas")
    value: str = named("prospect", "value: hand, prospect or a file")
    draws: int = ranged(10, 1, 64, "sets", "sets of the policy to choose among")
    strange: int = ranged(1, 0, 64, "sets", "sets of an older policy, and of people")
    temperature: float = ranged(1.0, 0.001, 1000.0, "", "temperature of these sets")
    samples: int = ranged(12, 1, 64, "", "joint samples of the others")
    rounds: int = ranged(3, 1, 8, "", "rounds of halving")
    movements: int = ranged(-1, -1, 100, "", "movement phases played on; -1 judges at once")
    older_share: float = ranged(0.15, 0.0, 1.0, "", "share of an older policy")
    people_share: float = ranged(0.12, 0.0, 1.0, "", "share of people")
    dumbbot_share: float = ranged(0.03, 0.0, 1.0, "", "share of DumbBot")
    others_temperature: float = ranged(0.5, 0.001, 1000.0, "", "temperature of these policies")
    first_end: int = ranged(1909, 0, 9999, "", "first year in which a game may end")
    last_end: int = ranged(1917, 0, 9999, "", "last one")

    def checked(self) -> Options:
        """The options themselves. Raises BordeauxError with the option for invalid values."""
        check_plan(self)
        shares = (self.older_share, self.people_share, self.dumbbot_share)
        if min(shares) < 0 or sum(shares) >= 1:
            raise BordeauxError(f"shares of {shares} leave none for the newest policy, or are below 0")
        if not MAP.start_phase.year <= self.first_end <= self.last_end:
            raise BordeauxError(f"games cannot end in {self.first_end} to {self.last_end}")
        return self

    def shares(self) -> NDArray[np.float64]:
        """The shares of the minds among the seats, and of their policies among beliefs."""
        others = [self.older_share, self.people_share, self.dumbbot_share]
        return np.array([1 - sum(others), *others])


def located(folder: Path, name: str) -> str:
    """A file of the run, or the unchanged name."""
    return str(folder / name) if (folder / name).exists() else name


def self_play(folder: Path, options: Options, older: str) -> SelfPlay:
    """The core with these options: minds and policies in the order of `MINDS`. Raises BordeauxError for
    unreadable nets and values, and for options that the core refuses."""
    nets = [load_net(located(folder, name)) for name in (options.policy, older, "people")]
    choosers: list[Chooser] = [People(MAP, net=net).chooser for net in nets]
    onward = People(MAP, net=nets[0]).chooser
    proposers = [(0, options.draws, options.temperature)]
    if options.strange:
        proposers += [(1, options.strange, 1.0), (2, options.strange, 1.0)]
    others = options.others_temperature
    beliefs = [
        (number, float(share), others if number else options.temperature)
        for number, share in enumerate(options.shares())
        if share > 0
    ]
    newest = (proposers, beliefs, options.samples, options.rounds, options.movements, 0)
    plain: list[CoreMind] = [([(number, 1, others)], [], 0, 1, -1, 0) for number in range(1, len(MINDS))]
    try:
        rollout = Rollout(value_of(located(folder, options.value)), onward)
        return SelfPlay(MAP.tables, [*choosers, DUMBBOT.chooser(MAP)], [rollout], [newest, *plain])
    except ValueError as error:
        raise BordeauxError(str(error)) from None


def raw_shard(folder: Path, options: Options, generation: int, number: int) -> dict[str, bytes]:
    """The games of a shard in the form of the core."""
    random = np.random.default_rng([options.seed, generation, number])
    count = min(SHARD, options.games - SHARD * number)
    seats = random.choice(len(MINDS), size=(count, POWERS), p=options.shares()).astype(np.uint8)
    # A table without anybody who seeks a response teaches nothing.
    seats[np.arange(count), random.integers(POWERS, size=count)] = 0
    seeds = random.integers(2**63, size=count, dtype=np.uint64)
    ends = random.integers(options.first_end, options.last_end + 1, size=count)
    play = self_play(folder, options, str(random.choice(options.older.split(","))))
    start = Position.start().packed
    return play.play(start, [row.tobytes() for row in seats], seeds.tolist(), ends.tolist())


def generation_folder(folder: Path, generation: int) -> Path:
    """The folder of a generation's shards."""
    return folder / f"generation-{generation:04}" / "games"


def play_generation(
    folder: Path,
    generation: int,
    options: Options,
    *,
    processes: int = 1,
    notice: Notice = lambda _: None,
) -> list[Path]:
    """Play the missing games of a generation; returns the files of its shards.

    Unreadable shards are reported through `notice` and played again. Raises BordeauxError for invalid
    options, for a folder with games by other options, and for a shard that could not be played.
    """
    # What cannot be read is found here and not as the end of every process, and leaves nothing behind.
    for older in options.checked().older.split(","):
        self_play(folder, options, older)
    place = generation_folder(folder, generation)
    place.mkdir(parents=True, exist_ok=True)
    settle(place / "options.json", asdict(options), "games", "generation")
    paths = [place / f"shard-{number:05}.npz" for number in range(-(-options.games // SHARD))]
    wanted = [number for number, path in enumerate(paths) if not is_whole(path, notice)]
    header = make_header(MAP.name, generation, options.seed, list(MINDS), asdict(options))
    work = partial(raw_shard, folder, options, generation)
    for done, outcome in enumerate(pool.run(work, wanted, processes=processes, grace=GRACE), 1):
        write_shard(paths[outcome.job], Shard.of(header, outcome.result()))
        notice(f"generation {generation}: shard {outcome.job}, {done} of {len(wanted)}")
    return paths


def is_whole(path: Path, notice: Notice) -> bool:
    """Whether there is a readable shard."""
    if not path.exists():
        return False
    try:
        read_shard(path)
    except (BordeauxError, OSError) as error:
        notice(f"played again: {error}")
        return False
    return True


@click.command(cls=Command, help=summary_of(__doc__))
@click.argument("folder", type=Path)
@click.option(
    "--generation", type=whole(1, 10**6), default=1, metavar="N", help="Number of the generation, 1 or more."
)
@plan_options(Options(), dashed=True)
@processes_option("Processes, by default one a core.")
def main(folder: Path, generation: int, processes: int | None, **settings: Any) -> None:
    """Play the games of one generation into the FOLDER of a run."""
    options = Options(**settings)
    paths = play_generation(
        folder,
        generation,
        options,
        processes=processes or available_cores(),
        notice=partial(print, file=sys.stderr),
    )
    print(json.dumps({"generation": generation, "games": options.games, "shards": len(paths)}))


if __name__ == "__main__":
    # What travels to processes must be of a module that they can import.
    from training.league.games import main as run_main

    sys.exit(run_main())
