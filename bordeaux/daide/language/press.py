"""Press: messages between powers, each class named by its token.

Proposals, facts and questions wrap an arrangement (PCE, XDO...); replies quote the message that they
answer. Some tokens are messages to and from the server as well: YES, REJ, HUH, NOT, DRW, SLO, SND, FRM.
Source: DAIDE Message Syntax 0.178, levels 10 to 130 and 8000 (LANGUAGE.md, sections 9 and 10).
"""

from __future__ import annotations

from typing import TypeAlias

from bordeaux.daide.language.orders import Order
from bordeaux.daide.language.values import SeasonYear, Tokens, Unit, Value

__all__ = [
    "ALY",
    "AND",
    "BCC",
    "BWX",
    "CCL",
    "CHO",
    "DMZ",
    "DRW",
    "EXP",
    "FCT",
    "FOR",
    "FRM",
    "FWD",
    "HOW",
    "HUH",
    "IDK",
    "IFF",
    "INS",
    "NAR",
    "NOT",
    "OCC",
    "ORR",
    "PCE",
    "POB",
    "PRP",
    "QRY",
    "REJ",
    "SCD",
    "SLO",
    "SND",
    "SRY",
    "SUG",
    "THK",
    "TRY",
    "WHT",
    "WHY",
    "XDO",
    "XOY",
    "YDO",
    "YES",
    "Arrangement",
    "Owned",
    "Press",
    "Text",
]


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
