"""Press in plain English, and saved games with their press."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.press_values import message_of
from bordeaux.press.language.english import quoted, sentence
from bordeaux.press.language.english.names import Names, listed
from bordeaux.press.language.letter import Letter

__all__ = ["add_messages", "in_english"]


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
    """A message of a power, given by name or token: ``France proposes peace between France and England.``

    A message that names things that are not on the map is shown in DAIDE's words.
    """
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
        press = d.read_part("press", words, vocabulary=d.Vocabulary.for_map(map))
        return quoted(message_of(press, map), map)
    except BordeauxError:
        return d.text(words)


def add_messages(game: dict[str, Any], letters: Iterable[Mapping[str, Any]], map: Map) -> None:
    """Add messages to the phases of a saved game, in the form of the PyPI package ``diplomacy``.

    The ``messages`` of a phase are in English, one for each recipient; ``time_sent`` numbers them. `letters`
    have ``turn``, ``from``, ``to`` and ``english``, and are in the order of sending.
    """
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
