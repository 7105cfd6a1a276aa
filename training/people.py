"""Train the net that predicts people's orders, from recorded games to the file of weights.

    python -m training.people --games ../shared/data/games/human.jsonl.gz --out people.npz --work FOLDER

FOLDER keeps the games as arrays and a checkpoint of each epoch. After a kill the same command continues,
and produces the same weights. OUT is written after every epoch. Figures go to standard error. `--games` can
also be a folder of self-play (`training.league.games`), whose best responses are learnt. See
`docs/learning.md`.
"""

from __future__ import annotations

import datetime
import hashlib
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.cli.report import fail

try:
    import torch
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    sys.exit(fail(BordeauxError("this training needs PyTorch: pip install '.[train]'")))

from bordeaux import Map
from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.weights import WIDTHS
from bordeaux.cli.options import between, share, whole
from training.command import Command, Several, seed_option, summary_of
from training.figures import as_text, figures
from training.known import RELATIONS
from training.loop import Plan, Trainer
from training.model import SIZES, Net, Sizes, begin_with, save_weights, sizes_in
from training.relations import Fitted, beside_others, fit, likelihood
from training.shards import Shards, load_shards, make_shards
from training.split import TEST, TRAIN, VALIDATION

#: The conditions of a net's figures: with or without the memory, with or without the names of provinces.
WAYS = {
    "": {},
    "without names": {"names": False},
    "without memory": {"memory": False},
    "without either": {"names": False, "memory": False},
}
FITTED_TO = 500
"""Phases for fitting the relations, and as many for measuring them."""


class Training(NamedTuple):
    """What is trained, and how: the file of saved `games` or the folder of self-play (the first `games_limit`
    alone), the file `out` and the folder `work`; the weights to begin with (`start`) or the `sizes` of a new
    net; the teachers and their weight `taught`; the rest as in `Plan`."""

    games: str
    out: Path
    work: Path
    start: Path | None
    games_limit: int | None
    epochs: int
    seed: int
    batch: int
    rate: float
    sizes: Sizes | None
    dropout: float
    teachers: tuple[Path, ...]
    taught: float
    threads: int


def _sizes(text: str) -> Sizes:
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (5, 7):
        raise click.BadParameter(
            f"{quote(text)} is not five widths like 32,32,32,16,16, nor a wide net like 96,96,96,48,24,6,16"
        )
    sizes = Sizes(*numbers)
    wide = len(numbers) == 7
    widest, most_told = WIDTHS["c"], WIDTHS["q"]
    if any(width % 8 or not 8 <= width <= widest for width in numbers[:5]):
        raise click.BadParameter(f"{quote(text)}: widths are multiples of 8, from 8 to {widest}")
    if wide and (sizes.rounds < 1 or sizes.q % 8 or not 8 <= sizes.q <= most_told):
        raise click.BadParameter(
            f"{quote(text)}: a wide net has 1 round or more;"
            f" its last width is a multiple of 8 up to {most_told}"
        )
    return sizes


def new_net(seed: int, sizes: Sizes) -> Net:
    """An untrained net for the standard map."""
    tables = Map.standard().tables
    facts = Facts(tables)
    n = len(Map.standard().provinces)
    adjacency = torch.tensor([[steps == 1 for steps in tables.steps(province)[:n]] for province in range(n)])
    torch.manual_seed(seed)
    return Net(facts.n_rows, facts.order_rows, facts.pattern_rows, adjacency, sizes)


def loaded(path: Path) -> Net:
    """The net of a file of weights. Raises PolicyError for an invalid file."""
    net = new_net(0, sizes_in(path))
    begin_with(net, path)
    return net


def judged(net: Net, shards: Shards, part: int, every: int = 1) -> dict[str, dict[str, float]]:
    """Figures of one of so many phases of a part, in each of the `WAYS`, or of all of them in the normal
    way."""
    phases = shards.phases_of(part)
    return {way: figures(net, shards, phases[:: every if way else 1], **left) for way, left in WAYS.items()}


