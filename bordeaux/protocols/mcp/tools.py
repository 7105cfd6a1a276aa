"""Tools about positions and finished games: what is there, what is legal, what is good, what others do."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from mcp.server.mcpserver.utilities.types import Image
from pydantic import Field

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.engine import Request
from bordeaux.evaluation import prospect
from bordeaux.formats.answer import texts_in_answer
from bordeaux.openings.book import standard_book
from bordeaux.openings.names import entry_to_json, name_of
from bordeaux.protocols.mcp import answers, searches
from bordeaux.protocols.mcp.desk import MOST_NODES, MOST_SECONDS, SECONDS, AgentDesk, limit_within
from bordeaux.review.comparison import Attempt
from bordeaux.review.telling import percent
from bordeaux.rules import adjudicate, legal_orders
from bordeaux.rules.adjudication import OrderResult, illegal_orders, order_results
from bordeaux.rules.rulesets import RULE_SETS, rules_named
from bordeaux.studies.details import due
from bordeaux.studies.orders import (
    LONGEST_ORDER,
    MOST_ORDERS,
    given_orders,
    legal_draft,
    legal_set,
    order_as_read,
    people_of,
)
from bordeaux.studies.saved import game_of
from bordeaux.view.board import svg
from bordeaux.view.svg import png

MOST_TEXT = 4_000_000
MOST_ANSWER = 100_000
LINES, MOST_LINES = 3, 20
LISTED = 12
"""Legal orders of a unit that are listed without `detail`."""
NAMED_ENGINE = "engine"
REVIEWED = ("centres", "accuracy", "lost", "worst", "opening")

PositionGiven = Annotated[
    str,
    Field(
        max_length=MOST_TEXT, description="start, the id of a game, or the text of a position or saved game."
    ),
]
PhaseGiven = Annotated[str, Field(max_length=40, description="A phase like F1903M.")]
PowerName = Annotated[str, Field(max_length=40, description="A power, like FRANCE or FRA.")]
PowerOrAll = Annotated[str, Field(max_length=40, description="A power, like FRANCE; or all.")]
OrdersByPower = Annotated[
    dict[str, list[Annotated[str, Field(max_length=LONGEST_ORDER)]]],
    Field(max_length=60, description='Orders by power: {"FRANCE": ["A PAR - BUR"]}.'),
]
AnyOrders = Annotated[
    Annotated[list[Any], Field(max_length=MOST_ORDERS)]
    | Annotated[dict[str, Any], Field(max_length=MOST_ORDERS)]
    | Annotated[str, Field(max_length=MOST_ANSWER)],
    Field(
        description='Orders by power, {"FRANCE": ["A PAR - BUR"]}; or a list, or an answer as it comes,'
        " of one power or of the owners of the units."
    ),
]
Whose = Annotated[str, Field(max_length=40, description="Whose they are; else the owners' of the units.")]
Seconds = Annotated[
    float | None, Field(gt=0, le=MOST_SECONDS, description=f"Seconds to search; {SECONDS:g} without nodes.")
]
Nodes = Annotated[
    int | None, Field(ge=1, le=MOST_NODES, description="Nodes to search: the same answer every time.")
]
LinesGiven = Annotated[int, Field(ge=1, le=MOST_LINES, description="How many sets of orders to list.")]
Detail = Annotated[bool, Field(description="A longer answer.")]


def owed(position: Position) -> dict[str, str]:
    """The orders that are due by power, in words."""
    words = {
        "M": "orders for {} units",
        "R": "retreats for {} units",
        "build": "builds: {}",
        "disband": "disbands: {}",
    }
    return {power: words[owing["kind"]].format(owing["count"]) for power, owing in due(position).items()}


def without_orders(position: Position, power: str, orders: Sequence[str]) -> list[str]:
    """The units of a power that must be ordered and have no order; in Winter, how many orders are missing."""
    if power not in position.orderable():
        return []
    if position.phase.kind == "A":
        missing = abs(position.adjustments(power)) - len(orders)
        return [f"{missing} more due"] if missing > 0 else []
    ordered = {submitted.province for submitted in submit(position, {power: orders}).orders}
    units = (
        position.units_of(power)
        if position.phase.kind == "M"
        else [unit for unit, _ in position.dislodged if unit.power == power]
    )
    return [str(unit) for unit in units if unit.province not in ordered]


def outcomes(rows: Sequence[OrderResult], *, detail: bool = True) -> list[answers.Row]:
    """Results of orders for an answer. Without `detail` only failures have a reason."""
    return [
        {"order": text, "result": ", ".join(words) or "ok"}
        | ({"why": reason} if reason and (words or detail) else {})
        for text, words, reason in rows
    ]


def powers_asked(board: Map, power: str) -> tuple[str, ...]:
    """The power of a name, or all. Raises MapError."""
    return board.powers if power.strip().lower() == "all" else (board.power(power),)


def by_power(where: Position, orders: str | list[Any] | dict[str, Any], power: str) -> dict[str, list[str]]:
    """Orders in any form by the full names of powers: those without a name are of `power`, or else of the
    owner of the unit. A named `power` is there in any case. Raises BordeauxError if it is not clear whose
    they are, or for two lists of a power."""
    owner = where.map.power(power) if power else ""
    _check_texts(orders)
    listed: dict[str, list[str]]
    if isinstance(orders, list) and all(isinstance(text, str) for text in orders):
        listed = {owner: orders}
    elif (
        isinstance(orders, dict)
        and all(isinstance(texts, list) for texts in orders.values())
        and "orders" not in orders
    ):
        listed = orders
    else:
        text = orders if isinstance(orders, str) else json.dumps(orders)
        found = texts_in_answer(text, where, owner)
        if orders and not found:
            raise BordeauxError("there is no order in it; write them like A PAR - BUR")
        listed = {name: texts for name, texts in found.items() if texts or not owner}
    full: dict[str, list[str]] = {}
    for name, texts in listed.items():
        if name and (known := where.map.power(name)) in full:
            raise BordeauxError(f"two lists of orders for one power ({', '.join(listed)}); put them into one")
        if name:
            full[known] = list(texts)
    for text in listed.get("", ()):
        if (of := order_as_read(where, text)["power"]) is None:
            raise BordeauxError(f"say whose order {text!r} is: name the power, or give the orders by power")
        full.setdefault(of, []).append(text)
    return {owner: [], **full} if owner else full


def of_one(where: Position, orders: str | list[Any] | dict[str, Any], power: str) -> list[str]:
    """Orders in any form that a power shall give, those of others too, which it cannot."""
    return [text for texts in by_power(where, orders, power).values() for text in texts]


def _check_texts(orders: object) -> None:
    """Check that there are only texts in lists and objects. Raises BordeauxError."""
    for each in orders.values() if isinstance(orders, dict) else orders if isinstance(orders, list) else ():
        _check_texts(each)
    if not isinstance(orders, str | list | dict):
        raise BordeauxError(f"orders are texts, not {orders!r}")


class PositionTools:
    """The tools; each is a method with typed arguments, and its first paragraph says what it is for."""

    def __init__(self, desk: AgentDesk) -> None:
        self.desk = desk
        self.searching = (
            self.best_orders,
            self.expected_orders,
            self.forced_centres,
            self.compare_orders,
            self.review_game,
        )

    def show_position(
        self,
        position: PositionGiven = "start",
        phase: PhaseGiven = "",
        map: Annotated[
            str, Field(max_length=40, description="The map, if the position does not name it, like pure.")
        ] = "",
        detail: Detail = False,
    ) -> answers.PositionShown:
        """Show a position: units, centres, and who must give orders. With detail also each power's expected
        share of the final result and its chance to win alone, learnt from recorded games."""
        where = self.desk.at(position, phase, map).position
        shown: answers.PositionShown = {
            "phase": str(where.phase),
            "text": str(where),
            "centres": {power: len(owned) for power, owned in where.centres.items()},
            "must_order": owed(where),
        }
        if detail:
            shown["map"] = where.map.name
            shown["values"] = {
                power: f"{percent(expected.share)}, alone {percent(expected.solo)}"
                for power, expected in prospect(where).items()
            }
        return shown

    def draw_position(
        self,
        position: PositionGiven = "start",
        phase: PhaseGiven = "",
        orders: OrdersByPower = {},  # noqa: B006 - it is never changed
        results: Annotated[
            bool, Field(description="Adjudicate the orders, and cross those that fail.")
        ] = False,
        width: Annotated[int, Field(ge=300, le=2000, description="Pixels.")] = 900,
    ) -> Image:
        """Draw a position as a picture, with orders as arrows if some are given."""
        at = self.desk.at(position, phase)
        given = given_orders(at.position, orders) if orders else None
        words = (
            adjudicate(at.position, given, rules_named(at.study.rules)).results if given and results else None
        )
        return Image(data=png(svg(at.position, given, words, size=width, style="light")), format="png")

    def legal_orders(
        self,
        position: PositionGiven = "start",
        power: PowerOrAll = "all",
        unit: Annotated[
            str, Field(max_length=20, description="Only of the unit there, like PAR or STP/SC.")
        ] = "",
        phase: PhaseGiven = "",
        detail: Detail = False,
    ) -> answers.LegalOrders:
        """List legal orders by the location of the unit: at most 12 for each without detail, moves first."""
        where = self.desk.at(position, phase).position
        wanted = None if power.strip().lower() == "all" else where.map.power(power)
        listed = {} if where.phase.kind == "-" else legal_orders(where, wanted)
        if unit := unit.strip():
            tag = where.map.province(unit.split()[-1].partition("/")[0]).name
            listed = {place: orders for place, orders in listed.items() if place.partition("/")[0] == tag}
            if not listed:
                raise PositionError(
                    f"nobody owes an order in {tag} in {where.phase}; leave unit out to see who does"
                )
        answer: answers.LegalOrders = {"phase": str(where.phase), "orders": listed}
        if not detail and not unit:
            short = {place: _moves_first(orders)[:LISTED] for place, orders in listed.items()}
            more = sum(len(orders) - len(short[place]) for place, orders in listed.items())
            answer["orders"] = short
            if more:
                answer["left_out"] = f"{more} more: ask with detail, or for one unit"
        return answer

    def check_orders(
        self, position: PositionGiven, orders: AnyOrders, power: Whose = "", phase: PhaseGiven = ""
    ) -> answers.CheckedOrders:
        """Check orders before they are given: how each is read, why one is wrong, and which units have
        none."""
        where = self.desk.at(position, phase).position
        checked: list[answers.Row] = []
        without: list[str] = []
        listed = by_power(where, orders, power) or {owner: [] for owner in where.orderable()}
        for owner, texts in listed.items():
            rows, good = self._checked(where, owner, texts)
            checked += rows
            without += without_orders(where, owner, good)
        return {
            "phase": str(where.phase),
            "power": ", ".join(listed),
            "legal": not any("wrong" in row for row in checked),
            "orders": checked,
            "without_orders": without,
        }

    def _checked(
        self, where: Position, owner: str, orders: Sequence[str]
    ) -> tuple[list[answers.Row], list[str]]:
        """What is to say of each order of a power, and the good ones."""
        checked: list[answers.Row] = []
        good: list[str] = []
        for text in orders:
            read = order_as_read(where, text)
            wrong = None if read["order"] == "WAIVE" else read["why"]
            if wrong is None and read["power"] not in (owner, None):
                wrong = f"this unit is {read['power']}'s, not {owner}'s"
            row: answers.Row = {"given": text, "order": read["order"]}
            if wrong is not None:
                row["wrong"] = wrong
            elif read["order"] is not None:
                # Of several orders of a unit the first counts, and no more than are due.
                more, faults = legal_draft(where, {owner: [*good, read["order"]]})
                if faults:
                    row["wrong"] = faults[0]["why"]
                else:
                    good = more[owner]
            checked.append(row)
        return checked, good

    def adjudicate_orders(
        self,
        position: PositionGiven,
        orders: AnyOrders,
        power: Whose = "",
        phase: PhaseGiven = "",
        rules: Annotated[str, Field(max_length=60, description=f"One of {', '.join(RULE_SETS)}.")] = "datc",
        detail: Detail = False,
    ) -> answers.AdjudicatedPhase:
        """Adjudicate orders of any powers, with the reason for every failure (with detail, for all), and the
        next position. Units without orders hold or disband; illegal orders are void, and listed."""
        where = self.desk.at(position, phase).position
        if where.phase.kind == "-":
            raise PositionError("the game is over, there is nothing to adjudicate; name an earlier phase")
        chosen = rules_named(rules)
        given = given_orders(where, by_power(where, orders, power))
        resolution = adjudicate(where, given, chosen)
        submitted = submit(where, given, given_routes=chosen.given_routes).orders
        rows = order_results(where, submitted, resolution)
        answer: answers.AdjudicatedPhase = {
            "phase": str(where.phase),
            "results": {power: outcomes(listed, detail=detail) for power, listed in rows.items() if listed},
            "next_phase": str(resolution.after.phase),
            "next_position": str(resolution.after),
        }
        if illegal := illegal_orders(submitted, resolution):
            answer["illegal"] = illegal
        return answer

    def best_orders(
        self,
        position: PositionGiven,
        power: PowerName,
        seconds: Seconds = None,
        nodes: Nodes = None,
        lines: LinesGiven = LINES,
        given: OrdersByPower = {},  # noqa: B006 - it is never changed
        book: Annotated[bool, Field(description="Answer from the opening book where it can.")] = False,
        phase: PhaseGiven = "",
        detail: Detail = False,
    ) -> answers.BestOrders:
        """The engine's best orders for a power: the recommended set, the best lines with their chances, and
        what would be lost without each order. `given` are orders of others that are known. With
        detail also what the search expects of the others, and what changes in the value."""
        at = self.desk.at(position, phase)
        where = at.position
        owner = where.map.power(power)
        owing(where, owner)
        known = {
            other: legal_set(where, other, texts, f"given {other}")
            for other, texts in given_orders(where, given).items()
        }
        if owner in known:
            raise BordeauxError(f"given are orders of others; those of {owner} go to compare_orders")
        request = Request(
            where,
            (owner,),
            limit_within(seconds, nodes),
            previous=at.history[-1][1] if at.history else {},
            given=known,
            rules=rules_named(at.study.rules),
            lines=lines,
        )
        told = self.desk.search(searches.best, request, at.history, book)
        answer: answers.BestOrders = {
            "phase": str(where.phase),
            "power": owner,
            "orders": told["orders"],
            "lines": [_line(line, book=told["book"]) for line in told["lines"][:lines]],
            "lost_without": [
                {"orders": effect["orders"], "lost": _with_error(effect["lost"], effect["doubt"])}
                for effect in told["effects"]
            ],
            "from_book": told["book"],
            "nodes": told["nodes"],
            "seconds": round(told["seconds"], 2),
        }
        if where == Position.start() and (name := name_of(owner, told["orders"])):
            answer["opening"] = name
        if detail:
            answer["expected"] = {
                other: [_likely(line) for line in listed[:LINES]]
                for other, listed in told["expected"].items()
            }
        return answer

    def expected_orders(
        self,
        position: PositionGiven,
        power: PowerOrAll = "all",
        lines: LinesGiven = 1,
        phase: PhaseGiven = "",
    ) -> answers.ExpectedOrders:
        """What people would most probably order here, by a net trained on recorded games: the likeliest sets
        of each power, with their probabilities."""
        at = self.desk.at(position, phase)
        asked = powers_asked(at.study.map, power)
        sets = self.desk.search(people_of, at.position, at.history, lines)["powers"]
        return {
            "phase": str(at.position.phase),
            "powers": {name: [_likely(row) for row in sets[name]] for name in asked if name in sets},
        }

    def forced_centres(
        self, position: PositionGiven, power: PowerOrAll = "all", phase: PhaseGiven = ""
    ) -> answers.ForcedCentres:
        """What can be forced in a Fall movement: how many centres a power is certain to own afterwards,
        whatever all others order, and the orders that force it. Ask for all powers to see what threatens you.
        What is not listed may still be possible, only not certain, or not found."""
        where = self.desk.at(position, phase).position
        if (where.phase.season, where.phase.kind) != ("F", "M"):
            raise PositionError(
                f"centres change hands in Fall alone, and this is {where.phase}; ask in a Fall movement"
            )
        asked = [name for name in powers_asked(where.map, power) if name in where.orderable()]
        rows = {
            name: {"owned": where.owners.count(name), "certain": certain, "orders": list(orders)}
            for name, (certain, orders) in self.desk.search(searches.force, where, asked).items()
            if orders
        }
        nothing = [name for name in asked if name not in rows]
        return {"phase": str(where.phase), "powers": rows, "nothing_for": nothing}

    def compare_orders(
        self,
        position: PositionGiven,
        power: PowerName,
        first: AnyOrders,
        second: AnyOrders,
        seconds: Seconds = None,
        nodes: Nodes = None,
        phase: PhaseGiven = "",
        detail: Detail = False,
    ) -> answers.ComparedSets:
        """Compare two sets of a power's orders with each other and with the engine's, by rollouts against the
        same sampled orders of the others. A difference below twice its standard error means little. Without
        detail only the best of the engine's sets is listed."""
        at = self.desk.at(position, phase)
        owner = at.study.map.power(power)
        owing(at.position, owner)
        sets = {
            name: legal_set(at.position, owner, of_one(at.position, orders, owner), name)
            for name, orders in (("first", first), ("second", second))
        }
        asked = Attempt(at.position, owner, sets, at.history, limit_within(seconds, nodes))
        rows = self.desk.search(searches.compare, asked)
        if not detail:
            engines = [row for row in rows if not row.name]
            rows = [row for row in rows if row.name or row is engines[0]]
        named = {row.name: row for row in rows if row.name}
        return {
            "phase": str(at.position.phase),
            "power": owner,
            "sets": [
                {
                    "name": row.name or NAMED_ENGINE,
                    "orders": list(row.orders),
                    "score": percent(row.expected),
                    "below_best": _with_error(row.behind, row.doubt),
                }
                for row in rows
            ],
            "verdict": _verdict(named),
        }

    def review_game(
        self,
        game: PositionGiven,
        power: PowerOrAll = "all",
        nodes: Annotated[
            int, Field(ge=100, le=15_000, description="Nodes for one power in one phase.")
        ] = 500,
        detail: Detail = False,
    ) -> answers.ReviewedGame:
        """Review a finished game: each power's accuracy and worst phase, and where the game turned, with
        better orders. It takes up to three minutes; name one power to be quicker. Without detail the five
        gravest turning points are listed."""
        at = self.desk.at(game)
        record = game_of(at.study, at.study.main_line())
        asked = powers_asked(at.study.map, power)
        rows, points = self.desk.search(searches.review, record, asked, nodes, at.study.map)
        answer: answers.ReviewedGame = {
            "game": at.study.name,
            "powers": {row.power: {name: getattr(row, name) for name in REVIEWED} for row in rows},
            "turning_points": points if detail else points[:5],
        }
        if not detail and len(points) > 5:
            answer["left_out"] = f"{len(points) - 5} more turning points: ask with detail"
        return answer

    def look_up_opening(
        self,
        position: PositionGiven = "start",
        power: PowerOrAll = "all",
        lines: LinesGiven = LINES,
        phase: PhaseGiven = "",
    ) -> answers.BookLines:
        """Look a position up in the opening book: what is played, under which name, how often, and with what
        result."""
        where = self.desk.at(position, phase).position
        book = standard_book()
        if book.map is not where.map:
            raise PositionError(f"the opening book is for map {book.map.name}, and this is {where.map.name}")
        asked = powers_asked(where.map, power)
        powers = {
            name: [_booked(entry_to_json(where, name, entry)) for entry in entries[:lines]]
            for name in asked
            if (entries := book.entries(where, name))
        }
        answer: answers.BookLines = {"phase": str(where.phase), "exact": where in book, "powers": powers}
        if not powers:
            answer["note"] = "the book has nothing here; ask best_orders"
        return answer


