"""Environments for learning: many games at once in arrays, and the interfaces that other programs expect."""

from bordeaux.env.batch import SCORINGS, Batch, Legal, Observation, Step
from bordeaux.env.order_table import OrderTable, order_table

__all__ = ["SCORINGS", "Batch", "Legal", "Observation", "OrderTable", "Step", "order_table"]
