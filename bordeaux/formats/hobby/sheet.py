"""The content of a site's page for one phase, independent of the position. The readers of sites make these
values, and `assembly` turns them into a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.order import Unit
from bordeaux.board.phase import Phase

_SEASONS = {"S": 0, "F": 1, "W": 2}
_KINDS = {"M": 0, "R": 1, "A": 2}


class SheetEntry(NamedTuple):
    """One order of a page.

    `power` is its full name, "" if only the owner of the unit tells it. `text` is the order in any notation
    that Bordeaux reads. `words` are our words for its result (empty: success; None: not given). `line` is the
    line of the page, 0 if unknown. `unit` is the ordered unit with its coast, if the page gives it
    unambiguously.
    """

    power: str
    text: str
    words: tuple[str, ...] | None = None
    line: int = 0
    unit: Unit | None = None


class Sheet(NamedTuple):
    """The orders of one phase, as far as a page has them.

    `units` are all undislodged units (None: not listed), `centres` the owned centres by power (None: not
    given). If `complete`, every undislodged unit has an entry, so that the entries list them.
    """

    phase: Phase
    entries: Sequence[SheetEntry] = ()
    units: Sequence[Unit] | None = None
    centres: Mapping[str, Sequence[str]] | None = None
    complete: bool = False


class Story(NamedTuple):
    """All sheets of one game, with its `id`, their source (``webDiplomacy``), and `notes` on unreadable
    parts."""

    site: str
    id: str
    sheets: Sequence[Sheet]
    notes: Sequence[str] = ()


def phase_key(phase: Phase) -> tuple[int, int, int]:
    """The sort key of phases."""
    return phase.year, _SEASONS[phase.season], _KINDS[phase.kind]
