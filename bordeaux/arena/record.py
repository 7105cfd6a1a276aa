"""The saved game of a job, phase by phase, in the form of `bordeaux.formats.games`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bordeaux.arena.job import Job
from bordeaux.arena.sending import Sent
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.press.language.english.writer import sentence
from bordeaux.press.language.json_form import to_json
from bordeaux.press.language.letter import Letter
from bordeaux.rules import adjudicate

__all__ = ["Recorder", "Watch", "messages_of"]

Watch = Callable[[dict[str, Any]], None]
"""Called after every phase, with it in the form of a saved game."""

RULES = ["NO_PRESS"]


class Recorder:
    """Records a game while it is played; `watch` is called for every phase.

    Invalid orders are recorded after the valid ones, and are ``void``; unreadable ones are omitted. At a
    level above 0 every phase also has ``messages``, one for each letter and recipient. ``time_sent`` numbers
    them through the game. ``letter`` holds the message as a value (`bordeaux.press.language.json_form`), with
    all its recipients.
    """

    def __init__(self, job: Job, map: Map, watch: Watch | None = None) -> None:
        self._job = job
        self._map = map
        self._watch = watch
        self._phases: list[dict[str, Any]] = []
        self._messages = 0

    def add(self, position: Position, sent: Mapping[str, Sent], letters: Sequence[Letter] = ()) -> None:
        """Record a phase that has been played."""
        results = adjudicate(
            position, {power: submission.orders for power, submission in sent.items()}
        ).results
        ordered = {order.location for submission in sent.values() for order in submission.orders}
        for submission in sent.values():
            for order in submission.void:
                key = f"{order.unit} {order.location}".strip() or str(order)
                if order.location not in ordered and "void" not in results.setdefault(key, []):
                    results[key] = ["void", *results[key]]
        phase = {
            "name": str(position.phase),
            "state": position.to_json(),
            "orders": {
                power: [str(order) for order in (*submission.orders, *submission.void)]
                for power, submission in sent.items()
            },
            "results": results,
            **self._said(position, letters),
        }
        self._phases.append(phase)
        if self._watch is not None:
            self._watch(phase)

    def game(self, last: Position, end: str, letters: Sequence[Letter] = ()) -> dict[str, Any]:
        """The saved game with its last position, and the letters of an ending without orders. `players`,
        `seed` and `end` are our own fields; other programs ignore them."""
        final = {
            "name": str(last.phase),
            "state": last.to_json(),
            "orders": {},
            "results": {},
            **self._said(last, letters),
        }
        return {
            "id": f"{self._job.index}-{self._job.seed}",
            "map": self._map.name,
            "rules": [] if self._job.level else RULES,
            "phases": [*self._phases, final],
            "players": dict(zip(self._map.powers, self._job.seats, strict=True)),
            "seed": self._job.seed,
            "end": end,
        }

    def _said(self, position: Position, letters: Sequence[Letter]) -> dict[str, Any]:
        """The messages of a phase; the field is missing without talks."""
        if not self._job.level:
            return {}
        messages = messages_of(letters, position, self._messages)
        self._messages += len(messages)
        return {"messages": messages}


def messages_of(letters: Sequence[Letter], position: Position, sent: int = 0) -> list[dict[str, Any]]:
    """The letters of a phase in the form of a saved game; `sent` messages were sent before."""
    messages: list[dict[str, Any]] = []
    for letter in letters:
        text = sentence(letter, position.map)
        value = {"to": list(letter.to), "message": to_json(letter.message)}
        for power in letter.to:
            messages.append(
                {
                    "sender": letter.sender,
                    "recipient": power,
                    "phase": str(position.phase),
                    "message": text,
                    "time_sent": sent + len(messages) + 1,
                    "letter": value,
                }
            )
    return messages
