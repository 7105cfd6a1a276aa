"""The liar: yes to everything, and the orders of somebody who has heard nothing."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.board.phase import Phase
from bordeaux.players.protocol import Limit, Seat
from bordeaux.players.registry import check
from bordeaux.players.yes_sayers import Liar
from bordeaux.press import language as p
from bordeaux.press.letter import Letter

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
def test_a_liar_says_yes_to_all_who_have_the_letter(message: p.Message, answers: list[p.Message]) -> None:
    said = list(Liar(FRANCE).hear(Letter("ITALY", ("FRANCE", "TURKEY"), message)))
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


def test_a_liar_plays_as_its_silent_copy() -> None:
    def centres(*seats: str) -> object:
        return play(Job(0, seats, 3, Limit(nodes=1), 1905, level=130)).centres

    assert centres("liar", *["dumbbot"] * 6) == centres(*["dumbbot"] * 7)
    assert centres("liar:player=haai-berserk", *["hold"] * 6) == centres("haai-berserk", *["hold"] * 6)


def test_a_liar_needs_a_player_that_there_is() -> None:
    with pytest.raises(BordeauxError, match="no player 'dumbo'"):
        check("liar:player=dumbo")
