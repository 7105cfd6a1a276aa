"""The language of specs: the tree of each form, and lists of them."""

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.players.spec import DEEPEST, Spec, parse, parse_list

FOREIGN = "mine.py:Bot"


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("hold", Spec("hold")),
        (" bordeaux : level = 3 , time=1e0", Spec("bordeaux", {"level": 3, "time": 1.0})),
        ("people:wide=yes", Spec("people", {"wide": True})),
        ("sampler:policy=none", Spec("sampler", {"policy": None})),
        ("policy:file=a;b[c]", Spec("policy", {"file": "a;b[c]"})),
        ("program:a b,c=d;e:f", Spec("program", command="a b,c=d;e:f")),
        ("daide: x {address}", Spec("daide", command=" x {address}")),
        (FOREIGN, Spec(FOREIGN, foreign=True)),
        ("mine.py:Bot:depth=3,x=a:b", Spec(FOREIGN, {"depth": "3", "x": "a:b"}, foreign=True)),
        ("a.b:Bot", Spec("a.b:Bot", foreign=True)),
        ("./a b/x;y.py:Bot", Spec("./a b/x;y.py:Bot", foreign=True)),
        (
            "liar:player=dumbbot:neutral_value=0",
            Spec("liar", {"player": Spec("dumbbot", {"neutral_value": 0})}),
        ),
        (
            "parrot: player = liar:player = /x;/../mine.py:Bot",
            Spec("parrot", {"player": Spec("liar", {"player": Spec("/x;/../mine.py:Bot", foreign=True)})}),
        ),
        ("liar:player=program:ls -l", Spec("liar", {"player": Spec("program", command="ls -l")})),
    ],
)
def test_a_spec_is_a_tree(text: str, spec: Spec) -> None:
    assert parse(text) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Dumbbot", "no player 'Dumbbot'; did you mean 'dumbbot'?"),
        ("dumbb\N{CYRILLIC SMALL LETTER O}t", "did you mean 'dumbbot'?"),
        ("liar:player=", "no player ''"),
        ("liar:player=dumbbot,neutral_value=0", "player liar has no option 'neutral_value'"),
        ("liar:player=dumbbot;neutral_value=0", "no player 'dumbbot;neutral_value=0'"),
        ("mine.py:Bot:depth", "option depth of player mine.py:Bot needs a value"),
        ("mine.py:Bot:x=1,x=2", "is given twice"),
        ("liar:player=" * (DEEPEST + 1) + "hold", "more than 8 deep"),
        ("liar:player=" * 10_000 + "hold", "more than 8 deep"),
    ],
)
def test_what_is_no_spec_is_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        parse(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("mine.py:Bot:depth=3", "Bot"),
        ("a.b:Bot", "Bot"),
        ("dumbbot:neutral_value=0", "dumbbot"),
        ("hold", "hold"),
    ],
)
def test_a_short_name(text: str, short: str) -> None:
    assert parse(text).short == short


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("dumbbot", ["dumbbot"]),
        (" dumbbot , hold ", ["dumbbot", "hold"]),
        ("dumbbot*2,hold", ["dumbbot", "dumbbot", "hold"]),
        ("bordeaux:evaluation=paper,nodes=9,hold", ["bordeaux:evaluation=paper,nodes=9", "hold"]),
        ("bordeaux:nodes=9*2", ["bordeaux:nodes=9", "bordeaux:nodes=9"]),
        ("bordeaux:nodes=9,hold:x=1,y=2", ["bordeaux:nodes=9", "hold:x=1,y=2"]),
        ("program:./bot -a,b --c=*3,hold", ["program:./bot -a,b --c=*3", "hold"]),
        ("hold,program:a b,random*2", ["hold", "program:a b", "random", "random"]),
        ("dumbot,hol", ["dumbot", "hol"]),
        (
            "mine.py:Bot*2,./a b/x.py:Y:depth=3,wide=2,hold",
            ["mine.py:Bot"] * 2 + ["./a b/x.py:Y:depth=3,wide=2", "hold"],
        ),
        ("dui:./bot -a,b --c=*3,hold", ["dui:./bot -a,b --c=*3", "hold"]),
        ("program:./bot -a,mine.py:Bot,pack.age:Bot", ["program:./bot -a", "mine.py:Bot", "pack.age:Bot"]),
    ],
)
def test_lists_of_players(text: str, players: list[str]) -> None:
    assert parse_list(text) == players


@pytest.mark.parametrize("text", ["", ",", "hold,,random", "hold,", " "])
def test_empty_places_in_a_list_are_refused(text: str) -> None:
    with pytest.raises(BordeauxError, match="empty place"):
        parse_list(text)