def owing(position: Position, power: str) -> None:
    """Raise PositionError unless a power must give orders."""
    if power not in position.orderable():
        who = ", ".join(position.orderable()) or "nobody"
        raise PositionError(f"{power} owes no orders in {position.phase}; {who} must give some")


def _moves_first(orders: Sequence[str]) -> list[str]:
    return sorted(orders, key=lambda text: (" S " in text or " C " in text, " VIA" in text))


def _line(line: Mapping[str, Any], *, book: bool) -> answers.Row:
    weight = {"weight": percent(line["probability"])} if book else {}
    return {
        "orders": line["orders"],
        "score": _with_error(line["value"], line["error"]),
        "solo": percent(line["solo"]),
        "below_best": _with_error(line["behind"], line["doubt"]),
        **weight,
    }


def _with_error(share: float, error: float) -> str:
    """A share and its standard error; nought is exact."""
    return f"{percent(share)} \u00b1 {percent(error)}" if share or error else "0"


def _likely(row: Mapping[str, Any]) -> answers.Row:
    return {"orders": list(row["orders"]), "probability": percent(row["probability"])}


def _booked(entry: Mapping[str, Any]) -> answers.Row:
    shares = {"score": entry["value"], "result": entry["score"]}
    return {
        "orders": entry["orders"],
        "name": entry["name"],
        "games": entry["games"],
        "weight": percent(entry["weight"]),
        **{name: percent(share) for name, share in shares.items() if share is not None},
    }


def _verdict(named: Mapping[str, Any]) -> str:
    """The comparison of the two sets in one sentence."""
    if len(named) < 2:
        return "the two sets are the same"
    best, other = sorted(named.values(), key=lambda row: row.behind)
    gap, doubt = other.behind - best.behind, max(best.doubt, other.doubt)
    if gap <= 2 * doubt:
        return f"{best.name} is ahead by {percent(gap)}, which is within the error: about equal"
    return f"{best.name} is better, by {percent(gap)} of the final result"
