"""Players: the engine and all its rivals, behind one protocol."""
