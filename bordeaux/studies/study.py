"""A study: an immutable tree of variations. Every change returns a new study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import RuleSet

MOST_NODES = 5000
"""Nodes of a study; a game of 100 years has some 500."""
MOST_COMMENT = 20_000
WHOLE = 3
"""Years of a record from which on its last phase counts as the end of a game."""
ROOT = "0"

Orders = dict[str, list[str]]


class Missing(BordeauxError):
    """There is no study, node or file of this name."""


class Refused(BordeauxError):
    """A request that cannot be granted now, with the status of HTTP that says why."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class StudyNode:
    """A position of a study. `state` is its JSON, `orders` those that led here from the parent, as given, and
    `rules` the name of the rules for them. `results` and `messages` have the form of a saved game: the words
    for the orders that led here, and the messages of this phase. `recorded` nodes come from a saved game.
    `draft` has the draft orders, by power."""

    id: str
    parent: str | None
    state: dict[str, Any]
    children: tuple[str, ...] = ()
    orders: Orders = field(default_factory=dict)
    rules: str = "datc"
    results: dict[str, list[str]] = field(default_factory=dict)
    recorded: bool = False
    comment: str = ""
    messages: tuple[dict[str, Any], ...] = ()
    draft: Orders = field(default_factory=dict)

    @property
    def phase(self) -> str:
        """The name of the phase."""
        return str(self.state["name"])


@dataclass(frozen=True)
class Study:
    """A tree of nodes on a map. `map_text` is the map file if the map is not bundled. `rules` names the rules
    for new orders. `version` grows with every change, `made` counts all nodes ever created. `play` belongs to
    the game that is played in it, if any."""

    id: str
    name: str
    map: Map
    nodes: Mapping[str, StudyNode]
    rules: str = "datc"
    map_text: str = ""
    version: int = 1
    made: int = 1
    changed: float = 0.0
    game: str = ""
    play: dict[str, Any] | None = None
    # Positions of nodes as they were read; those of a node never change.
    _positions: dict[str, Position] = field(default_factory=dict, compare=False, repr=False)

    @property
    def root(self) -> StudyNode:
        """The first node."""
        return self.nodes[ROOT]

    def node(self, name: str) -> StudyNode:
        """The node of an id. Raises Missing."""
        node = self.nodes.get(name)
        if node is None:
            gone = f"study {self.id} has no node {quote(name)}"
            raise Missing(f"{gone}; it may have been deleted, load it again")
        return node

    def position(self, name: str) -> Position:
        """The position of a node. Raises Missing."""
        position = self._positions.get(name)
        if position is None:
            position = self._positions[name] = Position.from_json(self.node(name).state, self.map)
        return position

    def line(self, name: str) -> list[StudyNode]:
        """The nodes from the root to one of them. Raises Missing."""
        line = [self.node(name)]
        while (parent := line[-1].parent) is not None:
            line.append(self.nodes[parent])
        return line[::-1]

    def main_line(self) -> list[StudyNode]:
        """The nodes from the root along first children."""
        line = [self.root]
        while line[-1].children:
            line.append(self.nodes[line[-1].children[0]])
        return line

    @property
    def ended(self) -> bool:
        """Whether the main line is a game that is over: it was won or ended, or its record has years."""
        first, *_, last = [self.root, *self.main_line()]
        end = self.position(last.id)
        if end.phase.kind == "-" or end.victor is not None:
            return last is not first
        return last.recorded and end.phase.year - self.position(first.id).phase.year >= WHOLE

    def in_phase(self, phase: str) -> StudyNode:
        """The last node of the main line in a phase. Raises FormatError if there is none."""
        line, wanted = self.main_line(), str(Phase.parse(phase))
        nodes = [node for node in line if node.phase == wanted]
        if not nodes:
            there = f"phases go from {line[0].phase} to {line[-1].phase}"
            raise FormatError(f"there is no phase {wanted}; {there}")
        return nodes[-1]

    def below(self, name: str) -> Iterator[str]:
        """The ids of a node and of all its descendants."""
        waiting = [name]
        while waiting:
            identity = waiting.pop()
            yield identity
            waiting += self.nodes[identity].children

    def changed_node(self, name: str, **changes: Any) -> Study:
        """The study with changed fields of a node. Raises Missing."""
        return replace(self, nodes={**self.nodes, name: replace(self.node(name), **changes)})

    def child_of(self, name: str, orders: Orders, rules: RuleSet) -> str | None:
        """The child after orders, in any notation, if it exists."""
        position = self.position(name)
        wanted = full_orders(position, orders)
        for child in self.node(name).children:
            node = self.nodes[child]
            # A record may follow rules of its own; it is what came of these orders all the same.
            same = node.rules == rules.name or (node.recorded and rules.name == self.rules)
            if same and full_orders(position, node.orders) == wanted:
                return child
        return None

    def adjudicated(
        self, name: str, orders: Mapping[str, Sequence[str | Order]], rules: RuleSet
    ) -> tuple[Study, str]:
        """The study with the node after orders, and the id of that node.

        If that node exists, the study is unchanged. Phases in which no power must give orders are skipped.
        Raises OrderError or MapError for unreadable orders, BordeauxError at the end of a game and if the
        study is full.
        """
        position = self.position(name)
        if position.phase.kind == "-":
            over = "the game is over here: there is nothing to adjudicate"
            raise BordeauxError(f"{over}; choose an earlier phase")
        texts = order_texts(position, orders)
        if (there := self.child_of(name, texts, rules)) is not None:
            return self, there
        after = passed_over(adjudicate(position, texts, rules).after)
        return self.added(name, after, texts, rules=rules.name)

    def added(self, name: str, position: Position, orders: Orders, **fields: Any) -> tuple[Study, str]:
        """The study with a new last child of a node, and its id. Raises BordeauxError if it is full."""
        if len(self.nodes) >= MOST_NODES:
            most = f"this study has {MOST_NODES} nodes, which is the most"
            raise BordeauxError(f"{most}; delete some, or begin another")
        identity = str(self.made)
        new = StudyNode(identity, name, position.to_json(), orders=orders, **fields)
        parent = self.node(name)
        nodes = {**self.nodes, name: replace(parent, children=(*parent.children, identity)), identity: new}
        self._positions[identity] = position
        return replace(self, nodes=nodes, made=self.made + 1), identity

    def promoted(self, name: str) -> Study:
        """The study with the line to a node as its main line. Raises Missing."""
        nodes = dict(self.nodes)
        for node in self.line(name)[1:]:
            assert node.parent is not None
            parent = nodes[node.parent]
            others = tuple(child for child in parent.children if child != node.id)
            nodes[parent.id] = replace(parent, children=(node.id, *others))
        return replace(self, nodes=nodes)

    def without(self, name: str) -> Study:
        """The study without a node and its descendants. Raises Missing; BordeauxError for the root."""
        node = self.node(name)
        if node.parent is None:
            raise BordeauxError("the first node of a study cannot be deleted; delete the study")
        gone = set(self.below(name))
        parent = self.nodes[node.parent]
        left = {identity: kept for identity, kept in self.nodes.items() if identity not in gone}
        left[parent.id] = replace(parent, children=tuple(child for child in parent.children if child != name))
        for identity in gone:
            self._positions.pop(identity, None)
        return replace(self, nodes=left)

    def commented(self, name: str, text: str) -> Study:
        """The study with another comment on a node. Raises Missing, and BordeauxError if it is too long."""
        if len(text) > MOST_COMMENT:
            most = f"a comment has at most {MOST_COMMENT:,} characters, not {len(text):,}"
            raise BordeauxError(f"{most}; shorten it")
        return self.changed_node(name, comment=text)


