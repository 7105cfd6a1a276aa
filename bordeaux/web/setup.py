"""The route of positions that are set up by hand: looked at before a study is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute

from bordeaux.board.pieces import table
from bordeaux.board.position import Position
from bordeaux.view.board import svg
from bordeaux.web.details import units_told
from bordeaux.web.house import Ask, House, route

__all__ = ["ROUTES"]


def examined(house: House, ask: Ask) -> dict[str, Any]:
    """A state on the map of a study, completed, with its picture.

    Raises BordeauxError for one that cannot be.
    """
    board = house.store.get(ask.path["study"]).map
    position = Position.from_json(table(ask.table().get("state"), "a position"), board)
    return {
        "state": position.to_json(),
        "units": list(units_told(position)),
        "owners": dict(zip(board.centres, position.owners, strict=True)),
        "svg": svg(position, style="bare"),
    }


ROUTES: Sequence[BaseRoute] = (route("/api/studies/{study}/position", examined, ["POST"]),)
