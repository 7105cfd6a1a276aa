"""Studies: trees of positions kept as files in one folder, and the games that are played in them."""
