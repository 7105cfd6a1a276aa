"""What each idea of the search is worth: the engine with all of them, and without each in turn.

    python benchmarks/ablation.py [--games 70] [--nodes 5000 | --time S] [--until 1920] [--against dumbbot]
                                  [--ideas a,b,c+d] [--seed 1] [--processes N] [--save FILE] [--json FILE]

One against six in the arena, all engines from the same seats with the same seeds, so that they differ in
the ideas alone; games in multiples of seven balance the seats. `--ideas` names what to leave out, one
engine for each place of the list, ``a+b`` for both at once; all ideas one at a time, if left out. The
table gives the sum of squares of each engine (a solo is 1, par is 1/7) and by how much it is better or
worse than the engine with all ideas, by pairs of games, each with its 95 % interval. With `--save` the
results are kept as they come, and the same command goes on after Ctrl-C or a kill. `--json` writes what
``bordeaux arena --json`` prints.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.search.ideas import IDEAS, Ideas

SCORE = "sum_of_squares"
WHOLE = "all ideas"


def specs(without: list[str], limit: str) -> dict[str, str]:
    """The players by what is told about them, the engine with all ideas first."""
    for each in without:
        Ideas.without(each.split("+"))
    return {
        f"bordeaux:{limit}": WHOLE,
        **{f"bordeaux:{limit},without={each}": f"without {each}" for each in without},
    }


def measured(players: dict[str, str], args: argparse.Namespace) -> dict[str, Any]:
    """What the arena says; its bar and its complaints go to standard error as they are."""
    options = {
        "--players": ",".join(players),
        "--against": args.against,
        "--games": args.games,
        "--until": args.until,
        "--seed": args.seed,
        "--processes": args.processes,
        "--save": args.save,
    }
    given = [str(part) for option, value in options.items() if value is not None for part in (option, value)]
    command = [sys.executable, "-P", "-m", "bordeaux", "arena", *given, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
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
    lines = [("engine", "games", "sum of squares", "against all ideas", "solos", "eliminated")]
    for spec, told in players.items():
        found = result["players"][spec]
        difference = result.get("differences", {}).get(spec, {}).get(SCORE)
        lines.append(
            (
                told,
                str(found["games"]),
                shown(found[SCORE]),
                "" if difference is None else shown(difference, signed=True),
                f"{found['solo']:.0%}",
                f"{found['eliminated']:.0%}",
            )
        )
    return lines


def main() -> None:
    """Play, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=70)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--time", type=float)
    parser.add_argument("--until", type=int, default=1920)
    parser.add_argument("--against", default="dumbbot")
    parser.add_argument("--ideas", default=",".join(IDEAS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--save")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    limit = f"nodes={args.nodes}" if args.time is None else f"time={args.time}"
    try:
        players = specs([each.strip() for each in args.ideas.split(",")], limit)
    except BordeauxError as error:
        print(f"ablation.py: {error}", file=sys.stderr)
        sys.exit(2)
    result = measured(players, args)
    if args.json is not None:
        args.json.write_text(json.dumps({"limit": limit, **result}, indent=1) + "\n", "utf-8")
    lines = rows(players, result)
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
