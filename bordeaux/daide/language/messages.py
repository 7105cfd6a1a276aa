"""Messages, and the orders, press and other parts in them, each class named by its token."""

from __future__ import annotations

from typing import TypeAlias

from bordeaux.daide.language.writing import Fields, text
from bordeaux.daide.tokens import Tokens

# A value is a tuple with named fields. It unpacks, prints as the call that makes it, becomes DAIDE text
# with ``str``, and works in ``match``. Unlike plain tuples, two values are equal only if they are of one
# class: ``YES(x) != REJ(x)``. Powers, provinces, coasts and unit types are DAIDE's tokens of three letters
# ('AUS', 'TRI', 'SCS', 'FLT'). Source: DAIDE Message Syntax 0.178, sections 1 and 2.


class Value(Fields):
    """The base of all values, which print as DAIDE text."""

    def __str__(self) -> str:
        """The value as DAIDE text."""
        return text(self)


class SeasonYear(Value):
    """A turn: ``SPR 1901``. Seasons: SPR and FAL movement, SUM and AUT retreats, WIN adjustments."""

    season: str
    year: int


class Place(Value):
    """The place or destination of a unit: ``TRI``, or ``(SPA SCS)`` with the coast."""

    province: str
    coast: str | None = None


class Unit(Value):
    """A unit: ``AUS FLT TRI``. `kind` is AMY or FLT, within OCC also UNT (either)."""

    power: str
    kind: str
    place: Place


class UnitAt(Value):
    """A unit as NOW and MIS list it.

    `retreats` is None for an undislodged unit; for a dislodged one the possible retreats (``MRT``), empty for
    a unit that can only be disbanded.
    """

    unit: Unit
    retreats: tuple[Place, ...] | None = None


# Movement: HLD MTO SUP CVY CTO; retreats: RTO DSB; adjustments: BLD REM WVE. Source: DAIDE Message Syntax
# 0.178, section on orders (LANGUAGE.md, sections 1 and 6).


class HLD(Value):
    """Hold: ``(ENG FLT LON) HLD``."""

    unit: Unit


class MTO(Value):
    """Move: ``(ENG FLT LON) MTO NTH``; a fleet's destination with coasts needs a coast."""

    unit: Unit
    place: Place


class SUP(Value):
    """Support of `other` to hold or, with a province, to move there: ``(...) SUP (...) MTO BEL``."""

    unit: Unit
    other: Unit
    province: str | None = None


class CVY(Value):
    """Convoy: ``(ENG FLT NTH) CVY (ENG AMY YOR) CTO NWY``."""

    unit: Unit
    other: Unit
    province: str


class CTO(Value):
    """Move by convoy: ``(ENG AMY YOR) CTO NWY VIA (NTH)``; `via` lists the fleets' provinces in order."""

    unit: Unit
    province: str
    via: tuple[str, ...]


class RTO(Value):
    """Retreat: ``(ITA AMY TYR) RTO VEN``."""

    unit: Unit
    place: Place


class DSB(Value):
    """Disband instead of a retreat: ``(ITA FLT ION) DSB``."""

    unit: Unit


class BLD(Value):
    """Build: ``(RUS FLT (STP NCS)) BLD``."""

    unit: Unit


class REM(Value):
    """Remove: ``(RUS AMY WAR) REM``."""

    unit: Unit


class WVE(Value):
    """Waive one build: ``RUS WVE``."""

    power: str


class VIA(Value):
    """A move by convoy without a destination; only read, and only leniently (``(...) MTO VIA``).

    The PyPI package `diplomacy` omits the destination in the ORD of a convoyed move.
    """

    unit: Unit


Order: TypeAlias = HLD | MTO | SUP | CVY | CTO | RTO | DSB | BLD | REM | WVE


# Proposals, facts and questions wrap an arrangement (PCE, XDO...); replies quote the message that they
# answer. Some tokens are messages to and from the server as well: YES, REJ, HUH, NOT, DRW, SLO, SND, FRM.
# Source: DAIDE Message Syntax 0.178, levels 10 to 130 and 8000 (LANGUAGE.md, sections 9 and 10).


class PRP(Value):
    """Propose an arrangement."""

    arrangement: Arrangement


class FCT(Value):
    """State that an arrangement holds, or the answer to a question (``FCT (QRY ...)``)."""

    arrangement: Arrangement | QRY | NOT


class INS(Value):
    """Insist on an arrangement."""

    arrangement: Arrangement


class QRY(Value):
    """Ask whether an arrangement is true."""

    arrangement: Arrangement


class SUG(Value):
    """Suggest an arrangement in which the sender takes no part."""

    arrangement: Arrangement


class THK(Value):
    """Believe an arrangement, or an answer to a question (``THK (QRY ...)``, ``THK (NOT (QRY ...))``)."""

    arrangement: Arrangement | QRY | NOT


