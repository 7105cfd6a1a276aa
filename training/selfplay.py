"""A generation of self-play: the engine plays, learns from its searches, and keeps what a match shows better.

    python -m training.selfplay FOLDER --policy NET.npz [--value NET.npz] [--games 210] [--seed 1] ...

Three steps, each skipped where its result is in FOLDER, so that the same command goes on after a kill:

1. Games at mixed tables (`bordeaux.arena`, all cores or a Dask cluster): four seats `--player`, which is this
   engine with the present weights, and one each for `--minds`. They are saved as they end in ``games.jsonl``,
   at last in ``games.jsonl.gz``. Their phases hold under ``searched`` what the searches of `--player` came
   to, by power: lines of orders with value and probability, the one chosen first. They are soft targets.
2. Training from these games, of the policy towards what the searches chose (expert iteration: T. Anthony and
   others, Thinking fast and slow with deep learning and tree search, 2017), and of the value towards what
   came of it and by temporal differences, by the modules that `--learn-policy` and `--learn-value` name.
3. A match of the new weights against the old ones, three seats against four, balanced, until a sequential
   test knows whether the new ones have more than their part. Only then do they take the old ones' place. The
   old ones stay in FOLDER, and ``report.json`` says what was found.

In `--player` stands ``{policy}`` or ``{value}`` where a file of weights belongs; for the modules ``{games}``,
``{start}`` (the old weights), ``{out}`` (the new ones), ``{work}`` (a folder of their own) and ``{seed}``.
The net that foretells people is not to be played away: weights that come with the package are refused, so
begin with a copy.

Weights may be of any kind that a player takes. The hand-made evaluation, for one, goes a generation on by

    python -m training.selfplay FOLDER --value mine.toml --player 'bordeaux:evaluation={value}'
        --learn-value 'training.temporal {games} --start {start} --out {out}'
"""

from __future__ import annotations

import argparse
import gzip
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from bordeaux import Map
from bordeaux import jobs as pool
from bordeaux.arena import player_specs, tables
from bordeaux.arena.duel import Trial
from bordeaux.arena.game import play
from bordeaux.arena.job import Job, Result
from bordeaux.arena.lineup import Ratio, read_players
from bordeaux.arena.plan import Plan
from bordeaux.arena.runner import (
    CREATE,
    HARD_GRACE,
    Game,
    Table,
    blame,
    creator,
    notice,
    results,
    run,
    run_on_dask,
)
from bordeaux.arena.scores import sum_of_squares
from bordeaux.arena.tournament import Play
from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.cli.tournament import gather
from bordeaux.formats.beside import beside
from bordeaux.jobs import cluster
from bordeaux.jobs.cores import available_cores
from bordeaux.players.bordeaux import Bordeaux
from bordeaux.players.protocol import Limit, Player, Seat

MAP = Map.standard()
OURS = 4
"""Seats of this engine at a table of self-play."""
RATIO = Ratio(3, 4)
"""Seats of the new and of the old weights in the match."""
PAR = 1 / len(MAP.powers)
KINDS = ("policy", "value")
PLAYER = "bordeaux:policy={policy}"
MINDS = "people,iterated,dumbbot"
LEARN = {
    "policy": "training.people --games {games} --searched --start {start} --out {out} --work {work}"
    " --epochs 2 --rate 0.0005 --seed {seed}",
    "value": "training.prospect {games} --start {start} --out {out} --temporal 0.7 --rate 0.001"
    " --seed {seed}",
}

Searched = dict[str, dict[str, list[dict[str, Any]]]]
"""Lines by phase and power."""


class Noted:
    """A player of this engine, of whom every answer's lines are kept in `searched`."""

    def __init__(self, player: Bordeaux, searched: Searched) -> None:
        self._player = player
        self._searched = searched
        self.observe = player.observe
        self.close = player.close

    @property
    def seat(self) -> Seat:
        """The player's chair."""
        return self._player.seat

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The player's orders."""
        orders = self._player.orders(position, limit)
        found = self._player.found
        if found is not None:
            lines = [
                {"orders": list(line.orders), "value": line.value, "probability": line.probability}
                for line in found.lines
            ]
            self._searched.setdefault(str(position.phase), {})[self.seat.power] = lines
        return orders


@dataclass(frozen=True)
class SearchedTable(Table):
    """Plays games, and writes into their phases what the searches of the players `ours` came to."""

    ours: str = ""

    def __call__(self, game: Game) -> Result:
        """Play a game; raises what `play` raises."""
        searched: Searched = {}

        def create(spec: str, seat: Seat) -> Player:
            player = creator(self.create)(spec, seat)
            return Noted(player, searched) if spec == self.ours and isinstance(player, Bordeaux) else player

        result = play(game.job, create, notice=notice, lost=game.lost)
        for phase in result.game["phases"] if result.game is not None else ():
            if phase["name"] in searched:
                phase["searched"] = searched[phase["name"]]
        return result


