"""A board as a picture: provinces, units, centres, orders and their results, as SVG; a game as a GIF."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted, submit
from bordeaux.formats.game_text import Adjudicated
from bordeaux.rules.adjudication import Resolution
from bordeaux.search.analysis import Found
from bordeaux.view.board.geometry import Geometry, geometry_of
from bordeaux.view.board.orders import Drawing, smooth
from bordeaux.view.board.paint import STYLES, css, defs, heat_step
from bordeaux.view.board.units import draw_centre, draw_unit, heading, told
from bordeaux.view.palette import HEAT, THEMES, number_of
from bordeaux.view.svg import Picture, png

LEGEND = 34.0
"""Pixels below the board for the powers and their centres; the style `bare` leaves them to its page."""
NAME, COAST, RISE = 13.8, 13.0, 0.36
"""Sizes of the names of provinces and of their coasts, which are 11 pixels of a screen where the sheet has
960, and how far the base line is below their middle, as a part of that."""
BEATEN = 0.6
"""How large a dislodged unit is drawn, beside its province's new one."""
CLEAR = 30.0
"""The distance in pixels of a unit from the name of a coast."""
LEAST_TINT = 0.15
"""How much of its leader's tint a province has at least, where heat has leaders."""
LEAST_SIZE, MOST_SIZE = 100, 20_000
NOTEBOOK = 760
"""Pixels of a picture's width in a notebook, whose pages cut off what is wider than they are."""


class Heat(dict[str, float]):
    """Numbers by the tag of a province, with a `name` for the legend."""

    name = ""


def svg(
    position: Position,
    orders: Mapping[str, Iterable[str | Order]] | None = None,
    results: Mapping[str, list[str]] | None = None,
    heat: Mapping[str, float] | None = None,
    highlight: Iterable[str] = (),
    size: int | None = None,
    style: str = "auto",
    better: Mapping[str, Iterable[str | Order]] | None = None,
    theme: str = "calm",
    patterns: bool = False,
    leaders: Mapping[str, str] | None = None,
) -> str:
    """Draw a position as SVG.

    `orders` by power are drawn on it, with `results`, the words of `bordeaux.rules.Resolution` by unit;
    failed ones are crossed. `heat` colours provinces, by tag, from 0 to the largest given number; with
    `leaders`, powers by tag, it is the tint of that power, the stronger the more there is. `highlight` names
    provinces to be framed. `better` are orders to compare with those that these powers gave: both are drawn
    in colours of their own, and other powers' orders are left out.

    `size` is the width in pixels, `style` one of STYLES, `theme` one of THEMES; `patterns` on owned land help
    the colour-blind. A page with the style `bare` has theme and patterns in its own style sheet.

    Raises BordeauxError for an invalid size, style or theme, MapError for an unknown province, OrderError for
    text that is not an order.
    """
    if style not in STYLES:
        raise BordeauxError(f"unknown style {quote(style)}; write {', '.join(STYLES)}")
    if theme not in THEMES:
        raise BordeauxError(f"unknown theme {quote(theme)}; write {', '.join(THEMES)}")
    if size is not None and not LEAST_SIZE <= size <= MOST_SIZE:
        raise BordeauxError(f"size must be from {LEAST_SIZE} to {MOST_SIZE} pixels, not {size}")
    board = position.map
    shape = geometry_of(board)
    given = submit(position, orders).orders if orders else ()
    # A page says beside the board what the legend says.
    width, height = shape.size[0], shape.size[1] + (0.0 if style == "bare" else LEGEND)
    picture = Picture(width, f"Diplomacy, {heading(position.phase)}", told(position, given, results))
    if style != "bare":
        picture.raw(f"<style>{css(style, theme, patterns)}</style>")
    picture.raw(defs(style, len(board.powers), patterns or style == "bare"))
    warmth = {board.province(tag).name: value for tag, value in (heat or {}).items()}
    draw_land(picture, shape, position, warmth, leaders or {})
    framed = {board.province(tag).name for tag in highlight}
    for region in shape.regions:
        if region.tag in framed:
            picture.path(region.path, "bad", fill="none", stroke_width=3.2, stroke_linejoin="round")
    if better is None:
        drawings = [Drawing(picture, shape, position, given, results)]
    else:
        drawings = compared(picture, shape, position, given, submit(position, better).orders)
    for drawing in drawings:
        drawing.lines()
    draw_names(picture, shape, position)
    draw_pieces(picture, shape, position)
    for drawing in drawings:
        drawing.marks()
    if style != "bare":
        draw_legend(picture, shape, position, warmth, heat.name if isinstance(heat, Heat) else "")
    elif warmth:
        picture.begin("warmth", data_most=f"{max(warmth.values()):.3g}")
        picture.end()
    return picture.whole(height, (size or width) / width, f"bordeaux-{style}")


