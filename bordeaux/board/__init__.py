"""The board: map, position, orders, and their text and JSON forms."""
