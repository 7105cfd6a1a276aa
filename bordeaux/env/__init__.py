"""Environments for learning: many games at once, and the interfaces that other programs expect."""
