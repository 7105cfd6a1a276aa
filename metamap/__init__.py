"""The hierarchy of regions above the map's provinces: its code and its data."""
