"""Making opening books: gathering games, searching positions, weighing sets, comparing and walking."""
