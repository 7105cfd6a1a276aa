"""The press that a client understands, and its answer to other press: HUH, then TRY.

Source: LANGUAGE.md, section 11.
"""

from __future__ import annotations

from collections.abc import Collection

from bordeaux.daide import language as d

__all__ = ["answers_to", "press_group", "strange_at", "understood_at"]


def understood_at(level: int) -> tuple[str, ...]:
    """All tokens of press up to a level."""
    return tuple(token for token, least in d.press_levels().items() if least <= level)


def strange_at(press: d.Tokens, known: Collection[str], text: bool) -> int | None:
    """The place of the first unknown token in press; None if there is none.

    HUH and TRY are always known. `text` says whether free text is.
    """
    if press[:1] in (("HUH",), ("TRY",)):
        return None
    words = d.press_levels()
    for place, token in enumerate(press):
        if isinstance(token, str) and ((token in words and token not in known) or token.startswith("0x")):
            return place
        if isinstance(token, str) and token.startswith("'") and not text:
            return place
    return None


def answers_to(sender: str, press: d.Tokens, place: int, known: Collection[str]) -> list[d.SND]:
    """HUH with ERR before the token at `place`, then TRY with the tokens that are understood.

    A bot without press lists none.
    """
    marked = (*press[:place], "ERR", *press[place:])
    return [d.SND(None, (sender,), d.HUH(marked)), d.SND(None, (sender,), d.TRY(tuple(known)))]


def press_group(message: d.Tokens) -> tuple[str, int, d.Tokens] | None:
    """Sender, place and tokens of the press in an unreadable FRM message; None if it does not even have that
    form."""
    groups: list[tuple[int, d.Tokens]] = []
    depth, begun = 0, 0
    if message[:1] != ("FRM",):
        return None
    for place, token in enumerate(message):
        if token == "(":
            if depth == 0:
                begun = place + 1
            depth += 1
        elif token == ")":
            depth -= 1
            if depth == 0:
                groups.append((begun, message[begun:place]))
    if depth or len(groups) < 3 or len(groups[0][1]) != 1 or not groups[2][1]:
        return None
    return str(groups[0][1][0]), *groups[2]
