"""Count and hash the positions of positions.txt anew: python -m tests.perft.make"""

from __future__ import annotations

from tests.perft.book import measure, read_book, write_book


def main() -> None:
    """Rewrite the file, and say which positions come out otherwise than it said."""
    old = read_book()
    new = [measure(entry.name, entry.position) for entry in old]
    write_book(new)
    changed = [entry.name for entry, before in zip(new, old, strict=True) if entry != before]
    print(f"{len(new)} positions, {len(changed)} changed{': ' * bool(changed)}{', '.join(changed)}")


if __name__ == "__main__":
    main()
