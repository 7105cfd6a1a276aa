"""press/diplomat.py: seven of them at one table."""

from collections import Counter

import pytest

from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.players.protocol import Limit
from bordeaux.press.facts import Judgement
from bordeaux.press.ledger import Ledger


def table(level: int, character: str, until: int = 1902) -> Job:
    seats = (f"bordeaux:press={level},character={character}",) * 7
    return Job(0, seats, 3, Limit(nodes=400), until, level=level, keep=True)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Judgement]]:
    """What ledgers make of the deals of their own powers."""
    found: list[tuple[str, Judgement]] = []
    judge = Ledger.judge

    def noted(self: Ledger, *given: object) -> list[Judgement]:
        told = judge(self, *given)  # type: ignore[arg-type]
        found.extend((self.power, each) for each in told if each.power == self.power)
        return told

    monkeypatch.setattr(Ledger, "judge", noted)
    return found


@pytest.mark.parametrize("level", [10, 40])
def test_honest_ones_keep_their_word(level: int, judged: list[tuple[str, Judgement]]) -> None:
    """No accidental stab: a set that breaks what was promised is tried as a stab alone (002, section 5)."""
    result = play(table(level, "honest"))
    assert not result.faults and result.game is not None
    talked = [phase["messages"] for phase in result.game["phases"] if phase.get("messages")]
    assert talked
    kept = Counter(each.kind for _, each in judged if each.kept)
    assert kept["peace"] > 10
    assert [(power, each) for power, each in judged if not each.kept] == []


def test_the_same_seeds_say_the_same() -> None:
    one, again = (play(table(30, "opportunist", 1901)) for _ in range(2))
    assert one.game == again.game and one.game is not None
    assert any(phase.get("messages") for phase in one.game["phases"])


def test_at_level_0_nothing_is_said_and_it_plays() -> None:
    result = play(Job(0, ("bordeaux:press=130",) * 7, 3, Limit(nodes=300), 1901, level=0, keep=True))
    assert not result.faults and result.game is not None
    assert not any(phase.get("messages") for phase in result.game["phases"])
