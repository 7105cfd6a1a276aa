"""One game: its ends, its score sheet, and players that misbehave in the same process."""

import itertools
import json
import random
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bordeaux import BordeauxError, Map, Order, Position
from bordeaux.arena import guard
from bordeaux.arena.game import play
from bordeaux.arena.guard import MOST_READ, patience, read
from bordeaux.arena.job import Fault, Job, Result
from bordeaux.board.submission import decode, submit
from bordeaux.formats.games import game_from_json
from bordeaux.players.base import Limit, Player, Seat, Turn
from bordeaux.rules.replay import replay_game
from tests.patience import PATIENCE

from ..players.playing import standard
from .conftest import MakeJob, timeless
from .troublemakers import RUBBISH, Always, create


def test_five_years_without_a_change_end_a_game(job: MakeJob) -> None:
    result = play(job("hold", until=1935))
    assert (result.end, result.phase, result.winner) == ("stale", "F1905M", None)
    assert result.centres == ((3, 3, 3, 3, 3, 4, 3),) * 6
    assert result.alive == (True,) * 7
    assert result.eliminated == (None,) * 7
    assert 0 < sum(result.seconds) <= result.total < PATIENCE
    assert play(job("hold", until=1935, stale_years=2)).phase == "F1902M"


def test_the_last_year_is_played_to_its_end(job: MakeJob) -> None:
    result = play(job("hold", until=1903, stale_years=None))
    assert (result.end, result.phase, len(result.centres)) == ("cap", "F1903M", 4)


def test_a_solo_ends_a_game() -> None:
    job = Job(0, ("random",) + ("hold",) * 6, 0, Limit(), 1960, "capitals", None, keep=True)
    result = play(job)
    assert (result.end, result.phase, result.winner) == ("solo", "F1930R", 0)
    assert result.game is not None
    last = Position.from_json(result.game["phases"][-1]["state"])
    assert last.victor == last.map.powers[0]
    assert len(last.centres[last.victor]) == result.centres[-1][0]
    assert result.eliminated == (None, None, None, 1930, None, None, None)
    assert list(result.alive) == [year is None for year in result.eliminated]


def test_a_kept_game_is_the_same_game_and_agrees_with_the_rules(job: MakeJob) -> None:
    plain = play(job("random", seed=11, until=1915))
    kept = play(job("random", seed=11, until=1915, keep=True))
    assert timeless(replace(kept, game=None)) == timeless(plain)
    assert kept.game is not None
    report = replay_game(game_from_json(kept.game))
    assert report.mismatches == []
    assert report.differences == []
    assert report.compared == len(kept.game["phases"]) - 1 > 40
    assert kept.game["players"] == dict.fromkeys(Map.standard().powers, "random")
    json.dumps(kept.game)


def test_the_seed_decides_and_nothing_else(job: MakeJob) -> None:
    assert timeless(play(job("random", seed=1))) == timeless(play(job("random", seed=1)))
    assert play(job("random", seed=1)).centres != play(job("random", seed=2, until=1903)).centres


def test_what_cannot_be_played_is_refused(job: MakeJob) -> None:
    with pytest.raises(BordeauxError, match="seats 7 players, not 6"):
        play(replace(job("hold"), seats=("hold",) * 6))
    with pytest.raises(BordeauxError, match="begins in 1901"):
        play(job("hold", until=1900))
    with pytest.raises(BordeauxError, match="atlantis"):
        play(job("hold", map="atlantis"))


@pytest.mark.parametrize("act", ["crash", "leave"])
def test_a_crash_is_contained_and_named(job: MakeJob, act: str) -> None:
    result = play(job("random", f"trouble:{act}", "random"), create)
    fault = result.faults[0]
    assert (fault.seat, fault.kind, fault.phase, len(result.faults)) == (1, "crash", "F1901M", 1)
    said = {"crash": "RuntimeError: lost my marbles", "leave": "SystemExit: 0"}[act]
    assert re.fullmatch(rf"{said} \(.*troublemakers\.py, line \d+\)", fault.text)
    assert result.end == "cap"
    # All others have played exactly as beside a player that gives no orders there.
    quiet = play(job("random", "slow:0", "random"), create)
    assert result.centres == quiet.centres


def test_a_player_that_cannot_be_made_gives_no_orders(job: MakeJob) -> None:
    result = play(job("never", "hold"), create)
    assert [(fault.seat, fault.kind, fault.phase) for fault in result.faults] == [(0, "crash", "")]
    assert result.orders[0] == 0
    assert result.orders[1] > 0


def test_failing_to_observe_is_a_crash_of_that_player_alone(job: MakeJob) -> None:
    result = play(job("hold", "watch:crash", "hold"), create)
    assert [(fault.seat, fault.kind, fault.phase) for fault in result.faults] == [(1, "crash", "F1901M")]
    assert result.orders == play(job("hold")).orders


def answering(answer: object) -> Callable[[str, Seat], Player]:
    """What makes players; those of ``rubbish`` give an answer."""
    return lambda spec, seat: Always(seat, answer) if spec == "rubbish" else create(spec, seat)


