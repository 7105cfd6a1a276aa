"""Builds side by side at a table: the games that both have played, and no others."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bordeaux import BordeauxError
from bordeaux.arena.builds import ALL, builds_of, compared, read_build
from bordeaux.arena.duel import SequentialTrial
from bordeaux.arena.job import Result
from bordeaux.arena.presets import PresetPlan, Sparring, preset
from bordeaux.arena.tournament import Log

from .test_presets import sparred


def plan(*players: str, seed: int = 0, until: int = 1903) -> PresetPlan:
    table = preset("sparring")
    assert isinstance(table, Sparring)
    table.choose(players)
    return table.plan(games=2, seed=seed, until=until)


def games(made: PresetPlan, winners: dict[int, bool]) -> list[Result]:
    """Games that our seat has won, or that all share, by number."""
    jobs = {job.index: job for job in made.jobs()}
    assert isinstance(made.preset, Sparring)
    seats = dict(enumerate(seat for (seat,) in islice(made.preset.our_seats(made.seed), made.total)))
    return [
        sparred(number, jobs[number].seats, winner=seats[number] if won else None)
        for number, won in winners.items()
    ]


def log(path: Path, made: PresetPlan, results: list[Result]) -> str:
    with Log(path, made.setup()) as written:
        for result in results:
            written.append(result)
    return str(path)


def test_a_build_is_compared_game_by_game(tmp_path: Path) -> None:
    before = plan("bordeaux:nodes=5")
    path = log(tmp_path / "old.log", before, games(before, {0: False, 1: True, 2: False, 4: False}))
    now = plan("bordeaux:nodes=9")
    ours = builds_of(now, games(now, {0: True, 1: True, 4: False, 5: True}))
    old, new = compared(now, [read_build(path, now), *ours])
    assert (old.name, old.games, old.gained) == ("old", 4, {})
    assert (new.name, new.games) == ("bordeaux:nodes=9", 4)
    assert set(new.means["sum_of_squares"]) == {"iterated", "sampler", ALL}
    assert new.means["sum_of_squares"]["sampler"].mean == 1
    # Games 0, 1 and 4 are the common ones: iterated gains a half, sampler nothing.
    gained = new.gained["sum_of_squares"]
    assert set(gained) == {"iterated", "sampler", ALL}
    assert gained["sampler"].mean == 0
    assert gained["iterated"].mean == pytest.approx((1 - 1 / 7) / 2)
    # Each opponent has the same weight, however many games it has.
    assert gained[ALL].mean == pytest.approx(gained["iterated"].mean / 2)
    assert new.to_json()["gained"]["centres"][ALL]["mean"] > 0


def test_a_log_of_other_conditions_is_refused(tmp_path: Path) -> None:
    before = plan("bordeaux:nodes=5", until=1904)
    path = log(tmp_path / "old.log", before, [])
    with pytest.raises(BordeauxError, match=r"another set-up .*until 1904, not 1903"):
        read_build(path, plan())
    several = plan("bordeaux:nodes=5", "random")
    path = log(tmp_path / "both.log", several, [])
    with pytest.raises(BordeauxError, match="several players"):
        read_build(path, plan())
    with pytest.raises(BordeauxError, match="cannot read"):
        read_build(str(tmp_path / "none.log"), plan())


def test_a_sequential_test_against_a_baseline_ends_with_its_games() -> None:
    made = plan()
    assert isinstance(made.preset, Sparring)
    baseline = {result.index: result for result in games(made, dict.fromkeys(range(6), False))}
    won = games(made, dict.fromkeys(range(8), True))
    trial = SequentialTrial(made.preset.our_seats(0), 0, "sum_of_squares", -0.9, 0.1, baseline)
    assert [trial.add(result) for result in won[:2]] == [False, True]
    assert (trial.state.games, trial.state.mean) == (2, pytest.approx(6 / 7))
    assert trial.state.accepted == 0.1
    even = SequentialTrial(made.preset.our_seats(0), 0, "sum_of_squares", 0.0, 0.01, baseline)
    for result in games(made, dict.fromkeys(range(8), False)):
        even.add(result)
    # The baseline has six games, so the others count for nothing.
    assert (even.state.games, even.state.mean) == (6, 0)
    with pytest.raises(BordeauxError, match="one with a baseline"):
        SequentialTrial(made.preset.our_seats(0), 2, "sum_of_squares", 0.0, 0.3, baseline)
