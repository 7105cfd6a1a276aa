"""Messages between client and server, each class named by its token.

The same class serves a request and its answer: ``SCO()`` asks, ``SCO(centres)`` answers. YES, REJ, HUH,
NOT, DRW, SLO, SND and FRM are in `bordeaux.daide.language.press`. Source: DAIDE Message Syntax 0.178, level
0 (LANGUAGE.md, sections 2 and 3).
"""

from __future__ import annotations

from typing import TypeAlias

from bordeaux.daide.language.orders import VIA, Order
from bordeaux.daide.language.press import DRW, FRM, HUH, NOT, REJ, SLO, SND, YES, Arrangement, Owned, Press
from bordeaux.daide.language.values import SeasonYear, Tokens, UnitAt, Value

__all__ = [
    "ADM",
    "CCD",
    "GOF",
    "HLO",
    "HST",
    "IAM",
    "LOD",
    "MAP",
    "MDF",
    "MIS",
    "NME",
    "NOW",
    "OBS",
    "OFF",
    "ORD",
    "OUT",
    "PRN",
    "SCO",
    "SMR",
    "SUB",
    "SVE",
    "THX",
    "TME",
    "Adjacency",
    "Border",
    "Home",
    "Message",
    "Option",
    "SMRLine",
]


class NME(Value):
    """A client's name and version; it wants to play."""

    name: str
    version: str


class OBS(Value):
    """A client wants to observe."""


class IAM(Value):
    """A client takes over a power again."""

    power: str
    passcode: int


class MAP(Value):
    """The name of the map; bare (None), a request for it."""

    name: str | None = None


class Home(Value):
    """Home centres of a power, of several that share them (a tuple), or neutral (UNO)."""

    owner: str | tuple[str, ...]
    provinces: tuple[str, ...]


class Border(Value):
    """Places that a unit of a kind can reach; for a fleet on a coast with that coast."""

    kind: str
    places: tuple[object, ...]
    coast: str | None = None


class Adjacency(Value):
    """The borders of a province."""

    province: str
    borders: tuple[Border, ...]


class MDF(Value):
    """A map's definition: powers, home centres, other provinces, borders; bare, a request for it."""

    powers: tuple[str, ...] = ()
    centres: tuple[Home, ...] = ()
    others: tuple[str, ...] = ()
    adjacencies: tuple[Adjacency, ...] = ()


class Option(Value):
    """One option of a game: LVL, MTL, RTL, BTL or PTL with a number; DSD, AOA, PDA, NPR or NPB without."""

    token: str
    number: int | None = None


class HLO(Value):
    """The game begins: the power played (UNO: an observer), passcode, options; bare, a request for it."""

    power: str | None = None
    passcode: int | None = None
    options: tuple[Option, ...] = ()


class NOW(Value):
    """The position; bare, a request for it."""

    turn: SeasonYear | None = None
    units: tuple[UnitAt, ...] = ()


class SCO(Value):
    """Who owns which supply centres; bare, a request for it."""

    centres: tuple[Owned, ...] = ()


class ORD(Value):
    """An order and its result, one token or two (``CUT RET``); bare, a request for the last ones."""

    turn: SeasonYear | None = None
    order: Order | VIA | None = None
    result: tuple[str, ...] = ()


class HST(Value):
    """A request for the orders and the position of a turn."""

    turn: SeasonYear


class TME(Value):
    """Seconds to the deadline; from a client, the time of a warning, or bare a request."""

    seconds: int | None = None


class ADM(Value):
    """Talk about the running of the game."""

    name: str
    text: str


class PRN(Value):
    """A message whose brackets do not match; `tokens` are that message."""

    tokens: Tokens


class SUB(Value):
    """Orders, optionally with their turn; bare within NOT: all that were sent."""

    turn: SeasonYear | None = None
    orders: tuple[Order, ...] = ()


class MIS(Value):
    """The missing orders: units, or a number of removals (builds if negative).

    Bare (both None) it is a request and, from a server, says that nothing is missing.
    """

    units: tuple[UnitAt, ...] | None = None
    number: int | None = None


class GOF(Value):
    """The turn may be played before the deadline."""


class THX(Value):
    """An order was received; the note is MBV or the error."""

    order: Order
    note: str


class CCD(Value):
    """A power is in civil disorder."""

    power: str


class OUT(Value):
    """A power is eliminated."""

    power: str


class SVE(Value):
    """Save the game under a name."""

    name: str


class LOD(Value):
    """Load the game of a name."""

    name: str


class OFF(Value):
    """Leave."""


class SMRLine(Value):
    """A player in the summary; the year of elimination is present exactly if it has no centres."""

    power: str
    name: str
    version: str
    centres: int
    year: int | None = None


class SMR(Value):
    """The summary of a game that has ended."""

    turn: SeasonYear
    lines: tuple[SMRLine, ...]


# fmt: off
Message: TypeAlias = (
    NME | OBS | IAM | MAP | MDF | HLO | NOW | SCO | ORD | HST | TME | ADM | PRN | SUB | MIS | GOF | THX | CCD
    | OUT | SVE | LOD | OFF | SMR | YES | REJ | HUH | NOT | DRW | SLO | SND | FRM | Arrangement | Press
)
# fmt: on
"""All messages. YES, REJ and NOT contain messages or press, so press is included."""