def test_illegal_orders_are_counted_and_the_rest_is_used(job: MakeJob) -> None:
    result = play(
        job("hold", "hold", "rubbish", "hold", until=1901, keep=True), answering(["A PAR - BUR", *RUBBISH])
    )
    assert result.game is not None
    france = [fault for fault in result.faults if fault.seat == 2]
    assert france == list(result.faults)
    assert [(fault.kind, fault.phase, fault.count) for fault in france] == [
        ("illegal", "S1901M", len(RUBBISH)),
        ("illegal", "F1901M", len(RUBBISH) + 1),
    ]
    assert "more" in france[0].text
    assert "\n" not in france[0].text
    assert result.game["phases"][0]["orders"]["FRANCE"][0] == "A PAR - BUR"
    assert "A BUR" in result.game["phases"][1]["state"]["units"]["FRANCE"]
    assert result.game["phases"][0]["results"]["A PAR"] == []
    assert replay_game(game_from_json(result.game)).mismatches == []


@pytest.mark.parametrize("answer", [None, 5, "A PAR H", {"A PAR H": 1}, iter(["A PAR H"])])
def test_answers_that_are_no_lists_do_no_harm(job: MakeJob, answer: Any) -> None:
    result = play(job("rubbish", until=1901), answering(answer))
    assert result.end == "cap"
    assert {fault.kind for fault in result.faults} <= {"crash", "illegal"}


def test_everybody_sees_every_phase_and_only_orders_that_count(job: MakeJob) -> None:
    seen: list[Turn] = []

    class Seeing:
        def __init__(self, inner: Player) -> None:
            self.inner = inner
            self.closed = 0

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def observe(self, turn: Turn) -> None:
            seen.append(turn)

        def close(self) -> None:
            self.closed += 1

    made: list[Seeing] = []

    def make(spec: str, seat: Seat) -> Any:
        player = create("rubbish" if seat.power == "ITALY" else "random", seat)
        made.append(Seeing(player))
        return made[-1] if seat.power == "FRANCE" else player

    result = play(job("random"), make)
    phases = [str(turn.before.phase) for turn in seen]
    assert phases == sorted(set(phases), key=phases.index)
    assert phases[-1] == result.phase
    for before, after in itertools.pairwise(seen):
        assert before.after == after.before
    for turn in seen:
        assert turn.before.next(turn.orders) == turn.after
        assert all(str(order) == "A VEN H" for order in turn.orders.get("ITALY", ()))
    assert made[2].closed == 1


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    # As long as a player that does nothing may be kept from the processor by others.
    monkeypatch.setattr(guard, "GRACE", 0.5)


def test_a_stall_is_cut_short_and_named(job: MakeJob, impatient: None) -> None:
    result = play(job("hold", "trouble:doze", "hold", limit=Limit(time=0.01)), create)
    assert [(fault.kind, fault.phase) for fault in result.faults if fault.seat == 1] == [("stall", "F1901M")]
    assert 0.05 < result.seconds[1] < 30
    assert result.end == "cap"


def test_after_three_stalls_a_player_is_out(job: MakeJob, impatient: None) -> None:
    class Dozing:
        closed = 0
        asked = 0

        def orders(self, position: Position, limit: Limit) -> Any:
            self.asked += 1
            threading.Event().wait(30)

        def observe(self, turn: Turn) -> None:
            pass

        def close(self) -> None:
            self.closed += 1

    dozing = Dozing()

    def make(spec: str, seat: Seat) -> Any:
        return dozing if seat.power == "FRANCE" else create(spec, seat)

    result = play(job("hold", until=1906, limit=Limit(time=0.01)), make)
    assert [fault.kind for fault in result.faults if fault.seat == 2] == ["stall"] * 3
    assert (dozing.asked, dozing.closed) == (3, 1)


def test_outside_the_main_thread_orders_that_come_too_late_do_not_count(
    job: MakeJob, impatient: None
) -> None:
    results: list[Result] = []
    given = job("hold", "slow:0.7", "hold", limit=Limit(time=0.01))
    thread = threading.Thread(target=lambda: results.append(play(given, create)))
    thread.start()
    thread.join()
    assert [fault.kind for fault in results[0].faults if fault.seat == 1] == ["stall"]


def test_the_grace_is_the_limit_again_and_a_second_at_least() -> None:
    assert patience(Limit(time=0.2)) == pytest.approx(1.2)
    assert patience(Limit(time=5.0)) == pytest.approx(10.0)
    assert patience(Limit(nodes=10_000)) == pytest.approx(70.0)


def test_a_lost_player_is_out_from_its_phase_on(job: MakeJob) -> None:
    lost = [Fault(1, "crash", "F1901M", "ended its process with SIGKILL")]
    result = play(job("hold", "trouble:die", "hold"), create, lost=lost)
    assert result.faults == tuple(lost)
    assert result.orders[1] == 3
    # Lost before the first phase, it is not even made again.
    never = [Fault(seat, "crash", "", "") for seat in range(1, 7)]
    assert play(job("hold", "exit"), create, lost=never).orders == (18, 0, 0, 0, 0, 0, 0)


