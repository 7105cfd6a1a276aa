"""The possible agreements and messages between powers, as plain values.

Powers are named as in the map (``FRANCE``), provinces by their tags (``BLA``), orders are values of the
board. Values are equal if they say the same in the same order. They cover the DAIDE language, levels 10 to
130 and 8000 (LANGUAGE.md, section 9), whose words occur in `bordeaux.daide` alone. Terms and messages
contain each other, so they share a module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bordeaux.board.order import Order
from bordeaux.board.phase import Phase

ANY_UNIT = ""
"""The kind of a unit at a station that may be an army or a fleet."""


@dataclass(frozen=True, slots=True)
class Peace:
    """Peace among powers, two at least, until it ends."""

    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alliance:
    """An alliance of powers against others, until it ends."""

    powers: tuple[str, ...]
    against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw, of all survivors or of the powers named."""

    powers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Solo:
    """A solo of one power."""

    power: str


@dataclass(frozen=True, slots=True)
class Promise:
    """An order that a power will give the next time that it is possible. `helped` is the power whose unit it
    supports or convoys; "" if none, or not given. `removal` distinguishes a disbanding in Winter from one
    instead of a retreat, which have the same notation."""

    power: str
    order: Order
    helped: str = ""
    removal: bool = False


@dataclass(frozen=True, slots=True)
class Demilitarised:
    """Provinces that powers keep out of: they do not order, support, convoy, retreat or build into them."""

    powers: tuple[str, ...]
    provinces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """Supply centres for one owner, "" if nobody is to have them."""

    owner: str
    centres: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Division:
    """The owners of supply centres; centres that are not named stay open."""

    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Station:
    """The place of a unit: `kind` is A, F or `ANY_UNIT`, `location` the name of a place (``SPA/SC``), or a
    province for any unit."""

    power: str
    kind: str
    location: str


@dataclass(frozen=True, slots=True)
class Stationing:
    """Long-term positions of units."""

    stations: tuple[Station, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a term. Around `Ask` it is the answer no to a question."""

    term: Term | Message


@dataclass(frozen=True, slots=True)
class NoDeal:
    """No agreement about a term in either direction: it ends an agreement."""

    term: Term


@dataclass(frozen=True, slots=True)
class All:
    """All of the parts, as one package."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the parts."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """At least `least` and at most `most` of the parts."""

    least: int
    most: int
    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class During:
    """A term for one phase, or with `last` for all from `first` to `last`, both included."""

    first: Phase
    last: Phase | None
    term: Term


@dataclass(frozen=True, slots=True)
class Favour:
    """`debtor` owes `creditor` a favour."""

    debtor: str
    creditor: str


@dataclass(frozen=True, slots=True)
class Command:
    """`power` decides the orders of the others' units."""

    power: str
    units: tuple[Station, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """`sender` will send a message to powers."""

    sender: str
    to: tuple[str, ...]
    message: Message


@dataclass(frozen=True, slots=True)
class Forward:
    """Messages of `senders` to `to` are passed on to `also`."""

    senders: tuple[str, ...]
    to: str
    also: str


@dataclass(frozen=True, slots=True)
class Copy:
    """Messages of `sender` to powers are also passed on to `also`."""

    sender: str
    to: tuple[str, ...]
    also: str


# fmt: off
Term: TypeAlias = (
    Peace | Alliance | Draw | Solo | Promise | Demilitarised | Division | Stationing | Not | NoDeal | All
    | Some | Choice | During | Favour | Command | Pass | Forward | Copy
)
"""The possible contents of agreements."""
# fmt: on


@dataclass(frozen=True, slots=True)
class Propose:
    """Proposes a term: it binds once all recipients have accepted it."""

    term: Term


@dataclass(frozen=True, slots=True)
class Insist:
    """As `Propose`, but a refusal costs goodwill."""

    term: Term


@dataclass(frozen=True, slots=True)
class Suggest:
    """States that a term would help all, although the sender has no part in it."""

    term: Term


@dataclass(frozen=True, slots=True)
class State:
    """A term holds; of its negation, that an agreement is dropped. Or the answer to a question: `Ask` for
    yes, `Not` of it for no."""

    term: Term | Ask | Not


@dataclass(frozen=True, slots=True)
class Think:
    """As `State`, but only believed."""

    term: Term | Ask | Not


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks whether a term holds."""

    term: Term


@dataclass(frozen=True, slots=True)
class Accept:
    """Yes to a message, which is quoted."""

    message: Message


@dataclass(frozen=True, slots=True)
class Refuse:
    """No to a message."""

    message: Message


@dataclass(frozen=True, slots=True)
class Decline:
    """Refuses to answer."""

    message: Message


@dataclass(frozen=True, slots=True)
class Cancel:
    """Withdraws an own proposal, or an own acceptance, before all have agreed."""

    message: Message


@dataclass(frozen=True, slots=True)
class AskUnit:
    """Asks which order a unit of the sender or the recipient should get."""

    unit: Station


@dataclass(frozen=True, slots=True)
class AskAttack:
    """Asks how to attack a power or a province."""

    target: str


@dataclass(frozen=True, slots=True)
class Explain:
    """Asks for an explanation of orders of a phase that contradict earlier messages."""

    phase: Phase
    message: Message


@dataclass(frozen=True, slots=True)
class If:
    """`then` is said if a term holds, else `otherwise`, which may be None."""

    condition: Term
    then: Message
    otherwise: Message | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A message that `sender` is said to have sent to others; it may be invented."""

    sender: str
    to: tuple[str, ...]
    message: Message


@dataclass(frozen=True, slots=True)
class Unsure:
    """Does not know, or has not decided."""

    message: Message


@dataclass(frozen=True, slots=True)
class Sorry:
    """Apologises for orders that contradict earlier messages."""

    message: Explain


@dataclass(frozen=True, slots=True)
class Why:
    """Asks for the reason of a message."""

    message: Message


@dataclass(frozen=True, slots=True)
class OnBoard:
    """The position is the reason."""

    message: Why


@dataclass(frozen=True, slots=True)
class Words:
    """Free text."""

    text: str


# fmt: off
Message: TypeAlias = (
    Propose | Insist | Suggest | State | Think | Ask | Accept | Refuse | Decline | Cancel | AskUnit
    | AskAttack | Explain | If | Report | Unsure | Sorry | Why | OnBoard | Words
)
"""The possible messages from one power to another."""
# fmt: on
