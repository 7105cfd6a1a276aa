"""Every message of every level is a sentence, and no two that differ are the same one."""

import re
import typing
from random import Random

import pytest

from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import in_words, sentence
from bordeaux.press.language.letter import Letter
from tests.press.language.messages import Talk

STANDARD = Map.standard()
SPRING, AUTUMN = Phase.parse("S1901M"), Phase.parse("F1902R")


def order(text: str) -> Order:
    return parse_order(text, STANDARD)


PEACE = p.Peace(("ITALY", "AUSTRIA"))
OFFER = p.Propose(PEACE)
MOVE = p.Promise("AUSTRIA", order("A VIE - GAL"))
SUPPORT = p.Promise("AUSTRIA", order("F TRI S A VEN - TYR"), "ITALY")
BURGUNDY = p.Station("FRANCE", "A", "BUR")

TERMS: list[tuple[p.Term, str]] = [
    (PEACE, "peace between Italy and Austria"),
    (p.Alliance(("ITALY",), ("TURKEY",)), "an alliance of Italy against Turkey"),
    (p.Draw(("ITALY", "AUSTRIA")), "a draw of Italy and Austria"),
    (p.Solo("RUSSIA"), "a solo of Russia"),
    (p.Not(PEACE), "that Italy and Austria are not at peace"),
    (p.NoDeal(PEACE), "that there is no deal either way about whether Italy and Austria are at peace"),
    (p.Not(MOVE), "that Austria's army in Vienna does not move to Galicia"),
    (SUPPORT, "that Austria's fleet in Trieste supports Italy's army in Venice to Tyrolia"),
    (
        p.Promise("AUSTRIA", order("F TRI S A VEN - TYR")),
        "that Austria's fleet in Trieste supports the army in Venice to Tyrolia",
    ),
    (
        p.Promise("RUSSIA", order("F STP/SC S F BOT"), "RUSSIA"),
        "that Russia's fleet on the south coast of St. Petersburg supports Russia's fleet in the Gulf of "
        "Bothnia in holding",
    ),
    (
        p.Promise("ENGLAND", order("F NTH C A LON - NWY"), "ENGLAND"),
        "that England's fleet in the North Sea convoys England's army in London to Norway",
    ),
    (
        p.Promise("ENGLAND", order("A LON - NWY VIA")._replace(route=("NTH", "NWG"))),
        "that England's army in London moves to Norway by convoy through the North Sea and the Norwegian Sea",
    ),
    (p.Promise("ITALY", order("A VEN H")), "that Italy's army in Venice holds"),
    (p.Promise("ITALY", order("A VEN R APU")), "that Italy's army in Venice retreats to Apulia"),
    (p.Promise("ITALY", order("A VEN D")), "that Italy's army in Venice disbands"),
    (
        p.Promise("RUSSIA", order("F STP/NC B")),
        "that Russia builds a fleet on the north coast of St. Petersburg",
    ),
    (p.Promise("RUSSIA", order("WAIVE")), "that Russia waives a build"),
    (
        p.Demilitarised(("ITALY", "AUSTRIA"), ("TYR", "ADR")),
        "that Italy and Austria keep out of Tyrolia and the Adriatic Sea",
    ),
    (
        p.Division((p.Share("FRANCE", ("BEL", "HOL")), p.Share("", ("DEN",)))),
        "that France gets Belgium and Holland while nobody gets Denmark",
    ),
    (
        p.Stationing((BURGUNDY, p.Station("ENGLAND", p.ANY_UNIT, "SPA"))),
        "that France has an army in Burgundy while England has a unit in Spain",
    ),
    (
        p.All((PEACE, MOVE)),
        "that Italy and Austria are at peace, and Austria's army in Vienna moves to Galicia",
    ),
    (
        p.Some((PEACE, MOVE)),
        "that Italy and Austria are at peace, or Austria's army in Vienna moves to Galicia, or both",
    ),
    (
        p.Some((PEACE, p.All((MOVE, p.Draw())))),
        "that at least one of these two holds: first, Italy and Austria are at peace; second, all of "
        "these two hold: first, Austria's army in Vienna moves to Galicia; second, the game ends in a "
        "draw",
    ),
    (
        p.Choice(1, 2, (PEACE, p.Draw(), p.Solo("ITALY"))),
        "that one to two of these three hold: first, Italy and Austria are at peace; second, the game "
        "ends in a draw; third, Italy wins alone",
    ),
    (
        p.During(SPRING, AUTUMN, p.Not(PEACE)),
        "that from Spring 1901 to the Fall 1902 retreats Italy and Austria are not at peace",
    ),
    (p.Favour("ITALY", "FRANCE"), "that Italy owes France a favour"),
    (
        p.Command("ITALY", (BURGUNDY, p.Station("FRANCE", "F", "SPA/SC"))),
        "that Italy decides the orders of France's army in Burgundy and of France's fleet on the south "
        "coast of Spain",
    ),
    (
        p.Pass("ITALY", ("FRANCE",), OFFER),
        "that Italy tells France that Italy proposes peace between Italy and Austria",
    ),
    (
        p.Forward(("ENGLAND", "GERMANY"), "ITALY", "FRANCE"),
        "that Italy passes on to France what England and Germany write to Italy",
    ),
    (
        p.Copy("RUSSIA", ("TURKEY", "ITALY"), "FRANCE"),
        "that France gets a copy of what Russia writes to Turkey and Italy",
    ),
]

