"""The messages of a recorded game and the agreements in them: a ledger for each power."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game
from bordeaux.press.diplomat.ledger import Judgement, Ledger
from bordeaux.press.language.english import understand
from bordeaux.press.language.json_form import message_from_json
from bordeaux.press.language.letter import Letter
from bordeaux.review.record import GameRecord, RecordedPhase
from bordeaux.search.agreements import Agreement

__all__ = ["TalkSummary", "Word", "listen"]

TRUST = 0.75
"""A power's trust that another keeps its promise."""
NO_LETTER = BordeauxError, KeyError, IndexError, TypeError, AttributeError, RecursionError
"""Exceptions of messages in other formats, which may contain anything."""
TOLD = ("peace", "alliance", "demilitarised", "support")
"""Kinds of promises; breaking one is a stab."""


class Word(NamedTuple):
    """A promise that a power broke in a phase: its kind and its recipient."""

    number: int
    power: str
    kind: str
    partners: tuple[str, ...]


class TalkSummary(NamedTuple):
    """The result of the talks of a game: the agreements of each power, by phase number and power, and the
    broken promises. `heard` counts the messages that were understood, `all` all of them."""

    agreements: Mapping[int, Mapping[str, tuple[Agreement, ...]]]
    broken: tuple[Word, ...]
    heard: int = 0
    all: int = 0


def listen(game: Game, record: GameRecord) -> TalkSummary:
    """Read the messages of a game, from the values in our games or from their English. Messages that cannot
    be understood are skipped; in games of people these are most."""
    said = sum(len(game.phases[turn.number].messages) for turn in record.turns)
    if not said:
        return TalkSummary({}, ())
    ledgers = {power: Ledger(record.map, power) for power in record.map.powers}
    agreed: dict[int, dict[str, tuple[Agreement, ...]]] = {}
    broken: dict[Word, None] = {}
    heard = 0
    for turn in record.turns:
        for ledger in ledgers.values():
            ledger.begin(turn.before)
        for letter in _letters(game.phases[turn.number].messages, turn.before):
            heard += 1
            for power in (letter.sender, *letter.to):
                ledgers[power].note(letter)
        for power, ledger in ledgers.items():
            if turn.before.phase.kind == "M":
                agreements = ledger.binding(turn.before, lambda *_: TRUST, free=(power,))
                agreed.setdefault(turn.number, {})[power] = tuple(agreements)
            judged = ledger.judge(turn.before, turn.orders, turn.after)
            broken |= dict.fromkeys(_broken(turn, power, judged))
    return TalkSummary(agreed, tuple(broken), heard, said)


def _broken(turn: RecordedPhase, power: str, judged: Iterable[Judgement]) -> Iterator[Word]:
    for judgement in judged:
        if judgement.power == power and not judgement.kept and judgement.orders and judgement.kind in TOLD:
            partners = tuple(party for party in judgement.deal.parties if party != power)
            yield Word(turn.number, power, judgement.kind, partners)


def _letters(messages: Iterable[Mapping[str, Any]], position: Position) -> list[Letter]:
    """The messages of a phase as letters, one for all recipients."""
    letters: list[Letter] = []
    heard: dict[str, Letter] = {}
    for message in messages:
        with contextlib.suppress(*NO_LETTER):
            letter = _letter(message, position, heard)
            if not letters or letter != letters[-1]:
                letters.append(letter)
                heard[letter.sender] = letter
    return letters


def _letter(message: Mapping[str, Any], position: Position, heard: Mapping[str, Letter]) -> Letter:
    """One message: its value if there is one, else the meaning of its text. Yes and no answer the recipient's
    last message. Raises BordeauxError if it cannot be understood."""
    board = position.map
    sender = board.power(message["sender"])
    value = message.get("letter")
    if isinstance(value, Mapping):
        to = tuple(board.power(name) for name in value["to"])
        return Letter(sender, to, message_from_json(value["message"], board))
    to = _recipients(board, sender, message["recipient"])
    last = heard.get(to[0])
    answering = last.message if last is not None and sender in last.to else None
    own = heard.get(sender)
    text = str(message["message"])
    meant = understand(
        text,
        speaker=sender,
        to=to,
        position=position,
        answering=answering,
        said=own.message if own is not None else None,
    )
    return Letter(sender, to, meant)


def _recipients(board: Map, sender: str, name: str) -> tuple[str, ...]:
    if str(name).upper() in ("GLOBAL", "ALL"):
        return tuple(power for power in board.powers if power != sender)
    return (board.power(name),)
