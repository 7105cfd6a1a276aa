"""Players by name, and the one line that says what is wrong with a name."""

from __future__ import annotations

from typing import Literal

import pytest

from bordeaux import Map
from bordeaux.board.errors import BordeauxError
from bordeaux.players.base import Chair, Player, Seat
from bordeaux.players.catalogue import CATALOGUE, PlayerEntry
from bordeaux.players.registry import check, create, describe, names

FRANCE = Seat("FRANCE", Map.standard(), 1)


class Choosy(Chair):
    """A player with an option of every type."""

    def __init__(
        self,
        seat: Seat,
        *,
        number: int = 1,
        share: float = 0.5,
        word: str = "a",
        sure: bool = False,
        colour: Literal["red", "blue"] = "red",
        most: int | None = 3,
    ) -> None:
        super().__init__(seat)
        self.given = number, share, word, sure, colour, most


@pytest.fixture(autouse=True)
def choosy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CATALOGUE, "choosy", PlayerEntry(f"{__name__}:Choosy", "takes options"))


@pytest.mark.parametrize("name", [name for name in names() if name not in ("program", "dui", "deepmind")])
def test_every_name_makes_a_player(name: str) -> None:
    player = create(name, FRANCE)
    try:
        assert isinstance(player, Player)
        assert player.seat == FRANCE
    finally:
        player.close()
    check(name)
    assert "\n" not in describe(name)


@pytest.mark.parametrize(
    ("spec", "given"),
    [
        ("choosy", (1, 0.5, "a", False, "red", 3)),
        ("choosy:number=-7,share=1e-3,word=x y", (-7, 0.001, "x y", False, "red", 3)),
        ("choosy:sure=YES,colour=blue,most=none", (1, 0.5, "a", True, "blue", None)),
        ("choosy: most = 4 , sure=0", (1, 0.5, "a", False, "red", 4)),
    ],
)
def test_options_are_read_by_their_types(spec: str, given: tuple[object, ...]) -> None:
    player = create(spec, FRANCE)
    assert isinstance(player, Choosy)
    assert player.given == given


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dumbot", "no player 'dumbot'; did you mean 'dumbbot'?"),
        ("", "no player ''; players: hold, random,"),
        ("dumbbot:", "has a colon and no option; leave the colon out"),
        ("dumbbot:neutral=3", "no option 'neutral'; did you mean 'neutral_value'?"),
        ("hold:x=1", "player hold has no option 'x'; it has none"),
        ("dumbbot:neutral_value", "needs a value: write neutral_value=VALUE"),
        ("dumbbot:neutral_value=1,neutral_value=2", "is given twice; leave one out"),
        ("dumbbot:neutral_value=1.5", "must be a whole number, not '1.5'"),
        ("dumbbot:neutral_value=1,", "has no option ''; options: neutral_value"),
        ("choosy:share=much", "must be a number, not 'much'"),
        ("choosy:sure=maybe", "must be yes or no, not 'maybe'"),
        ("choosy:colour=green", "must be one of red, blue, not 'green'"),
        ("choosy:number=none", "must be a whole number, not 'none'"),
        ("program", "needs its command: write program:COMMAND"),
        ("program: ", "needs its command: write program:COMMAND"),
        ("dumbbot:neutral_value=-1", "neutral_value must be from 0 to 1000000, not -1"),
        ("bordeaux:evaluation=nonsense", "unknown evaluation 'nonsense'"),
        ("bordeaux:search=paper,maxims=nonsense", "nonsense"),
        ("bordeaux-paper:sure=.5", "player bordeaux-paper has no option 'sure'"),
        ("bordeaux:processes=0", "processes must be a whole number from 1 to 256, not 0"),
        ("bordeaux-paper:time=nan", "time must be a positive number, not nan"),
        ("bordeaux:level=0", "level must be a number from 1"),
        ("bordeaux:level=9", "level must be a number from 1"),
        ("bordeaux:level=club", "must be a whole number"),
        ("bordeaux:time=soon", "must be a number, not 'soon'"),
        ("bordeaux:nodes=0", "nodes must be"),
        ("bordeaux:book=standard,book_phases=many", "book_phases"),
        ("bordeaux:search=paper,caution=11", "caution must be a number from 0 to 1, not 11"),
        ("bordeaux:search=draws", "search is learnt or paper, not 'draws'"),
        ("bordeaux:caution=0.5", "caution is a setting of search paper, not of search learnt"),
        ("bordeaux:models=nobody=3", "no model of play 'nobody'"),
        ("bordeaux:models=people", "models are names with weights from"),
        ("diplominator:threshold=nan", "threshold must not be negative: nan"),
        ("diplominator:memory=0", "memory must be from 1 to 1000 turns, not 0"),
        ("iterated:alliances=maybe", "must be yes or no"),
        ("iterated:nodes=-1", "nodes must be"),
        ("people:temperature=nan", "temperature must be"),
        ("people:temperature=1000", "temperature must be a number from 0.01 to 100, not 1000"),
        ("policy:temperature=0", "temperature must be"),
        ("policy:file=missing.npz", "missing.npz"),
        ("sampler:sets=0", "sets must be from 1 to 10000, not 0"),
        ("sampler:draws=20000", "draws must be from 1 to 10000"),
        ("sampler:value=x.npz", "a value is for a sampler with a policy"),
        ("sampler:policy=engines,movements=9", "movements must be from -1 to 8"),
        ("sampler:policy=missing.npz", "missing.npz"),
        ("sampler:policy=engines,value=missing.npz", "missing.npz"),
        ("dui", "needs its command"),
        ("dui:./nowhere", "no program './nowhere'"),
    ],
)
def test_a_bad_spec_says_what_is_wrong_in_one_line(spec: str, message: str) -> None:
    for look in (check, lambda spec: create(spec, FRANCE)):
        with pytest.raises(BordeauxError) as caught:
            look(spec)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
