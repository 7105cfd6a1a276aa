"""The gain of each idea of the search: the engine with all of them, and without each in turn.

    python benchmarks/ablation.py [--games 70] [--nodes 5000 | --time S] [--until 1920] [--against dumbbot]
                                  [--ideas a,b,c+d] [--seed 1] [--processes N] [--save FILE] [--json FILE]

One seat against six in the arena, all engines with the same seats and seeds, so that they differ only in the
ideas. Games in multiples of seven balance the seats. `--ideas` names the ideas to leave out, one engine for
each entry of the list, ``a+b`` for both at once; by default all ideas, one at a time. The table has the sum
of squares of each engine (a solo is 1, an equal share is 1/7). It also has the difference to the engine with
all ideas, by pairs of games. Each figure has its 95 % interval. With `--save` the results are stored as they
come, and the same command continues after Ctrl-C or a kill. `--json` writes the output of ``bordeaux arena
--json``.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from bordeaux.cli.options import MOST_NODES, MOST_SEED, processes_option, seconds, whole
from bordeaux.cli.program import Script
from bordeaux.search.config import IDEAS, Ideas

SCORE = "sum_of_squares"
WHOLE = "all ideas"


def specs(without: list[str], limit: str) -> dict[str, str]:
    """The players by description, the engine with all ideas first."""
    for ideas in without:
        Ideas.without(ideas.split("+"))
    return {
        f"bordeaux:{limit}": WHOLE,
        **{f"bordeaux:{limit},without={ideas}": f"without {ideas}" for ideas in without},
    }


def measured(players: dict[str, str], options: dict[str, object]) -> dict[str, Any]:
    """The output of the arena; its progress bar and errors go to standard error."""
    given = [str(part) for option, value in options.items() if value is not None for part in (option, value)]
    command = [sys.executable, "-P", "-m", "bordeaux", "arena", "--players", ",".join(players)]
    done = subprocess.run([*command, *given, "--json"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def shown(interval: dict[str, float], signed: bool = False) -> str:
    """A mean with its interval."""
    form = "+.3f" if signed else ".3f"
    return f"{interval['mean']:{form}} ({interval['low']:{form}} to {interval['high']:{form}})"


def rows(players: dict[str, str], result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The lines of the table, after its head."""
    lines: list[tuple[str, ...]] = [
        ("engine", "games", "sum of squares", "against all ideas", "solos", "eliminated")
    ]
    for spec, title in players.items():
        figures = result["players"][spec]
        difference = result.get("differences", {}).get(spec, {}).get(SCORE)
        lines.append(
            (
                title,
                str(figures["games"]),
                shown(figures[SCORE]),
                "" if difference is None else shown(difference, signed=True),
                f"{figures['solo']:.0%}",
                f"{figures['eliminated']:.0%}",
            )
        )
    return lines


@click.command(cls=Script)
@click.option("--games", type=whole(1, 10**9), default=70, metavar="N", help="Games of each engine.")
@click.option("--nodes", type=whole(1, MOST_NODES), default=5000, metavar="N", help="Nodes of a phase.")
@click.option("--time", "span", type=seconds, metavar="S", help="Seconds of a phase, in place of nodes.")
@click.option("--until", type=whole(1901, 9999), default=1920, metavar="YEAR", help="The last year.")
@click.option("--against", default="dumbbot", metavar="PLAYER", help="Who has the other six seats.")
@click.option(
    "--ideas", default=",".join(IDEAS), metavar="a,b,c+d", help="What to leave out, an engine for each."
)
@click.option("--seed", type=whole(0, MOST_SEED), default=1, metavar="N", help="The chance of the games.")
@processes_option("Processes that play.  [default: one a core]")
@click.option("--save", metavar="FILE", help="Keep the results there as they come, and go on from there.")
@click.option("--json", "out", type=Path, metavar="FILE", help="Write what `bordeaux arena --json` prints.")
def main(
    games: int,
    nodes: int,
    span: float | None,
    until: int,
    against: str,
    ideas: str,
    seed: int,
    processes: int | None,
    save: str | None,
    out: Path | None,
) -> None:
    """Measure what each idea of the search is worth: the engine with all, and without each in turn."""
    limit = f"nodes={nodes}" if span is None else f"time={span}"
    players = specs([part.strip() for part in ideas.split(",")], limit)
    options = {
        "--against": against,
        "--games": games,
        "--until": until,
        "--seed": seed,
        "--processes": processes,
        "--save": save,
    }
    result = measured(players, options)
    if out is not None:
        out.write_text(json.dumps({"limit": limit, **result}, indent=1) + "\n", "utf-8")
    lines = rows(players, result)
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
