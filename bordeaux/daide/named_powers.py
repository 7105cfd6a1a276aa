"""The powers named in press that must still be in the game. Source: LANGUAGE.md, section 8."""

from __future__ import annotations

from collections.abc import Iterator

from bordeaux.daide import language as d

__all__ = ["named_powers"]


def named_powers(press: object) -> Iterator[str]:
    """Powers in a message that must still be in the game. They are those of PCE, ALY, DRW, DMZ, SCD, HOW and
    XOY, the deciding power of YDO, and all powers in a form of level 120. A target of HOW may be a province,
    and an owner in SCD may be UNO."""
    match press:
        case d.PCE(powers) | d.DRW(powers) | d.DMZ(powers, _):
            yield from powers
        case d.ALY(powers, against):
            yield from (*powers, *against)
        case d.SCD(groups):
            yield from (group.owner for group in groups)
        case d.HOW(target):
            yield target
        case d.XOY(debtor, creditor):
            yield from (debtor, creditor)
        case d.YDO(power, _):
            yield power
        case d.SND(_, to, inner, sender):
            yield from _words((sender, to, inner))
        case d.FRM() | d.FWD() | d.BCC():
            yield from _words(press)
        case d.HUH() | d.TRY() | d.Text() | d.XDO() | d.SeasonYear():
            return
        case tuple():
            for part in press:
                yield from named_powers(part)


def _words(value: object) -> Iterator[str]:
    """All names in a value, without free text and quotations of HUH and TRY."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple) and not isinstance(value, d.Text | d.HUH | d.TRY):
        for part in value:
            yield from _words(part)
