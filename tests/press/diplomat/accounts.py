"""A ledger in talks and turns, for tests: who agrees to what, and what is played."""

from __future__ import annotations

from bordeaux import Map, Position, adjudicate
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.press.diplomat.deeds import Deal, Judgement
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from tests.search.paper.boards import board

MAP = Map.standard()
START = Position.start()


def opened(power: str = "TURKEY", position: Position = START) -> Ledger:
    """The ledger of a power, in the first phase of its game."""
    ledger = Ledger(MAP, power)
    ledger.begin(position)
    return ledger


def say(ledger: Ledger, sender: str, to: str, message: p.Message) -> list[Deal]:
    """One letter, to powers with blanks between them; the deals that it concludes."""
    return ledger.note(Letter(sender, tuple(to.split()), message))


def agree(ledger: Ledger, term: p.Term, proposer: str, *others: str) -> Deal:
    """A proposal, and everybody's yes; the deal that comes of it."""
    proposal = p.Propose(term)
    assert say(ledger, proposer, " ".join(others), proposal) == []
    deals = []
    for other in others:
        rest = " ".join(third for third in others if third != other)
        deals += say(ledger, other, f"{proposer} {rest}", p.Accept(proposal))
    (deal,) = deals
    return deal


def order(text: str, position: Position = START) -> Order:
    """An order as text."""
    return parse_order(text, MAP, position)


def play(ledger: Ledger, position: Position, **texts: list[str]) -> tuple[list[Judgement], Position]:
    """A turn is played; what is found of it, and the position that the next phase begins with."""
    given = {power: [order(text, position) for text in listed] for power, listed in texts.items()}
    after = adjudicate(position, given).after
    judged = ledger.judge(position, given)
    ledger.begin(after)
    return judged, after


#: Spring 1902 as games go: Austria has Serbia, Russia Rumania, Turkey Bulgaria.
BALKANS = board(
    "S1902M",
    {
        "AUSTRIA": ["VIE", "BUD", "TRI", "SER"],
        "ENGLAND": ["LON", "EDI", "LVP", "NWY"],
        "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR"],
        "GERMANY": ["BER", "KIE", "MUN", "HOL", "DEN"],
        "ITALY": ["ROM", "VEN", "NAP", "TUN"],
        "RUSSIA": ["SEV", "MOS", "WAR", "STP", "RUM"],
        "TURKEY": ["CON", "SMY", "ANK", "BUL"],
    },
    {
        "AUSTRIA": ["A VIE", "A BUD", "A SER", "F TRI"],
        "ENGLAND": ["F NTH", "F NWY", "A LVP", "F LON"],
        "FRANCE": ["A SPA", "A PAR", "A MAR", "F POR", "F BRE"],
        "GERMANY": ["A MUN", "F DEN", "A HOL", "F KIE", "A BER"],
        "ITALY": ["A VEN", "F TUN", "F NAP", "A ROM"],
        "RUSSIA": ["A RUM", "F SEV", "A UKR", "A WAR", "F SWE"],
        "TURKEY": ["A BUL", "F ANK", "A CON", "A SMY"],
    },
)
#: Fall 1901: France, Germany and England all stand beside Belgium.
BELGIUM = board(
    "F1901M",
    {
        "ENGLAND": ["LON", "EDI", "LVP"],
        "FRANCE": ["PAR", "BRE", "MAR"],
        "GERMANY": ["BER", "KIE", "MUN"],
    },
    {
        "ENGLAND": ["F ENG", "F NTH", "A YOR"],
        "FRANCE": ["A BUR", "A SPA", "F MAO"],
        "GERMANY": ["A RUH", "F HOL", "A KIE"],
    },
)
#: A Turkish army in Serbia, with one Austrian and one Italian beside it: neither takes it alone.
SERBIA = board(
    "F1903M",
    {
        "AUSTRIA": ["BUD", "VIE"],
        "ITALY": ["VEN", "TRI", "NAP", "ROM"],
        "TURKEY": ["SER", "CON", "BUL"],
    },
    {"AUSTRIA": ["A BUD"], "ITALY": ["A TRI"], "TURKEY": ["A SER", "A CON"]},
)
#: France and Germany side by side, Italy beside both, England far from Italy.
SIDE = board(
    "S1902M",
    {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"], "ITALY": ["VEN", "ROM"], "ENGLAND": ["LON"]},
    {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN", "A RUH"], "ITALY": ["A TYR"], "ENGLAND": ["F NTH"]},
)
