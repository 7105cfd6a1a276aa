"""The agenda: the leading edge of the search tree, sorted by value (paper 002, section 3.2)."""

from __future__ import annotations

from typing import NamedTuple

from sortedcontainers import SortedKeyList

__all__ = ["Agenda", "Node"]


class Node(NamedTuple):
    """A partial order set in the form of `bordeaux._ext.expand.Expander`, with its value."""

    value: float
    choices: bytes


class Agenda:
    """Nodes sorted by value. The best is taken from one end; past the beam limit the worst falls off
    the other. Equal values leave in the order of their choices, so that runs repeat exactly."""

    def __init__(self, beam: int) -> None:
        self.beam = beam
        self._nodes: SortedKeyList = SortedKeyList(key=lambda node: (node.value, node.choices))

    def add(self, node: Node) -> None:
        """Put a node on the agenda, unless it is full of better ones."""
        if len(self._nodes) >= self.beam:
            if node.value <= self._nodes[0].value:
                return
            self._nodes.pop(0)
        self._nodes.add(node)

    def pop(self, rank: int = 0) -> Node:
        """Take the best node, or the one of a rank: 0 is the best; the worst, if there are not so
        many. Raises IndexError when there is none."""
        node: Node = self._nodes.pop(max(-1 - rank, -len(self._nodes)))
        return node

    def __len__(self) -> int:
        return len(self._nodes)
