"""Fuzzes the engine's protocol: half of the lines from its grammar, half of them mutated.

    python tools/fuzz_protocol.py [--lines 10000] [--seed 0] [--pipe]

Without --pipe the state machine in this process gets the lines one by one, and each line may have one line
of error at most. With --pipe `bordeaux engine` gets them through pipes, with a stop after every line. It
must survive, answer each go once, be ready in between, and not grow. Prints the counts; exit code 1 if
something is wrong.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click

from bordeaux import Map, Position, legal_orders
from bordeaux.board.notation import parse_order
from bordeaux.cli.options import MOST_SEED, whole
from bordeaux.cli.program import Script
from bordeaux.formats.dui import orders_to_dson, position_to_dfen
from bordeaux.press.language.dui import TYPES
from bordeaux.protocols.dui.machine import ERROR, LONGEST, Machine, done
from bordeaux.protocols.dui.options import OPTIONS

MAP = Map.standard()
NAMES = [province.name.lower() for province in MAP.provinces]
POWERS = [power.lower() for power in MAP.powers]
ALPHABET = [*"abfhrsw-/.,;: {}[]\"'0123456789\\\t\x00\x1b", "é", "\ud800", "go", "stop", " ; ", "none", "all"]
KINDS = re.findall(
    r"\w+",
    "dui isready setoption newgame position position setpower setpower go go go stop press press played given"
    " agreements people talk draw show protocol_version",
)
#: Options with more processes than a fuzz test should start.
MANY = re.compile(rb"threads.*\d\d|threads.*[3-9]", re.IGNORECASE)
RETREAT = Position.start().next({"GERMANY": ["A MUN - TYR"], "ITALY": ["A VEN - TYR"]})


class Lines:
    """Lines from a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.position = Position.start()

    def __iter__(self) -> Iterator[bytes]:
        while True:
            line = self.made()
            data = line.encode("utf-8", "surrogatepass")
            if self.chance.random() < 0.5:
                data = self.mutated(line)
            if not MANY.search(data) and data.split()[:1] != [b"quit"]:
                yield data.replace(b"\n", b" ")

    def made(self) -> str:
        """A line of the grammar."""
        pick = self.chance.choice
        power, name, other = pick(POWERS), pick(NAMES), pick(NAMES)
        kind = pick(KINDS)
        if kind == "setoption":
            option = pick(list(OPTIONS.values()))
            words = option.declared.split()
            value = pick([words[words.index("default") + 1], words[-1], "1", "true", "x"])
            return f"setoption name {option.name} value {value}"
        if kind == "position":
            return f"position {self.board()}"
        if kind == "setpower":
            return f"setpower {pick([power, power, 'all', f'{power} {pick(POWERS)}'])}"
        if kind == "go":
            number = self.chance.randrange(1, 10 ** self.chance.randrange(1, 5))
            limit = pick([f"nodes {number}", f"movetime {number}", f"depth {number}", "infinite", ""])
            return f"go {limit}"
        if kind == "press":
            text = pick(["peace?", "yes", "ally against tur", "dmz bur", "xyzzy", ""]).encode()
            contents = {
                **dict.fromkeys(("accept", "reject"), ""),
                "freetext": base64.b64encode(text).decode(),
                "propose_nonaggression": pick(["", name]),
                "propose_alliance": pick(["", f"against {pick(POWERS)}"]),
                "threaten": name,
            }
            said = pick(list(TYPES))
            return f"press {power} {said} {contents.get(said, f'{name} {other}')}"
        if kind in ("played", "given"):
            orders = " ; ".join(self.order() for _ in range(self.chance.randrange(4)))
            listed = json.dumps({power: [self.order()]})
            return f"{kind} {pick([f'{power} {orders}', listed, 'none', ''])}"
        if kind == "agreements":
            peace = {"kind": "peace", "parties": [power, pick(POWERS)], "trust": pick([0, 0.5, 1, 2])}
            return f"agreements {pick([json.dumps([peace]), 'none', '[]', '{}'])}"
        return f"{kind} {pick(['', '', str(self.chance.randrange(100))])}"

    def board(self) -> str:
        """A position, in half of the cases the next one of the game."""
        if self.chance.random() < 0.1:
            self.position = self.chance.choice([Position.start(), RETREAT])
        elif self.position.phase.kind != "-":
            legal = legal_orders(self.position)
            orders: dict[str, list[str]] = {}
            for power, places in self.position.orderable().items():
                orders[power] = [self.chance.choice(legal[place]) for place in places]
            self.position = self.position.next(orders)
        if self.position.phase.kind == "-":
            self.position = Position.start()
        state = json.dumps(self.position.to_json())
        text = str(self.position).replace("\n", " | ")
        return self.chance.choice(
            ["start", "next", position_to_dfen(self.position), f"json {state}", f"text {text}"]
        )

    def order(self) -> str:
        """An order that is legal for some power."""
        legal = [order for orders in legal_orders(self.position).values() for order in orders]
        if not legal:
            return "W"
        return orders_to_dson([parse_order(self.chance.choice(legal), MAP, self.position)], MAP)

    def mutated(self, line: str) -> bytes:
        """A line with an error, in most cases."""
        for _ in range(self.chance.randrange(1, 4)):
            at = self.chance.randrange(len(line) + 1)
            end = min(len(line), at + self.chance.randrange(8))
            change = self.chance.randrange(6)
            if change == 0:
                line = line[:at] + line[end:]
            elif change == 1:
                line = line[:at] + self.chance.choice(ALPHABET) + line[at:]
            elif change == 2:
                line = line[:end] + line[at:]
            elif change == 3:
                line = line[:at]
            elif change == 4:
                words = line.split(" ")
                self.chance.shuffle(words)
                line = " ".join(words)
            else:
                line = line[:at] + self.chance.choice(ALPHABET) * self.chance.choice([2, 9, 300]) + line[end:]
        data = line.encode("utf-8", "surrogatepass")
        if self.chance.random() < 0.05:
            data += bytes(self.chance.randrange(256) for _ in range(9))
        return data + b"x" * 70_000 if self.chance.random() < 0.002 else data


