"""Agreements between powers as plain values, and their consequences for the orders of one position."""

from bordeaux.search.agreements.agreements import Agreement, agreed
from bordeaux.search.agreements.bonds import PARTNERS, REDRAWN, Bond, Bonds

__all__ = ["PARTNERS", "REDRAWN", "Agreement", "Bond", "Bonds", "agreed"]
