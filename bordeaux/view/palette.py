"""The colours of all that is drawn: powers and boards by theme, light and dark; players in plots; terminals.

Powers have the colours of the boxed game, made distinct for every kind of colour vision (after Okabe and
Ito, 2008): Austria orange-red, England dark blue, France light blue, Germany grey, Italy green, Russia pink,
Turkey yellow. Maps of more powers have three more, then begin again. A mark (a unit, an arrow, a part of a
bar) has the strong colour of its power, land a calm tint of it.

`tests/view/test_board.py` holds what the colours promise: contrasts by WCAG, and distances as the
colour-blind see them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bordeaux.board.map import Map

INK, GREY, PALE = "#1f2933", "#7b8794", "#e4e7eb"
"""Text, lesser text and lines of plots on a white sheet."""
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a5195", "#6b7280")
"""Players in plots, who are no powers."""
TERMINAL = ("red", "blue", "cyan", "bright_black", "green", "magenta", "yellow")
"""Powers in a terminal, by names that its own theme gives a colour that can be read on its ground."""
POWERS = 10
"""Powers with a colour of their own."""
HEAT = 8
"""The number of steps of heat."""
DARK_LETTER, LIGHT_LETTER = "#111111", "#ffffff"
LEGIBLE = 4.6
"""The contrast of a power's name in its own colour; WCAG asks for 4.5."""

Colours = Mapping[str, str]


class Theme(NamedTuple):
    """The colours of a board by their names, light and dark, and the font of its names, "" for the usual one.

    Beside the names of `ROLES` there are ``power0`` and on for marks, ``tint0`` for land, ``on0`` for what is
    written on a mark, ``text0`` for the name of a power on the sheet, and ``heat0`` to ``heat7``.
    """

    light: Colours
    dark: Colours
    font: str = ""


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1 (WCAG)."""
    shares = [value / 255 for value in channels(colour)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21 (WCAG)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def letter_on(colour: str) -> str:
    """Black or white, whichever has the higher contrast with a colour."""
    return max((DARK_LETTER, LIGHT_LETTER), key=lambda letter: contrast(letter, colour))


def readable(colour: str, ground: str) -> str:
    """A colour made darker or lighter until text in it can be read on a ground."""
    goal = channels(letter_on(ground))
    for step in range(21):
        mixed = [round(a + (b - a) * step / 20) for a, b in zip(channels(colour), goal, strict=True)]
        text = "#" + "".join(f"{value:02x}" for value in mixed)
        if contrast(text, ground) >= LEGIBLE:
            break
    return text


EMBERS = "#fff7ec #fee8c8 #fdd49e #fdbb84 #fc8d59 #ef6548 #d7301f #990000"
GLOW = "#1b1d1f #33211d #52251b #78301c #a2421f #cb5f2a #ea8f4e #fcc98d"
"""Steps of heat, monotonic in lightness, so that they can be told apart with any colour vision."""
ROLES = {
    "sheet": ("#ffffff", "#101418", "#fdf9ef", "#ffffff", "#000000"),
    "ink": ("#1f2933", "#e6e9ec", "#2f2a22", "#000000", "#ffffff"),
    "sea": ("#dfe9ef", "#15202a", "#e6e9e2", "#e3e8ec", "#000000"),
    "land": ("#f6f1e6", "#33322f", "#f7eed8", "#ffffff", "#262626"),
    "closed": ("#d9d3c6", "#1f2123", "#dad0bb", "#c9c9c9", "#101010"),
    "coast": ("#5f6d78", "#8a9aa6", "#6b5f4e", "#000000", "#ffffff"),
    "border": ("#837b6c", "#8d8778", "#93846c", "#000000", "#ffffff"),
    "seam": ("#9db6c6", "#3a5468", "#b3b8ab", "#6b7f8c", "#7d97a8"),
    "name": ("#2b333b", "#f4f4f1", "#2f2a22", "#000000", "#ffffff"),
    "waters": ("#3d6580", "#8fb6d0", "#4d6468", "#1f4a66", "#b9dcf2"),
    "halo": ("#ffffff", "#0c1014", "#fdf9ef", "#ffffff", "#000000"),
    "rim": ("#1f2933", "#0c1014", "#2f2a22", "#000000", "#000000"),
    "case": ("#ffffff", "#0c1014", "#ffffff", "#ffffff", "#0c1014"),
    "bad": ("#b00020", "#ff8a80", "#b00020", "#b00020", "#ff8a80"),
    "good": ("#006b3c", "#7fe0b0", "#006b3c", "#006b3c", "#7fe0b0"),
    "played": ("#c2185b", "#ff8fb8", "#c2185b", "#c2185b", "#ff8fb8"),
    "better": ("#00875a", "#6fe3b4", "#00875a", "#00875a", "#6fe3b4"),
}
"""What is neither a power's nor heat: of the calm theme, light and dark, of the printed map, and of the theme
of high contrast, light and dark."""


def scheme(column: int, marks: str, tints: str, heat: str) -> Colours:
    """The colours of a column of ROLES, and those of powers and heat, listed in order, by their names."""
    colours = {role: row[column] for role, row in ROLES.items()}
    for number, mark in enumerate(marks.split()):
        colours[f"power{number}"] = mark
        colours[f"on{number}"] = letter_on(mark)
        colours[f"text{number}"] = readable(mark, colours["sheet"])
    colours |= {f"tint{number}": tint for number, tint in enumerate(tints.split())}
    return colours | {f"heat{step}": colour for step, colour in enumerate(heat.split())}


PAPER = scheme(
    2,
    "#c85f2a #31478c #4c9dc0 #55504a #2e835c #b9668c #e0b528 #957858 #93b850 #5e4e98",
    "#e6ae8c #aab2d2 #c1e1ed #b3ab9f #9bdcb1 #debbc7 #f2df93 #cbb08a #cfe0a0 #c2b4d8",
    EMBERS,
)
THEMES = {
    "calm": Theme(
        scheme(
            0,
            "#d55e00 #2b3f9e #4fb8f0 #595959 #009e73 #cc79a7 #f2d21b #8c6d46 #a6d854 #664b9d",
            "#efb58c #a9b1de #c2e3fe #b0afac #99debf #dcbad2 #f6e695 #d0b48e #d4ecaa #c3b3df",
            EMBERS,
        ),
        scheme(
            1,
            "#ff8b45 #8697f2 #86d4ff #d1cfce #38c695 #e69bcb #ffe04a #c9a678 #b9e36c #b29be6",
            "#7a3c12 #36449b #1b76a2 #6a6d71 #046e4f #713c62 #7d6d0a #5d4a30 #557728 #534187",
            GLOW,
        ),
    ),
    # A printed map is light wherever it lies.
    "paper": Theme(PAPER, PAPER, "'Iowan Old Style', Palatino, 'URW Palladio L', Georgia, serif"),
    "contrast": Theme(
        scheme(
            3,
            "#c74d00 #1a2b9c #1f93dd #3d3d3d #007a55 #c2418f #ffd800 #7a5520 #8fd02a #6a2fb5",
            "#ff9d5e #97a4ff #a6e2ff #a5a5a5 #6fe0b0 #f4b2da #fff060 #d8ac70 #cdf587 #c9a8ff",
            EMBERS,
        ),
        scheme(
            4,
            "#ff9a57 #96a5f3 #9fe0ff #e6e6e6 #51dfaf #ffa2db #ffec4d #dcb684 #c6f57a #c4adff",
            "#8e420a #3040cf #187ca8 #757575 #00704f #8f3f78 #857400 #6d5230 #55801a #6a45bf",
            GLOW,
        ),
    ),
}
"""The themes of boards by name, the usual one first."""


def number_of(board: Map, power: str) -> int:
    """The number by which a power's colours are named."""
    return board.powers.index(power) % POWERS


