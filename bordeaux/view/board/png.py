"""SVG as PNG, by the library resvg (the extra ``png``)."""

from __future__ import annotations

from bordeaux.board.errors import BordeauxError

__all__ = ["png"]


def png(picture: str) -> bytes:
    """An SVG picture as a PNG file of its size. Raises BordeauxError if the library is missing."""
    try:
        import resvg_py
    except ImportError:
        raise BordeauxError(
            "pictures as PNG need resvg: pip install 'bordeaux-diplomacy[png]', or write .svg"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=picture))
