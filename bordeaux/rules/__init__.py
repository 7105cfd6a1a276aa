"""The rules: what may be ordered, and what comes of it. The work is done in the core."""

from bordeaux.rules.adjudication import Resolution, adjudicate
from bordeaux.rules.legal import legal_orders

__all__ = ["Resolution", "adjudicate", "legal_orders"]