MESSAGES: list[tuple[p.Message, str]] = [
    (OFFER, "Russia proposes peace between Italy and Austria."),
    (p.Insist(PEACE), "Russia demands peace between Italy and Austria."),
    (p.State(p.Not(PEACE)), "Russia says that Italy and Austria are not at peace."),
    (p.Think(PEACE), "Russia believes that Italy and Austria are at peace."),
    (p.Ask(PEACE), "Russia asks whether Italy and Austria are at peace."),
    (
        p.Think(p.Not(p.Ask(PEACE))),
        "Russia believes that the answer is no to the question whether Italy and Austria are at peace.",
    ),
    (p.Accept(OFFER), "Russia says yes to the proposal of peace between Italy and Austria."),
    (p.Refuse(p.State(PEACE)), "Russia says no to the statement that Italy and Austria are at peace."),
    (
        p.Decline(p.Ask(PEACE)),
        "Russia gives no answer to the question whether Italy and Austria are at peace.",
    ),
    (p.Suggest(MOVE), "Russia suggests that Austria's army in Vienna moves to Galicia."),
    (
        p.Cancel(p.Accept(p.Suggest(MOVE))),
        "Russia takes back the message “says yes to the suggestion that Austria's army in Vienna moves to "
        "Galicia”.",
    ),
    (p.AskUnit(BURGUNDY), "Russia asks what France's army in Burgundy is to do."),
    (p.AskAttack("TURKEY"), "Russia asks how the power Turkey is to be attacked."),
    (p.AskAttack("BUL"), "Russia asks how Bulgaria is to be attacked."),
    (
        p.Explain(SPRING, OFFER),
        "Russia asks why the orders of Spring 1901 went against the proposal of peace between Italy and "
        "Austria.",
    ),
    (
        p.Sorry(p.Explain(SPRING, OFFER)),
        "Russia is sorry that the orders of Spring 1901 went against the proposal of peace between Italy "
        "and Austria.",
    ),
    (
        p.If(p.Not(PEACE), p.Propose(p.Draw()), p.State(MOVE)),
        "If Italy and Austria are not at peace, Russia proposes a draw; otherwise Russia says that "
        "Austria's army in Vienna moves to Galicia.",
    ),
    (
        p.If(PEACE, p.If(MOVE, p.Propose(p.Draw()))),
        "If Italy and Austria are at peace, if Austria's army in Vienna moves to Galicia, Russia "
        "proposes a draw; otherwise Russia says nothing; otherwise Russia says nothing.",
    ),
    (
        p.Report("ITALY", ("AUSTRIA",), p.State(p.Not(PEACE))),
        "Russia says that Italy has told Austria that Italy says that Italy and Austria are not at peace.",
    ),
    (p.Unsure(OFFER), "Russia is unsure about the proposal of peace between Italy and Austria."),
    (p.Why(p.Think(PEACE)), "Russia asks the reason for the belief that Italy and Austria are at peace."),
    (
        p.OnBoard(p.Why(p.State(PEACE))),
        "Russia says that the board shows the reason for the statement that Italy and Austria are at peace.",
    ),
    (p.Words("Go away"), "Russia says: “Go away”."),
]


@pytest.mark.parametrize(("term", "said"), TERMS)
def test_a_term_is_proposed(term: p.Term, said: str) -> None:
    assert sentence(Letter("RUSSIA", ("ITALY",), p.Propose(term)), STANDARD) == f"Russia proposes {said}."
    assert in_words(p.Propose(term), STANDARD) == f"proposes {said}"


@pytest.mark.parametrize(("message", "said"), MESSAGES)
def test_a_message_is_a_sentence(message: p.Message, said: str) -> None:
    assert sentence(Letter("RUSSIA", ("ITALY",), message), STANDARD) == said


def test_every_class_of_the_language_is_told_above() -> None:
    assert {type(term) for term, _ in TERMS} == set(typing.get_args(p.Term))
    assert {type(message) for message, _ in MESSAGES} == set(typing.get_args(p.Message))


@pytest.mark.parametrize("name", ["standard", "gulfs", "capitals"])
def test_any_message_is_a_sentence_of_its_own(name: str) -> None:
    board = Map.load(name)
    talk = Talk(Position.start(board), Random(16))
    said: dict[str, p.Message] = {}
    while len(said) < 1000:
        message = talk.message(130)
        text = sentence(Letter(board.powers[0], (board.powers[1],), message), board)
        assert text[0].isupper() and text.endswith(".") and "  " not in text
        assert not re.search(r"[()\[\]{}<>=_/]", text)
        assert said.setdefault(text, message) == message, text
