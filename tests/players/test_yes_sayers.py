"""Liar and parrot: yes to everything; the one keeps nothing of it, the other all."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position, Unit
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.players.base import Chair, Limit, Seat, Turn
from bordeaux.players.catalogue import CATALOGUE, PlayerEntry
from bordeaux.players.talkers import Liar, Parrot, YesSayer
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

MAP = Map.standard()
FRANCE = Seat("FRANCE", MAP, 1)
PEACE = p.Peace(("ITALY", "FRANCE"))
SAID = p.Explain(Phase.parse("S1901M"), p.Accept(p.Propose(PEACE)))


@pytest.mark.parametrize(
    ("message", "answers"),
    [
        (p.Propose(PEACE), [p.Accept(p.Propose(PEACE))]),
        (p.Insist(p.Draw()), [p.Accept(p.Insist(p.Draw()))]),
        (p.Suggest(PEACE), [p.Accept(p.Suggest(PEACE))]),
        (p.If(PEACE, p.Propose(PEACE)), [p.Accept(p.If(PEACE, p.Propose(PEACE)))]),
        (p.Ask(PEACE), [p.State(PEACE)]),
        (SAID, [p.Sorry(SAID)]),
        (p.Why(p.Propose(PEACE)), [p.OnBoard(p.Why(p.Propose(PEACE)))]),
        (p.Accept(p.Propose(PEACE)), []),
        (p.State(PEACE), []),
        (p.Words("liar!"), []),
    ],
)
@pytest.mark.parametrize("kind", [Liar, Parrot])
def test_they_say_yes_to_all_who_have_the_letter(
    kind: type[YesSayer], message: p.Message, answers: list[p.Message]
) -> None:
    player = kind(FRANCE)
    player.open_talks(Position.start(), 130)
    said = list(player.hear(Letter("ITALY", ("FRANCE", "TURKEY"), message)))
    assert said == [Letter("FRANCE", ("ITALY", "TURKEY"), answer) for answer in answers]


def test_a_liar_offers_peace_until_it_is_accepted() -> None:
    player, start = Liar(FRANCE), Position.start()

    def asked(where: Position) -> set[str]:
        return {power for letter in player.open_talks(where, 10) for power in letter.to}

    assert asked(start) == set(MAP.powers) - {"FRANCE"}
    assert asked(start.next({})) == set()
    list(player.hear(Letter("ITALY", ("FRANCE",), p.Accept(p.Propose(p.Peace(("FRANCE", "ITALY")))))))
    list(player.hear(Letter("TURKEY", ("FRANCE",), p.Propose(p.Peace(("TURKEY", "FRANCE"))))))
    assert asked(start) == {"AUSTRIA", "ENGLAND", "GERMANY", "RUSSIA"}
    assert player.draw() is None


class Fixed(Chair):
    """Orders the same, whatever is on the board."""

    def __init__(self, seat: Seat, *, orders: str = "") -> None:
        super().__init__(seat)
        self.fixed = orders.split("/")

    def orders(self, position: Position, limit: Limit) -> list[Order | str]:
        return list(self.fixed)


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CATALOGUE, "fixed", PlayerEntry(f"{__name__}:Fixed", "orders the same"))


def order(text: str) -> Order:
    return parse_order(text, MAP, Position.start())


def ordered(player: Parrot, where: Position, *terms: p.Term) -> set[str]:
    """What a parrot orders that has agreed with Italy to some terms."""
    player.open_talks(where, 130)
    for term in terms:
        (answer,) = player.hear(Letter("ITALY", ("FRANCE",), p.Propose(term)))
        assert answer == Letter("FRANCE", ("ITALY",), p.Accept(p.Propose(term)))
    return {str(order) for order in player.orders(where, Limit(nodes=1))}


@pytest.mark.parametrize(
    ("term", "kept"),
    [
        (PEACE, {"A MAR - PIE", "A PAR - BUR", "F BRE - MAO"}),
        (p.Demilitarised(("FRANCE", "ITALY"), ("PIE",)), {"A MAR H", "A PAR - BUR", "F BRE - MAO"}),
        (p.Demilitarised(("ITALY",), ("PIE",)), {"A MAR - PIE", "A PAR - BUR", "F BRE - MAO"}),
        (p.Promise("FRANCE", order("A PAR H")), {"A MAR - PIE", "A PAR H", "F BRE - MAO"}),
        (p.Promise("ITALY", order("A VEN H")), {"A MAR - PIE", "A PAR - BUR", "F BRE - MAO"}),
        (p.Not(p.Promise("FRANCE", order("A PAR - BUR"))), {"A MAR - PIE", "A PAR H", "F BRE - MAO"}),
        (
            p.All((p.Promise("FRANCE", order("A MAR S A PAR - BUR")), p.Promise("FRANCE", order("F BRE H")))),
            {"A MAR S A PAR - BUR", "A PAR - BUR", "F BRE H"},
        ),
    ],
)
def test_a_parrot_keeps_what_it_has_agreed_to(fixed: None, term: p.Term, kept: set[str]) -> None:
    player = Parrot(FRANCE, player="fixed:orders=A MAR - PIE/A PAR - BUR/F BRE - MAO")
    assert ordered(player, Position.start(), term) == kept


def test_a_parrot_leaves_its_friends_alone_for_as_long_as_they_are(fixed: None) -> None:
    player = Parrot(FRANCE, player="fixed:orders=A PIE - VEN/F WES S F ION - TYS/A TUS H")
    units = [Unit("FRANCE", "A", "PIE"), Unit("FRANCE", "F", "WES"), Unit("FRANCE", "A", "TUS")]
    units += [Unit("ITALY", "F", "TYS"), Unit("TURKEY", "F", "ION")]
    where = Position(MAP, "S1903M", units, {"ITALY": ["VEN", "ROM"]})
    assert ordered(player, where, PEACE) == {"A PIE H", "F WES H", "A TUS H"}
    player.observe(Turn(where, {"FRANCE": [order("A PIE H")]}, where))
    assert ordered(player, where) == {"A PIE H", "F WES H", "A TUS H"}
    list(player.hear(Letter("ITALY", ("FRANCE",), p.State(p.Not(PEACE)))))
    assert ordered(player, where) == {"A PIE - VEN", "F WES S F ION - TYS", "A TUS H"}


def test_parrots_among_talkers_play_whole_games() -> None:
    others = ("diplominator", "blabbot", "parrot:player=haai-berserk", "diplominator", "liar")
    job = Job(0, ("parrot", "liar", *others), 3, Limit(nodes=1), 1906, level=130, keep=True, map="standard")
    first, again = play(job), play(job)
    assert first.faults == ()
    assert first.game == again.game
