"""Interactive sessions at the terminal: a seat for a person in a DAIDE game, and walks through a book."""
