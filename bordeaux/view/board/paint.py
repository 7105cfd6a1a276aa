"""Colours and patterns of boards, light and dark.

The seven colours are based on those that Okabe and Ito (2008) chose to be distinct with every kind of
colour vision. Powers have them as in the boxed game: Austria red, England dark blue, France light blue,
Germany dark, Italy green, Russia light, Turkey yellow. England is darker than in the source and France
lighter, so the two blues are far apart. Areas have a pattern of lines or dots besides their colour, and
units have crests.
"""

from __future__ import annotations

from collections.abc import Mapping

from bordeaux.board.map import Map

__all__ = ["COLOURS", "HEAT", "STYLES", "css", "defs", "heat_step", "kind_of_power", "letter_on", "letters"]

COLOURS = (
    "#d55e00",
    "#2b3f9e",
    "#4fb8f0",
    "#595959",
    "#009e73",
    "#cc79a7",
    "#f2d21b",
    "#8c6d46",
    "#a6d854",
    "#6a51a3",
)
"""One for each power in the order of the map; maps of more powers begin again."""
DUSK = COLOURS[3]
DARK_LETTER, LIGHT_LETTER = "#111111", "#ffffff"
STYLES = ("auto", "light", "dark", "bare")
"""`auto` follows the reader's preference; `bare` has no style, for a page that already has `css`."""
LIGHT = {
    "ink": "#1f2933",
    "sea": "#cfe4f2",
    "land": "#f5eedc",
    "closed": "#d9d4c7",
    "hatch": "#8d8878",
    "coast": "#4a5560",
    "border": "#5f584b",
    "seam": "#7fa8c4",
    "name": "#2b333b",
    "waters": "#2f5f80",
    "halo": "#ffffff",
    "sheet": "#ffffff",
    "bad": "#b00020",
    "good": "#006b3c",
    "case": "#ffffff",
    "dusk": "#595959",
}
DARK = {
    "ink": "#e6e9ec",
    "sea": "#14283a",
    "land": "#2d2c29",
    "closed": "#26262a",
    "hatch": "#6c6c70",
    "coast": "#9fb0bd",
    "border": "#7d7767",
    "seam": "#3d5f7a",
    "name": "#f1f1ee",
    "waters": "#9cc7e6",
    "halo": "#101418",
    "sheet": "#101418",
    "bad": "#ff8a80",
    "good": "#7fe0b0",
    "case": "#101418",
    "dusk": "#b4b8bd",
}
RULES = """.sheet{{fill:{sheet}}}
.sea{{fill:{sea}}}
.land{{fill:{land}}}
.closed{{fill:{closed}}}
.hatch{{stroke:{hatch}}}
.coast{{stroke:{coast};stroke-width:1.1}}
.border{{stroke:{border};stroke-width:.95}}
.seam{{stroke:{seam};stroke-width:.9}}
.edge{{stroke:{coast};stroke-width:1.5}}
.link{{stroke:{border};stroke-width:1.2}}
.name{{fill:{name};stroke:{halo}}}
.waters{{fill:{waters};stroke:{halo}}}
.ink{{fill:{ink}}}
.centre{{stroke:{ink};fill:{halo}}}
.rim{{stroke:{ink}}}
.case{{stroke:{case}}}
.bad{{stroke:{bad}}}
.badly{{fill:{bad}}}
.good{{stroke:{good}}}
.plain{{stroke:{ink}}}
.dusk{{fill:{dusk}}}
.dusks{{stroke:{dusk}}}
"""
SLANTS = (
    "M0,6L6,0",
    "M0,0L6,6",
    "M0,3H6",
    "M3,0V6",
    "M0,3H6M3,0V6",
    "M1.5,1.5h1.4M4.5,4.5h1.4",
    "M0,6L6,0M0,0L6,6",
)
HEAT = 8
"""The number of steps of heat."""
GLOW = {
    "light": ("#fff7ec", "#fee8c8", "#fdd49e", "#fdbb84", "#fc8d59", "#ef6548", "#d7301f", "#990000"),
    "dark": ("#1b1d1f", "#33211d", "#52251b", "#78301c", "#a2421f", "#cb5f2a", "#ea8f4e", "#fcc98d"),
}
"""Colours of the steps, monotonic in lightness, so that they can be told apart with any colour vision."""


def css(style: str) -> str:
    """The rules of a style, for pictures of that style only."""
    rules = scoped(style, DARK if style == "dark" else LIGHT)
    if style == "auto":
        rules += "@media (prefers-color-scheme:dark){\n" + scoped(style, DARK) + "}\n"
    return rules


def scoped(style: str, colours: Mapping[str, str]) -> str:
    """The rules with their colours, limited to their picture."""
    lines = RULES.format(**colours).splitlines()
    glow = GLOW["dark" if colours is DARK else "light"]
    lines += [f".heat{step}{{fill:{colour}}}" for step, colour in enumerate(glow)]
    return "".join(f".bordeaux-{style} {line}\n" for line in lines)


def defs(style: str, powers: int) -> str:
    """Patterns that pictures of a style refer to."""
    parts = [
        f'<pattern id="bordeaux-{style}-closed" width="7" height="7" patternUnits="userSpaceOnUse">'
        '<path class="hatch" d="M0,7L7,0M-1,1L1,-1M6,8L8,6" fill="none" stroke-width="1"/></pattern>'
    ]
    for number in range(powers):
        colour, slant = COLOURS[number % len(COLOURS)], SLANTS[number % len(SLANTS)]
        # Germany's would be lost on dark land.
        area, line = (
            ('class="dusk"', 'class="dusks"')
            if colour == DUSK
            else (f'fill="{colour}"', f'stroke="{colour}"')
        )
        parts.append(
            f'<pattern id="bordeaux-{style}-power{number}" width="6" height="6" '
            f'patternUnits="userSpaceOnUse"><rect width="6" height="6" {area} fill-opacity=".42"/>'
            f'<path d="{slant}" fill="none" {line} stroke-width="1.3" stroke-opacity=".55"/></pattern>'
        )
    return "<defs>" + "".join(parts) + "</defs>"


def kind_of_power(board: Map, power: str) -> tuple[int, str]:
    """A power's number on the map, and its colour."""
    number = board.powers.index(power)
    return number, COLOURS[number % len(COLOURS)]


def letters(board: Map) -> dict[str, str]:
    """The shortest prefix of each power's name that is unique."""
    by_power = {}
    for power in board.powers:
        others = [other for other in board.powers if other != power]
        most = len(power)
        length = next((n for n in range(1, most) if not any(o.startswith(power[:n]) for o in others)), most)
        by_power[power] = power[:length] if length <= 2 else board.tags[power][:3]
    return by_power


def letter_on(colour: str) -> str:
    """Black or white, whichever has the higher contrast with a colour (WCAG)."""
    red, green, blue = (channel(int(colour[n : n + 2], 16) / 255) for n in (1, 3, 5))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return LIGHT_LETTER if 1.05 / (light + 0.05) > (light + 0.05) / 0.055 else DARK_LETTER


def channel(value: float) -> float:
    """The linear intensity of a channel of sRGB."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def heat_step(share: float) -> int:
    """The step of a share of the largest heat, 0 to 1."""
    return min(HEAT - 1, int(max(0.0, share) * HEAT))
