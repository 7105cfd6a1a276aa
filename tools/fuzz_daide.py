"""Fuzzes the language and the frames of DAIDE, and a live server, with nearly valid messages.

    python tools/fuzz_daide.py [--messages N] [--seed S] [--target NAME ...]

Each message is generated from the grammar and then corrupted. Every one must be accepted, or get exactly
one answer that gives the place of the error. No other exception may be raised, and no memory kept. The
target ``server`` sends frames over sockets to a server in this process, during games; a well-behaved client
must always be answered. The tool prints the number of messages by result, seconds, and the memory of the
process before and after. "Before" is measured after a first part of the messages, when all tables are made.
It exits with 1 on a crash, and prints the seed that reproduces it.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parent.parent))

import click

from bordeaux.board.errors import FormatError
from bordeaux.cli.options import MOST_SEED, whole
from bordeaux.cli.program import Script
from bordeaux.daide import language as d
from bordeaux.daide import wire
from tests.daide.language.sentences import Sentences
from tests.daide.recorded import mutated, mutated_bytes
from tests.daide.server.fuzzing import Storm

SIDES: tuple[d.Side, ...] = ("client", "server")
STANDINGS: tuple[d.Standing, ...] = ("player", "player", "observer", "unknown")
LEVELS = [-1, 0, *range(10, 140, 10), 8000]
POOL = 4000
"""Number of valid messages to corrupt."""


@functools.cache
def pool() -> list[tuple[d.Side, int, d.Tokens]]:
    """Valid messages with their side and level."""
    messages: list[tuple[d.Side, int, d.Tokens]] = []
    for seed in range(POOL):
        random = Random(seed)
        side, level = random.choice(SIDES), random.choice(LEVELS)
        messages.append((side, level, Sentences(level, random, lenient=seed % 2 == 0).say(side)))
    return messages


def language(random: Random) -> str:
    """One message that is corrupted, read and answered."""
    side, level, tokens = random.choice(pool())
    tokens = mutated(tokens, random, random.choice((0, 1, 1, 2, 4)))
    return _read(tokens, side, random.choice((level, level, random.choice(LEVELS))), random)


def _read(tokens: d.Tokens, side: d.Side, level: int, random: Random) -> str:
    """Read one message; the kind of its error, or 'right'."""
    standing = random.choice(STANDINGS)
    lenient = random.random() < 0.5
    try:
        value = d.read(tokens, side=side, level=level, standing=standing, lenient=lenient)
    except d.LanguageError as error:
        reply = error.reply
        first = tokens[:1]
        assert (reply is None) == (first in (("PRN",), ("HUH",)))
        if isinstance(reply, d.HUH):
            assert reply.tokens[error.at] == "ERR"
            assert (*reply.tokens[: error.at], *reply.tokens[error.at + 1 :]) == tokens
            assert d.read(d.tokens(reply), side="server") == reply
        elif reply is not None:
            assert error.kind == "brackets"
            assert reply.tokens == tokens
        return error.kind
    assert d.tokens(value) == tokens
    assert d.tokens_from_text(str(value)) == tokens
    return "right"


def frames(random: Random) -> str:
    """A connection: a few messages in frames, corrupted and split, processed up to the language."""
    chosen = [random.choice(pool()) for _ in range(random.randrange(1, 4))]
    side, level, _ = chosen[0]
    reading: d.Side = "server" if side == "client" else "client"
    stream = wire.im() if reading == "server" else wire.rm(random.choice((b"", b"", b"A\0ABC\0P\0DEF\0")))
    stream += b"".join(wire.dm(d.encode(tokens)) for _, _, tokens in chosen)
    if random.random() < 0.9:
        stream = mutated_bytes(stream, random)
    reader = wire.FrameReader(reading)
    vocabulary = d.Vocabulary.standard()
    outcome = "nothing"
    while stream:
        size = random.choice((1, 3, 10, len(stream)))
        piece, stream = stream[:size], stream[size:]
        for frame in reader.feed(piece):
            assert outcome not in ("fault", "closed"), "something behind the end"
            match frame:
                case wire.WireFault(code, reason):
                    assert code in wire.ERRORS and reason
                    outcome = "fault"
                case wire.FM() | wire.EM():
                    outcome = "closed"
                case wire.RM(body):
                    try:
                        vocabulary = d.Vocabulary.from_rm(body)
                    except FormatError:
                        outcome = "bad table"
                case wire.DM(body):
                    tokens = d.tokens_from_bytes(body, vocabulary)
                    assert d.encode(tokens, vocabulary) == body
                    outcome = _read(tokens, side, level, random)
    assert reader.pending < 4 + 65536
    return outcome


TARGETS: dict[str, Callable[[Random], str]] = {"language": language, "frames": frames}
"""The fuzz targets: functions of a Random that return the outcome; an exception is a crash."""
SERVER = "server"


def storm(count: int, seed: int) -> int:
    """Attack a live server; returns how often it crashed, or hung."""
    raging, begun = Storm(count, seed), time.perf_counter()
    held = [0.0]

    def measure() -> None:
        if raging.sent <= count // 5 or not held[0]:
            held[0] = memory()

    asyncio.run(raging.run(measure))
    for fault in raging.faults:
        if isinstance(fault, BaseException):
            traceback.print_exception(fault)
        print(f"crash: --seed {seed} --target server: {fault!r}", file=sys.stderr)
    seconds = time.perf_counter() - begun
    closings = ", ".join(f"{why} {number:,}" for why, number in raging.closings.most_common(12))
    print(
        f"server: {raging.sent:,} frames in {seconds:.0f} s, {len(raging.faults)} crashes,"
        f" memory {held[0]:.1f} MB and {memory():.1f} MB at the end; {raging.sessions:,} connections,"
        f" {raging.games} games, {raging.phases:,} phases played, slowest answer to a client that behaves"
        f" {raging.slowest:.2f} s; {closings}"
    )
    return len(raging.faults)


def memory() -> float:
    """The process's memory in megabytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


@click.command(cls=Script)
@click.option("--messages", type=whole(1, 10**9), default=1_000_000, metavar="N", help="Messages in all.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="S", help="Makes other messages.")
@click.option(
    "--target",
    "targets",
    type=click.Choice([*TARGETS, SERVER]),
    multiple=True,
    default=[*TARGETS, SERVER],
    help="What to fuzz; may be repeated.",
)
def main(messages: int, seed: int, targets: tuple[str, ...]) -> int:
    """Fuzz the language and the frames of DAIDE, and a live server. Exit code 1 on a crash."""
    crashes = 0
    for name in targets:
        count = messages // len(targets)
        if name == SERVER:
            crashes += storm(count, seed)
            continue
        outcomes: Counter[str] = Counter()
        begun, before = time.perf_counter(), 0.0
        for number in range(count):
            if number == count // 10:
                before = memory()
            try:
                outcomes[TARGETS[name](Random(f"{seed} {name} {number}"))] += 1
            except Exception:
                crashes += 1
                traceback.print_exc()
                print(f"crash: --seed {seed} --target {name}, message {number}", file=sys.stderr)
        print(
            f"{name}: {count:,} messages in {time.perf_counter() - begun:.0f} s, {crashes} crashes,"
            f" memory {before:.1f} MB and {memory():.1f} MB at the end;"
            f" {', '.join(f'{outcome} {number:,}' for outcome, number in outcomes.most_common())}"
        )
    return 1 if crashes else 0


if __name__ == "__main__":
    main()
