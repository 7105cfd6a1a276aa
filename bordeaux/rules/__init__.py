"""The rules: legal orders and adjudication. The core does the work."""

from bordeaux.rules.adjudication import Resolution, adjudicate, legal_orders

__all__ = ["Resolution", "adjudicate", "legal_orders"]
