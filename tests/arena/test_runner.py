"""Games in processes of their own: the same results everywhere, and nothing that a player does to its
process loses a game."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.arena import runner
from bordeaux.arena.game import play
from bordeaux.arena.job import Result
from bordeaux.arena.runner import run
from bordeaux.players.base import Limit

from .conftest import MakeJob, timeless


def by_index(results: Any) -> list[Result]:
    return sorted(results, key=lambda result: result.index)


@pytest.mark.slow
def test_results_do_not_hang_on_the_number_of_processes(job: MakeJob) -> None:
    jobs = [job("random", index=index, seed=index) for index in range(5)]
    expected = [timeless(play(job)) for job in jobs]
    for processes in (1, 3):
        results = by_index(run(jobs, processes=processes))
        assert [timeless(result) for result in results] == expected


def test_no_jobs_no_results() -> None:
    assert list(run([], processes=2)) == []


def test_every_phase_can_be_watched(job: MakeJob) -> None:
    seen: list[str] = []
    (result,) = run([job("hold", keep=True)], watch=lambda phase: seen.append(phase["name"]))
    assert result.game is not None
    assert seen == [phase["name"] for phase in result.game["phases"][:-1]]


@pytest.mark.slow
def test_a_player_that_ends_its_process_loses_no_game(job: MakeJob, create: str) -> None:
    ends = {"trouble:die": "SIGKILL", "trouble:linger": "exit code 3", "watch:die": "SIGKILL"}
    jobs = [job("random", seed=9)]
    jobs += [job("random", spec, "random", index=index, seed=2) for index, spec in enumerate(ends, 1)]
    undisturbed, *others = by_index(run(jobs, processes=2, create=create))
    assert timeless(undisturbed) == timeless(play(jobs[0]))
    for number, (result, how) in enumerate(zip(others, ends.values(), strict=True), 1):
        assert (result.index, result.end) == (number, "cap")
        (fault,) = result.faults
        assert (fault.seat, fault.kind, fault.phase) == (1, "crash", "F1901M")
        assert fault.text == f"ended its process with {how}"
        # It played until then, and not from then on.
        assert result.orders[1] == 3


def test_one_death_is_forgiven(job: MakeJob, create: str, tmp_path: Path) -> None:
    (result,) = run([job("hold", f"once-die:{tmp_path / 'done'}", "hold")], create=create)
    assert result.faults == ()
    assert result.orders[1] == 15


@pytest.mark.slow
def test_a_player_that_no_alarm_stops_costs_its_process(
    job: MakeJob, create: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "HARD_GRACE", 0.1)
    monkeypatch.setenv("TROUBLE_GRACE", "0.05")
    # As long as a player that does nothing may be kept from the processor by others.
    quick = Limit(time=0.5)
    jobs = [
        job("hold", f"trouble:{act}", "hold", index=index, limit=quick)
        for index, act in enumerate(("deafen", "block"))
    ]
    deaf, blocked, other = by_index(run([*jobs, job("hold", index=2)], processes=2, create=create))
    assert other.faults == ()
    for result in (deaf, blocked):
        (fault,) = [fault for fault in result.faults if fault.seat == 1]
        assert (fault.kind, fault.phase, fault.text) == ("stall", "F1901M", "did not come back")
        assert result.end == "cap"


def test_what_cannot_be_played_is_raised_here(job: MakeJob) -> None:
    with pytest.raises(BordeauxError, match="seats 7 players"):
        list(run([replace(job("hold"), seats=("hold",))]))
    with pytest.raises(BordeauxError, match="whole number from 1 on"):
        list(run([job("hold")], processes=0))


def test_players_that_nothing_makes_are_told_at_once(job: MakeJob) -> None:
    with pytest.raises(BordeauxError, match="nothing makes players: No module named 'no'"):
        list(run([job("hold")], create="no.such.module:create"))


def test_what_players_print_goes_to_standard_error(
    job: MakeJob, create: str, capfd: pytest.CaptureFixture[str]
) -> None:
    list(run([job("printer", "hold")], create=create))
    output = capfd.readouterr()
    assert "hello" not in output.out
    assert "hello" in output.err