def run_searched(
    jobs: Iterable[Job], *, ours: str, processes: int, scheduler: str | None
) -> Generator[Result]:
    """Play jobs, here or on a cluster, with what was searched; see `bordeaux.arena.runner`."""
    table, games = SearchedTable(CREATE, ours=ours), map(Game, jobs)
    if scheduler is not None:
        return results(cluster.run_on_dask(table, games, scheduler, died=blame))
    return results(pool.run(table, games, processes=processes, died=blame, grace=HARD_GRACE))


class Generation:
    """One generation in a folder, from options as `main` reads them. Raises BordeauxError for options that do
    not go together, and for a folder of another generation."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.folder: Path = asked.folder
        self.files: dict[str, Path] = {
            kind: getattr(asked, kind) for kind in KINDS if getattr(asked, kind) is not None
        }
        if not self.files:
            raise BordeauxError("there is nothing to learn: give --policy, --value or both")
        for name in ("games", "match_games", "nodes", "processes"):
            if getattr(asked, name) < 1:
                raise BordeauxError(f"--{name.replace('_', '-')} must be a positive number")
        ours = Path(str(resources.files("bordeaux"))).resolve()
        for kind, file in self.files.items():
            if file.resolve().is_relative_to(ours):
                raise BordeauxError(
                    f"{file} comes with the package and stays as it is: give a copy to --{kind}"
                )
        self.minds = read_players(asked.minds, player_specs.names())
        present = {kind: str(file) for kind, file in self.files.items()}
        for spec in (filled(asked.player, present), *self.minds):
            player_specs.check(spec)
        self._settle()
        for kind, file in self.files.items():
            if not self.place(kind, "old").exists():
                copied(file, self.place(kind, "old"))

    def _settle(self) -> None:
        """Note what decides the generation, or hold it against the note of the run before."""
        chosen = {name: str(value) for name, value in vars(self.asked).items() if name not in FREE}
        self.folder.mkdir(parents=True, exist_ok=True)
        note = self.folder / "generation.json"
        if not note.exists():
            written(note, json.dumps(chosen, indent=1))
        before = json.loads(note.read_text("utf-8"))
        changed = [name for name in chosen if before.get(name) != chosen[name]]
        if changed:
            raise BordeauxError(
                f"{self.folder} holds a generation with another --{changed[0]} ({before.get(changed[0])});"
                " repeat its command, or name another folder"
            )

    def place(self, kind: str, which: str) -> Path:
        """Where the ``old`` or ``new`` weights of a kind lie."""
        return self.folder / f"{kind}-{which}{self.files[kind].suffix}"

    def spec(self, which: str) -> str:
        """The player with the ``old`` or ``new`` weights. Raises BordeauxError for a name not filled in."""
        return filled(self.asked.player, {kind: str(self.place(kind, which)) for kind in self.files})

    def plan(self, players: Sequence[str], rival: str | None, games: int, seed: int, keep: bool) -> Plan:
        """A tournament of the generation."""
        ratio = RATIO if rival is not None else None
        limit = Limit(None, self.asked.nodes)
        seats = len(MAP.powers)
        return Plan(
            tuple(players), rival, ratio, False, games, seats, seed, limit, self.asked.until, keep=keep
        )

    def play(self) -> Path:
        """The games, played as far as they are not there."""
        whole, growing = self.folder / "games.jsonl.gz", self.folder / "games.jsonl"
        if not whole.exists():
            ours = self.spec("old")
            plan = self.plan([ours] * OURS + self.minds, None, self.asked.games, self.asked.seed, True)
            runner: Play = partial(
                run_searched, ours=ours, processes=self.asked.processes, scheduler=self.asked.scheduler
            )
            gather(plan, runner, str(self.folder / "games.log"), str(growing), None, "sum_of_squares")
            part = beside(whole)
            with growing.open("rb") as lines, gzip.open(part, "wb") as packed:
                shutil.copyfileobj(lines, packed)
            part.replace(whole)
        growing.unlink(missing_ok=True)
        return whole

    def learn(self, games: Path) -> None:
        """New weights of each kind that has none yet. Raises BordeauxError where training fails."""
        for kind, old in ((kind, self.place(kind, "old")) for kind in self.files):
            new = self.place(kind, "new")
            if new.exists():
                continue
            work = self.folder / f"{kind}-work"
            # Training may write its weights more than once: only those of its end count.
            out = self.folder / f"{kind}-learning{new.suffix}"
            named = {"games": games, "start": old, "out": out, "work": work, "seed": self.asked.seed}
            command = [filled(word, named) for word in shlex.split(getattr(self.asked, f"learn_{kind}"))]
            failed = subprocess.run([sys.executable, "-m", *command]).returncode
            if failed or not out.exists():
                raise BordeauxError(f"training ended with {failed} and left no {new}: {shlex.join(command)}")
            out.replace(new)

    def match(self) -> dict[str, Any]:
        """What a match of the new weights against the old ones comes to."""
        old, new = self.spec("old"), self.spec("new")
        # Weights that cannot be read are found here and not as a crash of every game.
        player_specs.create(new, Seat(MAP.powers[0], MAP, self.asked.seed)).close()
        plan = self.plan([new], old, self.asked.match_games, self.asked.seed + 1, False)
        trial = Trial(plan.our_seats(), 0, "sum_of_squares", PAR, PAR + self.asked.gain)
        runner: Play = (
            partial(run, processes=self.asked.processes)
            if self.asked.scheduler is None
            else partial(run_on_dask, address=self.asked.scheduler)
        )
        found, _ = gather(plan, runner, str(self.folder / "match.log"), None, trial, "sum_of_squares")
        interval = tables.interval_of(list(tables.seats_of(found, new)), sum_of_squares)
        accepted = trial.state.accepted
        # A test that has not come to an end says no more than the interval.
        better = interval.low > PAR if accepted is None else accepted > PAR
        return {
            "games": len(found),
            "score": interval.to_json(),
            "par": PAR,
            "sprt": trial.state.to_json(),
            "faults": len(tables.faults(found)),
            "better": better,
        }

    def run(self) -> dict[str, Any]:
        """Play, learn, hold a match; the new weights take the old ones' place if they are better."""
        report = self.folder / "report.json"
        if report.exists():
            return dict(json.loads(report.read_text("utf-8")))
        self.learn(self.play())
        match = self.match()
        if match["better"]:
            for kind, file in self.files.items():
                copied(self.place(kind, "new"), file)
        told = {
            "learnt": list(self.files),
            "games": self.asked.games,
            "match": match,
            "kept": match["better"],
        }
        written(report, json.dumps(told, indent=1))
        return told


