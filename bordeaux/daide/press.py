"""Press: DAIDE messages as values of `bordeaux.press.language` and back without loss, and in English."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.mapmessage import NOBODY
from bordeaux.board.order import Order, Unit
from bordeaux.board.position import Position
from bordeaux.board.submission import convoy_route
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import quoted, sentence
from bordeaux.press.language.english.names import Names, listed
from bordeaux.press.language.letter import Letter

# HUH and TRY concern words and have no such value. Source: LANGUAGE.md, sections 8 to 11.


def message_of(press: d.Press, map: Map) -> p.Message:
    """The value of press. Units and orders need not exist or be legal, but units of their kind must be
    possible in the places. The seas of a convoy are included if they are not those of a shortest one. Raises
    FormatError for HUH and TRY, for messages that are not press, and for names that are not on the map."""
    return cast(p.Message, _named(_Known(map).value, press))


def press_of(message: p.Message, map: Map) -> d.Press:
    """A message in DAIDE's words; for results of `message_of`, exactly the original words. DAIDE names the
    power whose unit is helped, so `Promise.helped` is needed there. A move that requires its convoy (``VIA``)
    and names no seas uses a shortest route on the map; DAIDE has no other form of a convoyed move. Raises
    FormatError for messages that DAIDE cannot express, and for names that the map does not have."""
    press = _named(_Known(map).words, message)
    tokens = d.tokens(press)
    vocabulary = _vocabulary(map)
    d.encode(tokens, vocabulary)
    try:
        d.read_part("press", tokens, vocabulary=vocabulary, lenient=True)
    except d.LanguageError:
        raise FormatError(f"DAIDE cannot say {quote(d.text(tokens), 200)}") from None
    return cast(d.Press, press)


def _named(translated: Callable[[Any], Any], said: Any) -> Any:
    """The result of a translation; every failure is a FormatError of one line."""
    try:
        return translated(said)
    except FormatError:
        raise
    except (BordeauxError, KeyError) as error:
        what = error if isinstance(error, BordeauxError) else f"no {error} on the map"
        raise FormatError(f"press {quote(str(said), 200)}: {what}") from None


_vocabulary = functools.lru_cache(maxsize=16)(d.Vocabulary.for_map)


_KINDS = {"AMY": "A", "FLT": "F", "UNT": p.ANY_UNIT}
_TOKENS = {kind: token for token, kind in _KINDS.items()}


class _Known:
    """Translates with the names of one map."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.names = translate.names(map)

    def value(self, said: Any) -> Any:
        """The term or message of its words."""
        match said:
            case d.XDO(order):
                return self.promise(order)
            case d.FOR(d.SeasonYear() as first, term):
                return p.During(translate.phase_of(first), None, self.value(term))
            case d.FOR((first, last), term):
                return p.During(translate.phase_of(first), translate.phase_of(last), self.value(term))
            case d.SND(None, to, press, str(sender)):
                return p.Pass(self.names.power(sender), self.powers(to), self.value(press))
        if type(said) not in _VALUES:
            raise FormatError(f"press {quote(str(said), 200)} says nothing that could be agreed or answered")
        kind, fields = _VALUES[type(said)]
        return kind(*(field.value(self, value) for field, value in zip(fields, said, strict=True)))

    def words(self, said: Any) -> Any:
        """The words for a term or message."""
        match said:
            case p.Promise(power, order, helped):
                return d.XDO(self.order(power, order, helped, said.removal))
            case p.During(first, last, term):
                turn = translate.turn_of(first)
                return d.FOR(turn if last is None else (turn, translate.turn_of(last)), self.words(term))
            case p.Pass(sender, to, message):
                return d.SND(None, self.tokens(to), self.words(message), self.names.tags[sender])
        if type(said) not in _WORDS:
            raise FormatError(f"{quote(repr(said), 200)} is nothing that powers say or agree upon")
        kind, fields = _WORDS[type(said)]
        given = (getattr(said, name) for name in said.__match_args__)
        return kind(*(field.words(self, value) for field, value in zip(fields, given, strict=True)))

    def powers(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(self.names.power, tokens))

    def tokens(self, powers: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.names.tags[power] for power in powers)

    def station(self, unit: d.Unit) -> p.Station:
        kind = _KINDS[unit.kind]
        place = unit.place
        location = self.names.location(kind, place) if kind else self.names.province(place.province)
        return p.Station(self.names.power(unit.power), kind, location)

    def unit(self, station: p.Station) -> d.Unit:
        return d.Unit(
            self.names.tags[station.power], _TOKENS[station.kind], self.names.place(station.location)
        )

    def promise(self, said: d.Order) -> p.Promise:
        if isinstance(said, d.VIA):
            raise FormatError(f"order {quote(str(said))} does not say where to")
        power, order = translate.order_of(said, self.map)
        if order.route and order.route == self.seas(order):
            order = order._replace(route=())
        helped = self.names.power(said.other.power) if isinstance(said, d.SUP | d.CVY) else ""
        return p.Promise(power, order, helped, isinstance(said, d.REM))

    def order(self, power: str, order: Order, helped: str, removal: bool) -> d.Order:
        other = None
        if order.target:
            if not helped:
                raise FormatError(f"order {quote(str(order))}: DAIDE needs the power whose unit is helped")
            other = self.names.unit_value(Unit(helped, order.target_unit, order.target))
        route = order.route or (self.seas(order) if order.via else ())
        if order.via and not route:
            raise FormatError(f"order {quote(str(order))}: no seas lead there")
        return translate.order_value(order, power, self.map, other, route, removal)

    def seas(self, order: Order) -> tuple[str, ...]:
        """The seas of a shortest convoy, if fleets were everywhere; empty if there is none."""
        if order.unit != "A":
            return ()
        seas = (province.name for province in self.map.provinces if province.kind == "sea")
        afloat = [Unit(self.map.powers[0], "F", sea) for sea in seas]
        everywhere = Position(self.map, self.map.start_phase, afloat, {})
        return convoy_route(everywhere, order.location, order.destination)


