"""Does an engine speak DUI? This script asks it, and prints a table of what passed and what failed.

    python dui_conformance.py COMMAND [ARGUMENT ...]

It needs nothing but Python 3.11: copy it to where the engine is. COMMAND is started several times. Exit
code 0: all passed; 1: something failed; 2: the command cannot be started. What an engine must do is told in
``docs/protocol.md``; a check that is marked ``should`` counts as a warning, not as a failure.
"""

from __future__ import annotations

import contextlib
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

HANDSHAKE, ANSWER, ENDING = 20.0, 10.0, 5.0
"""Seconds for the handshake, for an answer, and for exiting."""
OVER = 2.0
"""Seconds by which an answer may exceed its limit, for slow machines."""


class Failed(Exception):
    """A check failed; the text gives the reason."""


class Early(Exception):
    """A message came too early."""


class Talk:
    """One run of the engine: lines out and lines in. A context manager; the process is ended in any case."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.seen: list[str] = []

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                self._lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self._lines.put(None)

    def send(self, *lines: str | bytes) -> None:
        """Send lines."""
        assert self._process.stdin is not None
        try:
            for line in lines:
                data = line if isinstance(line, bytes) else line.encode()
                self._process.stdin.write(data + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise Failed("it reads no more: it has ended") from None

    def until(self, word: str, patience: float = ANSWER) -> str:
        """The next line that begins with a word; earlier ones are stored in `seen`."""
        deadline = time.monotonic() + patience
        self.seen = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Failed(f"no {word} within {patience:g} s") from None
            if line is None:
                raise Failed(f"it ended before it wrote {word}")
            if line.split(" ", 1)[0] == word:
                return line
            self.seen.append(line)

    def quiet(self, seconds: float, word: str) -> None:
        """Fail if a line that begins with a word comes within some seconds."""
        with contextlib.suppress(Failed):
            line = self.until(word, seconds)
            raise Early(f"{word} came too early: {line[:60]}")

    def shake_hands(self) -> None:
        """The handshake."""
        self.send("dui")
        self.until("duiok", HANDSHAKE)

    def ready(self, patience: float = ANSWER) -> None:
        """Wait for readyok."""
        self.send("isready")
        self.until("readyok", patience)

    def orders(self, patience: float = ANSWER) -> list[str]:
        """The orders of the next bestorders."""
        line = self.until("bestorders", patience).partition(" ")[2]
        return [order.strip() for order in line.split(";") if order.strip()]

    def ask(self, dfen: str, power: str, go: str = "go movetime 200", patience: float = ANSWER) -> list[str]:
        """The orders for a power in a position."""
        self.send(f"position {dfen}", f"setpower {power}", go)
        return self.orders(patience)

    def end_input(self) -> None:
        """Close the engine's input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def ended(self) -> int:
        """The exit code of an engine that ends by itself."""
        try:
            return self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            raise Failed(f"it is still there after {ENDING:g} s") from None


# The requirements, one check each. A check gets a fresh engine after the handshake, unless `CHECKS` says
# otherwise.

LONG = 60_000
"""Bytes of a long line that is within the bounds."""

