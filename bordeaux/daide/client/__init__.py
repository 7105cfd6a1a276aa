"""The client side of DAIDE: the connection, what is known of the game, thinking, press, and the bot."""