def passed_over(position: Position) -> Position:
    """The position, or the first later one in which a power must give orders, or the end of the game."""
    while position.phase.kind != "-" and not position.orderable():
        position = position.next({})
    return position


def order_texts(position: Position, orders: Mapping[str, Sequence[str | Order]]) -> Orders:
    """Orders by full names of powers in our notation, in the order of the map, without duplicates.

    Raises OrderError or MapError for unreadable orders.
    """
    texts: Orders = {}
    for submitted in submit(position, orders).orders:
        listed = texts.setdefault(submitted.power, [])
        if str(submitted.order) not in listed or submitted.order.kind == OrderKind.WAIVE:
            listed.append(str(submitted.order))
    return texts


def full_orders(
    position: Position, orders: Mapping[str, Sequence[str | Order]]
) -> frozenset[tuple[str, str]]:
    """The valid orders as (power, order), with a hold or a disband for each unit without one, and without
    waived builds."""
    given = [submitted for submitted in submit(position, orders).orders if not submitted.fault]
    waived = OrderKind.WAIVE
    full = {(one.power, str(one.order)) for one in given if one.order.kind != waived}
    idle, left = "", tuple[Unit, ...]()
    if position.phase.kind == "M":
        idle, left = "H", position.units
    elif position.phase.kind == "R":
        idle, left = "D", tuple(unit for unit, _ in position.dislodged)
    ordered = {submitted.province for submitted in given}
    return frozenset(full | {(unit.power, f"{unit} {idle}") for unit in left if unit.province not in ordered})
