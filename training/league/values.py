"""Values by name or file, as self-play and matches use them."""

from __future__ import annotations

from bordeaux import Map
from bordeaux._ext.value.valuer import Valuer
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.prospect import compiled, known_weights
from bordeaux.evaluation.value_net import is_value_net, laid_out, load_value_net

__all__ = ["CoreMind", "value_of"]

MAP = Map.standard()
CoreMind = tuple[list[tuple[int, int, float]], list[tuple[int, float, float]], int, int, int, int]
"""A player in the form of self-play in the core (`bordeaux._ext.learn.selfplay.SelfPlay`)."""


def value_of(name: str) -> Valuer:
    """``hand`` is the hand-made evaluation, in points; ``prospect`` the bundled one; else a file of a learnt
    value or of a prospect, all in shares of the game. Raises BordeauxError for an invalid one."""
    if name == "hand":
        return evaluator(MAP)
    if is_value_net(name):
        return laid_out(MAP, load_value_net(name), scale=1.0)
    return compiled(MAP, known_weights(None if name == "prospect" else name), scale=1.0)
