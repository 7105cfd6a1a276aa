"""Press as people type it: to whom, then DAIDE text or plain words; and what it means, in a sentence.

Source: LANGUAGE.md, sections 8 to 10.
"""

from __future__ import annotations

from collections.abc import Iterable

from bordeaux.board.errors import BordeauxError, MapError, nearest, quote
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.table import Table

__all__ = ["in_a_sentence", "letter_of", "may_follow", "reply_to", "text_of"]

#: The lowest level of games with press, and of free text.
PRESS, FREE_TEXT = 10, 8000

EXAMPLE = "write it like: press FRA PRP (PCE (ENG FRA))"


def letter_of(text: str, table: Table, vocabulary: d.Vocabulary) -> d.SND:
    """Press from ``FRA GER PRP (...)``, or as DAIDE has it, ``(FRA GER) (PRP (...))``.

    Raises BordeauxError where it cannot be read, names nobody, or goes beyond the level of the game.
    """
    _check_level(table, PRESS)
    to, rest = _recipients(text, table)
    if not to or not rest:
        raise BordeauxError(f"press needs powers and a message; {EXAMPLE}")
    if rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1]
    try:
        press = d.read_part("press", rest, level=table.level, vocabulary=vocabulary)
    except d.LanguageError as error:
        raise BordeauxError(_fault(rest, error, table)) from None
    return d.SND(None, to, press)


def _fault(text: str, error: d.LanguageError, table: Table) -> str:
    if error.kind == "brackets":
        return f"press: the brackets of {text} do not match"
    marked = d.text((*error.tokens[: error.at], "ERR", *error.tokens[error.at :]))
    if error.kind == "level":
        return f"press: {marked}: what stands behind ERR is above level {table.level}, that of this game"
    return f"press: {marked}: what stands behind ERR is not DAIDE, or something is missing there"


def text_of(text: str, table: Table) -> d.SND:
    """Free text from ``FRA GER how are you``, or ``all ...``. Raises BordeauxError as `letter_of`."""
    _check_level(table, FREE_TEXT)
    to, rest = _recipients(text, table)
    if not to or not rest:
        raise BordeauxError("say needs powers and a text; write it like: say FRA leave Burgundy alone")
    return d.SND(None, to, d.Text(rest))


def reply_to(message: d.FRM, agree: bool, table: Table) -> d.SND:
    """YES or REJ to press, to its sender and all others who got it."""
    me = table.token(table.power or "")
    to = (message.sender, *(power for power in message.to if power not in (me, message.sender)))
    press = d.YES(message.press) if agree else d.REJ(message.press)
    return d.SND(None, to, press)


def may_follow(text: str, level: int, vocabulary: d.Vocabulary) -> list[str]:
    """The tokens that may come next in press that has been begun, brackets included; nothing after
    text that is no DAIDE."""
    try:
        begun = d.tokens_from_text(text)
    except BordeauxError:
        return []
    words = ["(", ")", *d.press_levels(), *vocabulary.powers, *vocabulary.provinces, "AMY", "FLT"]
    words += ["SPR", "SUM", "FAL", "AUT", "WIN", "HLD", "MTO", "SUP", "CVY", "CTO", "RTO", "DSB", "BLD"]
    words += ["REM", "WVE", "VIA", "VSS", "UNT", "UNO", "THN", "ELS"]
    return [word for word in dict.fromkeys(words) if _fits((*begun, word), level, vocabulary)]


def _fits(tokens: d.Tokens, level: int, vocabulary: d.Vocabulary) -> bool:
    """Whether the last token may stand where it stands, whatever has to follow."""
    closed = (*tokens, *[")"] * (tokens.count("(") - tokens.count(")")))
    try:
        d.read_part("press", closed, level=level, vocabulary=vocabulary)
    except d.LanguageError as error:
        return error.kind == "syntax" and error.at >= len(tokens)
    return True


def _check_level(table: Table, least: int) -> None:
    if table.level >= least:
        return
    if table.level < PRESS:
        raise BordeauxError("this game has no press (level 0)")
    raise BordeauxError(f"free text needs level {FREE_TEXT}; this game has {table.level}: use press")