def compared(
    picture: Picture,
    shape: Geometry,
    position: Position,
    given: Sequence[Submitted],
    better: Sequence[Submitted],
) -> list[Drawing]:
    """Orders of the compared powers: those that are both, the other played ones, the other better ones."""
    powers = {submitted.power for submitted in better}
    played = [submitted for submitted in given if submitted.power in powers]
    both = {str(submitted.order) for submitted in played} & {str(submitted.order) for submitted in better}

    def drawing(orders: Sequence[Submitted], kind: str) -> Drawing:
        chosen = [submitted for submitted in orders if (str(submitted.order) in both) == (not kind)]
        return Drawing(picture, shape, position, chosen, None, kind)

    return [drawing(played, ""), drawing(played, "played"), drawing(better, "better")]


def draw_land(
    picture: Picture,
    shape: Geometry,
    position: Position,
    heat: Mapping[str, float],
    leaders: Mapping[str, str],
) -> None:
    """Sea, land, owners, and borders."""
    board = position.map
    owners = position.owner_of
    most = max(heat.values(), default=0.0)
    for way, kind in shape.links:
        dashes = {"stroke_dasharray": "2 5"} if kind == "fleet" else {}
        picture.curve(smooth(list(way)) if len(way) > 2 else way, "link", **dashes)
    for region in shape.regions:
        province = board.province(region.tag) if region.tag else None
        ground = "land" if region.land else "sea"
        if province is None:
            # Water that no fleet may enter is drawn as water: the Sea of Marmara.
            picture.path(region.path, "closed" if region.land else "sea")
            continue
        note, owner = f"{province.full} ({province.name})", owners.get(region.tag)
        share = heat.get(region.tag, 0.0) / most if most > 0 else 0.0
        if region.tag in heat:
            note += f": {heat[region.tag]:.3g}"
        if region.tag in leaders:
            leader = leaders[region.tag]
            kind, note = f"t{number_of(board, leader)}", f"{note}, {leader.title()}"
            picture.path(region.path, ground)
            picture.path(region.path, kind, note, fill_opacity=LEAST_TINT + (1 - LEAST_TINT) * share)
        elif region.tag in heat:
            picture.path(region.path, f"heat{heat_step(share)}", note)
        elif owner is not None and not heat:
            picture.path(region.path, f"t{number_of(board, owner)}", f"{note}, {owner.title()}")
        else:
            picture.path(region.path, ground, note)
        if shape.links:
            picture.path(region.path, "coast", fill="none")
    kinds = {"land": "border", "sea": "seam", "coast": "coast", "edge": "edge"}
    for kind in ("land", "sea", "coast", "edge"):
        outline = "".join(path for border, path in shape.borders if border == kind)
        if outline:
            picture.path(outline, kinds[kind], fill="none", stroke_linejoin="round")


def draw_names(picture: Picture, shape: Geometry, position: Position) -> None:
    """The tags of provinces and of their coasts, and centres beside them."""
    board = position.map
    owners = position.owner_of
    for province in board.provinces:
        x, y = shape.at(province.name, "name")
        kind = "waters" if province.kind == "sea" else "name"
        picture.text(x, y + NAME * RISE, province.name, f"{kind} tag", anchor="middle", size=NAME)
        if province.centre:
            owner, place = owners[province.name], shape.at(province.name, "centre")
            note = f"{province.full}: {(owner or 'nobody').title()}"
            draw_centre(picture, place, number_of(board, owner) if owner else None, note)
    pieces = [shape.at(unit.location) for unit in position.units]
    pieces += [shape.at(unit.location, "dislodged") for unit, _ in position.dislodged]
    for location in board.locations:
        coast = location.name.partition("/")[2]
        x, y = shape.at(location.name)
        # A fleet covers the name of its coast; those of the others tell which it is.
        if coast and all(math.dist((x, y), place) > CLEAR for place in pieces):
            picture.text(x, y + COAST * RISE, coast.lower(), "name coastal", anchor="middle", size=COAST)


def draw_pieces(picture: Picture, shape: Geometry, position: Position) -> None:
    """The undislodged units, and the dislodged ones beside their provinces."""
    board = position.map
    for unit, _ in position.dislodged:
        # In a narrow province it stands over a border: a line tells from where it was driven.
        ends = shape.at(unit.location, "dislodged"), shape.at(unit.location)
        picture.line(*ends, "bad", stroke_width=1.4, stroke_dasharray="3 2")
    for unit in position.units:
        power = number_of(board, unit.power)
        place, note = shape.at(unit.location), f"{unit.power.title()}: {unit}"
        draw_unit(picture, unit.kind, place, power, note, data_stands=unit.location)
    for unit, retreats in position.dislodged:
        at = x, y = shape.at(unit.location, "dislodged")
        note = f"{unit.power.title()}: {unit}, dislodged; to {' '.join(retreats) or 'nowhere'}"
        draw_unit(picture, unit.kind, at, number_of(board, unit.power), note, BEATEN, data_out=unit.location)
        box = [(x - 10.8, y - 8.8), (x + 10.8, y - 8.8), (x + 10.8, y + 8.8), (x - 10.8, y + 8.8)]
        picture.area(box, "bad mark", fill="none", stroke_width=1.3, stroke_dasharray="3 2")


