"""Players: the engine and all its opponents, behind one protocol."""
