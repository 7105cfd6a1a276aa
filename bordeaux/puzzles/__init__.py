"""Puzzles: positions in which something can be forced, the proofs, and how many a search solves."""
