"""The text of a release: the entry of the changelog for a version.

``python tools/release.py v1.2.3`` prints it. It fails with one line if the tag is not the version of the
package. It also fails if the changelog has no dated entry for it, or an empty one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
ENTRY = re.compile(r"^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)


def notes(tag: str, root: Path = ROOT) -> str:
    """The text of the changelog for a tag. Raises ValueError, one line, for a mismatch."""
    match = VERSION.search((root / "bordeaux" / "__init__.py").read_text("utf-8"))
    version = match[1] if match else ""
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, the version {version}: tag v{version}, or set __version__")
    text = (root / "CHANGELOG.md").read_text("utf-8")
    entries = list(ENTRY.finditer(text))
    for entry, following in zip(entries, [*entries[1:], None], strict=True):
        if entry[1] == version:
            if entry[2] is None:
                raise ValueError(f"CHANGELOG.md: [{version}] has no date; write ## [{version}] - 2026-01-31")
            body = text[entry.end() : following.start() if following else len(text)].strip()
            if not body:
                raise ValueError(f"CHANGELOG.md: nothing stands under [{version}]")
            return body + "\n"
    raise ValueError(f"CHANGELOG.md has no entry [{version}]")


def main(args: list[str]) -> int:
    """Print the notes for a tag."""
    if len(args) != 1:
        print("usage: python tools/release.py TAG", file=sys.stderr)
        return 2
    try:
        print(notes(args[0]), end="")
    except ValueError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
