"""Environments for learning: many games at once in arrays, and the interfaces that other programs expect."""

import contextlib
import importlib
from typing import TYPE_CHECKING

from bordeaux.board.errors import BordeauxError
from bordeaux.env.batch import SCORINGS, Batch, Legal, Observation, Step
from bordeaux.env.order_table import OrderTable, order_table

if TYPE_CHECKING:
    from bordeaux.env.parallel import parallel_env
    from bordeaux.env.seat import DiplomacyEnv, OrderByOrder
    from bordeaux.env.vector import DiplomacyVectorEnv

__all__ = [
    "SCORINGS",
    "Batch",
    "DiplomacyEnv",
    "DiplomacyVectorEnv",
    "Legal",
    "Observation",
    "OrderByOrder",
    "OrderTable",
    "Step",
    "order_table",
    "parallel_env",
]

# These need other packages (extra `env`), so they are imported when they are first asked for.
_HOMES = {
    "DiplomacyEnv": "seat",
    "DiplomacyVectorEnv": "vector",
    "OrderByOrder": "seat",
    "parallel_env": "parallel",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'bordeaux.env' has no attribute {name!r}")
        try:
            return getattr(importlib.import_module(f"bordeaux.env.{_HOMES[name]}"), name)
        except ImportError as error:
            raise BordeauxError(f"{name} needs {error.name}: pip install 'bordeaux-diplomacy[env]'") from None


with contextlib.suppress(ImportError):
    from gymnasium.envs.registration import register

    register(
        "bordeaux/Diplomacy-v0",
        entry_point="bordeaux.env.seat:DiplomacyEnv",
        vector_entry_point="bordeaux.env.vector:DiplomacyVectorEnv",
    )
