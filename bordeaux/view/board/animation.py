"""A game as a moving picture: a GIF with a frame for each phase, its orders and their results."""

from __future__ import annotations

import io
from collections.abc import Sequence

from bordeaux.board.errors import BordeauxError
from bordeaux.formats.game_text import Adjudicated
from bordeaux.view.board import svg
from bordeaux.view.svg import png

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
        raise BordeauxError(
            "pictures as GIF need Pillow and resvg: pip install 'bordeaux-diplomacy[png]'"
        ) from None
    if not 0 < len(phases) <= MOST_FRAMES:
        raise BordeauxError(
            f"a GIF shows 1 to {MOST_FRAMES} phases, not {len(phases)}; take a part of the game"
        )
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
