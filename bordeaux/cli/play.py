"""``bordeaux play``: one game, shown while it runs or printed as a saved game."""

from __future__ import annotations

import sys
from contextlib import closing
from itertools import takewhile
from typing import Any

import click

from bordeaux.arena.job import CAP, CRASH, DRAW, ILLEGAL, SOLO, STALE, STALL, Fault, Job, Result
from bordeaux.arena.runner import run
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.cli.games import game_options, limit_of, players_of, table_map
from bordeaux.cli.options import json_option, save_options
from bordeaux.cli.program import Stopped, stoppable
from bordeaux.cli.report import NO, report
from bordeaux.cli.report.output import check_place, print_json, print_table, print_text, table
from bordeaux.formats.games import game_from_json, write_document
from bordeaux.players.limits import NAMES

WHY = {
    STALE: "no centre has changed hands for years",
    DRAW: "a draw was agreed",
    CAP: "the last year is over",
}


@click.command("play")
@click.option(
    "--players",
    "lists",
    metavar="A,B,...",
    multiple=True,
    required=True,
    help="A player for every power, in the order of the map; dumbbot*7 is seven of one. The engine plays"
    f" weaker as bordeaux:level=N: {NAMES}.",
)
@game_options
@save_options
@json_option
def command(
    lists: tuple[str, ...],
    time: float | None,
    nodes: int | None,
    until: int,
    stale: int,
    seed: int,
    map: str,
    level: int,
    path: str | None,
    force: bool,
    as_json: bool,
) -> int | None:
    """Play one game and show it phase by phase.

    It ends with a solo, when no centre has changed hands for some years, or after the last year; with
    --level also when all agree to a draw. The messages then stand above the orders. A player that
    fails or gives illegal orders is named; its units go without orders. The exit code is 1 where one died
    or took too long, or gave an illegal order in every phase. With --nodes and players that keep to their
    seed the same command gives the same game.

    \b
    Examples:
      bordeaux play --players 'bordeaux:search=paper,dumbbot*6' --nodes 2000 --save game.json
      bordeaux play --players 'bordeaux,bordeaux:level=2*6' --until 1905
      bordeaux play --players mine.py:Bot,dumbbot*6
      bordeaux play --players 'daide:./client {address},dumbbot*6' --time 2
    """
    board = table_map(map, until)
    seats = players_of(lists)
    if len(seats) != len(board.powers):
        raise BordeauxError(
            f"--players names {len(seats)}; map {board.name} has {len(board.powers)} seats:"
            f" {', '.join(board.powers)}"
        )
    check_place(path, "--save", fresh=not force)
    limit = limit_of(time, nodes)
    job = Job(0, tuple(seats), seed, limit, until, map, stale or None, keep=True, level=level)
    if not as_json:
        print_seats(board, job)
    shown = PhasePrinter(board, silent=as_json)
    try:
        with stoppable(), closing(run([job], watch=shown.phase)) as results:
            result = next(results)
    except Stopped as stopped:
        kept, phases = "", [*shown.played.values()]
        if path is not None and phases:
            played = {"id": f"{job.index}-{seed}", "map": board.name, "phases": phases}
            write_document(path, game_from_json(played).to_json())
            kept = f"; {path} has the game to {phases[-1]['name']}"
        report(f"interrupted{kept}")
        return stopped.code
    assert result.game is not None
    if path is not None:
        write_document(path, game_from_json(result.game).to_json())
    if as_json:
        print_json(result.game)
    else:
        if result.end == DRAW:
            # It was agreed in a phase that is not played.
            shown.phase(result.game["phases"][-1])
        print_end(board, result)
    for fault in result.faults:
        report(in_words(board, result, fault))
    failed = any(fault.kind in (CRASH, STALL) for fault in result.faults)
    return NO if failed or any(never_legal(board, result, seat) for seat in range(len(seats))) else None


def never_legal(board: Map, result: Result, seat: int) -> bool:
    """Whether a player gave an illegal order in every movement phase of a game in which it had units."""
    assert result.game is not None
    wrong = {fault.phase for fault in result.faults if (fault.seat, fault.kind) == (seat, ILLEGAL)}
    played = [
        phase["name"]
        for phase in result.game["phases"]
        if phase["name"].endswith("M") and phase["orders"] and phase["state"]["units"].get(board.powers[seat])
    ]
    return bool(wrong) and wrong.issuperset(played)


class PhasePrinter:
    """Prints the phases of a game, each once, unless it is `silent`. `played` are those so far, by name."""

    def __init__(self, board: Map, silent: bool = False) -> None:
        self._board = board
        self._silent = silent
        self._seen: set[str] = set()
        self.played: dict[str, dict[str, Any]] = {}

    def phase(self, phase: dict[str, Any]) -> None:
        """Print a phase that has been played; one that is repeated after a failure is not printed."""
        name = phase["name"]
        # After a failure the game begins again: what came after this phase is not of it.
        self.played = dict(takewhile(lambda each: each[0] != name, self.played.items())) | {name: phase}
        if self._silent or name in self._seen:
            return
        self._seen.add(name)
        print_text(phase["name"], style="bold")
        for letter in letters(phase):
            print_text(f"  {letter}")
        width = max(len(power) for power in self._board.powers)
        for power, orders in phase["orders"].items():
            listed = "; ".join(order + outcome(order, phase["results"]) for order in orders)
            print_text(f"  {power:{width}}  {listed or 'no orders'}")
        sys.stdout.flush()


def outcome(order: str, results: dict[str, list[str]]) -> str:
    """The result of an order, in brackets; "" for success."""
    words = results.get(" ".join(order.split()[:2]), [])
    return f" ({', '.join(words)})" if words else ""


def letters(phase: dict[str, Any]) -> list[str]:
    """The messages of a phase, one line for each letter, with all its recipients."""
    return [
        f"to {', '.join(message['letter']['to'])}: {message['message']}"
        for message in phase.get("messages", [])
        if message["recipient"] == message["letter"]["to"][0]
    ]


def print_seats(board: Map, job: Job) -> None:
    """Print the players by power."""
    made = table("power", "player")
    for power, spec in zip(board.powers, job.seats, strict=True):
        made.add_row(power, spec)
    print_table(f"{board.name}, seed {job.seed}", made)


def print_end(board: Map, result: Result) -> None:
    """Print the centres year by year, and the end of the game."""
    first = board.start_phase.year - 1
    made = table("power", "player", *(str(first + year) for year in range(len(result.centres))))
    for seat, power in enumerate(board.powers):
        counts = (str(year[seat]) if year[seat] else "-" for year in result.centres)
        made.add_row(power, result.seats[seat], *counts)
    print_table("Centres after every year", made)
    if result.end == SOLO and result.winner is not None:
        print_text(f"{board.powers[result.winner]} ({result.seats[result.winner]}) has won.", style="bold")
    else:
        left = ", ".join(power for power, alive in zip(board.powers, result.alive, strict=True) if alive)
        print_text(f"Nobody has won: {WHY[result.end]}. In the game: {left}.", style="bold")
    print_text(f"{result.total:.2f} s, {max(0.0, result.overhead):.3f} s of them outside the players.")


def in_words(board: Map, result: Result, fault: Fault) -> str:
    """A fault in one line."""
    when = fault.phase or "at the start"
    return f"{fault.kind}: {board.powers[fault.seat]} ({result.seats[fault.seat]}), {when}: {fault.text}"
