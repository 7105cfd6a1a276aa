"""The client side of DAIDE: the connection, the state of the game, thinking, press, and the bot."""
