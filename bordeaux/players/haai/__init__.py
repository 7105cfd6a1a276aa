"""HaAI, Fredrik Haard's player of unit agents that negotiate a plan (paper 001, chapter 3)."""

from bordeaux.players.haai.player import HaaiBerserk, HaaiVanilla

__all__ = ["HaaiBerserk", "HaaiVanilla"]
