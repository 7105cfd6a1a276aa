"""Parsing of people's text into messages: ``peace?``, ``dmz bla arm``, ``support me into rum this fall``.

The reader parses proposals up to level 40, times, facts and answers, and the sentences of
`bordeaux.press.language.english.writer`. That module can also show how a text was understood.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.names import counted, listed
from bordeaux.press.language.english.orders import MessageContext, OrderClauses, Ref
from bordeaux.press.language.english.words import COURTESY, VERBS, Words
from bordeaux.press.language.levels import FREE_TEXT, level_of
from bordeaux.press.language.terms import atoms, equivalent, parts, slot, undone

Span = tuple[Phase, Phase | None]
_YEARS = {word: count for count in range(1, 10) for word in (str(count), counted(count).upper())}
_SEASONS = {
    **dict.fromkeys(("SPRING", "SPR"), ("S", "M")),
    "SUMMER": ("S", "R"),
    **dict.fromkeys(("FALL", "FAL", "AUTUMN", "AUT"), ("F", "M")),
    "WINTER": ("W", "A"),
}


class Seasons:
    """Reads times: the phase that is meant, relative to the position."""

    def __init__(self, words: Words, context: MessageContext) -> None:
        self.words = words
        self.context = context
        self.now = context.board.position.phase

    def read(self, at: int) -> Iterator[tuple[Span, int]]:
        """The time at a place in the text, and the place after it."""
        words = self.words
        number = words.skip(at, "FOR", "THIS", "NEXT")
        years = number if words.key(number, "YEAR") else number + 1
        if number > at and words.key(years, "YEAR"):
            count = _YEARS.get(words.words[number], 0) if years > number else 1
            if count:
                yield (self.now, Phase(self.now.year + count - 1, "F", "M")), years + 1
        if words.key(at, "UNTIL"):
            for phase, end in self._phase(at + 1):
                yield (self.now, phase), end
            year = words.skip(at + 1, "END", "OF")
            if year < len(words) and re.fullmatch(r"\d{4}", words.words[year]):
                yield (self.now, Phase(int(words.words[year]), "F", "M")), year + 1
        begin = words.skip(at, "IN", "FOR", "FROM")
        for phase, end in self._phase(begin):
            if words.key(at, "FROM") and words.key(end, "TO", "UNTIL"):
                for last, behind in self._phase(end + 1):
                    yield (phase, last), behind
            yield (phase, None), end

    def timed(self, term: p.Term, span: Span) -> p.Term:
        """The term with its time, which is omitted for an order that cannot be given earlier."""
        core = term.term if isinstance(term, p.Not) else term
        if isinstance(core, p.Promise) and span == (slot(core.order.kind, self.now), None):
            return term
        return p.During(*span, term)

    def _phase(self, at: int) -> Iterator[tuple[Phase, int]]:
        words = self.words
        later = words.key(at, "NEXT")
        begin = words.skip(at, "THIS", "NEXT")
        if words.key(begin, "TURN"):
            yield self._following() if later else self.now, begin + 1
        if begin < len(words) and (phase := self._told(words.words[begin])) is not None:
            yield phase, begin + 1
        if not words.key(begin, "SEASON"):
            return
        season, kind = _SEASONS[words.words[begin]]
        end = begin + 1
        year = words.words[end] if end < len(words) and words.words[end].isdigit() else ""
        end += bool(year)
        if words.key(end, "RETREAT"):
            kind, end = "R", end + 1
        yield Phase(int(year), season, kind) if year else self._next(season, kind, later), end

    def _told(self, word: str) -> Phase | None:
        """The phase of ``S1901M``."""
        if word[0] not in "SFW" or not word[1:2].isdigit():
            return None
        try:
            return Phase.parse(word)
        except BordeauxError:
            return None

    def _next(self, season: str, kind: str, later: bool) -> Phase:
        """The first phase of its kind from now on, or after the present one."""
        phase = Phase(self.now.year, season, kind)
        gone = order_of_play(phase) < order_of_play(self.now) or (later and phase == self.now)
        return phase._replace(year=self.now.year + 1) if gone else phase

    def _following(self) -> Phase:
        """The movement phase after the present phase."""
        year = self.now.year
        return Phase(year, "F", "M") if self.now.season == "S" else Phase(year + 1, "S", "M")


# Every form of clause is a generator. It yields the possible values at a place in the text, with the place
# after each. The first parse that reaches the end of the text is taken. A near miss records a complaint for
# the error message.

Found = Iterator[tuple[p.Term, int]]
_JOINTS = ("AND", "OR", "IF", "STOP")


class _Parse(NamedTuple):
    """Terms, each with the conjunction before it and its place, and stretches of words that were left out."""

    terms: tuple[tuple[p.Term, str, int], ...]
    left: tuple[tuple[int, int], ...]

    @property
    def cost(self) -> int:
        """The number of words left out."""
        return sum(end - begin for begin, end in self.left)


class Clauses:
    """Reads the clauses of one text."""

    def __init__(self, words: Words, context: MessageContext) -> None:
        self.words = words
        self.context = context
        self.seasons = Seasons(words, context)
        self.orders = OrderClauses(words, context)
        self._read: dict[int, _Parse | None] = {}
        #: What `whole` has left out, as it was written.
        self.left: list[str] = []

    def whole(self) -> p.Term | None:
        """The text as one term; None if no clause can be read. Clauses that cannot be read are left out, but
        no part of a sentence with a condition or alternatives.

        Raises BordeauxError if ``and`` and ``or`` are mixed, for a question that is no offer, and if what is
        left out may take back the rest.
        """
        read = self._to_the_end(0)
        if read is None or not read.terms:
            return None
        if {"or", "and"} <= {joint for _, joint, _ in read.terms}:
            raise BordeauxError("it has both and and or: send them as messages of their own")
        for _, _, at in read.terms:
            first, end = self._sentence(at)
            asked = any(first <= place <= end for place in self.words.asked)
            said = chain.from_iterable(atoms(term) for term, _, place in read.terms if first <= place < end)
            if asked and not any(map(self._theirs, said)):
                raise BordeauxError("I read what you propose, and no question about others or yourself")
        for begin, end in read.left:
            if self.words.skip(begin, "A") == end:
                continue
            self.left.append(self.words.quote(begin, end))
            if self._takes_back(begin, end):
                raise BordeauxError(f"I do not understand {quote(self.left[-1])}")
            if any(self._of_deeds(at) for at in range(begin, end)):
                self.context.complain(f"I do not understand {quote(self.left[-1])}")
        alternative = any(joint == "or" for _, joint, _ in read.terms)
        parts = [term for term, _, _ in read.terms]
        if any(p.Not(part) in parts for part in parts if isinstance(part, p.Peace | p.Alliance | p.Draw)):
            raise BordeauxError("it says both yes and no to one thing")
        parts = parts if alternative else _merged(parts)
        if len(parts) == 1:
            return parts[0]
        return p.Some(tuple(parts)) if alternative else p.All(tuple(parts))

    def _of_deeds(self, at: int) -> bool:
        """Whether a word is one of a clause: a verb of orders, or a place."""
        deeds = VERBS - {"HAVE", "A", "NOT", "PEACE"}
        return self.words.key(at, *deeds) or self.words.place(at) is not None

    def _theirs(self, term: p.Term) -> bool:
        """Whether the recipients have a part in an elementary term."""
        me, others = self.context.speaker, self.context.to
        match undone(term) or term:
            case p.Promise(power):
                return power in others
            case p.Demilitarised(powers):
                return not {*others}.isdisjoint(powers)
            case p.Division(shares):
                return any(share.owner in ("", me, *others) for share in shares)
            case p.Peace(powers) | p.Alliance(powers) | p.Draw(powers):
                return not powers or (me in powers and not {*others}.isdisjoint(powers))
        return False

    def _takes_back(self, begin: int, end: int) -> bool:
        """Whether words that are left out may be a condition or a refusal of the rest: ``never``."""
        words = self.words
        first, _ = self._sentence(begin)
        named = any(words.place(at) or words.power(at) for at in range(begin, end))
        return (
            any(words.key(at, "IF", "AFTER", "UNTIL") for at in range(first, end))
            or any(words.key(at, "NOT") and (at == begin or not named) for at in range(begin, end))
            or any(answer.fullmatch(self.left[-1]) for answer in (_NO, _SILENT, _CANCEL))
        )

    def _to_the_end(self, at: int) -> _Parse | None:
        """The clauses from a place to the end."""
        if at not in self._read:
            self._read[at] = None
            self._read[at] = self._search(at)
        return self._read[at]

    def _search(self, at: int) -> _Parse | None:
        words = self.words
        begin = words.skip(at, *_JOINTS)
        joint = "or" if any(words.key(place, "OR") for place in range(at, begin)) else "and"
        joint = "" if at == 0 or not begin - at else joint
        if begin == len(words):
            return _Parse((), ())
        best: _Parse | None = None
        for term, behind in self.clause(begin):
            if behind > begin and (rest := self._to_the_end(behind)) is not None:
                parse = _Parse(((term, joint if rest.terms or at else "", begin), *rest.terms), rest.left)
                if best is None or parse.cost < best.cost:
                    best = parse
                if not best.cost:
                    return best
        if at == 0 or begin > at:
            end = self._end_of_part(begin)
            if end and (rest := self._to_the_end(end)) is not None:
                parse = _Parse(rest.terms, ((begin, end), *rest.left))
                if best is None or parse.cost < best.cost:
                    best = parse
        return best

    def _end_of_part(self, at: int) -> int:
        """The end of the clause at a place, which may be left out; of the whole sentence if it has a
        condition or an alternative. 0 within such a sentence."""
        words = self.words
        first, end = self._sentence(at)
        if any(words.key(place, "IF", "OR", "SAID") for place in range(first, end)):
            return 0 if any(not words.key(place, *_JOINTS) for place in range(first, at)) else end
        return next((place for place in range(at, end) if words.key(place, "AND")), end)

    def _sentence(self, at: int) -> tuple[int, int]:
        """The begin and the end of the sentence at a place."""
        first, end = at, at
        while first and not self.words.key(first - 1, "STOP"):
            first -= 1
        while end < len(self.words) and not self.words.key(end, "STOP"):
            end += 1
        return first, end

    # Clauses.

    def clause(self, at: int) -> Found:
        """A clause, with its time before or after it."""
        for span, behind in self.seasons.read(at):
            for term, end in self._core(self.words.skip(behind, "AND")):
                yield self.seasons.timed(term, span), end
        for term, end in self._core(at):
            for span, behind in self.seasons.read(end):
                yield self.seasons.timed(term, span), behind
            yield term, end

    def _core(self, at: int) -> Found:
        yield from chain(
            self._peace(at),
            self._alliance(at),
            self._war(at),
            self._draw(at),
            self._demilitarised(at),
            self._bounce(at),
            self._division(at),
            self.orders.read(at),
        )
        if self.words.key(at, "NOT"):
            for term, end in self.clause(at + 1):
                yield p.Not(term), end

    def _subject(self, at: int) -> Iterator[tuple[tuple[str, ...], int, bool]]:
        """The powers that a clause is about, empty if not given; and whether there is a ``not``."""
        for powers, behind in chain(self.context.who(at, subject=True), [((), at)]):
            end = self.words.skip(behind, "NOT")
            yield powers, end, (end - behind) % 2 == 1

    def _peace(self, at: int) -> Found:
        words = self.words
        for subject, behind, no in self._subject(at):
            begin = words.skip(behind, "A", "IN", "FOR", "TO", "HAVE")
            if words.key(begin + 1, "PEACE"):
                begin = words.skip(begin, "KEEP")
            if (no and words.key(begin, "FIGHT")) or words.key(begin, "LEAVE"):
                # ``I will not attack you``, ``let us leave each other alone``.
                last = words.skip(begin + 1, "IN")
                for powers, end in self.context.who(last) if subject or no else ():
                    alone = words.skip(end, "ALONE")
                    if alone > end or words.key(begin, "FIGHT"):
                        yield p.Peace(self.context.party(_once((*subject, *powers)))), alone
                if len(subject) > 1 and (words.key(last, "ALONE") or words.key(begin, "FIGHT")):
                    yield p.Peace(subject), words.skip(last, "ALONE")
            if not words.key(begin, "PEACE"):
                continue
            begin = words.skip(begin, "PEACE")
            if words.key(begin, "BETWEEN", "OF"):
                for powers, end in self.context.who(begin + 1):
                    yield _maybe(no, p.Peace(self.context.party(powers))), end
            link = words.skip(begin, "WITH", "TO", "FOR")
            for powers, end in self.context.who(link):
                mine = subject or ((self.context.speaker,) if link > begin else ())
                yield _maybe(no, p.Peace(self.context.party((*mine, *powers)))), end
            yield _maybe(no, p.Peace(self.context.party(subject))), begin

    def _alliance(self, at: int) -> Found:
        words = self.words
        for subject, behind, no in self._subject(at):
            begin = words.skip(behind, "A", "IN", "HAVE")
            if words.key(begin, "ALLY"):
                begin = words.skip(begin, "ALLY")
                for members, end in self._members(begin, subject):
                    if not words.key(end, "AGAINST"):
                        self.context.complain("an alliance against whom? say: ally against ... with a name")
                    for against, last in self._against(end):
                        yield from self._allied(no, members, against, last)
                for against, end in self._against(begin):
                    for members, last in self._members(end, subject):
                        yield from self._allied(no, members, against, last)
            elif words.key(begin, "FIGHT", "WAR") and words.place(begin + 1) is None:
                link = words.skip(begin + 1, "IN", "WITH", "AGAINST")
                for against, end in self.context.who(link):
                    if not {*against} & {self.context.speaker, *self.context.to}:
                        yield _maybe(no, p.Alliance(self.context.party(subject), against)), end

    def _allied(self, no: bool, members: tuple[str, ...], against: tuple[str, ...], end: int) -> Found:
        """An alliance, unless a power would be on both sides."""
        both = [power for power in members if power in against]
        if both:
            names = self.context.board.names.powers(both)
            self.context.complain(f"{names} cannot be in an alliance and against it")
        else:
            yield _maybe(no, p.Alliance(members, against)), end

    def _war(self, at: int) -> Found:
        """War between powers: the negation of peace."""
        words, speaker = self.words, self.context.speaker
        for subject, behind, no in self._subject(at):
            begin = words.skip(behind, "HAVE", "DECLARE", "A", "IN")
            if no or not words.key(begin, "WAR"):
                continue
            link = words.skip(begin + 1, "IN", "WITH", "AGAINST")
            for powers, end in self.context.who(link):
                yield p.Not(p.Peace(_once((*(subject or (speaker,)), *powers)))), end
            if len(subject) > 1:
                yield p.Not(p.Peace(subject)), begin + 1

    def _members(self, at: int, subject: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
        """The allies: those before the word, those after it, or the two correspondents."""
        words = self.words
        if words.key(at, "WITH", "OF", "BETWEEN"):
            mine = (self.context.speaker,) if words.key(at, "WITH") and not subject else ()
            for powers, end in self.context.who(at + 1):
                yield tuple(dict.fromkeys((*subject, *mine, *powers))), end
        yield subject or self.context.party(()), at

    def _against(self, at: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if self.words.key(at, "AGAINST"):
            yield from self.context.who(at + 1)

    def _draw(self, at: int) -> Found:
        words = self.words
        for subject, behind, before in self._subject(at):
            begin = words.skip(behind, "GAME")
            negated = words.skip(begin, "NOT")
            no = before != (negated > begin)
            begin = words.skip(negated, "END", "IN", "A", "FOR")
            if not words.key(begin, "DRAW"):
                continue
            begin = words.skip(begin + 1, "GAME")
            if words.key(begin, "OF", "BETWEEN", "WITH", "FOR"):
                mine = subject or (self.context.speaker,) if words.key(begin, "WITH") else ()
                for powers, end in self.context.who(begin + 1):
                    yield _maybe(no, p.Draw(self.context.party((*mine, *powers)))), end
            yield _maybe(no, p.Draw()), begin

    def _demilitarised(self, at: int) -> Found:
        words, context = self.words, self.context
        for subject, behind, no in self._subject(at):
            begin = words.skip(behind, "A")
            # ``DMZ Tyrolia``, ``a demilitarised Tyrolia``
            if words.key(begin, "DMZ"):
                for places, end in self._places(words.skip(begin + 1, "OF", "FOR", "IN")):
                    if words.key(end, "FOR", "BETWEEN", "OF", "WITH"):
                        mine = (context.speaker,) if words.key(end, "WITH") else ()
                        for powers, last in context.who(end + 1):
                            yield _maybe(no, p.Demilitarised(_once((*mine, *powers)), places)), last
                    yield _maybe(no, p.Demilitarised(subject or context.party(()), places)), end
            if words.key(begin, "KEEP"):
                for places, end in self._places(begin + 1):
                    if words.key(end, "ALONE", "NOBODY", "DMZ"):
                        said = p.Demilitarised(subject or context.party(()), places)
                        yield _maybe(no, said), end + 1
            link = words.skip(begin + 1, "OUT", "OF", "FROM") if words.key(begin, "KEEP") else begin
            named = context.one(begin + 1) if words.key(begin, "KEEP") else None
            if named is not None and words.key(begin + 1, "YOU", "I", "WE"):
                # ``keep your armies out of Tyrolia``
                subject = named[0]
                link = words.skip(words.skip(begin + 2, "ARMY", "FLEET", "UNIT"), "OUT", "OF", "FROM")
            if words.key(begin, "LEAVE"):
                link = begin + 1
            if link > begin + words.key(begin, "KEEP"):
                for places, end in self._places(link):
                    said = p.Demilitarised(subject or context.you(), places)
                    yield _maybe(no, said), words.skip(end, "ALONE")
            if no and words.key(begin, "MOVE", "FIGHT"):
                # Not to go there, with whatever unit.
                for places, end in self._places(words.skip(begin + 1, "TO", "IN"), "OR"):
                    if not words.key(end, "TO", "DASH", "FROM"):
                        yield p.Demilitarised(subject or context.you(), places), end
            for places, end in self._places(words.skip(behind, "WITH")) if not no else ():
                link = words.skip(end, "A", "KEEP")
                if words.key(link, "DMZ", "ALONE") or (link > end and words.key(link, "NOBODY")):
                    yield p.Demilitarised(subject or context.party(()), places), link + 1

    def _bounce(self, at: int) -> Found:
        """Both move to one place, so that nobody gets there."""
        words = self.words
        for subject, behind, no in self._subject(at):
            begin = words.skip(behind, "A")
            link = words.skip(begin + 1, "YOU", "I", "IN")
            named_place = words.place(link) if words.key(begin, "BOUNCE") else None
            if named_place is None:
                continue
            board, (place, end) = self.context.board, named_place
            if no:
                yield p.Demilitarised(subject or self.context.you(), (place.province.name,)), end
                continue
            parties = subject if len(subject) > 1 else self.context.party(())
            try:
                moves = [board.promise(OrderKind.MOVE, Ref(power), None, place) for power in parties]
            except BordeauxError as error:
                self.context.complain(str(error))
            else:
                yield p.All(tuple(moves)), end

    def _division(self, at: int) -> Found:
        words = self.words
        for subject, behind, no in self._subject(at):
            if words.key(behind, "NOBODY"):
                for share, end in self._share("", words.skip(behind + 1, "GET", "HAVE")):
                    yield share, end
            elif len(subject) == 1 and words.key(behind, "GET", "HAVE", "KEEP"):
                for share, end in self._share(subject[0], behind + 1):
                    yield _maybe(no, share), end
        for places, end in self._places(words.skip(at, "I", "WE", "LEAVE")):
            link = words.skip(end, "MOVE", "TO", "FOR")
            if words.key(link, "NOBODY"):
                yield from self._shared("", places, link + 1)
            for powers, last in self.context.who(link):
                if len(powers) == 1:
                    yield from self._shared(powers[0], places, last)

    def _share(self, owner: str, at: int) -> Found:
        for places, end in self._places(at):
            yield from self._shared(owner, places, end)

    def _shared(self, owner: str, places: tuple[str, ...], end: int) -> Found:
        others = [tag for tag in places if tag not in self.words.map.centres]
        if others:
            names = listed([self.context.board.names.province(tag) for tag in others])
            self.context.complain(
                f"{names} {'is no supply centre' if len(others) == 1 else 'are no supply centres'}"
            )
        else:
            yield p.Division((p.Share(owner, places),)), end

    def _places(self, at: int, *links: str) -> Iterator[tuple[tuple[str, ...], int]]:
        """Provinces in sequence, the longest sequence first; `links` may stand between them too."""
        words = self.words
        ways: list[tuple[tuple[str, ...], int]] = []
        places: tuple[str, ...] = ()
        named_place = words.place(at)
        while named_place is not None:
            place, end = named_place
            places = (*places, place.province.name)
            ways.append((places, end))
            named_place = words.place(
                words.skip(end, "AND", "DASH", *links) if not words.key(end, "DASH") else end
            )
        yield from reversed(ways)


def _once(powers: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(powers))


def _maybe(no: bool, term: p.Term) -> p.Term:
    return p.Not(term) if no else term


def _merged(parts: Sequence[p.Term]) -> list[p.Term]:
    """Terms with adjacent shares of centres merged."""
    merged: list[p.Term] = []
    for part in parts:
        match merged[-1:], part:
            case [p.Division(before)], p.Division(shares):
                merged[-1] = p.Division((*before, *shares))
            case _:
                merged.append(part)
    return merged


_POLITE = (
    r"(?:(?:please|thanks|thank you|very much|good luck|my friend|(?:i )?look(?:ing)? forward to"
    r" working with you|ok|okay|well|hi|hello|hey|to that|that|it|so)\b|[\s,.!])*"
)


def _whole(ways: str) -> re.Pattern[str]:
    """A pattern of all wordings of a phrase, with polite words around them."""
    return re.compile(rf"{_POLITE}(?:{'|'.join(way.strip() for way in ways.split('/'))}){_POLITE}")


_THIS = r"(?: (?:to |with )?(?:that|this|it|(?:your|the|this) (?:offer|proposal|deal|idea|terms|plan)))?"
_WE = r"(?:unfortunately,? |i'm afraid |sorry,? (?:but )?)?(?:i|we)(?:'m|'d|'ll| am| would| will)?(?: be)?"
_YES = _whole(
    "yes/y/yeah/yep/ok/okay/sure/agreed/(?:yes,? )?(?:i )?agree/(?:i )?accept(?:ed)?/deal/done/fine/good"
    "/great/of course/with pleasure/gladly/aye/yes,? agreed/i'm in/count me in/you have a deal/it's a deal"
    "/(?:that )?(?:sounds|works)(?: good| great| fine| like a plan| (?:for|to) me)*"
    "(?:,? let's do (?:it|that))?"
    f"/let's do (?:it|that)/{_WE}(?: happy| glad)?(?: to)? (?:agree|accept){_THIS}"
)
_NO = _whole(
    "no/n/nope/nah/no way/never/(?:i )?refused?/(?:i )?disagree/(?:i )?reject(?:ed)?/(?:i )?declined?/no deal"
    "/not agreed/sorry,? no/no,? sorry/i do not/i don't"
    f"/{_WE} ?(?:can't|cannot|can not|won't|don't|do not|will not|not|unable to)(?: be able to)?"
    f" (?:agree|accept|do){_THIS}/{_WE} (?:have to|must) (?:decline|refuse){_THIS}"
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
_BEGUN = re.compile(r"([^.,;!?]+)[.,;!]+ *(?:but |and )?(.*\w.*)")
#: What denies, sets a condition, asks or puts off.
_HELD_BACK = re.compile(
    r"\?|\b(?:no|not|never|none|nothing|nobody|cannot|\w+n't|if|unless|when|once|after|before|until|till|first"
    r"|instead|else|otherwise|as soon as|(?:as|so) long as|assuming|provided|on condition"
    r"|in (?:return|exchange)|war|think (?:about|it over)|consider|see if|later|wait|yet"
    r"|maybe|perhaps|may|might|doubt|unsure|depends?)\b"
)
_OFFERED = re.compile(r"(?:(?:proposes?|offers?|suggests?)\b:?\s*)+(?:that |to )?")
_STATED = re.compile(r"(?:says?|states?|fact|announces?)\b:?\s*(?:that )?(?=\S)")
_ENDED = re.compile(r"(?:i )?end (?:the |our )?(.+)|(.+?) is (?:over|off)[.!]*")
_PROPOSAL = re.compile(r"(?:the |your |my )?(?:proposal|offer|suggestion)\s*(?:of |that |for |to )?")
_STATEMENT = re.compile(r"the statement that ")
#: Verbs before which the speaker may name himself.
_VERBS = "says? gives? takes? proposes? offers? suggests? accepts? agrees? refuses? rejects? cancels? states?"
_MUTUAL = (p.Peace, p.Alliance, p.Draw, p.Demilitarised)


class _Unclear(BordeauxError):
    """The text is understood except one thing, which the error names."""


class _Silent(BordeauxError):
    """The text has nothing that can be understood."""


class Understood(NamedTuple):
    """The message of a text, and what was left out of it, as a sentence; empty for nothing."""

    message: p.Message
    left: str = ""


def understand(
    text: str,
    *,
    speaker: str,
    to: Sequence[str],
    position: Position,
    answering: p.Message | None = None,
    said: p.Message | None = None,
    level: int = FREE_TEXT,
) -> Understood:
    """The message of a text from `speaker` to the powers `to`, in a position.

    `answering` is the message that yes and no answer, `said` the one that is withdrawn: the last proposal
    received, and sent. What is understood of a text is taken, and the rest is told. Raises BordeauxError,
    with one line of reason and an example, if nothing is understood, if it is ambiguous, or above the
    `level` of the game.
    """
    reader = _Reader(speaker, to, position, answering, said)
    try:
        message = reader.message(text)
        if level_of(message) > level:
            raise _Unclear(f"that takes level {level_of(message)}, and this game has {level}")
    except _Unclear as error:
        raise BordeauxError(f"{quote(text)}: {error}") from None
    except BordeauxError as error:
        raise BordeauxError(f"{quote(text)}: {error}; {_example(position.map, speaker)}") from None
    named = "; ".join(reader.left)
    return Understood(message, f"left out: {named}" if named else "")


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
        self.left: list[str] = []

    def message(self, text: str) -> p.Message:
        """The meaning of the text; raises BordeauxError without the text in it."""
        plain = re.sub(r"\s*\n[\s•*-]*", " ¶ ", text.strip(" \n•*-"))
        plain = re.sub(r"\s+", " ", plain.replace("’", "'")).lower()
        plain = self._without_addressee(plain)
        if not plain.strip(" .!?¶"):
            raise BordeauxError("there is nothing to understand")
        plainer = re.sub(rf"(?:\b(?:but|and) )?{COURTESY}[ .,!?]*", " ", plain)
        if (answer := self._answer(plainer) or self._answer_and_more(plainer)) is not None:
            return answer
        plain = self._without_speaker(plain)
        for kind, begins in _QUOTING:
            if match := re.match(begins, plain):
                return kind(self._quoted(plain[match.end() :]))
        if match := _ENDED.fullmatch(plain):
            return p.State(p.NoDeal(self._term(match[1] or match[2])))
        if match := _OFFERED.match(plain):
            offered = plain[match.end() :]
            # Behind a colon the writer gives the reason.
            return p.Propose(self._term(offered.partition(": ")[0] if "proposes" in match[0] else offered))
        if match := _STATED.match(plain):
            return p.State(self._term(plain[match.end() :]))
        term = self._term(plain)
        core = term.term if isinstance(term, p.During) else term
        if isinstance(core, p.Not) and isinstance(core.term, p.Peace) and " war " in f" {plain} ":
            return p.State(core)
        if isinstance(term, p.Peace | p.Alliance) and self.speaker not in term.powers:
            return p.State(term)
        proposal = self._proposal(term)
        if proposal == self.answering and self.left and "?" in plain:
            raise _Unclear("is that a yes or a no?")
        return p.Accept(proposal) if proposal == self.answering else proposal

    def _proposal(self, term: p.Term) -> p.Propose:
        """The proposal of a term: the one that is answered, or the own one, if it has the same content."""
        for known in (self.answering, self.said):
            if isinstance(known, p.Propose) and equivalent(known.term, term):
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

    def _answer_and_more(self, plain: str) -> p.Message | None:
        """An answer that begins a longer text. The rest is left out, unless it may take a yes back."""
        begun = _BEGUN.match(plain)
        if begun is None or self.answering is None or (answer := self._answer(begun[1])) is None:
            return None
        rest, more = begun[2], None
        with contextlib.suppress(BordeauxError):
            more = self._answer(rest) or self._proposal(self._term(rest))
        agreed = isinstance(answer, p.Accept)
        if more == answer or (agreed and more == self.answering):
            return answer
        if (
            isinstance(more, p.Accept)
            or more == self.answering
            or (agreed and _HELD_BACK.search(rest) and not self._is_wish(more, rest))
        ):
            raise _Unclear("is that a yes or a no? say only that, or propose the whole deal yourself")
        self.left = [rest.strip(" .,;!?")]
        return answer

    def _is_wish(self, message: p.Message | None, text: str) -> bool:
        """Whether a message asks for more: nothing of it is a condition, a denial, a time or left out."""
        if not isinstance(message, p.Propose) or self.left:
            return False
        conditional = not {"IF", "OR"}.isdisjoint(Words(text, self.position.map).keys)
        less = (undone(part) is not None or isinstance(part, p.During) for part in parts(message.term))
        return not conditional and not any(less)

    def _without_speaker(self, plain: str) -> str:
        """The text without ``Italy`` or ``I`` before its verb."""
        map = self.position.map
        names = "|".join(
            re.escape(name.lower()) for name in (self.speaker, map.tags[self.speaker], "i", "we")
        )
        return re.sub(rf"^(?:{names}) (?=(?:{'|'.join(_VERBS.split())})\b)", "", plain)

    def _without_addressee(self, plain: str) -> str:
        """The text without ``Dear France,`` at its beginning, if it goes to France and begins no list."""
        tags = self.position.map.tags
        names = "|".join(re.escape(name.lower()) for power in self.to for name in (power, tags[power]))
        listed = "|".join(re.escape(name.lower()) for pair in tags.items() for name in pair)
        greeted = rf"(?:(?:hello|hi|hey|dear|so|well),? )*(?:{names}) ?[,:;!]+ (?!(?:and|{listed})\b)"
        return re.sub(f"^{greeted}", "", plain)

    def _quoted(self, plain: str) -> p.Message:
        """The message that an answer refers to."""
        if match := _STATEMENT.match(plain):
            return p.State(self._term(plain[match.end() :]))
        match = _PROPOSAL.match(plain)
        return self._proposal(self._term(plain[match.end() :] if match else plain))

    def _term(self, plain: str) -> p.Term:
        words = Words(plain, self.position.map)
        context = MessageContext(words, self.speaker, self.to, self.position)
        clauses = Clauses(words, context)
        term = clauses.whole()
        self.left = [*clauses.left]
        if self.left and context.complaint and term is not None:
            # Half of a bargain is another bargain; a peace is the same without what goes with it.
            if any(not isinstance(atom, _MUTUAL) or len(atom.powers) == 1 for atom in atoms(term)):
                part = self.left[-1]
                with contextlib.suppress(_Silent):
                    self._term(part)
                plain = f"I do not understand {quote(part)}"
                raise _Unclear(plain if context.complaint == plain else f"{plain} ({context.complaint})")
            if "I do not understand" not in context.complaint:
                self.left[-1] += f" ({context.complaint})"
        if term is None and context.complaint:
            raise _Unclear(context.complaint)
        if not len(words):
            raise BordeauxError("there is nothing to understand")
        if term is None:
            raise _Silent("I find no offer and no answer in it")
        return term
