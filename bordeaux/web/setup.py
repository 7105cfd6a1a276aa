"""Routes for positions that are set up by hand: check them, and make studies of them, on the map of a
study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute

from bordeaux.board.pieces import table
from bordeaux.board.position import Position
from bordeaux.view.board import svg
from bordeaux.web.details import units_told
from bordeaux.web.house import House, RouteRequest, route
from bordeaux.web.intake import study_of_position
from bordeaux.web.store import named
from bordeaux.web.studies import answer

__all__ = ["ROUTES"]


def given(house: House, ask: RouteRequest) -> Position:
    """The position of a request, on the map of its study. Raises BordeauxError for an impossible one."""
    board = house.store.get(ask.path["study"]).map
    return Position.from_json(table(ask.table().get("state"), "a position"), board)


def examined(house: House, ask: RouteRequest) -> dict[str, Any]:
    """A state, completed, with its picture."""
    position = given(house, ask)
    return {
        "state": position.to_json(),
        "units": list(units_told(position)),
        "owners": dict(zip(position.map.centres, position.owners, strict=True)),
        "svg": svg(position, style="bare"),
    }


def studied(house: House, ask: RouteRequest) -> dict[str, Any]:
    """A new study from a state."""
    position, beside = given(house, ask), house.store.get(ask.path["study"])
    study = study_of_position(position, named(ask.text("name", "")), beside.map_text)
    return answer(house, house.store.add(study))


ROUTES: Sequence[BaseRoute] = (
    route("/api/studies/{study}/position", examined, ["POST"]),
    route("/api/studies/{study}/position/study", studied, ["POST"]),
)
