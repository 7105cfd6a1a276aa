"""All routes of the page, whoever serves them: the server of this machine, or a worker in a browser."""

from collections.abc import Sequence

from bordeaux.web import (
    engine_routes,
    exports,
    nodes,
    play_routes,
    recorded_routes,
    reviews,
    studies,
)
from bordeaux.web.routing import PageRoute

ROUTES: Sequence[PageRoute] = (
    *studies.ROUTES,
    *nodes.ROUTES,
    *exports.ROUTES,
    *engine_routes.ROUTES,
    *play_routes.ROUTES,
    *recorded_routes.ROUTES,
    *reviews.ROUTES,
)
