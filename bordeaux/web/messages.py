"""The messages of a phase for readers: one entry for each letter, in plain English if it is DAIDE press."""

from __future__ import annotations

import math
import re
from typing import Any

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.daide.press import in_english
from bordeaux.web.study import StudyNode

__all__ = ["letters_of", "messages_of"]

LONGEST = 5000
"""Characters of a message that are shown."""
EVERYBODY = "GLOBAL"
"""The recipient of a message to all in the PyPI package ``diplomacy``."""
_DAIDE = re.compile(r"\s*[A-Z]{3}\s*\(")


def messages_of(node: StudyNode, board: Map) -> list[dict[str, Any]]:
    """The messages of a node's phase, in order: sender, recipients, text and time of each letter."""
    return [
        {**letter, "text": _plain(letter["text"], letter["sender"], board)}
        for letter in letters_of(node, board)
    ]


def letters_of(node: StudyNode, board: Map) -> list[dict[str, Any]]:
    """The messages as letters. Saved games have one entry for each recipient of a letter; here there is one
    for each letter."""
    letters: list[dict[str, Any]] = []
    for message in node.messages:
        sender, text = _power(message.get("sender"), board), message.get("message", message.get("text", ""))
        if not isinstance(text, str):
            continue
        listed = message.get("recipients", [message.get("recipient")])
        recipients = [_power(name, board) for name in (listed if isinstance(listed, list) else [listed])]
        if recipients == [EVERYBODY]:
            recipients = [power for power in board.powers if power != sender]
        time = message.get("time_sent", message.get("time"))
        text = text[:LONGEST]
        last = letters[-1] if letters else None
        same = last and last["sender"] == sender and last["text"] == text
        if last and same and not set(recipients) & set(last["recipients"]):
            last["recipients"] += recipients
            continue
        letters.append(
            {
                "sender": sender,
                "recipients": recipients,
                "text": text,
                "time": time if isinstance(time, int | float) and math.isfinite(time) else None,
            }
        )
    return letters


def _power(name: object, board: Map) -> str:
    """The power of a name; another sender's name unchanged."""
    try:
        return board.power(str(name))
    except BordeauxError:
        return clean(str(name))[:60]


def _plain(text: str, sender: str, board: Map) -> str:
    """A message in plain English; text that is not DAIDE press is unchanged."""
    if _DAIDE.match(text) and sender in board.powers:
        try:
            press = d.read_part("press", text, vocabulary=d.Vocabulary.for_map(board))
            return in_english(sender, press, board)
        except (BordeauxError, ValueError, RecursionError):
            pass
    return clean(text, lines=True)
