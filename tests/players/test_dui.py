"""Engines that speak DUI as players, ours and others, good ones and bad ones."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux.arena import guard
from bordeaux.arena.game import play
from bordeaux.arena.job import DRAW, Job, Result
from bordeaux.players import dui
from bordeaux.players.base import Chair, Limit, Seat, Turn
from bordeaux.players.child import Late
from bordeaux.players.registry import create
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from tests.patience import PATIENCE
from tests.protocols.dui.engines import BORDEAUX, TINY, changed

FRANCE = Seat("FRANCE", Map.standard(), 7)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is late because the machine is busy; a test of one that is late has less patience."""
    monkeypatch.setattr(dui, "GRACE", PATIENCE)
    monkeypatch.setattr(guard, "GRACE", PATIENCE)


def seated(command: list[str], seat: Seat = FRANCE) -> dui.DuiPlayer:
    player = create(f"dui:{shlex.join(command)}", seat)
    assert isinstance(player, dui.DuiPlayer)
    return player


@pytest.mark.slow
def test_our_engine_plays_through_pipes_as_it_does_here() -> None:
    player = seated(BORDEAUX)
    start = Position.start()
    orders = player.orders(start, Limit(nodes=500))
    assert len(orders) == 3
    after = start.next({"FRANCE": orders})
    player.observe(Turn(start, {"FRANCE": orders}, after))
    assert len(player.orders(after, Limit(time=0.1))) == 3
    player.close()
    with Engine(seed=Chair(FRANCE).chance.getrandbits(31)) as engine:
        here = engine.search(start, "FRANCE", nodes=500).orders
    assert [str(order) for order in orders] == list(here), "the seat's seed is the engine's"


@pytest.mark.slow
def test_a_whole_game_with_every_kind_of_phase_and_eliminated_powers() -> None:
    spec = f"dui:{shlex.join(BORDEAUX)}"
    tiny = f"dui:{shlex.join(TINY)}"
    seats = ("dumbbot", tiny, "dumbbot", "dumbbot", "hold", spec, "dumbbot")
    games = (
        play(Job(0, seats, seed, Limit(nodes=300), 1912, "standard", None, keep=True)) for seed in range(8)
    )

    def kinds(game: Result) -> set[str]:
        """The kinds of phases in which the engine gave orders."""
        assert game.faults == () and game.game is not None
        return {phase["name"][-1] for phase in game.game["phases"] if phase["orders"].get("RUSSIA")}

    # In most of them somebody is out by then, and Russia has retreated.
    assert any(not all(game.alive) and kinds(game) == {"M", "R", "A"} for game in games)


def test_a_game_ends_in_a_draw_when_all_engines_say_so(tmp_path: Path) -> None:
    drawing = changed(
        tmp_path,
        ("nid author anybody", "noption name Map type string default standard\\nid author anybody"),
        (
            'elif command == "quit":',
            'elif command == "draw":\n            say("draw all")\n        elif command == "quit":',
        ),
    )
    seats = (f"dui:{shlex.join(drawing)}",) * 7
    result = play(Job(0, seats, 0, Limit(time=0.1), 1902, "standard", None, keep=True, level=10))
    assert (result.end, result.phase, result.faults) == (DRAW, "S1901M", ())


@pytest.mark.slow
def test_press_goes_both_ways() -> None:
    player = seated(BORDEAUX, Seat("AUSTRIA", Map.standard()))
    said = list(player.open_talks(Position.start(), 30))
    assert said and all(letter.sender == "AUSTRIA" for letter in said)
    assert any(isinstance(letter.message, p.Propose) for letter in said)
    asked = p.Propose(p.Peace(("ITALY", "AUSTRIA")))
    answers = list(player.hear(Letter("ITALY", ("AUSTRIA",), asked)))
    kinds = (p.Accept(asked), p.Refuse(asked))
    assert [letter for letter in answers if letter.message in kinds and letter.to == ("ITALY",)]
    assert player.draw() is None
    list(player.quiet())
    assert len(player.orders(Position.start(), Limit(nodes=100))) == 3
    player.close()


def test_an_engine_that_knows_dui_alone_keeps_quiet_and_wants_no_draw() -> None:
    player = seated(TINY)
    assert list(player.open_talks(Position.start(), 130)) == list(player.quiet()) == []
    asked = p.Propose(p.Peace(("ITALY", "FRANCE")))
    assert list(player.hear(Letter("ITALY", ("FRANCE",), asked))) == []
    assert player.draw() is None
    player.observe(Turn(Position.start(), {}, Position.start().next({})))
    assert len(player.orders(Position.start(), Limit(time=0.1))) == 3
    player.close()


def test_one_that_does_not_keep_to_its_time_is_told_to_stop(tmp_path: Path) -> None:
    lazy = changed(tmp_path, ('command == "go" and "infinite" in rest', 'command == "go"'))
    player = seated(lazy)
    assert len(player.orders(Position.start(), Limit(time=0.1))) == 3
    player.close()


def test_one_that_does_not_stop_either_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dui, "NUDGE", 0.1)
    monkeypatch.setattr(dui, "GRACE", 0.2)
    deaf = changed(tmp_path, ('elif command in ("go", "stop") and', "elif False and"))
    player = seated(deaf)
    for _ in range(2):
        with pytest.raises(Late, match="stalled"):
            player.orders(Position.start(), Limit(time=0.1))
    player.observe(Turn(Position.start(), {}, Position.start().next({})))
    player.close()


def test_rubbish_is_an_error_that_names_it(tmp_path: Path) -> None:
    player = seated(changed(tmp_path, ('say(f"bestorders', 'say("bestorders A pax H") or (f"bestorders')))
    for _ in range(2):
        with pytest.raises(BordeauxError, match=r"engine\.py.*'A pax H'"):
            player.orders(Position.start(), Limit(time=0.1))
    player.close()