CENTRES = (
    "Abud,Atri,Avie,Eedi,Elon,Elvp,Fbre,Fmar,Fpar,Gber,Gkie,Gmun,Inap,Irom,Iven,Rmos,Rsev,Rstp,Rwar,"
    "Tank,Tcon,Tsmy,Nbel,Nbul,Nden,Ngre,Nhol,Nnwy,Npor,Nrum,Nser,Nspa,Nswe,Ntun"
)
START = (
    "1901sm/Aabud,Aavie,Aftri,Ealvp,Efedi,Eflon,Famar,Fapar,Ffbre,Gaber,Gamun,Gfkie,Iarom,Iaven,Ifnap,"
    f"Ramos,Rawar,Rfsev,Rfstp.sc,Tacon,Tasmy,Tfank/{CENTRES}/-"
)
#: The army in Vienna can retreat to five provinces except Bohemia, the fleet in Trieste only to Albania.
RETREAT = "1902fr/Gavie,Iftri,Aabud,Aaser,Iaven,Iatyr,Rfadr/" + CENTRES + "/Aavie<boh,Aftri<adr"
#: France owns five centres with three units, and Paris and Marseilles are empty; Brest is not.
BUILD = "1901fb/Ffbre,Faspa,Fapor/" + CENTRES.replace("Nspa", "Fspa").replace("Npor", "Fpor") + "/-"
#: Turkey owns one centre with three units; nothing is due from Italy.
DISBAND = (
    "1903fb/Tfank,Tacon,Tasmy,Iarom,Iaven,Ifnap/"
    + CENTRES.replace("Tank", "Rank").replace("Tsmy", "Rsmy")
    + "/-"
)

UNIT = r"([AF]) ([a-z]{3})((?:/[a-z]{2})?)"
ORDER = re.compile(
    rf"{UNIT} (?:H|D|B|- [a-z]{{3}}(?:/[a-z]{{2}})?|R [a-z]{{3}}(?:/[a-z]{{2}})?"
    rf"|S [AF] [a-z]{{3}}(?:/[a-z]{{2}})? (?:H|- [a-z]{{3}}(?:/[a-z]{{2}})?)"
    rf"|C A [a-z]{{3}} - [a-z]{{3}})|W"
)
AUSTRIA = {
    "A bud": {"gal", "rum", "ser", "tri", "vie"},
    "A vie": {"boh", "bud", "gal", "tri", "tyr"},
    "F tri": {"adr", "alb", "ven"},
}


def expect(right: bool, reason: str) -> None:
    """Fail with a reason unless all is right."""
    if not right:
        raise Failed(reason)


def well_written(orders: list[str]) -> None:
    """Fail unless all are orders as DUI writes them."""
    for order in orders:
        expect(ORDER.fullmatch(order) is not None, f"{order!r} is not written as DUI writes orders")


def handshake(talk: Talk) -> None:
    """dui is answered by id, options, protocol_version and duiok."""
    talk.send("dui")
    talk.until("duiok", HANDSHAKE)
    expect(any(line.startswith("id name ") for line in talk.seen), "no line 'id name X'")
    expect(any(line.startswith("id author ") for line in talk.seen), "no line 'id author X'")
    versions = [line for line in talk.seen if line.startswith("protocol_version")]
    expect(versions == ["protocol_version 1"], f"expected 'protocol_version 1', not {versions}")
    for line in talk.seen:
        expect(
            line.split(" ", 1)[0] in ("id", "option", "protocol_version"),
            f"{line[:60]!r} has no place in the handshake",
        )


def version(talk: Talk) -> None:
    """protocol_version before dui is answered by the highest version known."""
    talk.send("protocol_version 9")
    line = talk.until("protocol_version", HANDSHAKE)
    expect(line.split()[1:] == ["1"], f"expected 'protocol_version 1', not {line!r}")
    talk.shake_hands()


def options(talk: Talk) -> None:
    """Options are declared by type, and each can be set to its default."""
    talk.send("dui")
    talk.until("duiok", HANDSHAKE)
    declared = [line for line in talk.seen if line.startswith("option ")]
    for line in declared:
        match = re.fullmatch(r"option name (.+?) type (check|spin|combo|button|string)\b(.*)", line)
        if match is None:
            raise Failed(f"{line!r} is no option")
        name, kind, rest = match.groups()
        if kind == "spin":
            numbers = {key: int(value) for key, value in re.findall(r"(default|min|max) (-?\d+)", rest)}
            least, most = numbers.get("min", -(2**63)), numbers.get("max", 2**63)
            expect("default" in numbers, f"spin {name} has no default")
            expect(least <= numbers["default"] <= most, f"the default of {name} is out of its bounds")
        if kind == "combo":
            choices = re.findall(r"var (\S+)", rest)
            default = re.search(r"default (\S+)", rest)
            expect(default is not None and default[1] in choices, f"the default of {name} is no choice")
        default = re.search(r"default (\S+)", rest)
        if kind != "button" and default:
            talk.send(f"setoption name {name} value {default[1]}")
    talk.ready()