def here(seed: int, count: int, counted: Counter[str]) -> list[str]:
    """Run the machine in this process; returns the faults, a sentence for each."""
    wrong = []
    machine = Machine()
    for _, line in zip(range(count), Lines(seed), strict=False):
        said: list[str] = []
        for taken in machine.take(line):
            said += [taken] if isinstance(taken, str) else done(taken, stopped=True)
        errors = [text for text in said if text.startswith(ERROR)]
        go = line.split()[:1] == [b"go"]
        answers = sum(text.split(" ", 1)[0] == "bestorders" for text in said)
        counted.update(lines=1, errors=len(errors), answers=answers, go=go, said=len(said))
        if len(errors) > 1 or answers != go or any("\n" in text or not text.isprintable() for text in said):
            wrong.append(f"{line[:200]!r}: {said[-3:]}")
        if any(re.match(rf"{ERROR}[A-Z]\w*(Error|Exception)?: ", error) for error in errors):
            wrong.append(f"{line[:200]!r}: {errors}")
    machine.mind.close()
    return wrong


def understood(line: bytes) -> bool:
    """Whether a line is readable at all."""
    try:
        return len(line) <= LONGEST and bool(line.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def resident(pid: int) -> int:
    """The memory of a process in kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1])  # type: ignore[index]


def through_pipes(seed: int, count: int, counted: Counter[str]) -> list[str]:
    """Run `bordeaux engine`; returns the faults, a sentence for each."""
    wrong: list[str] = []
    command = [sys.executable, "-m", "bordeaux", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        held: list[int] = []
        for number, line in zip(range(count), Lines(seed), strict=False):
            ready = line.split()[:1] == [b"isready"] and understood(line)
            go = line.split()[:1] == [b"go"]
            engine.stdin.write(line + b"\nstop\nisready\n")
            engine.stdin.flush()
            due, owed = 1 + ready, int(go)
            while due or owed:
                answer = engine.stdout.readline().decode()
                if not answer:
                    return [*wrong, f"it ended after {line[:200]!r}"]
                word = answer.split(None, 1)[0]
                due -= word == "readyok"
                owed -= word == "bestorders"
                counted.update(errors=answer.startswith(ERROR), answers=word == "bestorders", said=1)
            counted.update(lines=1, go=go)
            if (number + 1) % max(1, count // 10) == 0:
                held.append(resident(engine.pid))
        print(f"kilobytes after each tenth: {' '.join(map(str, held))}", flush=True)
        # Maps, nets and the largest search are there once half of the lines have been read.
        if held[-1] > held[len(held) // 2] * 1.25:
            wrong.append(f"it has grown from {held[len(held) // 2]} to {held[-1]} kB")
        engine.stdin.write(b"quit\n")
        engine.stdin.close()
        if engine.wait(10):
            wrong.append(f"it ended with exit code {engine.returncode}")
    return wrong


@click.command(cls=Script)
@click.option("--lines", type=whole(1, 10**9), default=10_000, metavar="N", help="Lines in all.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="S", help="Makes other lines.")
@click.option("--pipe", is_flag=True, help="Send the lines to `bordeaux engine` through pipes.")
def main(lines: int, seed: int, pipe: bool) -> int:
    """Fuzz the engine's protocol. Exit code 1 if something is wrong."""
    counted: Counter[str] = Counter()
    began = time.monotonic()
    wrong = (through_pipes if pipe else here)(seed, lines, counted)
    print(f"{dict(counted)} in {time.monotonic() - began:.0f} s")
    for fault in wrong[:20]:
        print(f"wrong: {fault}")
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    main()
