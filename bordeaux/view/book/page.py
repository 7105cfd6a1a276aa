"""The report on a book as one HTML page, without external resources: no script, font or picture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from bordeaux.board.cleaning import html_text as escape
from bordeaux.board.position import Position
from bordeaux.openings.book import Book, Row, counts, rows_of
from bordeaux.openings.novelties import Disagreement, disliked, novelties
from bordeaux.view import contents, document, sheet, table
from bordeaux.view.book.scatter import Dot, scatter
from bordeaux.view.book.sunburst import sunburst
from bordeaux.view.palette import number_of, root_css

LISTED = 14
"""Sets of a power's first move in its table."""
LATER = 3
"""Later places of a power that are shown, and sets of each."""
DISAGREED = 3
"""Disagreements of a power that are shown."""
ENOUGH = 10
"""The number of games below which a mean is too uncertain for the plot."""
ENGINE = ("probability", "value")
WIDEST = 56.0
"""Pixels of the bar of the largest share in a table."""


def report(book: Book, title: str = "") -> str:
    """The page. It shows the first move of every power of the map, its most frequent continuations, and the
    disagreements of engine and people. Parts without data in the book are left out."""
    name = title or f"Opening book {book.header.get('name', '')}".strip()
    first = book.get(Position.start(book.map))
    powers = [power for power in book.map.powers if first is not None and first.powers.get(power)]
    parts = [
        f"<h1>{escape(name)}</h1>",
        f'<p class="faint-text">{escape(facts(book))}</p>',
        contents({power.lower(): power.title() for power in powers} | SECTIONS),
        *(section(book, power) for power in powers),
        disagreements(book),
        READING,
    ]
    css = root_css("calm") + sheet("book/report.css")
    for power in powers:
        css += f".{power.lower()}{{--own:var(--power-{number_of(book.map, power)})}}\n"
    return document(name, css, "<main>\n" + "\n".join(filter(None, parts)) + "\n</main>")


SECTIONS = {"disagreements": "Engine against people", "reading": "How to read this"}
READING = """<h2 id="reading">How to read this</h2>
<p>A <em>set</em> is all orders of one power in one phase. <em>Played</em> is how often people chose it,
of the games in which the power gave orders;
<em>in 1903</em> and <em>in 1905</em> are the power's mean centres two and four years after a first move,
over the games that lasted so long; <em>survives</em>, <em>solo</em> and <em>result</em> are shares of the
games (a solo counts 1; else it is the square of the power's centres over the sum of everybody's squares).
<em>Engine</em> is the engine's own share for the set, <em>score</em> the share of the result
that it expects after the set, and
<em>book</em> how often the book plays it. What people achieve with a set says as much about who plays it as
about the set.</p>"""


def facts(book: Book) -> str:
    """One line on the contents of the book."""
    sources = book.header.get("sources") or {}
    sets = sum(len(entries) for node in book for entries in node.powers.values())
    sets += sum(len(view.entries) for view in book.views.values())
    parts = [f"{len(book):,} positions, {len(book.views):,} views, {sets:,} sets of orders"]
    parts += [f"{count:,} games ({source})" for source, count in sources.items() if isinstance(count, int)]
    return "; ".join(parts) + f"; map {book.map.name}."


def section(book: Book, power: str) -> str:
    """A power: its first move as pictures and a table, and the most frequent continuations."""
    node, kind, name = book.root, power.lower(), power.title()
    first = rows_of(book.map, node.powers[power], power, node.phase, node.key, total=node.sent.get(power))
    played = {row.orders: row.share for row in first if row.share}
    picture = sunburst(f"{kind}-first", kind, played, f"{name}: the first move, unit by unit", node.phase)
    dots = [
        Dot(
            "" if row.name.startswith("near ") else row.name,
            row.share,
            row.games,
            row.centres4,
            "; ".join(row.orders),
        )
        for row in first
        if row.share and row.centres4 is not None and row.games >= ENOUGH
    ]
    label = "Mean centres four years later"
    plot = scatter(f"{kind}-success", kind, dots, f"{name}: frequency against success", label)
    told = (
        "The first move, from the inside out: a ring a unit, a piece an order and its share; "
        "what is left open are sets rarer than those in the book."
    )
    against = f"{label} against how often a set is played (sets of {ENOUGH} games and more; "
    shown = sorted(first, key=lambda row: (-(row.share or 0.0), -row.weight))[:LISTED]
    left = len(first) - len(shown)
    caption = f"First moves by frequency{f'; {left} rarer ones are not shown' if left else ''}."
    return "\n".join(
        [
            f'<h2 id="{kind}" class="power {kind}">{escape(name)}</h2>',
            f'<div class="figures">{figure(picture, told)}',
            f"{figure(plot, f'{against}area: games; dashed: the mean).')}</div>",
            set_table(shown, caption),
            following(book, power),
        ]
    )