def movement(talk: Talk) -> None:
    """Movement: an order for each unit of the power at most, to where it can go."""
    orders = talk.ask(START, "austria")
    well_written(orders)
    units = [" ".join(order.split()[:2]) for order in orders]
    expect(len(set(units)) == len(units), f"two orders for one unit in {orders}")
    expect(set(units) <= set(AUSTRIA), f"orders for what is not Austria's in {orders}")
    for order in orders:
        words = order.split()
        if words[2] == "-":
            goals = AUSTRIA[" ".join(words[:2])]
            expect(words[3] in goals, f"{order}: it cannot go there")


def coasts(talk: Talk) -> None:
    """A fleet on a coast is named with it, after a slash."""
    orders = talk.ask(START, "russia")
    well_written(orders)
    for order in orders:
        expect(not order.startswith("F stp ") and "stp.sc" not in order, f"{order}: the coast is lost")


def retreats(talk: Talk) -> None:
    """Retreats: each dislodged unit goes to a free neighbour, not back to the attacker, or is disbanded."""
    orders = talk.ask(RETREAT, "austria")
    allowed = {*("A vie D", "A vie R gal", "F tri D", "F tri R alb")}
    expect(len(orders) == 2, f"expected two orders, not {orders}")
    for order in orders:
        expect(order in allowed, f"{order} is illegal; {', '.join(sorted(allowed))} are not")


def builds(talk: Talk) -> None:
    """Builds: as many as are due, in empty homes, or waived with W."""
    orders = talk.ask(BUILD, "france")
    allowed = {"A par B", "A mar B", "F mar B", "W"}
    expect(len(orders) == 2, f"expected two orders (two builds are due), not {orders}")
    for order in orders:
        expect(order in allowed, f"{order} is illegal; {', '.join(sorted(allowed))} are not")
    places = [order.split()[1] for order in orders if order != "W"]
    expect(len(set(places)) == len(places), f"two builds in one place: {orders}")


def disbands(talk: Talk) -> None:
    """Disbands: as many as are due, and none where nothing is."""
    orders = talk.ask(DISBAND, "turkey")
    expect(len(orders) == 2, f"expected two orders (two disbands are due), not {orders}")
    for order in orders:
        expect(order in ("F ank D", "A con D", "A smy D"), f"{order} is illegal")
    expect(len(set(orders)) == 2, f"the same order twice: {orders}")
    expect(talk.ask(DISBAND, "italy") == [], "orders for Italy, which owes none")


def several_powers(talk: Talk) -> None:
    """Several powers may be asked for, one after the other, on one position."""
    talk.send(f"position {START}")
    for power in ("england", "france", "germany", "italy", "turkey"):
        talk.send(f"setpower {power}", "go movetime 100")
        orders = talk.orders()
        well_written(orders)
        expect(0 < len(orders) <= 3, f"{power}: expected up to three orders, not {orders}")


def movetime(talk: Talk) -> None:
    """go movetime is kept."""
    talk.ask(START, "france")
    began = time.monotonic()
    talk.ask(START, "france", "go movetime 1000")
    spent = time.monotonic() - began
    expect(spent < 1.0 + OVER, f"1000 ms took {spent:.2f} s")


def limits(talk: Talk) -> None:
    """go with nodes, with depth, with several limits and with none is answered once each."""
    for go in ("go nodes 500", "go depth 1", "go movetime 300 nodes 2000 depth 2", "go"):
        talk.ask(START, "turkey", go, HANDSHAKE)
    talk.quiet(0.3, "bestorders")


