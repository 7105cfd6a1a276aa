"""Games between players, tournaments, and their statistics."""
