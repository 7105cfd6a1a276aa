"""Parsing of people's text into messages: ``peace?``, ``dmz bla arm``, ``support me into rum this fall``.

The reader parses proposals up to level 40, times, facts and answers, and the sentences of
`bordeaux.press.language.english.writer`. That module can also show how a text was understood.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.context import MessageContext
from bordeaux.press.language.english.grammar import Clauses
from bordeaux.press.language.english.words import Words
from bordeaux.press.language.levels import FREE_TEXT, level_of

__all__ = ["understand"]

_POLITE = r"(?:(?:please|thanks|thank you|ok|okay|well|hi|hello|hey|to that|that|it|so)\b|[\s,.!?])*"


def _whole(ways: str) -> re.Pattern[str]:
    """A pattern of all wordings of a phrase, with polite words around them."""
    return re.compile(rf"{_POLITE}(?:{'|'.join(way.strip() for way in ways.split('/'))}){_POLITE}")


_YES = _whole(
    "yes/y/yeah/yep/ok/okay/sure/agreed/(?:yes )?(?:i )?agree/(?:i )?accept(?:ed)?/deal/done/fine/sounds good"
    "/good/of course/with pleasure/gladly/aye/yes,? agreed"
)
_NO = _whole(
    "no/n/nope/nah/no way/never/(?:i )?refused?/(?:i )?disagree/(?:i )?reject(?:ed)?/(?:i )?declined?/no deal"
    "/not agreed/sorry,? no/no,? sorry/i do not/i don't"
)
_SILENT = _whole("no comment/none of your business/(?:i )?(?:will not|won't) (?:tell|say)(?: you)?/no answer")
_CANCEL = _whole(
    "cancel(?:led)?/forget (?:it|that)/never ?mind/(?:i )?withdraw(?: it)?/(?:i )?take (?:it |that )?back"
)
_QUOTING = (
    (p.Accept, r"(?:says? )?(?:yes|agree|agreed|agrees) to |accepts? "),
    (p.Refuse, r"(?:says? )?no to |refuses? |rejects? |declines? "),
    (p.Decline, r"gives? no answer to "),
    (p.Cancel, r"takes? back |cancels? |withdraws? "),
)
_OFFERED = re.compile(r"(?:(?:proposes?|offers?|suggests?)\b:?\s*)+(?:that |to )?")
_STATED = re.compile(r"(?:says?|states?|fact|announces?)\b:?\s*(?:that )?(?=\S)")
_ENDED = re.compile(r"(?:i )?end (?:the |our )?(.+)|(.+?) is (?:over|off)[.!]*")
_PROPOSAL = re.compile(r"(?:the |your |my )?(?:proposal|offer|suggestion)\s*(?:of |that |for |to )?")
_STATEMENT = re.compile(r"the statement that ")
#: Verbs before which the speaker may name himself.
_VERBS = "says? gives? takes? proposes? offers? suggests? accepts? agrees? refuses? rejects? cancels? states?"


class _Unclear(BordeauxError):
    """The text is understood except one thing, which the error names."""


def understand(
    text: str,
    *,
    speaker: str,
    to: Sequence[str],
    position: Position,
    answering: p.Message | None = None,
    said: p.Message | None = None,
    level: int = FREE_TEXT,
) -> p.Message:
    """The message of a text from `speaker` to the powers `to`, in a position.

    `answering` is the message that yes and no answer, `said` the one that is withdrawn: the last proposal
    received, and sent. Raises BordeauxError, with one line of reason and an example, if the text cannot be
    understood, is ambiguous, or is above the `level` of the game.
    """
    try:
        message = _Reader(speaker, to, position, answering, said).message(text)
        if level_of(message) > level:
            raise _Unclear(f"that takes level {level_of(message)}, and this game has {level}")
    except _Unclear as error:
        raise BordeauxError(f"{quote(text)}: {error}") from None
    except BordeauxError as error:
        raise BordeauxError(f"{quote(text)}: {error}; {_example(position.map, speaker)}") from None
    return message


def _unordered(term: p.Term) -> object:
    """A term without the order of its powers and places."""
    match term:
        case p.Peace(powers) | p.Draw(powers):
            return type(term), frozenset(powers)
        case p.Alliance(powers, others) | p.Demilitarised(powers, others):
            return type(term), frozenset(powers), frozenset(others)
    return term


def _example(map: Map, speaker: str) -> str:
    """An example of press on the map."""
    other = next((tag for power, tag in map.tags.items() if power != speaker), "you")
    centre = next(iter(map.centres), map.provinces[0].name)
    return f"write it like: peace? or: ally against {other} or: support me into {centre}".replace("\n", " ")


class _Reader:
    """Reads one message."""

    def __init__(
        self,
        speaker: str,
        to: Sequence[str],
        position: Position,
        answering: p.Message | None,
        said: p.Message | None,
    ) -> None:
        self.speaker = speaker
        self.to = tuple(to)
        self.position = position
        self.answering = answering
        self.said = said

    def message(self, text: str) -> p.Message:
        """The meaning of the text; raises BordeauxError without the text in it."""
        plain = re.sub(r"\s+", " ", text.replace("’", "'")).strip().lower()
        if not plain.strip(" .!?"):
            raise BordeauxError("there is nothing to understand")
        if (answer := self._answer(plain)) is not None:
            return answer
        plain = self._without_speaker(plain)
        for kind, begins in _QUOTING:
            if match := re.match(begins, plain):
                return kind(self._quoted(plain[match.end() :]))
        if match := _ENDED.fullmatch(plain):
            return p.State(p.NoDeal(self._term(match[1] or match[2])))
        if match := _OFFERED.match(plain):
            return p.Propose(self._term(plain[match.end() :]))
        if match := _STATED.match(plain):
            return p.State(self._term(plain[match.end() :]))
        term = self._term(re.sub(r"^(?:yes|sure|agreed)[\s,.!:]+(?=\w)", "", plain))
        if isinstance(term, p.Not) and isinstance(term.term, p.Peace) and " war " in f" {plain} ":
            return p.State(term)
        proposal = self._proposal(term)
        return p.Accept(proposal) if proposal == self.answering else proposal

    def _proposal(self, term: p.Term) -> p.Propose:
        """The proposal of a term: the one that is answered, or the own one, if it has the same content."""
        for known in (self.answering, self.said):
            if isinstance(known, p.Propose) and _unordered(known.term) == _unordered(term):
                return known
        return p.Propose(term)

    def _answer(self, plain: str) -> p.Message | None:
        """Yes, no, neither or a withdrawal, if the text is nothing else."""
        for kind, pattern in ((p.Accept, _YES), (p.Refuse, _NO), (p.Decline, _SILENT)):
            if pattern.fullmatch(plain):
                if self.answering is None:
                    raise BordeauxError("there is no proposal to answer")
                return kind(self.answering)
        if _CANCEL.fullmatch(plain):
            if self.said is None:
                raise BordeauxError("there is no proposal of your own to take back")
            return p.Cancel(self.said)
        return None

    def _without_speaker(self, plain: str) -> str:
        """The text without ``Italy`` or ``I`` before its verb."""
        map = self.position.map
        names = "|".join(
            re.escape(name.lower()) for name in (self.speaker, map.tags[self.speaker], "i", "we")
        )
        return re.sub(rf"^(?:{names}) (?=(?:{'|'.join(_VERBS.split())})\b)", "", plain)

    def _quoted(self, plain: str) -> p.Message:
        """The message that an answer refers to."""
        if match := _STATEMENT.match(plain):
            return p.State(self._term(plain[match.end() :]))
        match = _PROPOSAL.match(plain)
        return self._proposal(self._term(plain[match.end() :] if match else plain))

    def _term(self, plain: str) -> p.Term:
        words = Words(plain, self.position.map)
        if not len(words):
            raise BordeauxError("there is nothing to understand")
        context = MessageContext(words, self.speaker, self.to, self.position)
        clauses = Clauses(words, context)
        term = clauses.whole(0)
        if term is None and context.complaint:
            raise _Unclear(context.complaint)
        if term is None:
            raise BordeauxError(f"I do not understand {quote(words.rest(clauses.farthest))}")
        return term