def test_notice_is_given_before_every_call(job: MakeJob) -> None:
    notices: list[tuple[int, str, float]] = []
    play(job("hold", until=1901), notice=lambda *call: notices.append(call))
    assert [seat for seat, phase, _ in notices if phase == "S1901M"] == [*range(7), *range(7)]
    assert notices[-1] == (-1, "F1901M", 0.0)


# What a player sends.

FRANCE, RUSSIA = map(Map.standard().powers.index, ("FRANCE", "RUSSIA"))


def positions(board: Map, seed: int, phases: int) -> list[tuple[Position, dict[str, list[Order]]]]:
    """A game of random legal orders, with the orders of every phase."""
    chance = random.Random(seed)
    positions: list[tuple[Position, dict[str, list[Order]]]] = []
    position = Position.start(board)
    while position.phase.kind != "-" and len(positions) < phases:
        orders = {
            board.powers[number]: [decode(board, chance.choice(codes)) for codes in units.values()]
            for number, units in position.packed.legal().items()
        }
        positions.append((position, orders))
        position = position.next(orders)
    return positions


@pytest.mark.parametrize("name", ["standard", "gulfs"])
def test_legal_orders_have_the_codes_of_submission(name: str) -> None:
    board = Map.load(name)
    kinds = set()
    for position, orders in positions(board, 5, 120):
        kinds.add(position.phase.kind)
        for power, given in orders.items():
            number = board.powers.index(power)
            owed = given[: abs(position.adjustments(power))] if position.phase.kind == "A" else given
            # Removals of all units at once are more than are owed; the first ones count.
            expected = [code for _, code in submit(position, {power: owed}).codes()]
            for form in (owed, [str(order) for order in owed]):
                sent = read(position, number, form)
                assert sent.codes == expected
                assert [str(order) for order in sent.orders] == [str(order) for order in owed]
                assert sent.illegal == sent.void == []
    assert kinds == {"M", "R", "A"}


@pytest.mark.parametrize("entry", RUBBISH, ids=repr)
def test_rubbish_is_counted_and_harms_nothing(entry: object) -> None:
    position = Position.start()
    sent = read(position, FRANCE, ["A PAR - BUR", entry, "F BRE H"])
    assert [str(order) for order in sent.orders] == ["A PAR - BUR", "F BRE H"]
    assert len(sent.illegal) == 1
    assert sent.illegal[0]


def test_the_first_legal_order_counts_and_the_same_again_is_no_fault() -> None:
    position = Position.start()
    sent = read(position, FRANCE, ["A PAR - MOS", "a par-bur", "A PAR - BUR", "A PAR H", "F PAR - PIC"])
    assert [str(order) for order in sent.orders] == ["A PAR - BUR"]
    assert len(sent.illegal) == 3
    assert [str(order) for order in sent.void] == ["A PAR - MOS", "A PAR H", "A PAR - PIC"]


def test_wrong_kinds_and_coasts_of_the_unit_are_forgiven_as_in_submission() -> None:
    position = Position.start()
    for text in ("F STP - BOT", "A STP - BOT", "F STP/NC - BOT"):
        sent = read(position, RUSSIA, [text])
        assert [str(order) for order in sent.orders] == ["F STP/SC - BOT"]
        assert sent.illegal == []


def test_no_more_builds_count_than_are_owed() -> None:
    position = standard("W1901A", {"FRANCE": ["A SPA"]}, {"FRANCE": ["PAR", "MAR", "BRE"]})
    sent = read(position, FRANCE, ["A PAR B", "A PAR B", "F MAR B", "A MAR B", "F BRE B"])
    assert [str(order) for order in sent.orders] == ["A PAR B", "F MAR B"]
    assert len(sent.illegal) == 2
    sent = read(position, FRANCE, ["WAIVE", "WAIVE", "WAIVE"])
    assert (len(sent.codes), len(sent.illegal)) == (2, 1)
    # As the core itself counts them.
    assert len(position.next({"FRANCE": ["A PAR B", "A PAR B", "F MAR B", "A MAR B"]}).units) == 3


def test_no_more_removals_count_than_are_owed() -> None:
    position = standard("W1901A", {"FRANCE": ["A SPA", "A GAS", "A BUR"]}, {"FRANCE": ["PAR"]})
    sent = read(position, FRANCE, ["A GAS D", "A SPA D", "A BUR D"])
    assert [str(order) for order in sent.orders] == ["A GAS D", "A SPA D"]
    assert sent.illegal == ["A BUR D: one order too many"]


def test_a_flood_is_not_read_to_its_end() -> None:
    position = Position.start()
    sent = read(position, 0, ["A VIE H"] * (MOST_READ + 100))
    assert len(sent.codes) == 1
    assert "more than" in sent.illegal[0]
