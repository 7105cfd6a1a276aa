"""Press as people type it: the recipients, then English, DAIDE text or words that are sent unchanged.

Source: LANGUAGE.md, sections 8 to 10.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from bordeaux.board.errors import BordeauxError, MapError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.daide.client.table import Table
from bordeaux.daide.press_values import message_of, press_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import understand

__all__ = ["letter_of", "may_follow", "reply_to", "talk_of", "text_of"]

#: The lowest level of games with press, and of free text.
PRESS, FREE_TEXT = 10, 8000

#: Messages that yes and no may answer, and those that can be withdrawn.
_ASKING = (p.Propose, p.Insist, p.Suggest, p.Ask, p.AskUnit, p.AskAttack, p.Explain, p.If, p.Why)
_BINDING = (p.Propose, p.Insist, p.Accept)

_Sent = TypeVar("_Sent", d.FRM, d.SND)

EXAMPLE = "write it like: press FRA PRP (PCE (ENG FRA))"


def letter_of(text: str, table: Table, vocabulary: d.Vocabulary) -> d.SND:
    """Press from ``FRA GER PRP (...)``, or in DAIDE's form, ``(FRA GER) (PRP (...))``.

    Raises BordeauxError if it cannot be read, has no recipients, or is above the level of the game.
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


def talk_of(text: str, table: Table, heard: Sequence[d.FRM] = (), sent: Sequence[d.SND] = ()) -> d.SND:
    """Press from English: ``FRA peace?``, ``FRA, GER: you take bel``, ``all draw?``.

    Powers after the first are recipients if they are tags in capitals, or before a colon. Yes and no answer
    the last question or proposal of a recipient in `heard`, preferably one without an answer in `sent`, and
    go to all its recipients; without powers, the last of all. A withdrawal concerns the last proposal to them
    in `sent`. Raises BordeauxError as `letter_of`, and if the text is unclear.
    """
    _check_level(table, PRESS)
    map, position, me = table.map, table.position, table.power
    if map is None or position is None or me is None:
        raise BordeauxError("there is nobody to talk to before the game begins")
    to, rest = _english_recipients(text, table)
    asking = [letter for letter in heard if not to or letter.sender in to]
    answered = [letter.press.message for letter in sent if isinstance(letter.press, d.YES | d.REJ | d.BWX)]
    asked, answering = _last([letter for letter in asking if letter.press not in answered], _ASKING, map)
    if asked is None:
        asked, answering = _last(asking, _ASKING, map)
    own, said = _last([letter for letter in sent if not to or {*letter.to} & {*to}], _BINDING, map)
    others = to or (() if asked is None else _all_who_got(asked, table)) or (() if own is None else own.to)
    if not others or not rest:
        raise BordeauxError("talk needs powers and what to say; write it like: talk FRA peace?")
    message = understand(
        rest,
        speaker=me,
        to=tuple(map.power(token) for token in others),
        position=position,
        answering=answering,
        said=said,
        level=table.level,
    )
    match message:
        case p.Accept(what) | p.Refuse(what) | p.Decline(what) if asked is not None and what == answering:
            others = _all_who_got(asked, table)
        case p.Cancel(what) if own is not None and what == said:
            others = own.to
        case _ if not to:
            raise BordeauxError("talk needs powers; write it like: talk FRA peace?")
    return d.SND(None, others, press_of(message, map))


def _last(
    letters: Sequence[_Sent], kinds: tuple[type, ...], map: Map
) -> tuple[_Sent | None, p.Message | None]:
    """The last letter whose message is of one of some kinds, and that message."""
    for letter in reversed(letters):
        with contextlib.suppress(BordeauxError):
            message = message_of(letter.press, map)
            if isinstance(message, kinds):
                return letter, message
    return None, None


def _english_recipients(text: str, table: Table) -> tuple[tuple[str, ...], str]:
    """The tokens of the addressed powers, empty if none is named, and the rest of the text."""
    begin, colon, rest = text.partition(":")
    words = re.split(r"[\s,]+", begin.strip())
    if colon and all(_tokens_of(word, table) for word in words):
        return _once(token for word in words for token in _tokens_of(word, table)), rest.strip()
    to: list[str] = []
    rest = text.strip()
    if rest.partition(" ")[0].upper() in (table.power, table.token(table.power or "")):
        raise BordeauxError("that is yourself; name whom you talk to, like: talk FRA peace?")
    while rest:
        word, _, after = rest.partition(" ")
        tokens = _tokens_of(word, table)
        if not tokens or (to and word.strip(",") not in tokens):
            break
        to, rest = [*to, *tokens], after.strip()
    return _once(to), rest


def _tokens_of(words: str, table: Table) -> tuple[str, ...]:
    """The tokens of ``FRA``, ``france,germany`` or ``all``; none if one of them is not a power."""
    map = table.map
    assert map is not None and table.power is not None
    if words.lower() == "all":
        return tuple(map.tags[power] for power in table.survivors if power != table.power)
    try:
        tokens = [map.tags[map.power(word)] for word in words.split(",") if word]
    except MapError:
        return ()
    return tuple(token for token in tokens if token != map.tags[table.power])


def _once(tokens: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tokens))


def _all_who_got(message: d.FRM, table: Table) -> tuple[str, ...]:
    """The sender of press, and all its other recipients."""
    me = table.token(table.power or "")
    return (message.sender, *(power for power in message.to if power not in (me, message.sender)))


def reply_to(message: d.FRM, agree: bool, table: Table) -> d.SND:
    """YES or REJ to press, to its sender and all its other recipients."""
    press = d.YES(message.press) if agree else d.REJ(message.press)
    return d.SND(None, _all_who_got(message, table), press)


def may_follow(text: str, level: int, vocabulary: d.Vocabulary) -> list[str]:
    """The tokens that may come next in unfinished press, brackets included; none after text that is not
    DAIDE."""
    try:
        begun = d.tokens_from_text(text)
    except BordeauxError:
        return []
    words = ["(", ")", *d.press_levels(), *vocabulary.powers, *vocabulary.provinces, "AMY", "FLT"]
    words += ["SPR", "SUM", "FAL", "AUT", "WIN", "HLD", "MTO", "SUP", "CVY", "CTO", "RTO", "DSB", "BLD"]
    words += ["REM", "WVE", "VIA", "VSS", "UNT", "UNO", "THN", "ELS"]
    return [word for word in dict.fromkeys(words) if _fits((*begun, word), level, vocabulary)]


def _fits(tokens: d.Tokens, level: int, vocabulary: d.Vocabulary) -> bool:
    """Whether the last token is allowed in its place, whatever follows."""
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
    """The tokens of the powers at the beginning of a text, and the rest of it."""
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
                to += [map.tags[map.power(name)] for name in word.split(",") if name]
            except MapError:
                break
        rest = after.strip()
    if not to and rest:
        word = rest.split()[0]
        raise BordeauxError(f"{quote(word)} is no power{nearest(word, map.powers)}; {EXAMPLE}")
    return tuple(dict.fromkeys(to)), rest
