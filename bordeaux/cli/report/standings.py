"""Results of a tournament: tables for people, and one object for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bordeaux.arena import tables
from bordeaux.arena.job import CAP, DRAW, SOLO, STALE, Result
from bordeaux.arena.plan import TournamentPlan
from bordeaux.arena.presets import Bout, PresetPlan, Sparring
from bordeaux.arena.statistics import SCORES, Interval
from bordeaux.arena.tables import ComparisonTable, changed, differences
from bordeaux.cli.report import report
from bordeaux.cli.report.output import print_table, print_text, table
from bordeaux.view.tournament import plot

MOST_FAULTS = 10
ENDS = {SOLO: "solo", STALE: "without a change for years", DRAW: "draw agreed", CAP: "at the last year"}


def as_dict(plan: TournamentPlan | PresetPlan, results: Sequence[Result], seconds: float) -> dict[str, Any]:
    """The whole result of a tournament in the command's JSON form."""
    summary = tables.to_json(results, plan.order, seconds)
    if isinstance(plan, TournamentPlan) and plan.starts is not None:
        summary |= plan.starts.setup()
    if isinstance(plan, PresetPlan):
        summary["players"] = tables.to_json(plan.preset.met(results), plan.order, seconds)["players"]
        summary["preset"] = plan.preset.name
        summary["rows"] = plan.preset.rows(results)
        summary["tables"] = {
            comparison.title: comparison.to_json() for comparison in plan.preset.compare(results)
        }
    elif plan.candidates:
        compared = differences(results, plan.our_seats(), plan.candidates)
        summary["differences"] = {
            name: {score: interval.to_json() for score, interval in scores.items()}
            for name, scores in compared.items()
        }
        summary["changed"] = {
            name: count._asdict() for name, count in changed(results, plan.candidates).items()
        }
    return summary


def print_all(plan: TournamentPlan | PresetPlan, results: Sequence[Result], seconds: float) -> None:
    """Print the whole result of a tournament."""
    if isinstance(plan, PresetPlan):
        print_preset(plan, results, seconds)
    else:
        print_standings(results, plan.order, in_words(results, seconds))
        if plan.starts is not None:
            print_text(begun(len({result.index // plan.repeats for result in results}), plan.starts.years))
        compared = differences(results, plan.our_seats(), plan.candidates) if plan.candidates else {}
        if compared:
            print_differences(compared, plan.candidates[0])
            for name, count in changed(results, plan.candidates).items():
                games = "1 game" if count.games == 1 else f"{count.games} games"
                print_text(f"{name}: other centres in {count.otherwise} of {games}.")


def in_words(results: Sequence[Result], seconds: float) -> str:
    """The number of games, how they ended, and the time that the arena itself took."""
    counts = tables.ends(results)
    ended = ", ".join(f"{counts[end]} {meaning}" for end, meaning in ENDS.items() if end in counts)
    overhead = 1000 * sum(result.overhead for result in results) / max(1, len(results))
    games = "1 game" if len(results) == 1 else f"{len(results)} games"
    return f"{games} in {seconds:.1f} s: {ended}; {overhead:.1f} ms a game outside the players"


def begun(positions: int, years: int) -> str:
    """Where the games began, and for how long they went on."""
    from_positions = "1 recorded position" if positions == 1 else f"{positions} recorded positions"
    after = "1 year" if years == 1 else f"{years} years"
    return f"Games began at {from_positions} and ended after {after} at most."


def print_standings(results: Iterable[Result], order: Sequence[str], heading: str) -> None:
    """Print a line for every player. Ends of intervals are in brackets."""
    made = table(*tables.COLUMNS, numbers=tables.COLUMNS[1:])
    for cells in tables.cells(results, order):
        made.add_row(*cells)
    print_table(heading, made)
    print_text("In brackets: 95 % intervals. Squares: the share of the sum of squared centres.")
    print_text("Points: 7 for a solo, 7 / survivors for a draw.")


def print_differences(compared: Mapping[str, Mapping[str, Interval]], first: str) -> None:
    """Print the differences of later candidates to the first in equal games."""
    columns = ["squares" if name == "sum_of_squares" else name for name in (*SCORES, "centres")]
    made = table("candidate", *columns, numbers=columns)
    for candidate, of_candidate in compared.items():
        cells = (signed(of_candidate[name], 2 if name == "centres" else 3) for name in (*SCORES, "centres"))
        made.add_row(candidate, *cells)
    print_table(f"More than {first}, in games of equal seats and seeds", made)


def signed(interval: Interval, digits: int) -> str:
    """A difference with its sign and its interval."""
    mean, low, high = (f"{value:+.{digits}f}" for value in interval)
    return f"{mean} ({low} to {high})"


def print_preset(plan: PresetPlan, results: Sequence[Result], seconds: float) -> None:
    """Print the tables of a paper with our figures beside them, and the comparison of the players."""
    preset = plan.preset
    print_text(f"{preset.title} ({preset.paper})", style="bold")
    if isinstance(preset, Sparring):
        print_bouts(preset.bouts(results), in_words(results, seconds))
        return
    print_standings(preset.met(results), plan.order, in_words(results, seconds))
    for comparison in preset.compare(results):
        print_comparison(comparison)


def print_bouts(bouts: Sequence[Bout], heading: str) -> None:
    """Print a row for every player and opponent."""
    several = len({bout.player for bout in bouts}) > 1
    figures = ("games", "squares", "wins", "centres")
    made = table("against", *figures, numbers=figures)
    for bout in bouts:
        made.add_row(
            f"{bout.player}: {bout.partner}" if several else bout.partner,
            str(bout.games),
            tables.number(bout.squares, 3),
            f"{bout.solos.mean:.0%}",
            f"{bout.centres:.1f}",
        )
    print_table(heading, made)
    print_text("Squares: the share of the sum of squared centres, par 0.143.")


def print_comparison(of: ComparisonTable) -> None:
    """Print one table of a paper."""
    made = table(*of.columns, numbers=of.columns[1:])
    for cells in of.cells():
        made.add_row(*cells)
    print_table(of.title, made)


def drawn(plan: TournamentPlan | PresetPlan, results: Sequence[Result]) -> str:
    """A picture of a tournament as SVG."""
    if not isinstance(plan, PresetPlan):
        title = f"{', '.join(plan.players)} against {plan.rival}" if plan.rival is not None else ""
        return plot(results, plan.order, title=title)
    preset = plan.preset
    return plot(preset.met(results), plan.order, title=f"{preset.title} ({preset.paper})")


def report_faults(faults: Sequence[Mapping[str, Any]]) -> None:
    """Report the first faults, one line each, and the number of further ones."""
    for fault in faults[:MOST_FAULTS]:
        when = fault["phase"] or "at the start"
        report(f"{fault['kind']}: {fault['player']}, game {fault['game']}, {when}: {fault['text']}")
    if len(faults) > MOST_FAULTS:
        report(f"and {len(faults) - MOST_FAULTS} more faults; --json has them all")