def draw_legend(
    picture: Picture, shape: Geometry, position: Position, heat: Mapping[str, float], name: str = ""
) -> None:
    """The phase, and every power with its colour, letter and centres; with heat, its scale instead."""
    board, owned = position.map, position.centres
    width, base = shape.size[0], shape.size[1] + 22
    picture.text(8, base, heading(position.phase), "ink", size=15, font_weight="bold")
    # Behind the longest heading, "Winter 1902, adjustments".
    begin = 240.0
    if heat:
        for number in range(HEAT):
            x = begin + 40 + 32 * number
            box = [(x, base - 13), (x + 32, base - 13), (x + 32, base + 3), (x, base + 3)]
            picture.area(box, f"rim heat{number}")
        picture.text(begin + 34, base, "0", "ink", size=13, anchor="end")
        most = " · ".join(filter(None, (f"{max(heat.values()):.3g}", name)))
        picture.text(begin + 46 + 32 * HEAT, base, most, "ink", size=13)
        return
    step = (width - begin) / max(1, len(board.powers))
    if step < 62:
        return
    for number, power in enumerate(board.powers):
        x = begin + number * step
        draw_unit(picture, "A", (x + 12, base - 5), number_of(board, power), power.title(), 0.66)
        name = power.title() if step > 118 else board.tags[power].title()
        picture.text(x + 26, base, f"{name} {len(owned.get(power, ()))}", "ink", size=13)


def position_svg(position: Position) -> str:
    """A position for notebooks."""
    return svg(position, size=NOTEBOOK)


def resolution_svg(resolution: Resolution) -> str:
    """A phase with its orders and results; if it is unknown, the position after it."""
    if resolution.position is None:
        return position_svg(resolution.after)
    return svg(resolution.position, resolution.orders, resolution.results, size=NOTEBOOK)


def found_svg(answer: Found) -> str | None:
    """The searched position with the orders that were found; None if it is unknown."""
    if answer.position is None:
        return None
    return svg(answer.position, {answer.power: answer.orders}, size=NOTEBOOK)


WIDTH = 900
"""Pixels of the width by default."""
MOST_FRAMES = 400
"""More are a file that few programs open, and minutes of work."""
MOVES, OTHERS, LAST = 2200, 1300, 5000
"""Milliseconds for which a movement phase, another phase and the last frame are shown."""
COLOURS = 192
"""Colours of all frames together: with one palette what stays the same takes no room."""


def gif(
    phases: Sequence[Adjudicated],
    size: int = WIDTH,
    style: str = "light",
    theme: str = "calm",
    patterns: bool = False,
) -> bytes:
    """A GIF of phases, in their order and without end, `size` pixels wide; see `svg` for how it looks.

    Raises BordeauxError if a library is missing, or for no or too many phases.
    """
    try:
        from PIL import Image
    except ImportError:
        needed = "pictures as GIF need Pillow and resvg: pip install 'bordeaux-diplomacy[png]'"
        raise BordeauxError(needed) from None
    if not 0 < len(phases) <= MOST_FRAMES:
        most = f"1 to {MOST_FRAMES} phases, not {len(phases)}"
        raise BordeauxError(f"a GIF shows {most}; take a part of the game")
    drawn = [
        png(svg(position, orders, results, size=size, style=style, theme=theme, patterns=patterns))
        for position, orders, results in phases
    ]
    # All colours stand in few frames: every power at first, arrows in the middle, the land at the end.
    samples = [Image.open(io.BytesIO(drawn[place])).convert("RGB") for place in (0, len(drawn) // 2, -1)]
    sheet = Image.new("RGB", (samples[0].width, sum(sample.height for sample in samples)))
    for number, sample in enumerate(samples):
        sheet.paste(sample, (0, number * sample.height))
    palette = sheet.quantize(COLOURS, Image.Quantize.MEDIANCUT)
    frames = [
        Image.open(io.BytesIO(data)).convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)
        for data in drawn
    ]
    times = [MOVES if position.phase.kind == "M" else OTHERS for position, _, _ in phases[:-1]]
    file = io.BytesIO()
    frames[0].save(
        file, "GIF", save_all=True, append_images=frames[1:], duration=[*times, LAST], loop=0, optimize=False
    )
    return file.getvalue()