class _Field(NamedTuple):
    """A field of a message in both directions: its value from its words, its words from its value."""

    value: Callable[[_Known, Any], Any]
    words: Callable[[_Known, Any], Any]


def _each(field: _Field) -> _Field:
    """A row of fields."""
    return _Field(
        lambda known, row: tuple(field.value(known, value) for value in row),
        lambda known, row: tuple(field.words(known, value) for value in row),
    )


def _share(known: _Known, share: p.Share) -> d.Owned:
    owner = known.names.tags[share.owner] if share.owner else NOBODY
    return d.Owned(owner, tuple(known.names.tokens[tag] for tag in share.centres))


def _owned(known: _Known, owned: d.Owned) -> p.Share:
    owner = "" if owned.owner == NOBODY else known.names.power(owned.owner)
    return p.Share(owner, tuple(map(known.names.province, owned.provinces)))


def _target(known: _Known, token: str) -> str:
    return known.names.powers.get(token) or known.names.province(token)


def _target_token(known: _Known, target: str) -> str:
    return known.names.tags.get(target) or known.names.tokens[target]


_POWER = _Field(lambda known, token: known.names.power(token), lambda known, name: known.names.tags[name])
_PROVINCE = _Field(
    lambda known, token: known.names.province(token), lambda known, tag: known.names.tokens[tag]
)
_POWERS, _PROVINCES = _each(_POWER), _each(_PROVINCE)
_STATION = _Field(_Known.station, _Known.unit)
_STATIONS = _each(_STATION)
_SAID = _Field(_Known.value, _Known.words)
_ALL_SAID = _each(_SAID)
_PERHAPS = _Field(
    lambda known, said: None if said is None else known.value(said),
    lambda known, said: None if said is None else known.words(said),
)
_AS_IT_IS = _Field(lambda known, it: it, lambda known, it: it)
_TURN = _Field(lambda known, turn: translate.phase_of(turn), lambda known, phase: translate.turn_of(phase))

_PAIRS: tuple[tuple[type, type, tuple[_Field, ...]], ...] = (
    (d.PCE, p.Peace, (_POWERS,)),
    (d.ALY, p.Alliance, (_POWERS, _POWERS)),
    (d.DRW, p.Draw, (_POWERS,)),
    (d.SLO, p.Solo, (_POWER,)),
    (d.DMZ, p.Demilitarised, (_POWERS, _PROVINCES)),
    (d.SCD, p.Division, (_each(_Field(_owned, _share)),)),
    (d.OCC, p.Stationing, (_STATIONS,)),
    (d.NOT, p.Not, (_SAID,)),
    (d.NAR, p.NoDeal, (_SAID,)),
    (d.AND, p.All, (_ALL_SAID,)),
    (d.ORR, p.Some, (_ALL_SAID,)),
    (d.CHO, p.Choice, (_AS_IT_IS, _AS_IT_IS, _ALL_SAID)),
    (d.XOY, p.Favour, (_POWER, _POWER)),
    (d.YDO, p.Command, (_POWER, _STATIONS)),
    (d.FWD, p.Forward, (_POWERS, _POWER, _POWER)),
    (d.BCC, p.Copy, (_POWER, _POWERS, _POWER)),
    (d.PRP, p.Propose, (_SAID,)),
    (d.INS, p.Insist, (_SAID,)),
    (d.SUG, p.Suggest, (_SAID,)),
    (d.FCT, p.State, (_SAID,)),
    (d.THK, p.Think, (_SAID,)),
    (d.QRY, p.Ask, (_SAID,)),
    (d.YES, p.Accept, (_SAID,)),
    (d.REJ, p.Refuse, (_SAID,)),
    (d.BWX, p.Decline, (_SAID,)),
    (d.CCL, p.Cancel, (_SAID,)),
    (d.WHT, p.AskUnit, (_STATION,)),
    (d.HOW, p.AskAttack, (_Field(_target, _target_token),)),
    (d.EXP, p.Explain, (_TURN, _SAID)),
    (d.IFF, p.If, (_SAID, _SAID, _PERHAPS)),
    (d.FRM, p.Report, (_POWER, _POWERS, _SAID)),
    (d.IDK, p.Unsure, (_SAID,)),
    (d.SRY, p.Sorry, (_SAID,)),
    (d.WHY, p.Why, (_SAID,)),
    (d.POB, p.OnBoard, (_SAID,)),
    (d.Text, p.Words, (_AS_IT_IS,)),
)
_VALUES = {words: (value, fields) for words, value, fields in _PAIRS}
_WORDS = {value: (words, fields) for words, value, fields in _PAIRS}