FREE = ("folder", "processes", "scheduler")
"""Options that decide nothing of what comes out."""


def filled(text: str, names: dict[str, Any]) -> str:
    """A text with its names in braces filled in. Raises BordeauxError for one that nothing is given for."""
    try:
        return text.format(**names)
    except (KeyError, IndexError, ValueError) as error:
        raise BordeauxError(f"nothing is given for {error} in {text}") from None


def copied(source: Path, target: Path) -> None:
    """Copy a file in one piece."""
    part = beside(target)
    shutil.copyfile(source, part)
    part.replace(target)


def written(path: Path, text: str) -> None:
    """Write a text in one piece."""
    part = beside(path)
    part.write_text(text + "\n", "utf-8")
    part.replace(path)


def main(given: Sequence[str] | None = None) -> int:
    """Run a generation, print its report as JSON, and say on standard error whether the weights were kept."""
    parser = argparse.ArgumentParser(prog="python -m training.selfplay", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="all that the generation makes")
    for kind in KINDS:
        parser.add_argument(f"--{kind}", type=Path, metavar="NPZ", help=f"weights of the {kind} to better")
        parser.add_argument(
            f"--learn-{kind}", default=LEARN[kind], metavar="MODULE", help="how it is trained"
        )
    parser.add_argument("--player", default=PLAYER, metavar="SPEC", help=f"this engine  [{PLAYER}]")
    parser.add_argument(
        "--minds", default=MINDS, metavar="A,B,C", help=f"the others at the tables  [{MINDS}]"
    )
    parser.add_argument("--games", type=int, default=210, metavar="N", help="games of self-play  [210]")
    parser.add_argument("--match-games", type=int, default=420, metavar="N", help="games of the match  [420]")
    parser.add_argument(
        "--gain", type=float, default=0.02, help="score above par that the match looks for  [.02]"
    )
    parser.add_argument("--nodes", type=int, default=2000, metavar="N", help="limit of a phase  [2000]")
    parser.add_argument("--until", type=int, default=1920, metavar="YEAR", help="last year  [1920]")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--processes", type=int, default=available_cores(), metavar="N", help="[one a core]")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="play on the Dask cluster with this scheduler")
    try:
        told = Generation(parser.parse_args(given)).run()
    except (BordeauxError, OSError) as error:
        print(f"selfplay: {error}", file=sys.stderr)
        return 2
    print(json.dumps(told))
    verdict = "are better and kept" if told["kept"] else "are not shown to be better: the old ones stay"
    print(f"the new weights {verdict}", file=sys.stderr)
    return 0 if told["kept"] else 1


if __name__ == "__main__":
    # What travels to workers must be of a module that they can import.
    from training.selfplay import main as run_main

    sys.exit(run_main())
