"""Protocols that the engine speaks beside DAIDE: DUI and that of the PyPI package ``diplomacy``."""
