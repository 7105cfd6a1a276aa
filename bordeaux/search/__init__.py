"""Best-first search over partial order sets (paper 002, chapter 3)."""
