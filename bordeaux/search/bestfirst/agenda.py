"""The agenda: the leading edge of the search tree, sorted by value (paper 002, section 3.2)."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from sortedcontainers import SortedKeyList

__all__ = ["Agenda", "AgendaNode"]


class AgendaNode(NamedTuple):
    """A partial order set in the form of `bordeaux._ext.expand.Expander`, with its value."""

    value: float
    choices: bytes


class Agenda:
    """Nodes sorted by value. The best is taken from one end; above the beam limit the worst is dropped from
    the other. Equal values leave in the order of their choices, for reproducible runs."""

    def __init__(self, beam: int) -> None:
        self.beam = beam
        self._nodes: SortedKeyList = SortedKeyList(key=_rank)
        self._taken: list[AgendaNode] = []

    def add(self, node: AgendaNode) -> None:
        """Put a node on the agenda, unless it is full of better ones."""
        if len(self._nodes) >= self.beam:
            if node.value <= self._nodes[0].value:
                return
            self._nodes.pop(0)
        self._nodes.add(node)

    def pop(self) -> AgendaNode:
        """Take the best node. Raises IndexError when there is none."""
        node: AgendaNode = self._nodes.pop()
        self._taken.append(node)
        return node

    def best(self, count: int) -> list[AgendaNode]:
        """The best `count` nodes, best first, of those on the agenda and those taken from it."""
        waiting = islice(reversed(self._nodes), count)
        return sorted((*waiting, *self._taken), key=_rank, reverse=True)[:count]

    def __len__(self) -> int:
        return len(self._nodes)


def _rank(node: AgendaNode) -> tuple[float, bytes]:
    return node.value, node.choices
