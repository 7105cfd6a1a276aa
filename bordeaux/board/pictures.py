"""Pictures for notebooks, drawn by an installed entry point."""

from __future__ import annotations

from importlib.metadata import entry_points

__all__ = ["picture_of"]

GROUP = "bordeaux.pictures"


def picture_of(name: str, shown: object) -> str | None:
    """A value as SVG, drawn by the entry point of that name; None if none is installed."""
    for entry in entry_points(group=GROUP, name=name):
        drawn: str | None = entry.load()(shown)
        return drawn
    return None
