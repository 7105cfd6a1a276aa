"""Time: TME, warnings, and the clock that stands still while somebody is away (DSD)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bordeaux.daide.server.table import MOST_WARNINGS, TurnClock
from tests.daide.server.scene import Scene


def times(messages: list[str]) -> list[str]:
    return [message for message in messages if "TME" in message]


def test_seconds_left_on_request() -> None:
    scene = Scene.started(mtl=60, observers=1)
    assert scene.say("ENG", "TME") == ["TME (60)"]
    scene.wait(12.25)
    assert scene.say("ENG", "TME") == scene.say(1, "TME") == ["TME (47)"]


def test_warnings_come_before_every_deadline_to_who_asked() -> None:
    scene = Scene.started(mtl=60, observers=1)
    scene.say("ENG", "TME (30)")
    scene.say("ENG", "TME (10)")
    scene.say("ENG", "TME (10)")
    scene.say("ENG", "TME (60)")
    scene.say(1, "TME (5)")
    scene.wait(29.5)
    assert scene.hears("ENG") == []
    scene.wait(0.5)
    assert scene.hears("ENG") == ["TME (30)"]
    assert scene.hears("FRA") == []
    scene.wait(29)
    assert scene.hears("ENG") == ["TME (10)"]
    assert scene.hears(1) == ["TME (5)"]
    scene.wait(61)
    # The turn's own TME, then the next deadline's warnings.
    assert times(scene.hears("ENG")) == ["TME (60)", "TME (30)", "TME (10)", "TME (60)"]
    assert times(scene.hears("FRA")) == ["TME (60)", "TME (60)"]


def test_taking_warnings_back() -> None:
    scene = Scene.started(mtl=60, observers=1)
    scene.say("ENG", "TME (30)")
    scene.say("ENG", "TME (20)")
    assert scene.say("ENG", "NOT (TME (25))") == ["REJ (NOT (TME (25)))"]
    assert scene.say("ENG", "NOT (TME (30))") == ["YES (NOT (TME (30)))"]
    assert scene.say("ENG", "NOT (TME (30))") == ["REJ (NOT (TME (30)))"]
    scene.wait(45)
    assert scene.hears("ENG") == ["TME (30)", "TME (20)"], "what is taken back is so from the next turn on"
    scene.wait(15)
    scene.wait(45)
    assert scene.hears("ENG") == ["TME (20)"]
    for power in ("ENG", "FRA"):
        assert scene.say(power, "NOT (TME)")[-1] == "YES (NOT (TME))"
    scene.wait(70)
    assert times(scene.hears("ENG")) == ["TME (60)"]
    # An observer may ask and not take back: NOT is for players (LANGUAGE.md, section 12).
    assert scene.say(1, "NOT (TME)") == ["HUH (ERR NOT (TME))"]


def test_albert_begins_its_turn_at_a_warning_that_it_has_just_taken_back() -> None:
    scene = Scene.started(mtl=60)
    scene.say("ENG", "TME (38)")
    scene.hold()
    assert scene.say("ENG", "NOT (TME (38))") == ["YES (NOT (TME (38)))"]
    assert scene.say("ENG", "TME (39)") == ["YES (TME (39))"]
    scene.wait(22)
    assert scene.hears("ENG") == ["TME (39)", "TME (38)"]
    scene.wait(38)
    scene.wait(30)
    assert times(scene.hears("ENG")) == ["TME (39)"]


def test_warnings_taken_back_are_no_way_to_have_more_of_them() -> None:
    clock = TurnClock()
    clock.start(8000, 0.0)
    for seconds in range(1, 7000):
        clock.ask(1, seconds)
        clock.cancel(1, seconds)
    assert len(clock._present[1]) <= MOST_WARNINGS


def test_nobody_may_ask_for_warnings_without_end() -> None:
    scene = Scene.started(mtl=600)
    for seconds in range(MOST_WARNINGS):
        assert scene.say("ENG", f"TME ({seconds})") == [f"YES (TME ({seconds}))"]
    assert scene.say("ENG", "TME (100)") == ["REJ (TME (100))"]
    assert scene.say("ENG", "TME (7)") == ["YES (TME (7))"]
    scene.say("ENG", "NOT (TME (7))")
    assert scene.say("ENG", "TME (100)") == ["YES (TME (100))"]


class TestStandingStill:
    def test_a_drop_while_owing_orders_stops_the_clock_until_the_power_is_back(self) -> None:
        scene = Scene.started(mtl=60, dsd=True)
        scene.say("FRA", "TME (30)")
        scene.wait(20.5)
        scene.drop("ENG")
        assert scene.hears("FRA") == ["CCD (ENG)", "NOT (TME (39))"]
        assert scene.game.wake(scene.now) is None
        assert scene.say("FRA", "TME") == ["NOT (TME (39))"]
        scene.wait(10_000)
        assert str(scene.game.position.phase) == "S1901M"
        new = scene.join()
        answers = scene.say(new, f"IAM (ENG) ({scene.codes['ENG']})")
        assert answers[1:] == ["NOT (CCD (ENG))", "TME (39)"]
        assert scene.hears("FRA") == ["NOT (CCD (ENG))", "TME (39)"]
        scene.wait(10)
        assert scene.hears("FRA") == ["TME (30)"]
        scene.wait(30)
        assert str(scene.game.position.phase) == "F1901M"

    def test_two_are_away(self) -> None:
        scene = Scene.started(mtl=60, dsd=True)
        scene.drop("ENG")
        scene.drop("FRA")
        assert scene.hears("GER") == ["CCD (FRA)"]
        scene.say(scene.join(), f"IAM (ENG) ({scene.codes['ENG']})")
        assert scene.hears("GER") == ["NOT (CCD (ENG))"]
        scene.say(scene.join(), f"IAM (FRA) ({scene.codes['FRA']})")
        assert scene.hears("GER") == ["NOT (CCD (FRA))", "TME (60)"]

    def test_a_turn_that_begins_while_somebody_is_away_stands_still_from_its_start(self) -> None:
        scene = Scene.started(mtl=60, dsd=True)
        scene.hold("ENG")
        scene.drop("ENG")
        scene.hold(but=("ENG",))
        assert times(scene.hears("FRA")) == ["TME (60)", "NOT (TME (60))"]
        assert scene.game.wake(scene.now) is None
        scene.say(scene.join(), f"IAM (ENG) ({scene.codes['ENG']})")
        assert scene.hears("FRA") == ["NOT (CCD (ENG))", "TME (60)"]


@given(
    limit=st.integers(1, 100),
    asked=st.sets(st.integers(0, 120), max_size=5),
    steps=st.lists(st.tuples(st.sampled_from("tsr"), st.floats(0, 30)), max_size=20),
)
def test_the_clock_stays_sane(limit: int, asked: set[int], steps: list[tuple[str, float]]) -> None:
    """Time left never grows, every warning comes once, no later than its moment allows."""
    clock = TurnClock()
    clock.start(limit, 0.0)
    for moment in asked:
        clock.ask(1, moment)
    now, left, warnings = 0.0, float(limit), 0
    for action, seconds in steps:
        now += seconds
        for client, number in clock.warnings(now):
            assert client == 1 and 0 <= number <= limit
            warnings += 1
        if action == "s":
            clock.stop(now)
        elif action == "r":
            clock.run(now)
        remaining = clock.left(now)
        assert remaining is not None and 0 <= remaining <= left + 1e-6
        left = remaining
        wake, over = clock.wake(), clock.deadline is not None and now >= clock.deadline
        assert (wake is None) == clock.stopped
        assert over == (not clock.stopped and remaining == 0)
        assert wake is None or wake > now or over
    assert warnings <= len([seconds for seconds in asked if seconds < limit])


def test_it_is_told_who_is_waited_for_ever_more_seldom() -> None:
    scene = Scene.started()
    scene.hold(but=("ENG", "RUS"))
    scene.drop("RUS")
    scene.wait(3600)
    notes = [note for note in scene.notes if "waits for" in note]
    name = f"Bot{scene.of['ENG']}"
    assert notes[0] == f"S1901M waits for ENG ({name}), RUS (nobody plays it), 60 s so far"
    assert [note.rpartition(", ")[2] for note in notes[1:]] == [
        f"{minutes} min so far" for minutes in (2, 4, 8, 16, 32)
    ]


def test_a_silent_power_is_warned_and_then_left_behind() -> None:
    scene = Scene.started(idle=100)
    scene.hold(but=("ENG",))
    scene.wait(99)
    assert scene.hears("ENG") == []
    scene.wait(1)
    assert scene.hears("ENG") == [
        "ADM ('Server') ('ENG is waited for and silent; in 100 s the game goes on without it')"
    ]
    assert scene.hears("FRA") == []
    scene.wait(99)
    assert str(scene.game.position.phase) == "S1901M"
    scene.wait(1)
    heard = scene.hears("FRA")
    assert heard[0] == "CCD (ENG)"
    assert str(scene.game.position.phase) == "F1901M"
    assert "the game goes on without ENG, which has been silent" in scene.notes
    # It is not waited for again, and comes back with any word.
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "S1902M"
    assert scene.say("ENG", "MAP")[0] == "NOT (CCD (ENG))"
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "S1902M", "waited for again"


def test_a_game_of_silent_powers_alone_does_not_run_away() -> None:
    scene = Scene.started(idle=10)
    scene.wait(1e5)
    assert str(scene.game.position.phase) == "S1901M"
    scene.say("ENG", "MAP")
    scene.hold("ENG")
    assert str(scene.game.position.phase) == "F1901M", "one that plays has the others left behind"


def test_turns_with_a_limit_have_their_deadline() -> None:
    scene = Scene.started(idle=10, mtl=600)
    scene.hold(but=("ENG",))
    scene.wait(599)
    assert str(scene.game.position.phase) == "S1901M"
    assert not any("silent" in note for note in scene.notes)
