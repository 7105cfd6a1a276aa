"""The style sheet of boards in the colours of the palette; the patterns and the shadow that they refer to."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bordeaux.board.map import Map
from bordeaux.view.palette import HEAT, POWERS, THEMES, power_css, root_css, variable

STYLES = ("auto", "light", "dark", "bare")
"""`auto` follows the reader's preference; `bare` has no style, for a page that already has `css`."""
RULES = """.sheet{{fill:{sheet}}}
.sea{{fill:{sea}}}
.land{{fill:{land}}}
.closed{{fill:{closed}}}
.coast,.edge{{stroke:{coast};stroke-width:[1.1]}}
.border{{stroke:{border};stroke-width:[.9]}}
.seam{{stroke:{seam};stroke-width:[.9];stroke-dasharray:5 4}}
.link{{stroke:{border};stroke-width:[1.2]}}
.name,.waters{{stroke:{halo};stroke-width:[2.6];stroke-opacity:.8;paint-order:stroke;stroke-linejoin:round}}
.name{{fill:{name}}}
.waters{{fill:{waters};stroke:{sea};font-style:italic}}
.tag{{font-weight:bold}}
.coastal{{font-style:italic}}
.ink{{fill:{ink}}}
.centre{{stroke:{rim};fill:{halo};stroke-width:[1.2]}}
.rim{{stroke:{rim};stroke-linejoin:round}}
.sail{{fill:#fff}}
.case{{stroke:{case}}}
.bad{{stroke:{bad}}}
.good{{stroke:{good}}}
.under{{stroke:{rim};stroke-width:[5];fill:none;stroke-linecap:round;stroke-linejoin:round}}
.over{{stroke-width:[3.4];fill:none;stroke-linecap:round;stroke-linejoin:round}}
.under.thin{{stroke-width:[3.5]}}
.over.thin{{stroke-width:[2.2]}}
.head{{stroke-width:1}}
.splayed{{stroke:{played}}}
.pplayed{{fill:{played}}}
.sbetter{{stroke:{better}}}
.pbetter{{fill:{better}}}
"""
"""Widths in brackets are damped where a page comes near: lines grow more slowly than the board."""
OF_POWER = """.p#{{fill:{power#}}}
.s#{{stroke:{power#}}}
.c#{{fill:{on#}}}
.t#,.g#{{fill:{tint#}}}
"""
"""Marks, lines, crests and land of the power of a number; ``g`` is the ground of its pattern."""
WIDTH, THIN = re.compile(r"\[([\d.]+)\]"), r"calc(\1px*var(--thin,1))"
SLANTS = (
    *("M0,8L8,0", "M0,0L8,8", "M0,4H8", "M4,0V8", "M0,4H8M4,0V8", "M2,2h1.8M6,6h1.8", "M0,8L8,0M0,0L8,8"),
    *("M0,2H8M0,6H8", "M2,0V8M6,0V8", "M4,2v1.8M0,6v1.8"),
)
"""The patterns of the powers' land."""
SHADE = (
    '<radialGradient id="bordeaux-shade"><stop offset=".35" stop-opacity=".42"/>'
    '<stop offset="1" stop-opacity="0"/></radialGradient>'
)


def css(style: str, theme: str = "calm", patterns: bool = False) -> str:
    """The rules of a style, for pictures of that style only: colours of a theme, with `patterns` on land that
    is owned. For ``bare`` the colours are variables, with their values before the rules."""
    light, dusk, font = THEMES[theme]
    if style == "bare":
        names = {name: f"var({variable(name)})" for name in light}
        rules = scoped(style, names, patterns, "var(--map-font,inherit)", THIN)
        return root_css(theme) + power_css() + rules
    rules = scoped(style, dusk if style == "dark" else light, patterns, font, r"\1")
    if style == "auto" and dusk is not light:
        # Only colours differ.
        rules += "@media (prefers-color-scheme:dark){\n" + scoped(style, dusk, patterns, font, r"\1") + "}\n"
    return rules


def page_css() -> str:
    """The rules of boards in the style ``bare`` for a page whose root has ``data-board``, the name of a
    theme, and ``data-patterns``."""
    # An element within the page may show another theme than its root.
    text = css("bare") + "".join(root_css(theme, f"[data-board={theme}]") for theme in THEMES)
    for rule in patterned("bare"):
        text += f":root[data-patterns] .bordeaux-bare {rule}\n"
    return text


def scoped(style: str, colours: Mapping[str, str], patterns: bool, font: str, width: str) -> str:
    """The rules with their colours, limited to their picture."""
    text = RULES + "".join(OF_POWER.replace("#", str(n)) for n in range(POWERS))
    lines = WIDTH.sub(width, text.format_map(colours)).splitlines()
    lines += [f".heat{step}{{fill:{colours[f'heat{step}']}}}" for step in range(HEAT)]
    lines += [f"text{{font-family:{font}}}"] if font else []
    lines += patterned(style) if patterns else []
    scope = f".bordeaux-{style} "
    return "".join(f"{scope}{line.replace(',.', f',{scope}.')}\n" for line in lines)


def patterned(style: str) -> list[str]:
    """The rules by which owned land has the pattern of its power."""
    return [f".t{n}{{fill:url(#bordeaux-{style}-power{n})}}" for n in range(POWERS)]


def defs(style: str, powers: int, patterns: bool = True) -> str:
    """What pictures of a style refer to: the shadow of units, and the patterns of so many powers."""
    parts = [SHADE]
    for number in range(min(powers, POWERS) if patterns else 0):
        parts.append(
            f'<pattern id="bordeaux-{style}-power{number}" width="8" height="8" '
            f'patternUnits="userSpaceOnUse"><rect width="8" height="8" class="g{number}"/>'
            f'<path d="{SLANTS[number]}" class="s{number}" stroke-width="1.2" stroke-opacity=".6"/></pattern>'
        )
    return "<defs>" + "".join(parts) + "</defs>"


def letters(board: Map) -> dict[str, str]:
    """The shortest prefix of each power's name that is unique; its tag if that is longer than two letters."""
    by_power = {}
    for power in board.powers:
        prefixes = [power[:length] for length in range(1, len(power) + 1)]
        taken = [other for other in board.powers if other != power]
        unique = (one for one in prefixes if not any(other.startswith(one) for other in taken))
        shortest = next(unique, power)
        by_power[power] = shortest if len(shortest) <= 2 else board.tags[power][:3]
    return by_power


def heat_step(share: float) -> int:
    """The step of a share of the largest heat, 0 to 1."""
    return min(HEAT - 1, int(max(0.0, share) * HEAT))
