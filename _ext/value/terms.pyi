"""The terms of the evaluation: one small function for each, and one table of them."""

TERMS: tuple[str, ...]
