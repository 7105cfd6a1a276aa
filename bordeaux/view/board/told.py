"""A text description of a board's picture, for people who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted

__all__ = ["heading", "told"]

SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
KINDS = {"M": "movement", "R": "retreats", "A": "adjustments"}


def heading(phase: Phase) -> str:
    """A phase in words: Spring 1901, movement."""
    if phase.kind == "-":
        return "Game over"
    return f"{SEASONS[phase.season]} {phase.year}, {KINDS[phase.kind]}"


def told(position: Position, orders: Iterable[Submitted], results: Mapping[str, list[str]] | None) -> str:
    """Units and centres of every power, then its orders and their results, one sentence each."""
    given: dict[str, list[str]] = {}
    for submitted in orders:
        text = str(submitted.order)
        if results is not None:
            words = ["void"] if submitted.fault else outcome(text, results)
            text += f" ({', '.join(words) or 'ok'})"
        given.setdefault(submitted.power, []).append(text)
    lines = [heading(position.phase) + "."]
    for power in position.map.powers:
        units = ", ".join(str(unit) for unit in position.units_of(power))
        centres = position.centres.get(power, ())
        driven = ", ".join(
            str(dislodged.unit) for dislodged in position.dislodged if dislodged.unit.power == power
        )
        if not (units or centres or driven):
            continue
        parts = [f"units {units}" if units else "no units"]
        parts += [f"dislodged {driven}"] if driven else []
        parts.append(f"{len(centres)} centres {' '.join(centres)}" if centres else "no centres")
        parts += [f"orders {', '.join(given[power])}"] if power in given else []
        lines.append(f"{power.title()}: {'; '.join(parts)}.")
    return "\n".join(lines)


def outcome(text: str, results: Mapping[str, list[str]]) -> list[str]:
    """The words of `bordeaux.rules.Resolution.results` for an order, by its province."""
    words = text.split()
    if len(words) < 2:
        return results.get(text, [])
    province = words[1].partition("/")[0]
    keys = [key for key in results if len(key.split()) > 1 and key.split()[1].partition("/")[0] == province]
    key = next((key for key in keys if text.startswith(key)), keys[0] if keys else "")
    return results.get(key, [])
