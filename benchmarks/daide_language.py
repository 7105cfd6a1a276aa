"""How fast the language of DAIDE is read, checked and written, in messages a second on one core.

    python benchmarks/daide_language.py [--digest LANGUAGE.md] [--seconds S]

Over the conversations that the PyPI package `diplomacy` ships (needs it installed), by kind of message and
all together, and over the examples of a language digest. "bytes" columns go from and to the body of a DM, so
they hold all that a connection spends on the language; "text" goes from DAIDE text to values. The last line
is what the first message of a process costs, and importing the language.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from bordeaux.daide import language as d
from tests.daide.recorded import recorded, recorded_files

KINDS = ("SUB", "NOW", "ORD", "FRM", "SND", "SCO", "THX", "MDF")

FIRST = """
import time
import bordeaux.board.map
begun = time.perf_counter()
from bordeaux.daide import language as d
imported = time.perf_counter()
message = d.read("SUB (FAL 1901) ((RUS FLT (STP SCS)) MTO GOB)")
read = time.perf_counter()
d.encode(message)
print(imported - begun, read - imported, time.perf_counter() - read)
"""


def rate(call: Callable[[], object], count: int, least: float) -> float:
    """Pieces of work a second, of a call that does `count` of them."""
    call()
    begun, calls = time.process_time(), 0
    while (spent := time.process_time() - begun) < least:
        call()
        calls += 1
    return count * calls / spent


def line(name: str, messages: Sequence[tuple[str, d.Tokens]], seconds: float) -> str:
    """One line of the table, over messages given with their side."""
    level = 8000
    bodies = [(side, d.encode(tokens)) for side, tokens in messages]
    values = [d.read(tokens, side=side, level=level, lenient=True) for side, tokens in messages]
    texts = [(side, d.text(tokens)) for side, tokens in messages]
    count = len(messages)

    def read() -> None:
        for side, body in bodies:
            d.read(d.tokens_from_bytes(body), side=side, level=level, lenient=True)

    def check() -> None:
        for side, tokens in messages:
            d.check(tokens, side=side, level=level, lenient=True)

    def write() -> None:
        for value in values:
            d.encode(value)

    def read_text() -> None:
        for side, text in texts:
            d.read(text, side=side, level=level, lenient=True)

    def write_text() -> None:
        for value in values:
            d.text(value)

    rates = [rate(call, count, seconds) for call in (read, write, check, read_text, write_text)]
    length = sum(len(tokens) for _, tokens in messages) / count
    return f"{name:12}{count:8,}{length:8.1f}" + "".join(f"{each:12,.0f}" for each in rates)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--digest", type=Path, help="LANGUAGE.md, for its examples")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each figure")
    options = parser.parse_args()
    header = ("bytes read", "written", "checked", "text read", "written")
    print(f"{'':12}{'messages':>8}{'tokens':>8}" + "".join(f"{each:>12}" for each in header))
    messages = [(each.side, each.tokens) for path in recorded_files() for each in recorded(path)]
    for kind in KINDS:
        some = [each for each in messages if each[1][0] == kind][:2000]
        if some:
            print(line(kind, some, options.seconds))
    if messages:
        print(line("all recorded", messages, options.seconds))
    if options.digest:
        examples = re.findall(
            r"^L(?:-|\d+)\s+([CS])\s+(.*)$",
            options.digest.read_text("utf-8").split("```examples")[1].split("```")[0],
            re.M,
        )
        sides = {"C": "client", "S": "server"}
        print(
            line(
                "examples",
                [(sides[side], d.tokens_from_text(text)) for side, text in examples],
                options.seconds,
            )
        )
    first = [
        float(each) for each in subprocess.check_output([sys.executable, "-c", FIRST], text=True).split()
    ]
    print(
        "new process: import {:.1f} ms, first message read {:.1f} ms, written {:.1f} ms".format(
            *(1e3 * t for t in first)
        )
    )


if __name__ == "__main__":
    main()