#: Subjects of press, by their token.
_SUBJECTS = {
    "PCE": "peace",
    "ALY": "alliances",
    "DRW": "draws",
    "SLO": "solos",
    "XDO": "orders",
    "DMZ": "demilitarised provinces",
    "SCD": "the division of centres",
    "OCC": "the stations of units",
    "FOR": "times",
    "IFF": "conditions",
    "XOY": "favours",
    "YDO": "command over units",
    "SND": "messages to others",
}


def in_english(sender: str, press: d.Press, map: Map) -> str:
    """A message of a power, given by name or token: ``France proposes peace between France and England.`` A
    message that names things that are not on the map is shown in DAIDE's words."""
    power = map.power(sender)
    name = Names(map).power(power)
    match press:
        case d.HUH(tokens):
            return f"{name} does not understand {_unread(tokens, map)}."
        case d.TRY(tokens):
            subjects = [subject for token, subject in _SUBJECTS.items() if token in tokens]
            return f"{name} can talk about {listed(subjects) or 'nothing'}."
    try:
        return sentence(Letter(power, (), message_of(press, map)), map)
    except BordeauxError:
        return f"{name} says: {d.text(press)}"


def _unread(tokens: d.Tokens, map: Map) -> str:
    """An unreadable message; the mark of the error is left out."""
    words = tuple(token for token in tokens if token != "ERR")
    try:
        press = d.read_part("press", words, vocabulary=_vocabulary(map))
        return quoted(message_of(press, map), map)
    except BordeauxError:
        return d.text(words)


def readable(text: str) -> str:
    """A text that can be written as UTF-8: invalid bytes are replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def letter_to_json(letter: d.FRM, turn: object, map: Map | None) -> dict[str, Any]:
    """Press in the form of a saved game, as `add_messages` takes it; without a map there is no English."""
    said = {
        "turn": str(turn),
        "from": letter.sender,
        "to": list(letter.to),
        "press": readable(d.text(letter.press)),
    }
    return said if map is None else said | {"english": readable(in_english(letter.sender, letter.press, map))}


def add_messages(game: dict[str, Any], letters: Iterable[Mapping[str, Any]], map: Map) -> None:
    """Add messages to the phases of a saved game, in the form of the PyPI package ``diplomacy``. The
    ``messages`` of a phase are in English, one for each recipient; ``time_sent`` numbers them. `letters` have
    ``turn``, ``from``, ``to`` and ``english``, and are in the order of sending."""
    phases = {phase["name"]: phase for phase in game["phases"]}
    number = 0
    for letter in letters:
        season, _, year = str(letter.get("turn", "")).partition(" ")
        name = str(translate.phase_of(d.SeasonYear(season, int(year)))) if year.isdecimal() else ""
        for recipient in letter["to"] if name in phases and "english" in letter else ():
            number += 1
            message = {
                "sender": map.power(letter["from"]),
                "recipient": map.power(recipient),
                "phase": name,
                "message": letter["english"],
                "time_sent": number,
            }
            phases[name].setdefault("messages", []).append(message)


#: How many of the first fields of a message name powers that must still be in the game.
_STANDING: dict[type, int] = {d.PCE: 1, d.DRW: 1, d.DMZ: 1, d.HOW: 1, d.YDO: 1, d.ALY: 2, d.XOY: 2}


def named_powers(press: object) -> Iterator[str]:
    """Powers in a message that must still be in the game, and all in a form of level 120. A target of HOW may
    be a province, and an owner in SCD may be UNO."""
    match press:
        case d.SCD(groups):
            yield from (group.owner for group in groups)
        case d.SND() | d.FRM() | d.FWD() | d.BCC():
            yield from _words(press)
        case d.HUH() | d.TRY() | d.Text() | d.XDO() | d.SeasonYear():
            return
        case tuple():
            count = _STANDING.get(type(press), 0)
            yield from _words(press[:count])
            for part in () if count else press:
                yield from named_powers(part)


def _words(value: object) -> Iterator[str]:
    """All names in a value, without free text and quotations of HUH and TRY."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple) and not isinstance(value, d.Text | d.HUH | d.TRY):
        for part in value:
            yield from _words(part)
