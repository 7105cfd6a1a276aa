"""Pages as Backstabbr writes them, made from a game: the variables that public readers of the site find."""

from __future__ import annotations

import json
from typing import Any

from bordeaux.board.order import Order, OrderKind
from tests.formats.hobby.made_pages import STANDARD, Played, failed, results_of


def backstabbr_pages(phases: list[Played]) -> list[str]:
    """One page for each season, the last one of the board as it stands; retreats stand on the page of the
    moves before them."""
    pages = []
    position, orders, _ = phases[-1]
    final = position.next(orders)
    phases = [*phases, (final, {}, {})] if final.phase.kind == "M" else phases
    for at, (position, orders, results) in enumerate(phases):
        if position.phase.kind == "R":
            continue
        retreats: dict[str, Any] = {}
        if at + 1 < len(phases) and phases[at + 1][0].phase.kind == "R":
            for given in phases[at + 1][1].values():
                for order in given:
                    retreats[order.location] = (
                        _short(order.destination) if order.kind == OrderKind.RETREAT else None
                    )
        driven_out = {unit for unit, words in results.items() if "dislodged" in words}
        season = {"S": "Spring", "F": "Fall", "W": "Winter"}[position.phase.season]
        variables = {
            "stage": "COMPLETE",
            "orders": {
                power.title(): {
                    _short(order.location.partition("/")[0]): _script(order, results, retreats, driven_out)
                    for order in given
                    if order.kind != OrderKind.WAIVE
                }
                for power, given in orders.items()
            },
            "unitsByPlayer": {
                power.title(): {
                    _short(unit.province): _piece(unit.kind, unit.location)
                    for unit in position.units_of(power)
                }
                for power in STANDARD.powers
            },
            "territories": {
                _short(tag): power.title() for power, owned in position.centres.items() for tag in owned
            },
        }
        script = "\n".join(f"var {name} = {json.dumps(value)};" for name, value in variables.items())
        pages.append(
            f'<!DOCTYPE html><html><head><meta property="og:title" content="A game ({season}'
            f' {position.phase.year})"><link rel="canonical" href="https://www.backstabbr.com/game/A-game/'
            f'5104611115794432/{position.phase.year}/{season.lower()}"></head><body><h1>A game</h1><script>\n'
            f"// NEW JAVSCRIPT!\n{script}\n</script></body></html>"
        )
    return pages


def _short(location: str) -> str:
    tag, _, coast = location.partition("/")
    return tag.title() + (f".{coast.lower()}" if coast else "")


def _piece(kind: str, location: str) -> Any:
    coast = location.partition("/")[2].lower()
    return {"type": kind, "coast": coast} if coast else kind


def _script(
    order: Order, results: dict[str, list[str]], retreats: dict[str, Any], driven_out: set[str]
) -> dict[str, Any]:
    words = results_of(order, results)
    entry: dict[str, Any] = {"result": "FAILS" if failed(words) else "SUCCEEDS"}
    tag, _, coast = order.destination.partition("/")
    match order.kind:
        case OrderKind.HOLD:
            entry["type"] = "HOLD"
        case OrderKind.MOVE:
            entry |= {"type": "MOVE", "to": tag.title(), **({"to_coast": coast.lower()} if coast else {})}
            entry |= {"via_convoy": True} if order.via else {}
        case OrderKind.SUPPORT_HOLD:
            entry |= {"type": "SUPPORT", "from": _short(order.target.partition("/")[0])}
        case OrderKind.SUPPORT_MOVE:
            entry |= {"type": "SUPPORT", "from": _short(order.target.partition("/")[0]), "to": tag.title()}
            entry |= {"to_coast": coast.lower()} if coast else {}
        case OrderKind.CONVOY:
            entry |= {"type": "CONVOY", "from": _short(order.target), "to": tag.title()}
        case OrderKind.BUILD:
            return {"type": "BUILD"}
        case OrderKind.DISBAND:
            return {"type": "REMOVE"}
    if f"{order.unit} {order.location}" in driven_out:
        entry["retreat"] = retreats.get(order.location)
    return entry
