"""The league: generations of players that play each other, their games, and training on them."""