def _recipients(text: str, table: Table) -> tuple[tuple[str, ...], str]:
    """The tokens of the powers that a text begins with, and the rest of it."""
    map = table.map
    if map is None or table.power is None:
        raise BordeauxError("there is nobody to talk to before the game begins")
    text = text.strip()
    if text.startswith("("):
        inside, _, rest = text[1:].partition(")")
        return tuple(map.tags[map.power(word)] for word in inside.split()), rest.strip()
    to: list[str] = []
    rest = text
    while rest:
        word, _, after = rest.partition(" ")
        if word.lower() == "all":
            to += [map.tags[power] for power in table.survivors if power != table.power]
        else:
            try:
                to += [map.tags[map.power(each)] for each in word.split(",") if each]
            except MapError:
                break
        rest = after.strip()
    if not to and rest:
        word = rest.split()[0]
        raise BordeauxError(f"{quote(word)} is no power{nearest(word, map.powers)}; {EXAMPLE}")
    return tuple(dict.fromkeys(to)), rest


# What press means.

_VERBS = {
    d.PRP: "proposes",
    d.INS: "insists on",
    d.SUG: "suggests",
    d.FCT: "states",
    d.THK: "believes",
    d.QRY: "asks whether there is",
    d.YES: "agrees:",
    d.REJ: "refuses:",
    d.BWX: "will not say:",
    d.CCL: "takes back:",
}


def in_a_sentence(press: object, table: Table) -> str:
    """What press means in plain words, without its sender: ``proposes peace between ENGLAND and
    FRANCE``; empty for forms that are better read as they stand."""
    names = _Names(table)
    match press:
        case d.Text(text):
            return f'says "{text}"'
        case d.YES(inner) | d.REJ(inner) | d.BWX(inner) | d.CCL(inner):
            said = in_a_sentence(inner, table)
            return said and f"{_VERBS[type(press)]} {_bare(said)}"
        case d.PRP(what) | d.INS(what) | d.SUG(what) | d.FCT(what) | d.THK(what) | d.QRY(what):
            said = names.arrangement(what)
            return said and f"{_VERBS[type(press)]} {said}"
        case d.HUH():
            return "does not understand you"
        case d.TRY(tokens):
            return f"understands {d.text(tokens)}" if tokens else "understands no press"
    return ""


def _bare(said: str) -> str:
    """What is quoted, without its verb."""
    for verb in _VERBS.values():
        said = said.removeprefix(f"{verb} ")
    return said


class _Names:
    """Arrangements in words, with the names of a map."""

    def __init__(self, table: Table) -> None:
        self.map = table.map

    def arrangement(self, what: object) -> str:
        """An arrangement; empty if it, or a part of it, is none of the common ones."""
        match what:
            case d.PCE(powers):
                return f"peace between {self._powers(powers)}"
            case d.ALY(powers, against):
                return f"an alliance of {self._powers(powers)} against {self._powers(against)}"
            case d.DRW(powers):
                return f"a draw of {self._powers(powers)}" if powers else "a draw"
            case d.SLO(power):
                return f"a solo of {self._powers((power,))}"
            case d.DMZ(powers, provinces):
                return f"that {self._powers(powers)} keep out of {' '.join(provinces)}"
            case d.XDO(order):
                return self._order(order)
            case d.NOT(inner):
                said = self.arrangement(inner)
                return said and f"not {said}"
            case d.AND(parts):
                return self._joined(parts, " and ")
            case d.ORR(parts):
                return self._joined(parts, " or ")
        return ""

    def _joined(self, parts: Iterable[object], word: str) -> str:
        said = [self.arrangement(part) for part in parts]
        return word.join(said) if all(said) else ""

    def _powers(self, tokens: Iterable[str]) -> str:
        *most, last = (self.map.power(token) if self.map else token for token in tokens)
        return f"{', '.join(most)} and {last}" if most else last

    def _order(self, order: d.Order) -> str:
        if self.map is None:
            return ""
        try:
            power, read = translate.order_of(order, self.map)
        except BordeauxError:
            return ""
        return f"that {power} orders {read}"
