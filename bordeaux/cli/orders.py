"""``bordeaux orders``: the engine's orders for one power, for several, or for all."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, name_of, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.cli.options import (
    evaluation_option,
    joined,
    json_option,
    limit_options,
    position_options,
    powers_of,
    powers_option,
    processes_option,
    seed_option,
    share,
    threads_option,
)
from bordeaux.cli.program import asked_to_stop
from bordeaux.cli.report import report
from bordeaux.cli.report.explain import (
    Sets,
    in_json,
    print_expected,
    print_explanation,
    print_lines,
    print_people,
    print_unforeseen,
)
from bordeaux.cli.report.output import print_json, print_text
from bordeaux.cli.report.progress import waiting
from bordeaux.engine import Analysis, Engine, Found, Limit, Line, Request
from bordeaux.formats.load import read_with_history
from bordeaux.formats.source import LARGEST_TEXT, open_source, parse_json, read_text
from bordeaux.jobs import available_cores
from bordeaux.search.agreements import Agreement, agreed
from bordeaux.search.analysis import found_to_json
from bordeaux.search.config import LEARNT, PAPER, SEARCHES, PaperConfig, SearchConfig, ideas_of
from bordeaux.search.task import MOST_THREADS


def _by_search(names_of: Callable[[str], Iterable[str]]) -> str:
    """Names that both searches have, and those of each alone."""
    names = {search: [*names_of(search)] for search in SEARCHES}
    both = [name for name in names[LEARNT] if name in names[PAPER]]
    own = {search: [name for name in names[search] if name not in both] for search in names}
    return "; ".join(
        [", ".join(both), *(f"{', '.join(some)} ({search})" for search, some in own.items() if some)]
    )


search_options = joined(
    click.option(
        "--config",
        "config_file",
        metavar="FILE",
        help="Settings of the search: a TOML file of names and values.",
    ),
    click.option(
        "--set",
        "settings",
        metavar="NAME=VALUE",
        multiple=True,
        help=f"One setting of the search; may be repeated. Names: {_by_search(SearchConfig.settings)}.",
    ),
    click.option(
        "--search",
        type=click.Choice([*SEARCHES]),
        help="; ".join(f"{name}: {what}" for name, what in SEARCHES.items()) + ".  [default: learnt]",
    ),
    evaluation_option,
    click.option(
        "--without",
        metavar="IDEAS",
        multiple=True,
        help=f"Ideas of the search to leave out, separated by commas: {_by_search(ideas_of)}.",
    ),
    click.option(
        "--caution",
        type=share,
        metavar="X",
        help="With --search paper: how it judges by the enemies' replies, 0 by their mean, 1 by the worst."
        f"  [default: {PaperConfig().caution}]",
    ),
)
"""Add the options of `config_of`."""


def config_of(
    config_file: str | None,
    settings: tuple[str, ...],
    search: str | None,
    evaluation: str | None,
    without: tuple[str, ...],
    caution: float | None,
) -> SearchConfig:
    """The settings of a search: those of a TOML file, then names and values, then options of their own.
    Raises BordeauxError."""
    config = SearchConfig()
    if config_file is not None:
        with open_source(config_file) as handle, placed(name_of(config_file), BordeauxError):
            config = SearchConfig.from_toml(read_text(handle, most=LARGEST_TEXT))
    given: dict[str, object] = dict(map(_setting, settings))
    named = {"search": search, "evaluation": evaluation, "caution": caution}
    given |= {name: value for name, value in named.items() if value is not None}
    names = [name.strip() for listed in without for name in listed.split(",")]
    return config.changed(given).without_ideas(*names)


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise click.UsageError(f"--set wants NAME=VALUE, like --set models=league=1, not {text!r}")
    return name.strip(), value.strip()


SUGGEST, GIVEN, AGREEMENTS = "--suggest", "--given", "--agreements"


def check_standard_input(
    suggested: tuple[str, ...], source: str, given: str | None, agreements: str | None
) -> None:
    """Raise UsageError if two of the sources are standard input."""
    if [*suggested, source, given, agreements].count("-") > 1:
        option = AGREEMENTS if agreements == "-" else GIVEN if given == "-" else SUGGEST
        raise click.UsageError(f"standard input can be read once only; give a file to {option}")


def read_suggestion(given: str, position: Position) -> list[Order]:
    """A set of orders: a file, ``-`` for standard input, or orders separated by ``;``.

    A file holds ``{"POWER": ["A PAR H", ...]}``, the output of ``bordeaux orders --json``, or text. In a text
    every order belongs to the power before it, or to the one that can give it. Raises BordeauxError, one line
    that begins with the option, for orders that are illegal or unreadable.
    """
    from bordeaux.formats.order_sheet import orders_from_text

    if _is_source(given):
        by_power = read_known(given, position, SUGGEST)
    else:
        with placed(SUGGEST):
            by_power = orders_from_text(given, position)
            if not any(by_power.values()):
                raise OrderError("there are no orders; write them like 'A PAR - BUR; A MAR S A PAR - BUR'")
            submit(position, by_power).legal()
    return [order for orders in by_power.values() for order in orders]


def read_known(source: str, position: Position, option: str = GIVEN) -> dict[str, list[Order]]:
    """The orders by power in a file, ``-`` for standard input. Raises BordeauxError, one line that begins
    with the option."""
    from bordeaux.formats.order_sheet import read_orders

    with placed(option):
        by_power = read_orders(source, position)
        with placed(name_of(source)):
            submit(position, by_power).legal()
    return by_power


def _is_source(given: str) -> bool:
    """Whether this is a file name and not orders: no order is a single word."""
    if len(given.split()) == 1:
        return True
    try:
        return Path(given).is_file()
    except (OSError, ValueError):
        return False


def read_agreements(source: str, position: Position) -> tuple[Agreement, ...]:
    """The agreements in a file, ``-`` for standard input: a JSON list of objects (`docs/search.md`).

    Raises BordeauxError, one line that begins with the option and names the wrong agreement.
    """
    with placed(AGREEMENTS):
        with open_source(source) as handle:
            text = read_text(handle, most=LARGEST_TEXT)
        with placed(name_of(source)):
            document = parse_json(text)
            if not isinstance(document, list):
                raise FormatError(f"agreements are a JSON list of objects, not {quote(document)}")
            read = []
            for number, agreement in enumerate(document, start=1):
                with placed(f"agreement {number}"):
                    read.append(Agreement.from_json(agreement))
            return agreed(position, read)


DEFAULT_SECONDS = 1.0
MEMORY = 40
"""Movement phases of a saved game that the beliefs about the powers use."""


@click.command("orders")
@position_options
@powers_option("Whose orders; may be repeated; all: of every power.")
@limit_options("Search S seconds; 1 without --nodes.", "Search about N nodes at most.")
@seed_option("Seed of --draw, of a book and of search paper.")
@threads_option("Threads of search learnt; the answer does not depend on them.  [default: one a core]")
@processes_option("Processes of search paper, for a power each.  [default: 1]")
@search_options
@click.option(
    "--suggest",
    "suggested",
    metavar="FILE|ORDERS",
    multiple=True,
    help="A set of orders to start from, like 'A PAR - BUR; A MAR S A PAR - BUR', or a file of them;"
    " may be repeated. Orders for units of others are tried as theirs.",
)
@click.option(
    "--given",
    metavar="FILE",
    help='Orders that other powers are known to give: {"POWER": ["A PAR - BUR", ...]}, or an earlier answer;'
    " entries for the powers asked for are ignored.",
)
@click.option(
    "--agreements",
    "agreements_file",
    metavar="FILE",
    help='What is agreed: a JSON list like [{"kind": "peace", "parties": ["FRANCE", "ITALY"], "trust": 0.8}];'
    " the powers asked for keep it.",
)
@click.option(
    "--book/--no-book",
    "opened",
    help="Answer from the opening book where it can.  [default: no book]",
)
@click.option(
    "--draw", "drawn", is_flag=True, help="Draw among the lines that are as good as the best, as at a table."
)
@click.option("--people", "by_people", is_flag=True, help="List what people would play as well.")
@click.option("--explain", "explained", is_flag=True, help="Say what each order is for.")
@click.option("--watch", "watched", is_flag=True, help="Print every improvement when it is found.")
@json_option
def command(
    position: str,
    phase: str | None,
    board: Map | None,
    names: tuple[str, ...],
    time: float | None,
    nodes: int | None,
    seed: int,
    threads: int | None,
    processes: int | None,
    suggested: tuple[str, ...],
    given: str | None,
    agreements_file: str | None,
    opened: bool,
    drawn: bool,
    by_people: bool,
    explained: bool,
    watched: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Find the best orders for POSITION.

    A star marks the line to play. Score is the expected share of the final result (the power's squared
    centres divided by the sum of all squares), ± its standard error, and = marks lines that are as good as
    the best within two errors of their distance. Solo is the chance of winning alone.

    All powers asked for share the time and the nodes. With --nodes and without --time the answer is the same
    every time; with --search paper, in one process. In a saved game, units that stayed try their orders of
    the movement phase before again, and the orders of all earlier movement phases show how each power plays.
    Ctrl-C ends the search and prints the best so far; the exit code is then 130.

    \b
    Examples:
      bordeaux orders start --power FRANCE
      bordeaux orders game.json --phase F1903M --power all --time 5 --json
      bordeaux orders start --power AUSTRIA --suggest 'A VIE - GAL; F TRI - ALB' --explain
      bordeaux orders start --power ITALY --draw --seed 7
      bordeaux orders start --power FRANCE --given orders.json --without beliefs,people
      bordeaux orders start --power FRANCE --search paper --caution 0.5
    """
    for given_too, option in ((explained, "--explain"), (by_people, "--people")):
        if watched and given_too:
            raise click.UsageError(f"--watch and {option} do not go together; leave one of them out")
    config = config_of(**settings)
    where, history = read_with_history(position, phase=phase, map=board)
    powers = powers_of(where.map, names)
    check_standard_input(suggested, position, given, agreements_file)
    seeds = [read_suggestion(suggestion, where) for suggestion in suggested]
    known = {} if given is None else read_known(given, where)
    agreements = () if agreements_file is None else read_agreements(agreements_file, where)
    if time is None and nodes is None:
        time = DEFAULT_SECONDS
    previous = history[-1][1] if history else {}
    # Each search has a number of its own; a user's settings may have both.
    learnt = config.search == LEARNT
    threads = threads or min(available_cores(), MOST_THREADS)
    request = Request(where, powers, Limit(time, nodes), seeds, previous, known, agreements)
    book = None
    if opened:
        from bordeaux.openings.book import standard_book

        book = standard_book()
    with Engine(
        seed=seed,
        threads=threads if learnt else 1,
        processes=1 if learnt else processes or 1,
        config=config,
        map=where.map,
        explain=True,
        reasons=explained,
        book=book,
        draw=drawn,
    ) as engine:
        for before, orders in history[-MEMORY:]:
            engine.observe(before, orders)
        engine.warm_up(where)
        with asked_to_stop() as asked:
            analyses = engine.analyse(request, asked.is_set)
            if watched:
                watch(analyses, time, as_json)
            else:
                with waiting("searching", time):
                    last_answers = deque(analyses, maxlen=1).pop().answers
                people = {power: engine.people(where, power) for power in last_answers if by_people}
                foreseen = {
                    power: engine.foreseen(where, power, answer.orders)
                    for power, answer in last_answers.items()
                    if "people" in config.ideas and answer.orders
                }
    if not watched and as_json:
        answers = {
            power: found_to_json(answer, explained=explained)
            | in_json(people.get(power), foreseen.get(power))
            for power, answer in last_answers.items()
        }
        print_json({"phase": str(where.phase), "powers": answers})
    elif not watched:
        print_found(where, last_answers, explained, people, foreseen, drawn=drawn, asked=nodes)
    if asked.is_set():
        report("interrupted: this is the best that was found until then")
    return asked.code


