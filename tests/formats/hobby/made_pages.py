"""Pages as the sites write them, made from a game: the templates are those of the sites' public sources, in
our words.

`archive_html` follows ``board/info/orders.php`` of webDiplomacy. Those of Backstabbr are in
`made_backstabbr`; those of a judge we write (`bordeaux.formats.game_text`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from bordeaux import Position, adjudicate
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.formats.game_text import place

Played = tuple[Position, dict[str, list[Order]], dict[str, list[str]]]
"""A position, the orders of all its units by power, and what came of them by unit."""

STANDARD = Map.standard()
KINDS = {"A": "army", "F": "fleet"}
COUNTRIES = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")


def full(orders: dict[str, list[Order]], position: Position) -> dict[str, list[Order]]:
    """The orders with a hold for every unit that has none, as webDiplomacy and the judges keep them."""
    whole = {power: list(orders.get(power, ())) for power in position.map.powers}
    ordered = {order.location.partition("/")[0] for given in whole.values() for order in given}
    units = {"M": position.units, "R": [unit for unit, _ in position.dislodged]}
    dull = OrderKind.HOLD if position.phase.kind == "M" else OrderKind.DISBAND
    for unit in units.get(position.phase.kind, ()):
        if unit.province not in ordered:
            whole[unit.power].append(Order(dull, unit.kind, unit.location))
    return whole


def played(
    start: Position, orders_of: Callable[[Position], dict[str, list[Order]] | None]
) -> Iterator[Played]:
    """The phases of a game by our rules, until `orders_of` gives None."""
    position = start
    while position.phase.kind != "-" and (given := orders_of(position)) is not None:
        orders = full(given, position)
        resolution = adjudicate(position, orders)
        if position.phase.kind == "A":
            # What nobody may build is not kept.
            orders = {
                power: [order for order in given if "void" not in results_of(order, resolution.results)]
                for power, given in orders.items()
            }
            # Removals that nobody ordered are kept as the sites choose them.
            for unit in set(position.units) - set(resolution.after.units):
                removal = Order(OrderKind.DISBAND, unit.kind, unit.location)
                if removal not in orders[unit.power]:
                    orders[unit.power].append(removal)
        yield position, orders, resolution.results
        position = resolution.after


def scripted(
    script: Mapping[str, Mapping[str, list[str]]],
) -> Callable[[Position], dict[str, list[Order]] | None]:
    """What `played` takes, of orders as text by phase and power."""

    def orders_of(position: Position) -> dict[str, list[Order]] | None:
        given = script.get(str(position.phase))
        if given is None:
            return None
        return {
            power: [parse_order(text, position.map, position) for text in texts]
            for power, texts in given.items()
        }

    return orders_of


def failed(words: list[str]) -> bool:
    """Whether webDiplomacy would say that an order failed."""
    return bool({"bounce", "cut", "void", "no convoy", "disrupted"} & set(words))


def results_of(order: Order, results: dict[str, list[str]]) -> list[str]:
    """What came of an order."""
    return results.get(f"{order.unit} {order.location}", [])


# --- webDiplomacy


def name_of(location: str) -> str:
    """The site's name of a place."""
    return place(location, STANDARD).replace("Bulgaria (East Coast)", "Bulgaria (North Coast)")


def sentence(order: Order, kind: str, words: list[str]) -> str:
    """One item of the archive."""
    where, goal = name_of(order.location), name_of(order.destination) if order.destination else ""
    helped = name_of(order.target.partition("/")[0]) if order.target else ""
    goal_alone = name_of(order.destination.partition("/")[0]) if order.destination else ""
    if kind == "A":
        built = order.kind == OrderKind.BUILD
        text = f"Build {KINDS[order.unit]} at {where}" if built else f"Destroy the unit at {where}"
    else:
        does = {
            OrderKind.HOLD: "hold",
            OrderKind.MOVE: f"move to {goal}" + (" via convoy" if order.via else ""),
            OrderKind.SUPPORT_HOLD: f"support hold to {helped}",
            OrderKind.SUPPORT_MOVE: f"support move to {goal_alone} from {helped}",
            OrderKind.CONVOY: f"convoy to {goal_alone} from {helped}",
            OrderKind.RETREAT: f"retreat to {goal}",
            OrderKind.DISBAND: "disband",
        }[order.kind]
        text = f"The {KINDS[order.unit]} at {where} {does}"
    no = failed(words) and order.kind != OrderKind.HOLD
    out = "dislodged" in words
    marked = f"<u>{text}.</u>" if no or out else f"{text}."
    return f"<li>{marked}{' (fail)' if no else ''}{' (dislodged)' if out else ''}</li>"


def archive_html(phases: list[Played]) -> str:
    """The page ``board.php?gameID=N&viewArchive=Orders``: an index, then the turns, the last one first."""
    turns = [(turn, list(group)) for turn, group in groupby(phases, key=lambda phase: turn_of(phase[0]))][
        ::-1
    ]
    index, body = [], []
    for turn, group in turns:
        date = f"{'Autumn' if turn % 2 else 'Spring'}, {1901 + turn // 2}"
        index.append(f'<li><a href="#index1">{date}</a></li><ul>')
        body.append(
            f'<h4><a name="index1"></a>{date} <a href="map.php?gameID=12345&largemap=on&turn={turn}">'
            '<img src="images/historyicons/external.png" alt="Large map" title="a large map" /></a>:</h4><p>'
        )
        for country, power in enumerate(COUNTRIES, 1):
            lists = []
            for label, kind in (("Diplomacy", "M"), ("Retreats", "R"), ("Unit-placement", "A")):
                items = [
                    sentence(order, kind, results_of(order, results))
                    for position, orders, results in group
                    if position.phase.kind == kind
                    for order in orders[power]
                    if order.kind != OrderKind.WAIVE
                ]
                if items or kind == "M":
                    lists.append(f"<li><strong>{label}</strong></li>\n\t\t\t<ul>{''.join(items)}</ul>")
            if not any("<li>The" in text or "<li><u>" in text or "Build" in text for text in lists):
                continue
            index.append(f'<li><a href="#index2">{power.title()}</a></li>')
            body.append(
                f'<a name="index2"></a><strong><span class="country{country}">{power.title()}</span>:'
                f"</strong><br /><ul>{''.join(lists)}</ul>"
            )
        index.append("</ul>")
        body.append('</p><div class="hr"></div>')
    return (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" ""><html><head>'
        "<title>A game - webDiplomacy</title>"
        "<style>.x { color: red }</style><script>var wD = {};</script></head><body><div>Home Forum</div>"
        f'<h3>Order history</h3><div class="variantClassic"><ul>{"".join(index)}</ul>{"".join(body)}'
        "</div></body></html>"
    )


def turn_of(position: Position) -> int:
    """The site's number of a turn."""
    return 2 * (position.phase.year - 1901) + (position.phase.season != "S")
