"""Players: everything that can sit at a table, the engine and its rivals, behind one protocol."""