def print_found(
    position: Position,
    answers: Mapping[str, Found],
    explained: bool,
    people: Mapping[str, Sets],
    foreseen: Mapping[str, Mapping[str, float]],
    *,
    drawn: bool = False,
    asked: int | None = None,
) -> None:
    """Print the results for every power, and the sets of people."""
    for power, answer in answers.items():
        if not answer.orders:
            print_text(f"{power} owes no orders in {position.phase}.")
            continue
        print_lines(position, answer, drawn=drawn, asked=asked if len(answers) == 1 else None)
        print_unforeseen(foreseen.get(power, {}))
        print_people(power, people.get(power, []), answer.orders)
        print_expected(answer, answers)
        if explained and not answer.book:
            print_explanation(answer)


def watch(analyses: Iterable[Analysis], time: float | None, as_json: bool) -> None:
    """Print the results of a search of at most `time` seconds (None: no limit) as they are found."""
    shown: dict[str, tuple[tuple[str, ...], float, int]] = {}
    # Where the lines go to a terminal they show themselves how the search gets on.
    with waiting("searching", time, shown=not sys.stdout.isatty()):
        for analysis in analyses:
            for power in analysis.changed:
                answer = analysis.answers[power]
                if answer.lines:
                    line = answer.lines[0]
                    shown[power] = line.orders, line.value, answer.nodes
                    print_info(answer, 1, line, as_json)
    for power, answer in analysis.answers.items():
        for rank, line in enumerate(answer.lines, start=1):
            if rank > 1 or (line.orders, line.value, answer.nodes) != shown.get(power):
                print_info(answer, rank, line, as_json)
        if as_json:
            print_json({"power": power, "bestorders": list(answer.orders)})
        else:
            click.echo(f"bestorders power {power} orders {'; '.join(answer.orders)}".rstrip())


def print_info(answer: Found, rank: int, line: Line, as_json: bool) -> None:
    """Print one line of the result so far; the keys keep their order."""
    info = {
        "depth": answer.depth,
        "nodes": answer.nodes,
        "nps": round(answer.nodes / answer.seconds) if answer.seconds > 0 else 0,
        "time": round(answer.seconds * 1000),
        "power": answer.power,
        "multipv": rank,
        "prob": line.probability,
        "value": line.value,
        "orders": list(line.orders),
    }
    if as_json:
        print_json(info)
    else:
        shown = {**info, "orders": "; ".join(line.orders)}
        click.echo("info " + " ".join(f"{key} {value}" for key, value in shown.items()))
    sys.stdout.flush()
