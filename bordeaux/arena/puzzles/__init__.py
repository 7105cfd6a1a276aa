"""Puzzles: positions in which something can be forced, the proofs, and the share that a search solves."""
