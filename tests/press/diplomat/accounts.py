"""A ledger in talks and turns, for tests: who agrees to what, and what is played."""

from __future__ import annotations

from bordeaux import Map, Position, adjudicate
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.truth import Reason
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

__all__ = ["MAP", "START", "agree", "grounds", "opened", "order", "play", "say"]

MAP = Map.standard()
START = Position.start()


def opened(power: str = "TURKEY", position: Position = START) -> Ledger:
    """The ledger of a power, in the first phase of its game."""
    ledger = Ledger(MAP, power)
    ledger.begin(position)
    return ledger


def say(ledger: Ledger, sender: str, to: str, message: p.Message) -> list[f.Deal]:
    """One letter, to powers with blanks between them; the deals that it concludes."""
    return ledger.note(Letter(sender, tuple(to.split()), message))


def agree(ledger: Ledger, term: p.Term, proposer: str, *others: str) -> f.Deal:
    """A proposal, and everybody's yes; the deal that comes of it."""
    proposal = p.Propose(term)
    assert say(ledger, proposer, " ".join(others), proposal) == []
    deals = []
    for other in others:
        rest = " ".join(third for third in others if third != other)
        deals += say(ledger, other, f"{proposer} {rest}", p.Accept(proposal))
    (deal,) = deals
    return deal


def grounds(reason: Reason) -> tuple[object, list[object]]:
    """A fact with the facts that it rests on, each with those that it rests on."""
    return reason.fact, [grounds(reason_before) for reason_before in reason.because]


def order(text: str, position: Position = START) -> Order:
    """An order as text."""
    return parse_order(text, MAP, position)


def play(ledger: Ledger, position: Position, **texts: list[str]) -> tuple[list[f.Judgement], Position]:
    """A turn is played; what is found of it, and the position that the next phase begins with."""
    given = {power: [order(text, position) for text in listed] for power, listed in texts.items()}
    after = adjudicate(position, given).after
    judged = ledger.judge(position, given, after)
    ledger.begin(after)
    return judged, after