class CCL(Value):
    """Cancel earlier press."""

    press: Press


class TRY(Value):
    """The tokens of press that the sender understands."""

    tokens: Tokens


class WHT(Value):
    """Ask what a unit should do."""

    unit: Unit


class HOW(Value):
    """Ask how to attack a province or a power."""

    target: str


class EXP(Value):
    """Ask for an explanation of moves that contradict press."""

    turn: SeasonYear
    press: Press


class IFF(Value):
    """If an arrangement holds, `then`; if not, `otherwise` (``IFF ... THN ... ELS ...``)."""

    condition: Arrangement
    then: Press
    otherwise: Press | None = None


class Text(Value):
    """Free text (level 8000)."""

    text: str


class YES(Value):
    """Accept: press, or on the wire a message of the other side."""

    message: Value


class REJ(Value):
    """Refuse: press, or on the wire a message of the other side."""

    message: Value


class BWX(Value):
    """Refuse to answer press."""

    message: Press


class HUH(Value):
    """Cannot read this: a message with ERR before the wrong token."""

    tokens: Tokens


class IDK(Value):
    """Does not know."""

    inner: Press


class SRY(Value):
    """Sorry (``SRY (EXP ...)``)."""

    inner: EXP


class WHY(Value):
    """Ask for the reason of press."""

    inner: Press


class POB(Value):
    """The position on the board is the reason."""

    inner: WHY


class PCE(Value):
    """Peace among powers, two at least."""

    powers: tuple[str, ...]


class ALY(Value):
    """Alliance of powers against others (``ALY (...) VSS (...)``)."""

    powers: tuple[str, ...]
    against: tuple[str, ...]


class DRW(Value):
    """A draw, of all survivors or of the powers named (two at least)."""

    powers: tuple[str, ...] = ()


class SLO(Value):
    """A solo of a power."""

    power: str


class NOT(Value):
    """The opposite of an arrangement; on the wire, the withdrawal of a message."""

    inner: Value


class NAR(Value):
    """No agreement about an arrangement."""

    arrangement: Arrangement


class XDO(Value):
    """An order will be given."""

    order: Order


class DMZ(Value):
    """Provinces that powers keep out of."""

    powers: tuple[str, ...]
    provinces: tuple[str, ...]


class Owned(Value):
    """Supply centres of an owner: ``TUR ANK CON SMY``; UNO for neutral ones."""

    owner: str
    provinces: tuple[str, ...] = ()


class SCD(Value):
    """A distribution of supply centres."""

    groups: tuple[Owned, ...]


class OCC(Value):
    """The intended places of units; a unit of kind UNT may be either."""

    units: tuple[Unit, ...]


class AND(Value):
    """All of the parts."""

    parts: tuple[Arrangement, ...]


class ORR(Value):
    """At least one of the parts."""

    parts: tuple[Arrangement, ...]


class CHO(Value):
    """At least `least` and at most `most` of the parts."""

    least: int
    most: int
    parts: tuple[Arrangement, ...]


class FOR(Value):
    """An arrangement for one turn, or from one to another: `when` is a `SeasonYear` or a pair of them."""

    when: SeasonYear | tuple[SeasonYear, SeasonYear]
    arrangement: Arrangement


class XOY(Value):
    """`debtor` owes `creditor` a favour."""

    debtor: str
    creditor: str


class YDO(Value):
    """`power` decides the orders of the units."""

    power: str
    units: tuple[Unit, ...]


class SND(Value):
    """Send press: ``SND (powers) (press)``, to the server optionally with the turn first.

    As an arrangement (level 120) `sender` is the power that shall send it, and there is no turn.
    """

    turn: SeasonYear | None
    to: tuple[str, ...]
    press: Press
    sender: str | None = None


class FRM(Value):
    """Press received from `sender`, sent to all of `to`; within press, a report of such."""

    sender: str
    to: tuple[str, ...]
    press: Press


class FWD(Value):
    """Press from `powers` that `to` receives is passed on to `also`."""

    powers: tuple[str, ...]
    to: str
    also: str


class BCC(Value):
    """Press that `power` sends to powers `to` is also passed on to `also`."""

    power: str
    to: tuple[str, ...]
    also: str


# fmt: off
Arrangement: TypeAlias = (
    PCE | ALY | DRW | SLO | NOT | NAR | XDO | DMZ | SCD | OCC | AND | ORR | CHO | FOR | XOY | YDO | SND | FWD
    | BCC
)
"""The content of press."""

Press: TypeAlias = (
    PRP | FCT | INS | QRY | SUG | THK | CCL | TRY | WHT | HOW | EXP | IFF | FRM | Text
    | YES | REJ | BWX | HUH | IDK | SRY | WHY | POB
)
"""Messages from one power to another."""
# fmt: on


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
