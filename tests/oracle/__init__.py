"""A second opinion on the rules: a plain reference resolver that shares nothing with the core.

The rulebook is written down as equations between the successes of orders (`equations`), and the
orders succeed as the one assignment says that satisfies them all (`solve`): not Kruijswijk's
recursion, which the core uses. Everything is strings and dictionaries; speed is no aim.
"""

from tests.oracle.board import Board, Unit
from tests.oracle.movement import Outcome, resolve
from tests.oracle.retreats import adjust, disorder, retreat

__all__ = ["Board", "Outcome", "Unit", "adjust", "disorder", "resolve", "retreat"]
