"""The league: generations of minds that play each other, what they played, and what is learnt from it."""
