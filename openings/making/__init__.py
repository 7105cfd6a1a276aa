"""Making opening books: collecting games, searching positions, weighting sets, comparing and navigating."""