def colour_of(board: Map, power: str) -> str:
    """The usual colour of a power's marks, for programs that draw for themselves."""
    return THEMES["calm"].light[f"power{number_of(board, power)}"]


def root_css(theme: str, root: str = ":root") -> str:
    """The colours of a theme as variables of style sheets, light and dark.

    They are ``--power-0``, ``--tint-0``, ``--on-0``, ``--text-0``, ``--heat-0`` and on, and ``--map-sea`` and
    so on for the rest.
    """
    light, dusk, font = THEMES[theme]
    css = f"{root}{{{variables(light)}{f'--map-font:{font};' if font else ''}}}\n"
    return (
        css if dusk is light else f"{css}@media (prefers-color-scheme:dark){{{root}{{{variables(dusk)}}}}}\n"
    )


def power_css() -> str:
    """The rules of a page by which elements of a class ``power-0`` and on have a power's colours.

    They are variables; a shape in or with such a class is filled with the colour of marks by the class
    ``own``, with that of what is written on them by ``on-own``.
    """
    css = "".join(
        f".power-{n}{{--power-color:var(--power-{n});--on-power:var(--on-{n})}}\n" for n in range(POWERS)
    )
    return css + ".own{fill:var(--power-color)}\n.on-own{fill:var(--on-power)}\n"


def variables(colours: Colours) -> str:
    """Colours as declarations of variables."""
    return "".join(f"{variable(name)}:{colour};" for name, colour in colours.items())


def variable(name: str) -> str:
    """The variable of a colour."""
    word = name.rstrip("0123456789")
    return f"--map-{name}" if word == name else f"--{word}-{name[len(word) :]}"
