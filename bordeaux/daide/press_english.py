"""Press in plain English, and saved games with what was said in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.press_values import message_of
from bordeaux.press.english import sentence
from bordeaux.press.english.names import Names
from bordeaux.press.letter import Letter

__all__ = ["add_messages", "in_english"]


def in_english(sender: str, press: d.Press, map: Map) -> str:
    """What a power, given by name or token, says: ``France proposes peace between France and England.``

    HUH and TRY, and what names things that are not on the map, are told in DAIDE's words.
    """
    power = map.power(sender)
    name = Names(map).power(power)
    match press:
        case d.HUH(tokens):
            return f"{name} does not understand: {d.text(tokens)}"
        case d.TRY(()):
            return f"{name} understands no press."
        case d.TRY(tokens):
            return f"{name} understands: {d.text(tokens)}"
    try:
        return sentence(Letter(power, (), message_of(press, map)), map)
    except BordeauxError:
        return f"{name} says: {d.text(press)}"


def add_messages(game: dict[str, Any], letters: Iterable[Mapping[str, Any]], map: Map) -> None:
    """Put what was said into the phases of a saved game, as the PyPI package ``diplomacy`` has it.

    The ``messages`` of a phase are in English, one for each recipient; ``time_sent`` numbers them. `letters`
    have ``turn``, ``from``, ``to`` and ``english``, and stand in the order in which they were sent.
    """
    phases = {phase["name"]: phase for phase in game["phases"]}
    number = 0
    for letter in letters:
        season, _, year = str(letter.get("turn", "")).partition(" ")
        name = str(translate.phase_of(d.Turn(season, int(year)))) if year.isdecimal() else ""
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
