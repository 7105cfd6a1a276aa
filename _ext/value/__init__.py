"""Values: the seam (`valuer`), the hand-made evaluation with its terms, and the learnt values."""