def information(talk: Talk) -> None:
    """What is written during a search is info, press_out and bestorders, and info has numbers."""
    talk.ask(START, "germany", "go movetime 500")
    for line in talk.seen:
        words = line.split(" ")
        expect(words[0] in ("info", "press_out", "powerorders"), f"{line[:60]!r} is no line of a search")
        fields = line.partition(" string ")[0].partition(" pv ")[0].split()
        for key in ("depth", "nodes", "nps", "time", "score"):
            if key in fields:
                value = fields[fields.index(key) + 1] if fields.index(key) + 1 < len(fields) else ""
                expect(re.fullmatch(r"-?\d+(\.\d+)?", value) is not None, f"{key} {value!r} in {line[:60]!r}")
        if " pv " in line:
            well_written([order.strip() for order in line.partition(" pv ")[2].split(";") if order.strip()])


def infinite(talk: Talk) -> None:
    """go infinite is answered after stop, at once, and not before."""
    talk.send(f"position {START}", "setpower italy", "go infinite")
    talk.quiet(1.0, "bestorders")
    began = time.monotonic()
    talk.send("stop")
    well_written(talk.orders(OVER))
    expect(time.monotonic() - began < OVER, "stop was not answered at once")


def stop_early(talk: Talk) -> None:
    """stop ends a long search at once; a stop with nothing to stop changes nothing."""
    talk.send("stop", f"position {START}", "setpower italy", "go movetime 60000")
    talk.send("stop")
    talk.orders(OVER)
    talk.send("stop", "stop")
    talk.ready()
    talk.quiet(0.3, "bestorders")


def ready_in_search(talk: Talk) -> None:
    """isready is answered in the middle of a search."""
    talk.send(f"position {START}", "setpower russia", "go infinite")
    for _ in range(3):
        talk.ready(OVER)
        expect(not any(line.startswith("bestorders") for line in talk.seen), "isready ended the search")
    talk.send("stop")
    talk.orders(OVER)


def unknown(talk: Talk) -> None:
    """Unknown commands, empty lines and odd bytes are skipped."""
    talk.send("", "   ", "xyzzy", "joho debug on", "\u00e9\u00e8", b"\xff\xfe\x00", "info depth 3")
    talk.ready()
    expect(talk.ask(START, "austria") != [], "no orders after unknown commands")


def bad_lines(talk: Talk) -> None:
    """Commands that make no sense are survived, and the next good ones work."""
    talk.send(
        *("position", "position x/y/z", f"position {START[:50]}", "position 1901zz/-/-/-", "setpower"),
        *("setpower narnia", "setoption", "setoption name", "setoption name Nonsense value 3"),
        *("press", "press france", "press france dance", "press france freetext ***", "protocol_version x"),
    )
    talk.ready()
    orders = talk.ask(START, "austria")
    expect(orders != [], "no orders after bad lines")


def bad_go(talk: Talk) -> None:
    """A go that cannot be understood is answered with bestorders all the same."""
    talk.send(f"position {START}", "setpower austria", "go movetime x")
    talk.until("bestorders", HANDSHAKE)
    talk.send("go sideways nodes 500")
    talk.until("bestorders", HANDSHAKE)


def go_first(talk: Talk) -> None:
    """A go before position and setpower is answered with bestorders."""
    talk.send("go movetime 100")
    talk.until("bestorders")


def long_lines(talk: Talk) -> None:
    """Lines of many kilobytes are read, and lines beyond 65,535 bytes are survived."""
    talk.send("xyzzy " + "x" * LONG, "position " + "x" * LONG, "y" * 200_000)
    talk.ready()
    expect(talk.ask(START, "austria") != [], "no orders after long lines")


