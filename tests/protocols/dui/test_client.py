"""Engines held from Python: ours, a tiny one, and ones that die, hang or talk rubbish."""

from __future__ import annotations

from pathlib import Path

import pytest

import bordeaux.protocols.dui
from bordeaux import BordeauxError, Map, Position
from bordeaux.players.dui import DuiOption
from tests.jobs import seen
from tests.patience import PATIENCE
from tests.protocols.dui.engines import BORDEAUX, TINY, changed


def noting(folder: Path, *edits: tuple[str, str]) -> list[str]:
    """A tiny engine that notes its process, with parts replaced."""
    note = f'import os, time; open({str(folder / "pid")!r}, "a").write(f"{{os.getpid()}} ")\nimport sys\n'
    return changed(folder, ("import sys\n", note), *edits)


def gone(folder: Path) -> bool:
    """Whether all processes of a noting engine have ended, or do so."""
    return seen.gone(*(int(word) for word in (folder / "pid").read_text("utf-8").split()))


@pytest.mark.slow
def test_our_engine_is_held() -> None:
    start = Position.start()
    with bordeaux.protocols.dui.open(BORDEAUX) as engine:
        assert engine.name.startswith("Bordeaux")
        assert engine.options["Threads"] == DuiOption("Threads", "spin", "1", 1, 256)
        assert "gulfs" in engine.options["Map"].choices
        engine.configure({"lines": 3, "UseBook": False, "Personality": "honest"})
        result = engine.search(start, "fra", nodes=2000)
        assert len(result.orders) == 3
        assert [line.rank for line in result.lines] == [1, 2, 3] and result.lines[0].orders == result.orders
        assert 0 < sum(line.probability or 0 for line in result.lines) <= 1.001
        engine.newgame()
        gulfs = Position.start(Map.load("gulfs"))
        assert engine.search(gulfs, "ESTRIA", nodes=200).orders


@pytest.mark.slow
def test_an_analysis_is_iterated_over_and_stopped() -> None:
    with bordeaux.protocols.dui.open(BORDEAUX) as engine:
        with engine.analysis(Position.start(), "TURKEY") as analysis:
            for info in analysis:
                with pytest.raises(BordeauxError, match="is searching"):
                    engine.search(Position.start(), "ITALY", nodes=10)
                if info.nodes:
                    break
            assert not analysis.over
        assert analysis.result is not None and len(analysis.result.orders) == 3
        assert analysis.next(1.0) is None
        analysis.stop()
        assert engine.search(Position.start(), "ITALY", nodes=100).orders


def test_a_tiny_engine_is_held_and_asked_for_no_more_than_it_knows() -> None:
    with bordeaux.protocols.dui.open(TINY) as engine:
        assert engine.name == "Tiny" and not engine.options
        result = engine.search(Position.start(), "FRANCE", time=0.1)
        assert set(result.orders) == {"F BRE H", "A MAR H", "A PAR H"} and result.lines == ()
        with engine.analysis(Position.start(), "ITALY") as analysis:
            pass
        assert analysis.result is not None and len(analysis.result.orders) == 3
        with pytest.raises(BordeauxError, match="no option 'Hash'"):
            engine.configure({"Hash": 3})


@pytest.mark.parametrize(
    ("deed", "message"),
    [
        ("os._exit(7)", "died with exit code 7"),
        ('print("woe", file=sys.stderr); os._exit(3)', "died with exit code 3, saying 'woe'"),
        ("sys.stdout.write('x' * 2000000)", "without an end"),
        ("time.sleep(99)", "no answer in time"),
    ],
)
def test_one_that_dies_hangs_or_writes_without_end_is_told_and_ended(
    tmp_path: Path, deed: str, message: str
) -> None:
    command = noting(tmp_path, ("            searching = False\n", f"            {deed}\n"))
    with bordeaux.protocols.dui.open(command) as engine:
        for _ in range(2):
            with pytest.raises(BordeauxError, match=message) as caught:
                grace = 0.5 if "in time" in message else PATIENCE
                engine.search(Position.start(), "FRANCE", time=0.1, grace=grace)
            assert "engine.py" in str(caught.value) and "\n" not in str(caught.value)
        assert isinstance(caught.value, TimeoutError) == ("in time" in message)
        assert gone(tmp_path)


def test_rubbish_is_told_and_the_next_search_may_be_better(tmp_path: Path) -> None:
    once = 'say("bestorders A pax H" if rest == "movetime 50" else f"bestorders'
    rubbish = 'say("\\x00 what?"); say("info depth x score 3 pv A pax H"); '
    command = noting(tmp_path, ('say(f"bestorders', rubbish + once))
    with bordeaux.protocols.dui.open(command) as engine:
        with pytest.raises(BordeauxError, match="'A pax H'"):
            engine.search(Position.start(), "FRANCE", time=0.05)
        result = engine.search(Position.start(), "FRANCE", time=0.1)
        assert len(result.orders) == 3
        told = result.info[0]
        assert (told.depth, told.score) == (None, 3) and "makes no sense" in told.text
    assert gone(tmp_path)


def test_what_is_no_engine_or_never_shakes_hands(tmp_path: Path) -> None:
    with pytest.raises(BordeauxError, match="no program"):
        bordeaux.protocols.dui.open("./nowhere --fast")
    with pytest.raises(BordeauxError, match="empty command line"):
        bordeaux.protocols.dui.open([])
    silent = noting(tmp_path, ('if command == "dui":', 'if command == "uci":'))
    with pytest.raises(bordeaux.protocols.dui.Late, match="stalled"):
        bordeaux.protocols.dui.open(silent, startup=1.0)
    assert gone(tmp_path)


def test_the_process_ends_with_the_block_whatever_happens(tmp_path: Path) -> None:
    command = noting(tmp_path, ('elif command == "quit":', 'elif command == "leave":'))
    with pytest.raises(KeyError), bordeaux.protocols.dui.open(command) as engine:
        engine.analysis(Position.start(), "FRANCE")
        raise KeyError
    assert gone(tmp_path)
    with pytest.raises(BordeauxError, match="has been closed"):
        engine.search(Position.start(), "FRANCE", time=0.1)
    engine.close()


@pytest.mark.parametrize(
    ("line", "value", "text"),
    [
        ("name A B type spin default 3 min 1 max 9", 9, "9"),
        ("name A B type spin default 3 min 1 max 9", 10, ""),
        ("name A B type spin default 3 min 1 max 9", "x", ""),
        ("name A B type check default true", False, "false"),
        ("name A B type check default true", "no", ""),
        ("name A B type combo default one way var one way var another", "another", "another"),
        ("name A B type combo default one way var one way var another", "third", ""),
        ("name A B type string default", "anything at all", "anything at all"),
        ("name A B type string default", "two\nlines", ""),
    ],
)
def test_options_are_declared_and_checked(line: str, value: object, text: str) -> None:
    option = DuiOption.parse(line.split())
    assert option is not None and option.name == "A B"
    if text:
        assert option.check(value) == text
    else:
        with pytest.raises(BordeauxError, match="option A B is"):
            option.check(value)


@pytest.mark.parametrize("line", ["", "type spin", "name A", "name A type spin min x", "value"])
def test_what_is_no_option_is_passed_over(line: str) -> None:
    assert DuiOption.parse(line.split()) is None
