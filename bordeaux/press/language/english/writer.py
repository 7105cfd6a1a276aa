"""Messages of every level as plain English sentences: ``Italy proposes peace between Italy and Austria.``

A message that quotes another describes it: ``the proposal of peace between Italy and Austria``, or repeats
it in quotation marks. A message that reports another names sender and recipient: ``Russia says that Italy has
told Austria that ...`` (paper 002, section 5). Two messages with different meanings never have the same
sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.names import Names, counted, ordinal
from bordeaux.press.language.letter import Letter

# Packages of simple parts are joined plainly, ``A, and B``. If that would be ambiguous, they state how many
# parts follow, and number them. Such a sentence has one reading, as Polish notation has.

#: Terms that are clauses with one verb, which a ``not`` at the verb negates.
_PLAIN = (p.Peace, p.Alliance, p.Draw, p.Solo, p.Promise, p.Demilitarised, p.Favour, p.Command)
_PACKAGES = (p.All, p.Some, p.Choice)

#: The verb of each kind of message that offers a term, and its noun.
_OFFERS = {
    p.Propose: ("proposes", "the proposal"),
    p.Insist: ("demands", "the demand"),
    p.Suggest: ("suggests", "the suggestion"),
}
#: The beginning of a message about a term, and of its quotation.
_SAYINGS = {
    p.State: ("says that", "the statement that"),
    p.Think: ("believes that", "the belief that"),
    p.Ask: ("asks whether", "the question whether"),
}
#: The verb of a message about another message.
_REPLIES = {
    p.Accept: "says yes to",
    p.Refuse: "says no to",
    p.Decline: "gives no answer to",
    p.Cancel: "takes back",
    p.Unsure: "is unsure about",
    p.Why: "asks the reason for",
}


def sentence(letter: Letter, map: Map) -> str:
    """The content of a letter as one sentence with its sender and reason, without its recipients.

    ``Italy proposes peace between Italy and Austria.``, ``If England and France are not at peace, Germany
    proposes a draw; otherwise Germany says that Germany and France are at peace.``
    """
    said = _Writer(map).clause(letter.sender, letter.message, alone=True)
    reason = f": {letter.reason}" if letter.reason else ""
    return f"{said[0].upper()}{said[1:]}{reason}."


def in_words(message: p.Message, map: Map) -> str:
    """A message without its sender and full stop: ``proposes peace between Italy and France``."""
    return _Writer(map).clause("", message, alone=True).strip()


def quoted(message: p.Message, map: Map) -> str:
    """A message as a quotation: ``the proposal of peace between Italy and Austria``."""
    return _Writer(map).noun(message, alone=True)


class _Writer:
    """Expresses messages, with the names of a map."""

    def __init__(self, map: Map) -> None:
        self.names = Names(map)

    # Terms.

    def thing(self, term: p.Term | p.Message) -> str:
        """A term as a noun phrase, ``peace between England and France``; "" if a clause is better."""
        powers = self.names.powers
        match term:
            case p.Peace(who):
                return f"peace between {powers(who)}"
            case p.Alliance(who, against):
                return f"an alliance of {powers(who)} against {powers(against)}"
            case p.Draw(()):
                return "a draw"
            case p.Draw(who):
                return f"a draw of {powers(who)}"
            case p.Solo(power):
                return f"a solo of {self.names.power(power)}"
        return ""

    def term(self, term: p.Term | p.Message, alone: bool = False) -> str:
        """A term as a clause. `alone` tells that no text around it could be confused with a package."""
        powers, power = self.names.powers, self.names.power
        match term:
            case p.Not(p.Ask(inner)):
                return f"the answer is no to the question whether {self.term(inner)}"
            case p.Not(inner) if isinstance(inner, _PLAIN):
                return self._plain(inner, False)
            case p.Not(inner):
                return f"it is not the case that {self.term(inner)}"
            case p.NoDeal(inner):
                return f"there is no deal either way about whether {self.term(inner)}"
            case p.All(parts) if alone and _simple(parts):
                return ", and ".join(map(self.term, parts))
            case p.Some((one, other)) if alone and _simple((one, other)):
                return f"{self.term(one)}, or {self.term(other)}, or both"
            case p.All(parts):
                return f"all of these {self._numbered(parts, 'hold')}"
            case p.Some(parts):
                return f"at least one of these {self._numbered(parts, 'holds')}"
            case p.Choice(least, most, parts):
                few = "exactly " + counted(least) if least == most else f"{counted(least)} to {counted(most)}"
                return f"{few} of these {self._numbered(parts, 'hold')}"
            case p.During(first, last, inner):
                return f"{self._when(first, last)} {self.term(inner)}"
            case p.Division(shares):
                return " while ".join(map(self._share, shares)) or "no centres are shared out"
            case p.Stationing(stations):
                return " while ".join(map(self._station, stations)) or "no units are stationed"
            case p.Ask(inner):
                return f"the answer is yes to the question whether {self.term(inner)}"
            case p.Pass(sender, to, message):
                return self.said_to(sender, message, to, "tells")
            case p.Forward(senders, to, also):
                write = "writes" if len(senders) < 2 else "write"
                said = f"what {powers(senders)} {write} to {power(to)}"
                return f"{power(to)} passes on to {power(also)} {said}"
            case p.Copy(sender, to, also):
                return f"{power(also)} gets a copy of what {power(sender)} writes to {powers(to)}"
        return self._plain(term, True)

    def _plain(self, term: object, yes: bool) -> str:
        powers, power = self.names.powers, self.names.power
        match term:
            case p.Peace(who):
                return f"{powers(who)} {_are(who, yes)} at peace"
            case p.Alliance(who, against):
                return f"{powers(who)} {_are(who, yes)} allied against {powers(against)}"
            case p.Draw(who):
                return f"the game {_verb(yes, 'ends', 'end')} in {self.thing(p.Draw(who))}"
            case p.Solo(one):
                return f"{power(one)} {_verb(yes, 'wins', 'win')} alone"
            case p.Demilitarised(who, provinces):
                keep = _verb(yes, "keeps", "keep") if len(who) < 2 else "keep" if yes else "do not keep"
                return f"{powers(who)} {keep} out of {self.names.places(provinces)}"
            case p.Favour(debtor, creditor):
                return f"{power(debtor)} {_verb(yes, 'owes', 'owe')} {power(creditor)} a favour"
            case p.Command(one, units):
                named = [self.names.unit(unit.power, unit.kind, unit.location) for unit in units]
                ordered = " and of ".join(named) or "no unit"
                return f"{power(one)} {_verb(yes, 'decides', 'decide')} the orders of {ordered}"
            case p.Promise(one, order, helped):
                return self._order(one, order, helped, yes)
        raise TypeError(f"no term, and no message that could be one: {type(term).__name__}")

    def _numbered(self, parts: Sequence[p.Term], hold: str) -> str:
        listed = [f"{ordinal(number)}, {self.term(part)}" for number, part in enumerate(parts, 1)]
        return f"{counted(len(parts))} {hold}: {'; '.join(listed) or 'nothing'}"

    def _when(self, first: Phase, last: Phase | None) -> str:
        if last is not None:
            return f"from {self.names.phase(first)} to {self.names.phase(last)}"
        return f"{'at' if first == Phase.COMPLETED else 'in'} {self.names.phase(first)}"

    def _share(self, share: p.Share) -> str:
        owner = self.names.power(share.owner) if share.owner else "nobody"
        return f"{owner} gets {self.names.places(share.centres)}"

    def _station(self, station: p.Station) -> str:
        kind = self.names.kind(station.kind)
        article = "an" if kind == "army" else "a"
        return f"{self.names.power(station.power)} has {article} {kind} {self.names.where(station.location)}"

    def _order(self, power: str, order: Order, helped: str, yes: bool) -> str:
        names, place = self.names, self.names.place
        whose = names.unit(power, order.unit, order.location)
        other = names.unit(helped, order.target_unit, order.target)
        goal = place(order.destination) if order.destination else ""

        def does(verb: str) -> str:
            return f"{whose} {_verb(yes, f'{verb}s', verb)}"

        sayings: dict[OrderKind, Callable[[], str]] = {
            OrderKind.HOLD: lambda: does("hold"),
            OrderKind.MOVE: lambda: f"{does('move')} to {goal}{self._convoyed(order)}",
            OrderKind.SUPPORT_HOLD: lambda: f"{does('support')} {other} in holding",
            OrderKind.SUPPORT_MOVE: lambda: f"{does('support')} {other} to {goal}",
            OrderKind.CONVOY: lambda: f"{does('convoy')} {other} to {goal}",
            OrderKind.RETREAT: lambda: f"{does('retreat')} to {goal}",
            OrderKind.DISBAND: lambda: does("disband"),
        }
        if order.kind in sayings:
            return sayings[order.kind]()
        built = f"{names.power(power)} {_verb(yes, 'builds', 'build')}"
        if order.kind == OrderKind.WAIVE:
            return f"{names.power(power)} {_verb(yes, 'waives', 'waive')} a build"
        kind = f"{'an' if order.unit == 'A' else 'a'} {names.kind(order.unit)}"
        return f"{built} {kind} {names.where(order.location)}"

    def _convoyed(self, order: Order) -> str:
        if order.route:
            return f" by convoy through {self.names.places(order.route)}"
        return " by convoy" if order.via else ""

    # Messages.

    def said_to(self, sender: str, message: p.Message, to: Sequence[str], tell: str) -> str:
        """A message with sender and recipients: ``Italy has told Austria that Italy proposes ...``."""
        return (
            f"{self.names.power(sender)} {tell} {self.names.powers(to)} that {self.clause(sender, message)}"
        )

    def clause(self, sender: str, message: p.Message | p.Term, alone: bool = False) -> str:
        """A message as a clause. `alone` tells that no text around it could be confused with it."""
        who = f"{self.names.power(sender)} " if sender else ""
        match message:
            case p.Propose(term) | p.Insist(term) | p.Suggest(term):
                offered = self.thing(term) or f"that {self.term(term, alone)}"
                return f"{who}{_OFFERS[type(message)][0]} {offered}"
            case p.State(term) | p.Think(term) | p.Ask(term):
                return f"{who}{_SAYINGS[type(message)][0]} {self.term(term, alone)}"
            case p.AskUnit() | p.AskAttack() | p.Explain():
                return f"{who}asks {self._question(message)}"
            case p.Sorry(explain):
                phase = self.names.phase(explain.phase)
                return f"{who}is sorry that the orders of {phase} went against {self.noun(explain.message)}"
            case p.OnBoard(why):
                return f"{who}says that the board shows the reason for {self.noun(why.message)}"
            case p.If(condition, then, otherwise):
                said = f"if {self.term(condition)}, {self.clause(sender, then)}"
                if otherwise is not None:
                    return f"{said}; otherwise {self.clause(sender, otherwise)}"
                plain = alone and not isinstance(then, p.If)
                return said if plain else f"{said}; otherwise {who}says nothing"
            case p.Report(other, to, inner):
                return f"{who}says that {self.said_to(other, inner, to, 'has told')}"
            case p.Words(text):
                return f"{who}says: “{text}”"
            case p.Accept(m) | p.Refuse(m) | p.Decline(m) | p.Cancel(m) | p.Unsure(m) | p.Why(m):
                return f"{who}{_REPLIES[type(message)]} {self.noun(m, alone)}"
        return f"{who}says that {self.term(message, alone)}"

    def noun(self, message: p.Message, alone: bool = False) -> str:
        """A message as a quotation: ``the proposal of peace between Italy and France``; `alone` as in
        `clause`."""
        match message:
            case p.Propose(term) | p.Insist(term) | p.Suggest(term):
                thing = self.thing(term)
                rest = f"of {thing}" if thing else f"that {self.term(term, alone)}"
                return f"{_OFFERS[type(message)][1]} {rest}"
            case p.State(term) | p.Think(term) | p.Ask(term):
                return f"{_SAYINGS[type(message)][1]} {self.term(term, alone)}"
            case p.AskUnit() | p.AskAttack() | p.Explain():
                return f"the question {self._question(message)}"
        return f"the message “{self.clause('', message)}”"

    def _question(self, message: p.AskUnit | p.AskAttack | p.Explain) -> str:
        match message:
            case p.AskUnit(unit):
                return f"what {self.names.unit(unit.power, unit.kind, unit.location)} is to do"
            case p.AskAttack(target) if target in self.names.map.tags:
                return f"how the power {self.names.power(target)} is to be attacked"
            case p.AskAttack(target):
                return f"how {self.names.place(target)} is to be attacked"
            case p.Explain(phase, said):
                return f"why the orders of {self.names.phase(phase)} went against {self.noun(said)}"


def _are(who: Sequence[str], yes: bool) -> str:
    return f"{'is' if len(who) < 2 else 'are'}{'' if yes else ' not'}"


def _verb(yes: bool, does: str, do: str) -> str:
    return does if yes else f"does not {do}"


def _simple(parts: Sequence[p.Term]) -> bool:
    """Whether parts can be joined plainly without ambiguity: none is a package, or contains one."""
    return len(parts) > 1 and not any(isinstance(_core(part), (*_PACKAGES, p.Pass)) for part in parts)


def _core(term: p.Term | p.Message) -> p.Term | p.Message:
    """The part of a term without the words around it."""
    while isinstance(term, p.Not | p.NoDeal | p.During):
        term = term.term
    return term