def following(book: Book, power: str) -> str:
    """The most frequent later places of a power, with their favourite sets."""
    later = sorted(
        (view for view in book.views.values() if view.power == power and view.phase.endswith("M")),
        key=lambda view: -view.played,
    )[:LATER]
    if not later:
        return ""
    parts = ["<h3>What follows most</h3>"]
    for view in later:
        listed = rows_of(book.map, view.entries, power, view.phase, view.key, True, view.games)
        shown = sorted(listed, key=lambda row: -(row.share or 0.0))[:LATER]
        source, _ = counts(view.entries)
        caption = f"{view.phase} with {', '.join(view.units)}: {view.games.get(source, 0):,} games."
        parts.append(set_table(shown, caption, named=False))
    return "\n".join(parts)


def disagreements(book: Book) -> str:
    """The disagreements of engine and people, in both directions."""
    parts = [
        differing(
            striking(disliked(book)),
            "loss",
            "People play it, the engine does not: percent below its best set.",
        ),
        differing(
            striking(novelties(book)),
            "gain",
            "The engine plays it, nobody does: percent over the set that is played most.",
        ),
    ]
    return (
        "\n".join(['<h2 id="disagreements">Engine against people</h2>', *filter(None, parts)])
        if any(parts)
        else ""
    )


def striking(disagreements: Iterable[Disagreement]) -> list[Disagreement]:
    """The first few of every power, one from each place."""
    first: dict[tuple[str, str], Disagreement] = {}
    for disagreement in disagreements:
        first.setdefault((disagreement.row.power, disagreement.row.key), disagreement)
    powers = Counter[str]()
    chosen = []
    for (power, _), disagreement in first.items():
        powers[power] += 1
        if powers[power] <= DISAGREED:
            chosen.append(disagreement)
    return chosen


def differing(disagreements: Sequence[Disagreement], measure: str, caption: str) -> str:
    """A table of disagreements; "" without any."""
    lines = []
    for disagreement in disagreements:
        row, by = disagreement.row, points(getattr(disagreement, measure), "+" if measure == "gain" else "")
        shares = map(share, (row.share, row.probability, row.value))
        lines.append(
            [cell(row.power.title()), cell(row.phase), orders_cell(row), *map(number, shares), number(by)]
        )
    heads = ["Power", "Phase", "Orders", "=Played", "=Engine", "=Value", f"={measure.title()}"]
    return table(measure.title(), heads, lines, caption) if lines else ""


def set_table(shown: Sequence[Row], caption: str, named: bool = True) -> str:
    """A table of sets; columns without data are left out. The engine's favourite is bold."""
    year = int(shown[0].phase[1:5]) if shown else 0
    columns = [
        ("Played", "share", share),
        ("Games", "games", lambda value: f"{value:,}"),
        (f"In {year + 2}", "centres2", lambda value: f"{value:.2f}"),
        (f"In {year + 4}", "centres4", lambda value: f"{value:.2f}"),
        ("Survives", "survival", share),
        ("Solo", "solo", share),
        ("Result", "score", lambda value: f"{value:.3f}"),
        ("Engine", "probability", share),
        ("Score", "value", share),
        ("Book", "weight", share),
    ]
    known = [column for column in columns if any(getattr(row, column[1]) is not None for row in shown)]
    tops = {
        field: max(filter(None, (getattr(row, field) for row in shown)), default=0) for _, field, _ in known
    }
    lines = []
    for row in shown:
        cells = [orders_cell(row, named)]
        for _, field, form in known:
            value, top = getattr(row, field), tops[field]
            bar, best = "", ""
            if field == "share" and value:
                bar = f'<span class="share" style="width:{WIDEST * value / top:.0f}px"></span>'
            if field in ENGINE and value and value == top and len(shown) > 1:
                best = " best"
            text = "" if value is None else escape(form(value))
            cells.append(f'<td class="number{best}">{bar}{text}</td>')
        lines.append(cells)
    heads = ["Orders", *(f"={heading}" for heading, _, _ in known)]
    return table(caption, heads, lines, caption)


def figure(picture: str, caption: str) -> str:
    """A picture with its caption; "" without a picture."""
    return f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>" if picture else ""


def orders_cell(row: Row, named: bool = True) -> str:
    """A set by its name and its orders, with line breaks only between orders."""
    orders = " ".join(
        f"<span>{escape(order)}{';' if number < len(row.orders) else ''}</span>"
        for number, order in enumerate(row.orders, 1)
    )
    name = f"<strong>{escape(row.name)}</strong><br>" if row.name and named else ""
    return f'<td class="orders">{name}{orders or "nothing to order"}</td>'


def cell(text: str) -> str:
    """A cell of text."""
    return f"<td>{escape(text)}</td>"


def number(text: str) -> str:
    """A cell of a number."""
    return f'<td class="number">{escape(text)}</td>'


def share(value: float | None) -> str:
    """A share of 1 as per cent; nothing for None."""
    return "" if value is None else f"{100 * value:.1f} %"


def points(value: float | None, sign: str = "") -> str:
    """A share of 1, or the difference of two, in points of a hundred; nothing for None."""
    return "" if value is None else re.sub(r"^([+-]?)0\.0$", "0.0", f"{100 * value:{sign}.1f}")
