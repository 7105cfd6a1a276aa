"""The arena: games between players, tournaments, and the statistics that judge them."""
