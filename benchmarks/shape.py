"""The shape of games that DumbBots play with each other, against what is known of it.

    python benchmarks/shape.py [--games 140] [--until 1935] [--seed 0] [--five]

Known of a faithful DumbBot, 140 games to the end of 1935: about 28 % of self-play ends with a solo; 33
of 34 centres are owned by the end of 1904; one against six of a widely used Python port solos in 15 %
and has a sum-of-squares score of .32 (par .143). With `--five` games end, too, when no centre has
changed hands for five years (paper 001, section 3.3). Every figure comes with its 95 % interval.
"""

import argparse
from collections.abc import Sequence

from bordeaux import Map, Position
from bordeaux.arena.statistics import Interval, bootstrap, wilson
from bordeaux.players.protocol import Limit, Seat
from bordeaux.players.registry import create

STALE = 5


def play(specs: Sequence[str], seed: int, until: int, five: bool) -> tuple[Position, int]:
    """The last position of a game, and how many centres were owned at the end of 1904."""
    map = Map.standard()
    players = {
        power: create(spec, Seat(power, map, seed)) for power, spec in zip(map.powers, specs, strict=True)
    }
    position, early, changed = Position.start(map), 0, map.start_phase.year
    while position.phase.kind != "-" and position.phase.year <= until:
        orders = {power: players[power].orders(position, Limit()) for power in position.orderable()}
        after = position.next(orders)
        year = position.phase.year
        if after.owners != position.owners:
            changed = year
        if year <= 1904:
            early = sum(owner is not None for owner in after.owners)
        if five and after.phase.year > year and year - changed >= STALE:
            return after, early
        position = after
    return position, early


def shown(interval: Interval, digits: int = 3) -> str:
    """A figure and its interval."""
    return f"{interval.mean:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def self_play(spec: str, games: range, until: int, five: bool) -> None:
    """Print how games of seven equal players end."""
    ends = [play([spec] * 7, seed, until, five) for seed in games]
    solos = sum(last.victor is not None for last, _ in ends)
    owned = bootstrap([float(early) for _, early in ends], bounds=(0, len(Map.standard().centres)))
    print(
        f"seven {spec}: {len(ends)} games, solo {shown(wilson(solos, len(ends)))},"
        f" owned by the end of 1904 {shown(owned, 2)}"
    )


def one_against_six(one: str, six: str, games: range, until: int, five: bool) -> None:
    """Print how a player fares against six others, its seat going round the table."""
    powers = Map.standard().powers
    solos, scores = 0, []
    for seed in games:
        seat = seed % len(powers)
        specs = [six] * len(powers)
        specs[seat] = one
        last, _ = play(specs, seed, until, five)
        if last.victor is not None:
            solos += last.victor == powers[seat]
            scores.append(float(last.victor == powers[seat]))
        else:
            squares = {power: len(owned) ** 2 for power, owned in last.centres.items()}
            scores.append(squares.get(powers[seat], 0) / sum(squares.values()))
    print(
        f"one {one} against six {six}: {len(scores)} games, solo {shown(wilson(solos, len(scores)))},"
        f" sum of squares {shown(bootstrap(scores))}"
    )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=140)
    parser.add_argument("--until", type=int, default=1935)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--five", action="store_true")
    args = parser.parse_args()
    games = range(args.seed, args.seed + args.games)
    self_play("dumbbot", games, args.until, args.five)
    self_play("dumbbot-weak", games, args.until, args.five)
    one_against_six("dumbbot", "dumbbot-weak", games, args.until, args.five)
    one_against_six("dumbbot-weak", "dumbbot", games, args.until, args.five)
    one_against_six("dumbbot", "dumbbot:neutral_value=0", games, args.until, args.five)


if __name__ == "__main__":
    main()
