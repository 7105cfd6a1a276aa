"""All routes of the page, whoever serves them: the server of this machine, or a worker in a browser."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.web import (
    attempts,
    engine_routes,
    exports,
    nodes,
    play_routes,
    recorded_routes,
    reviews,
    studies,
)
from bordeaux.web.engine_routes import warm_up
from bordeaux.web.routing import PageRoute, ServerState

__all__ = ["ROUTES", "open_up", "warm_up"]

ROUTES: Sequence[PageRoute] = tuple(
    route
    for module in (
        studies,
        nodes,
        exports,
        engine_routes,
        play_routes,
        recorded_routes,
        reviews,
        attempts,
    )
    for route in module.ROUTES
)


def open_up(server_state: ServerState) -> None:
    """Let studies show what routes know of them, and end with the server what works for them."""
    for module in (engine_routes, play_routes, reviews, attempts):
        module.open_up(server_state)