def fitted_to(net: Net, shards: Shards) -> tuple[Fitted, str]:
    """The relations fitted to the training games, and their effect on others, in words. A wide net has learnt
    its own."""
    if net.sizes.rounds:
        return Fitted(
            np.ones(1, np.float32), np.zeros(RELATIONS, np.float32)
        ), "relations learnt with the rest"
    some = {part: shards.phases_of(part) for part in (TRAIN, VALIDATION)}
    pairs = {
        part: beside_others(net, shards, phases[:: max(1, len(phases) // (2 * FITTED_TO))])
        for part, phases in some.items()
    }
    fitted = fit(pairs[TRAIN])
    with torch.no_grad():
        before = likelihood(pairs[VALIDATION], torch.ones(1), torch.zeros(len(fitted.relation)))
        after = likelihood(pairs[VALIDATION], *map(torch.from_numpy, fitted))
    return fitted, f"a unit beside those before it {before:.3f}, with relations {after:.3f}"


def train(options: Training) -> None:
    """From games to weights. Raises BordeauxError and OSError."""
    torch.set_num_threads(options.threads)
    if not options.out.parent.is_dir():
        raise BordeauxError(f"--out: there is no folder {options.out.parent}")
    if options.start and options.sizes:
        raise BordeauxError("--start has the sizes of its file: leave --sizes out")
    sizes = sizes_in(options.start) if options.start else options.sizes or SIZES
    teachers = [loaded(path) for path in options.teachers]
    for path, teacher in zip(options.teachers, teachers, strict=True):
        if not teacher.sizes.rounds:
            raise BordeauxError(f"{path} is a small net; teachers are wide nets")
    if teachers and not sizes.rounds:
        raise BordeauxError("teachers are wide nets and teach a wide net: give --sizes A,B,C,K,E,R,Q")
    make_shards(
        options.games, options.work / "shards", limit=options.games_limit, processes=max(1, options.threads)
    )
    shards = load_shards(options.work / "shards")
    if not len(shards.phases_of(TRAIN)) or not len(shards.phases_of(VALIDATION)):
        raise BordeauxError(f"{options.games} holds too few games: none to learn from, or none to judge by")
    plan = Plan(
        epochs=options.epochs,
        seed=options.seed,
        batch=options.batch,
        rate=options.rate,
        dropout=options.dropout,
        taught=options.taught if teachers else 0.0,
    )
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = new_net(options.seed, sizes)
    if options.start:
        begin_with(net, options.start)
    # What a run depends on beside its plan: another file of the same name is another run.
    origin = " ".join(
        hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in (*([options.start] if options.start else []), *options.teachers)
    )
    trainer = Trainer(net, plan, options.work, device, teachers, origin)
    started = time.monotonic()

    def after(trainer: Trainer, loss: float) -> dict[str, Any]:
        nonlocal started
        taken = time.monotonic() - started
        measured = judged(trainer.average, shards, VALIDATION, 8)
        print(f"epoch {trainer.epoch}: loss {loss:.4f}, {taken:.0f} s", file=sys.stderr)
        for way, these in measured.items():
            print(f"  {way or 'as it is used'}: {as_text(these)}", file=sys.stderr)
        _write(options, trainer, shards, {"validation": measured})
        started = time.monotonic()
        return {"loss": loss, "seconds": taken, "figures": measured}

    trainer.run(shards, shards.phases_of(TRAIN), after)
    held_out = judged(trainer.average, shards, TEST) if len(shards.phases_of(TEST)) else {}
    for way, these in held_out.items():
        print(f"held out, {way or 'as it is used'}: {as_text(these)}", file=sys.stderr)
    _write(options, trainer, shards, {"held_out": held_out})


def _write(options: Training, trainer: Trainer, shards: Shards, figures: dict[str, Any]) -> None:
    """Write the present weights."""
    fitted, gain = fitted_to(trainer.average, shards)
    print(f"  {gain}", file=sys.stderr, flush=True)
    games = {part: len(np.unique(shards.phases[shards.phases_of(part), 0])) for part in (TRAIN, TEST)}
    plan = trainer.plan
    command = (
        f"python -m training.people --games {Path(options.games).name} --epochs {plan.epochs}"
        f" --seed {plan.seed} --batch {plan.batch} --rate {plan.rate}"
        f" --sizes {','.join(map(str, trainer.net.sizes))}"
    )
    command += f" --dropout {plan.dropout}" if plan.dropout else ""
    command += f" --start {options.start.name}" if options.start is not None else ""
    if options.teachers:
        command += f" --teachers {' '.join(path.name for path in options.teachers)} --taught {plan.taught}"
    header = {
        "map": Map.standard().name,
        "made": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": command + (f" --games-limit {options.games_limit}" if options.games_limit else ""),
        "games": games[TRAIN],
        "held_out": games[TEST],
        "epochs": trainer.epoch,
        "figures": figures,
    }
    save_weights(options.out, trainer.average, fitted, header)


PLAN = Plan()


@click.command(cls=Command, help=summary_of(__doc__))
@click.option(
    "--games", required=True, metavar="FILE", help="A file of saved games, or a folder of self-play."
)
@click.option("--out", required=True, type=Path, metavar="FILE", help="Where the weights go (.npz).")
@click.option(
    "--work", required=True, type=Path, metavar="FOLDER", help="A folder for arrays and checkpoints."
)
@click.option("--start", type=Path, metavar="FILE", help="Weights to begin with, in place of chance.")
@click.option(
    "--games-limit",
    type=whole(1, 10**9),
    metavar="N",
    help="Use the first N games alone, 1 or more; by default all.",
)
@click.option("--epochs", type=whole(1, 10**6), default=PLAN.epochs, metavar="N", help="Passes, 1 or more.")
@seed_option(PLAN.seed)
@click.option(
    "--batch", type=whole(1, 10**6), default=PLAN.batch, metavar="N", help="Phases in a batch, 1 or more."
)
@click.option(
    "--rate",
    type=between(1e-9, 1),
    default=PLAN.rate,
    metavar="X",
    help="The highest rate of learning, above 0 and up to 1.",
)
@click.option(
    "--sizes",
    type=_sizes,
    metavar="A,B,C,K,E[,R,Q]",
    help="Widths, multiples of 8; of a wide net with the number of rounds and one more"
    f" width.  [default: {','.join(map(str, SIZES[:5]))}]",
)
@click.option(
    "--dropout",
    type=between(0, 0.9),
    default=PLAN.dropout,
    metavar="SHARE",
    help="Share of what a wide net finds that is left out, 0 to 0.9.",
)
@click.option(
    "--teachers",
    cls=Several,
    type=Path,
    metavar="FILE...",
    help="Files of wide nets whose mean chances a wide net learns beside what was ordered.",
)
@click.option(
    "--taught",
    type=share,
    default=0.7,
    metavar="SHARE",
    help="The weight of teachers, 0 to 1; orders have the rest.",
)
@click.option("--threads", type=whole(1, 1024), default=2, metavar="N", help="Threads, 1 to 1,024.")
def main(**options: Any) -> None:
    """Train the net of people."""
    train(Training(**options))


if __name__ == "__main__":
    sys.exit(main())
