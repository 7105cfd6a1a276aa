"""Messages of every level as plain English sentences: ``Italy proposes peace between Italy and Austria.``

A message that quotes another describes it: ``the proposal of peace between Italy and Austria``. A message
that reports another names sender and recipient: ``Russia says that Italy has told Austria that ...`` (paper
002, section 5). Two messages with different meanings never have the same sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.board.map import Map
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.names import Names
from bordeaux.press.language.english.terms import Terms
from bordeaux.press.language.letter import Letter

__all__ = ["in_words", "quoted", "sentence"]

#: The verb of each kind of message that offers a term, in the present and in the past.
_OFFERS = {
    p.Propose: ("proposes", "has proposed", "the proposal"),
    p.Insist: ("demands", "has demanded", "the demand"),
    p.Suggest: ("suggests", "has suggested", "the suggestion"),
}
#: The words for a message about another message: the verb before it, and the noun if that is quoted in turn.
_REPLIES = {
    p.Accept: ("says yes to", "the yes to"),
    p.Refuse: ("says no to", "the no to"),
    p.Decline: ("gives no answer to", "the silence about"),
    p.Cancel: ("takes back", "the taking back of"),
    p.Unsure: ("is unsure about", "the doubts about"),
    p.Why: ("asks the reason for", "the question after the reason for"),
}


def sentence(letter: Letter, map: Map) -> str:
    """The content of a letter as one sentence with its sender, without its recipients.

    ``Italy proposes peace between Italy and Austria.``, ``If England and France are not at peace, Germany
    proposes a draw; otherwise Germany says that Germany and France are at peace.``
    """
    said = _Writer(map).clause(letter.sender, letter.message, alone=True)
    return f"{said[0].upper()}{said[1:]}."


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
        self.terms = Terms(self.names, self.saying)

    def saying(self, sender: str, message: p.Message, to: Sequence[str], past: bool = False) -> str:
        """A message with sender and recipients, with `past` in the perfect: ``Italy has proposed to Austria
        peace ...``."""
        who, whom = self.names.power(sender), self.names.powers(to)
        if type(message) in _OFFERS and isinstance(message, p.Propose | p.Insist | p.Suggest):
            now, then, _ = _OFFERS[type(message)]
            link = "of" if isinstance(message, p.Insist) else "to"
            return f"{who} {then if past else now} {link} {whom} {self._offered(message.term)}"
        if isinstance(message, p.State) and not _answers(message.term):
            return f"{who} {'has told' if past else 'tells'} {whom} that {self.terms.clause(message.term)}"
        if isinstance(message, p.Ask):
            return f"{who} {'has asked' if past else 'asks'} {whom} whether {self.terms.clause(message.term)}"
        if isinstance(message, p.Words):
            return f"{who} {'has written' if past else 'writes'} to {whom}: {_quoted(message.text)}"
        return f"{who} {'has told' if past else 'tells'} {whom} that {self.clause(sender, message)}"

    def clause(self, sender: str, message: p.Message | p.Term, alone: bool = False) -> str:
        """A message as a clause. `alone` tells that no text around it could be confused with it."""
        who = f"{self.names.power(sender)} " if sender else ""
        match message:
            case p.Propose(term) | p.Insist(term) | p.Suggest(term):
                return f"{who}{_OFFERS[type(message)][0]} {self._offered(term, alone)}"
            case p.State(term) | p.Think(term) if answer := _answers(term):
                verb = "says" if isinstance(message, p.State) else "believes"
                return f"{who}{verb} that {self._answer(answer, term)}"
            case p.State(term):
                return f"{who}says that {self.terms.clause(term, alone)}"
            case p.Think(term):
                return f"{who}believes that {self.terms.clause(term, alone)}"
            case p.Ask(term):
                return f"{who}asks whether {self.terms.clause(term, alone)}"
            case p.AskUnit() | p.AskAttack() | p.Explain():
                return f"{who}asks {self._question(message)}"
            case p.Sorry(explain):
                phase = self.names.phase(explain.phase)
                return f"{who}is sorry that the orders of {phase} went against {self.noun(explain.message)}"
            case p.OnBoard(why):
                return f"{who}says that the board shows the reason for {self.noun(why.message)}"
            case p.If(condition, then, otherwise):
                said = f"if {self.terms.clause(condition)}, {self.clause(sender, then)}"
                if otherwise is not None:
                    return f"{said}; otherwise {self.clause(sender, otherwise)}"
                plain = alone and not isinstance(then, p.If)
                return said if plain else f"{said}; otherwise {who}says nothing"
            case p.Report(other, to, inner):
                return f"{who}says that {self.saying(other, inner, to, past=True)}"
            case p.Words(text):
                return f"{who}says: {_quoted(text)}"
            case p.Accept(m) | p.Refuse(m) | p.Decline(m) | p.Cancel(m) | p.Unsure(m) | p.Why(m):
                return f"{who}{_REPLIES[type(message)][0]} {self.noun(m, alone)}"
        return f"{who}says that {self.terms.clause(message, alone)}"

    def noun(self, message: p.Message | p.Term, alone: bool = False) -> str:
        """A message as a quotation: ``the proposal of peace between Italy and France``; `alone` as in
        `clause`."""
        match message:
            case p.Propose(term) | p.Insist(term) | p.Suggest(term):
                thing = self.terms.thing(term)
                rest = f"of {thing}" if thing else f"that {self.terms.clause(term, alone)}"
                return f"{_OFFERS[type(message)][2]} {rest}"
            case p.State(term) | p.Think(term):
                what = "statement" if isinstance(message, p.State) else "belief"
                if answer := _answers(term):
                    return f"the {what} that {self._answer(answer, term)}"
                return f"the {what} that {self.terms.clause(term, alone)}"
            case p.Ask(term):
                return f"the question whether {self.terms.clause(term)}"
            case p.AskUnit() | p.AskAttack() | p.Explain():
                return f"the question {self._question(message)}"
            case p.Sorry(explain):
                return f"the apology, to {self.noun(explain)}"
            case p.OnBoard(why):
                return f"the answer that the board shows the reason for {self.noun(why.message)}"
            case p.If(condition, then, otherwise):
                said = f"what was said if {self.terms.clause(condition)}, {self.noun(then)}"
                return f"{said}; otherwise {'nothing' if otherwise is None else self.noun(otherwise)}"
            case p.Report(other, to, inner):
                return f"the report that {self.saying(other, inner, to, past=True)}"
            case p.Words(text):
                return f"the words {_quoted(text)}"
            case p.Accept(m) | p.Refuse(m) | p.Decline(m) | p.Cancel(m) | p.Unsure(m) | p.Why(m):
                return f"{_REPLIES[type(message)][1]} {self.noun(m)}"
        return f"the word that {self.terms.clause(message)}"

    def _offered(self, term: p.Term, alone: bool = False) -> str:
        return self.terms.thing(term) or f"that {self.terms.clause(term, alone)}"

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

    def _answer(self, answer: str, term: p.Term | p.Ask | p.Not) -> str:
        asked = term.term if isinstance(term, p.Not) else term
        assert isinstance(asked, p.Ask)
        return f"the answer is {answer} to the question whether {self.terms.clause(asked.term)}"


def _answers(term: p.Term | p.Ask | p.Not) -> str:
    """``yes`` or ``no`` if a statement answers a question; otherwise ""."""
    if isinstance(term, p.Ask):
        return "yes"
    return "no" if isinstance(term, p.Not) and isinstance(term.term, p.Ask) else ""


def _quoted(text: str) -> str:
    return f"“{text}”"
