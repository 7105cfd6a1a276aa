"""A ledger in talks and turns, for tests: who agrees to what, and what is played."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from bordeaux import Map, Position, Unit, adjudicate
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


def board(phase: str, centres: Mapping[str, Sequence[str]], units: Mapping[str, Sequence[str]]) -> Position:
    """A position of the standard map, centres by tags in one text, units as ``A PAR``."""
    placed = [Unit(power, text[0], text[2:]) for power, given in units.items() for text in given]
    return Position(MAP, phase, placed, centres)


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


# The well-founded model by its definition of 1991, with unfounded sets, from the beginning each time.

__all__ = ["Ground", "well_founded"]

Ground = tuple[Hashable, tuple[Hashable, ...], tuple[Hashable, ...]]


def well_founded(grounds: Iterable[Ground]) -> set[Hashable]:
    """What holds: what has a ground in which all is settled, while what can have none any more is false."""
    by_fact: dict[Hashable, list[tuple[set[Hashable], set[Hashable]]]] = {}
    for fact, because, unless in grounds:
        by_fact.setdefault(fact, []).append((set(because), set(unless)))
        for premise in (*because, *unless):
            by_fact.setdefault(premise, [])
    true: set[Hashable] = set()
    false: set[Hashable] = set()
    while True:
        now = {
            fact
            for fact, theirs in by_fact.items()
            if any(because <= true and unless <= false for because, unless in theirs)
        }
        never = unfounded(by_fact, true, false)
        if now <= true and never <= false:
            return true
        true |= now
        false |= never


def unfounded(
    by_fact: dict[Hashable, list[tuple[set[Hashable], set[Hashable]]]],
    true: set[Hashable],
    false: set[Hashable],
) -> set[Hashable]:
    """The greatest set of facts that nothing can make hold any more: every ground of each is defeated, or
    rests on something false, or on the set itself."""
    unfounded = set(by_fact) - true
    while True:
        kept = {
            fact
            for fact in unfounded
            if all(
                because & false or because & unfounded or unless & true for because, unless in by_fact[fact]
            )
        }
        if kept == unfounded:
            return unfounded
        unfounded = kept
