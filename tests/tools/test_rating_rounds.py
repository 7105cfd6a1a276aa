"""Rounds of a rating list: whose turn it is, balance over the powers, and going on after any stop."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bordeaux.arena.job import Job, Result
from bordeaux.arena.tournament import Log
from bordeaux.players.base import Limit
from rating_rounds import GameConditions, play_rounds, table_of
from strengths import fit, strengths
from tests.arena.conftest import finished

CONDITIONS = GameConditions(7, 3, Limit(nodes=9), 1910)
NAMES = [*"ABCDEFGHIJK"]


def played(jobs: Iterator[Job], backwards: bool = False) -> Generator[Result]:
    """Results that the seeds alone decide, as if the early letters were the stronger players."""
    listed = list(jobs)
    for job in reversed(listed) if backwards else listed:
        chance = random.Random(job.seed)
        centres = [max(0, 8 - NAMES.index(name) // 2 + chance.randint(-2, 2)) for name in job.seats]
        yield finished(job.index, list(job.seats), centres)


def run(
    path: Path, total: int, names: list[str] = NAMES, stop: int | None = None, **rest: bool
) -> list[Result]:
    """Play on in a file; `stop` kills the command after so many new results."""
    with Log(path, CONDITIONS.setup(), "--rate") as log:
        rounds = play_rounds(CONDITIONS, names, total, lambda jobs: played(jobs, **rest), log)
        with closing(rounds) as results:
            for number, _ in enumerate(results, start=1):
                if number == stop:
                    break
        return [log.results[index] for index in sorted(log.results)]


def test_the_widest_intervals_sit_down_and_fewer_players_share_the_seats() -> None:
    games = [finished(index, [*"ABCDEFG"], [5, 5, 5, 5, 5, 5, 4]) for index in range(7)]
    table = table_of(fit(games, NAMES), NAMES, 7, random.Random(0))
    assert {*"HIJK"} < {*table} and len({*table}) == 7
    assert sorted(table_of(fit(games), "ABCDEFG", 7, random.Random(0))) == [*"ABCDEFG"]
    two = fit([finished(0, [*"AABBABA"], [5, 5, 5, 5, 5, 5, 4])])
    assert sorted(Counter(table_of(two, "AB", 7, random.Random(0))).values()) == [3, 4]


def test_a_weak_player_of_a_wide_interval_sits_beside_its_like() -> None:
    centres = {name: max(1, 12 - 2 * number) for number, name in enumerate(NAMES)}
    games = []
    for index in range(66):
        seats = [NAMES[(index + 3 * seat) % len(NAMES)] for seat in range(7)]
        games.append(finished(index, seats, [centres[name] for name in seats]))
    known = fit(games)
    widest = max(known.names, key=lambda name: float(known.spread()[known.names.index(name)]))
    table = table_of(known, NAMES, 7, random.Random(1))
    assert widest in table and widest in "GHIJK"
    assert len({*table} & {*"FGHIJK"}) >= 5


def test_everybody_plays_and_is_balanced_over_the_powers(tmp_path: Path) -> None:
    games = run(tmp_path / "list", 70)
    assert len(games) == 70
    seats = Counter((seat, name) for game in games for seat, name in enumerate(game.seats))
    for name in NAMES:
        counts = [seats[seat, name] for seat in range(7)]
        assert len({*counts}) == 1 and counts[0] >= 4
    assert len({game.seed for game in games}) == 70


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    return run(tmp_path_factory.mktemp("rounds") / "whole", 35)


@pytest.mark.parametrize(("stop", "backwards"), [(1, True), (7, False), (8, True), (20, True)])
def test_a_list_that_was_killed_goes_on_to_the_same_games(
    whole: list[Result], tmp_path: Path, stop: int, backwards: bool
) -> None:
    run(tmp_path / "killed", 35, stop=stop, backwards=backwards)
    with (tmp_path / "killed").open("ab") as file:
        file.write(b'{"index": 99, "sea')
    assert run(tmp_path / "killed", 35) == whole


def test_a_list_that_has_enough_is_looked_at_and_not_played(tmp_path: Path) -> None:
    before = run(tmp_path / "list", 35, stop=17)
    assert run(tmp_path / "list", 14) == before
    assert len(run(tmp_path / "list", 15)) == 21


def test_a_newcomer_plays_first_and_no_game_is_lost(tmp_path: Path) -> None:
    before = run(tmp_path / "list", 70, NAMES[:7], stop=66)
    after = run(tmp_path / "list", 80, NAMES)
    assert after[: len(before)] == before
    assert all({*"HIJK"} <= {*game.seats} for game in after[66:73])


def test_it_ends_when_intervals_are_narrow_enough(tmp_path: Path) -> None:
    with Log(tmp_path / "list", CONDITIONS.setup()) as log:
        with closing(play_rounds(CONDITIONS, NAMES, 7000, played, log, width=250.0)) as results:
            games = list(results)
        rated = strengths(log.results.values(), NAMES)
    assert max(strength.width for strength in rated.values()) <= 250.0
    assert len(games) < 700 and len(games) % 7 == 0
    last = strengths(games[:-7], NAMES)
    assert max(strength.width for strength in last.values()) > 250.0
