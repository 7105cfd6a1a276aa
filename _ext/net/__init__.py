"""Policies: the seam (`policy`), DumbBot's family, and the learnt nets with their inputs and arithmetic."""
