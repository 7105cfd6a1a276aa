"""TOML from untrusted sources: rejected early if parsing would take very long or all memory.

The parser of the standard library is made for files that people write. A dotted key of 100,000 parts takes it
minutes and gigabytes, and some inputs raise other exceptions.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from bordeaux.board.errors import FormatError

__all__ = ["parse_toml"]

MOST_KEYS = 20_000
"""Most keys and tables; the file of the standard map has some 300."""
DEEPEST = 20
"""Most parts of a dotted key."""

# Without its end it is taken as well, so that nothing is looked at twice.
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'[^'\n]*+'?")
_DOTTED = re.compile(rf"(?<![\w.-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{DEEPEST}}}")
_AT_LINE = re.compile(r"(.*) \(at line (\d+), column \d+\)", re.DOTALL)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises FormatError, whose text begins with ``line N: `` if the line is known."""
    if text.count("=") > MOST_KEYS or text.count("]") > MOST_KEYS:
        raise FormatError(f"more than {MOST_KEYS:,} keys; no file of ours has that many")
    # A text may hold anything; a part of a key in quotes counts as one.
    if _DOTTED.search(_STRING.sub("q", text)):
        raise FormatError(f"a key of more than {DEEPEST} parts; no file of ours has one")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FormatError("nested too deeply for a file of ours") from None
    except tomllib.TOMLDecodeError as error:
        match = _AT_LINE.fullmatch(str(error))
        raise FormatError(f"line {match[2]}: {match[1]}" if match else str(error)) from None
    except ValueError as error:
        # Not all that the parser refuses has an error of its own: a number of 5,000 digits has not.
        raise FormatError(str(error)) from None