def spaces(talk: Talk) -> None:
    """Lines may end with a carriage return, and have blanks around them."""
    talk.send(f"position {START}\r", "  setpower austria \r", "go movetime 100\r")
    expect(len(talk.orders()) > 0, "no orders")


def press(talk: Talk) -> None:
    """All types of press are survived, and orders come after them."""
    talk.send(
        *(f"position {START}", "setpower france"),
        *("press england propose_nonaggression", "press england propose_nonaggression eng"),
        *("press germany propose_alliance against austria", "press germany propose_alliance"),
        *("press germany request_support mun bur", "press italy threaten mar"),
        *("press italy offer_deal tun spa", "press italy accept", "press italy reject"),
        *("press england freetext cGVhY2U/", "go movetime 200"),
    )
    well_written(talk.orders(HANDSHAKE))
    for line in talk.seen:
        if line.startswith("press_out"):
            expect(len(line.split()) >= 3, f"{line!r} names no recipient and type")


def newgame(talk: Talk) -> None:
    """newgame makes ready for another game, in mid-game as well."""
    for _ in range(3):
        talk.ask(START, "england")
        talk.send("newgame")
        talk.ready()
    well_written(talk.ask(RETREAT, "austria"))


def same_again(talk: Talk) -> None:
    """The same position may be asked for many times, without an answer too many or too few."""
    for _ in range(20):
        talk.ask(START, "france", "go nodes 100")
    talk.quiet(0.3, "bestorders")


def leave(talk: Talk) -> None:
    """quit ends the engine, with exit code 0."""
    talk.send("quit")
    code = talk.ended()
    expect(code == 0, f"the exit code was {code}")


def leave_in_search(talk: Talk) -> None:
    """quit ends it in the middle of a search."""
    talk.send(f"position {START}", "setpower france", "go infinite")
    talk.ready()
    talk.send("quit")
    talk.ended()


def end_of_input(talk: Talk) -> None:
    """The end of its input ends it, in the middle of a search too."""
    talk.send(f"position {START}", "setpower france", "go infinite")
    talk.end_input()
    talk.ended()


class Check(NamedTuple):
    """One check: its function, whether it does the handshake itself, and whether it is required."""

    run: Callable[[Talk], None]
    shakes: bool = False
    must: bool = True


CHECKS = (
    *(Check(check, shakes=True) for check in (handshake, version, options)),
    *map(Check, (movement, coasts, retreats, builds, disbands, several_powers, movetime, limits)),
    *map(Check, (information, infinite, stop_early, ready_in_search, unknown, bad_lines)),
    *(Check(check, must=False) for check in (bad_go, go_first)),
    *map(Check, (long_lines, spaces, press, newgame, same_again, leave, leave_in_search, end_of_input)),
)


def results(command: list[str]) -> Iterator[tuple[Check, str]]:
    """Each check with the reason of its failure, "" if it passed."""
    for check in CHECKS:
        why = ""
        with Talk(command) as talk:
            try:
                if not check.shakes:
                    talk.shake_hands()
                check.run(talk)
            except (Failed, Early) as failure:
                why = str(failure)
        yield check, why


def main(words: list[str]) -> int:
    """Check the engine of a command line and print the table; returns the exit code."""
    if not words or words[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if words else 2
    if shutil.which(words[0]) is None:
        print(f"conformance: no program {words[0]!r} that can be run", file=sys.stderr)
        return 2
    failed = warned = 0
    print(f"DUI version 1: {' '.join(words)}")
    for check, why in results(words):
        description = (check.run.__doc__ or "").strip().replace("\n", " ")
        mark = "passed" if not why else "FAILED" if check.must else "should"
        print(f"{mark:<7} {check.run.__name__:<16} {description}", flush=True)
        if why:
            print(f"        {'':<16} {why}")
        failed += bool(why) and check.must
        warned += bool(why) and not check.must
    print(f"{len(CHECKS) - failed - warned} passed, {failed} failed, {warned} to be wished for")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
