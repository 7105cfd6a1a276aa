"""The page of a review: the course of the game, its turning points with boards, every power's phases."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from bordeaux.board.cleaning import html_text as escape
from bordeaux.press.language.english.names import listed
from bordeaux.review import Judged, PowerReview, Review
from bordeaux.review.telling import percent, signed, within
from bordeaux.review.telling import summary as figures
from bordeaux.view import contents, document, hashed, sheet, table
from bordeaux.view.board.paint import letters
from bordeaux.view.palette import number_of
from bordeaux.view.review.boards import Boards, board_css, figure, point_section, title_of
from bordeaux.view.review.charts import course, losses

STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def page(review: Review) -> str:
    """The page as text, self-contained and without a script."""
    boards = Boards(review.map)
    name = f"Review of game {review.game.id}" if review.game.id else "Review of a game"
    points = [point_section(review, number, boards) for number, _ in enumerate(review.turning_points, 1)]
    parts = [
        f"<h1>{escape(name)}</h1>",
        f'<p class="faint-text">{escape(facts(review))}</p>',
        contents(SECTIONS),
        '<h2 id="course">The course of the game</h2>',
        figure(
            course(review),
            "The course of the game",
            "Each power's expected score at the beginning of each movement phase, and its centres below. "
            "Numbers are turning points.",
        ),
        listed_points(review),
        summary(review),
        figure(
            losses(review),
            "What orders lost",
            "What the orders of each phase lost of the expected score; a full row is 20 %. "
            "× where a power sent no orders; nothing in the range of the opening book.",
        ),
        f'<h2 id="turning-points">Turning points</h2>\n{"".join(points) or NONE}',
        '<h2 id="phases">Phase by phase</h2>',
        *(phases(review, power) for power in review.powers),
        skipped(review),
        READING,
    ]
    style = sheet("review/review.css") + board_css()
    body = "\n".join(filter(None, parts))
    return document(name, style, f"{boards.shapes()}\n<main>\n{body}\n</main>")


def csp(html: str) -> str:
    """The content-security policy that allows a page of `page` and nothing else, by the hash of its style."""
    style = STYLE.search(html)
    sources = f"default-src 'none'; style-src {hashed(style[1] if style else '')}"
    return f"{sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"


SECTIONS = {
    "course": "Course",
    "powers": "Powers",
    "turning-points": "Turning points",
    "phases": "Phase by phase",
    "reading": "How to read this",
}
NONE = "<p>No moment stands out: nothing was lost that the engine is sure of.</p>\n"

READING = """<h2 id="reading">How to read this</h2>
<p><em>Score</em> is a power's share of the result: 100 % for a solo, and in a draw its square of centres in
all squares. Expected scores were learnt from recorded games.</p>
<p><em>Lost</em> is how much lower the expected score was with the orders that were given than with the
engine's best, by all that the power could know: the orders of the others are drawn from what their play so
far says of them. <em>In hindsight</em> is the same when the orders of the others are known. Both are
estimates; the second number is their standard error.</p>
<p><em>Peace.</em> Two powers near each other that did not attack each other for two years or more were at
peace, said or not. Losses are measured against orders that keep the peace where the power kept it. The
value of a stab, made or not, has its own line: it is a choice, and no part of the accuracy.</p>
<p><em>Accuracy</em> is 100 where nothing was lost in any movement phase, and falls with the part that the
orders of all of them lost of all that could be expected in them, half by what could be known and half in
hindsight: a tenth leaves 82, a half 37. Phases in the range of the opening book and phases without orders do
not count.</p>
<p>On boards a red frame is around places whose units should have done something else.</p>"""


def facts(review: Review) -> str:
    """One line on the game and the review."""
    first, last = review.moments[0], review.moments[-1]
    parts = [f"Map {review.map.name}, {first.phase} to {last.phase}"]
    parts += [f"{power.title()} won alone" for power, share in last.shares.items() if share == 1]
    time, nodes = review.limit
    limits = [None if time is None else f"{time:g} s", None if nodes is None else f"{nodes:,} nodes"]
    per = " or ".join(filter(None, limits))
    parts.append(f"searched with {per} for each power and phase, seed {review.seed}")
    understood, sent = review.messages
    if sent:
        parts.append(f"{understood:,} of {sent:,} messages understood")
    if review.alliances:
        parts.append("opened as " + ", ".join(review.alliances))
    return "; ".join(parts) + "."


def listed_points(review: Review) -> str:
    """The turning points as a list of links."""
    items = "".join(
        f'<li><a href="#turn-{number}">{escape(title_of(point))}</a></li>'
        for number, point in enumerate(review.turning_points, 1)
    )
    return f'<ol class="points" aria-label="Turning points">{items}</ol>' if items else ""


TOLD = (
    "Lost: of the expected score, in the mean movement phase outside the opening book. "
    "Worst phase: if it is a turning point."
)


def summary(review: Review) -> str:
    """A row for each power: its result, its accuracy, its opening."""
    rows = []
    for row in figures(review):
        worst = f'<a href="#turn-{row.point}">{row.worst}</a>' if row.point else ""
        numbers = (str(row.centres), row.accuracy, row.lost)
        words = (opening(review.powers[row.power]), notes(review, row.power))
        cells = [f'<th scope="row">{swatch(review, row.power)} {escape(row.power.title())}</th>']
        cells += [f'<td class="number">{number}</td>' for number in numbers]
        cells += [
            f'<td class="plain">{worst}</td>',
            *(f'<td class="words">{escape(text)}</td>' for text in words),
        ]
        rows.append(cells)
    heads = ("Power", "=Centres", "=Accuracy", "=Lost", "Worst phase", "Opening", "Notes")
    return f'<h2 id="powers">The powers</h2>\n{table("The powers", heads, rows, TOLD)}'


def swatch(review: Review, power: str) -> str:
    """The power's colour with its letter."""
    number, letter = number_of(review.map, power), letters(review.map)[power]
    size = 12 if len(letter) == 1 else 9
    return (
        f'<svg class="swatch power-{number}" width="22" height="18" viewBox="0 0 22 18" aria-hidden="true">'
        '<rect width="22" height="18" class="own"/><text x="11" y="13.5" text-anchor="middle" '
        f'font-size="{size}" font-weight="bold" class="on-own">{escape(letter)}</text></svg>'
    )


def opening(power_review: PowerReview) -> str:
    """The name of an opening, and where the book was left."""
    name, phase, entered = power_review.opening
    if entered:
        where = f"left the book in {phase}" if phase else "in the book as long as it lasts"
    else:
        where = f"never in the book ({phase})" if phase else ""
    return ", ".join(filter(None, (name, where)))


def notes(review: Review, power: str) -> str:
    """When a power was eliminated, and when it sent no orders."""
    power_review, parts = review.powers[power], []
    alive = [moment for moment in review.moments if moment.centres[power]]
    if alive and alive[-1] is not review.moments[-1]:
        gone = review.moments[review.moments.index(alive[-1]) + 1]
        parts.append(f"eliminated in {gone.phase}" if gone.phase[1:5].isdigit() else "eliminated at the end")
    silent = power_review.silent
    if silent:
        shown = ", ".join(silent[:4]) + (" and later" if len(silent) > 4 else "")
        parts.append(f"no orders in {len(silent)} movement phase{'s' * (len(silent) > 1)} ({shown})")
    return "; ".join(parts)


def phases(review: Review, power: str) -> str:
    """All phases of a power, collapsed."""
    rows = [[phase_row(judged)] for judged in review.powers[power].phases]
    if not rows:
        return ""
    name = power.title()
    heads = ("Phase", "Lost", "In hindsight", "Played", "Best", "Peace")
    return (
        f"<details><summary>{swatch(review, power)} {escape(name)}</summary>"
        f"{table(f'Phases of {name}', heads, rows)}</details>"
    )


def phase_row(judged: Judged) -> str:
    """The cells of a phase of a power. In the book's range nothing is lost or better."""
    head = f'<th scope="row">{judged.phase}</th>'
    if not judged.sent:
        return f'{head}<td colspan="5">no orders</td>'
    lost = within(percent(judged.loss), judged.doubt) if judged.loss else "nothing"
    hindsight = "nothing" if judged.phase.endswith("M") else ""
    if judged.hindsight_loss:
        hindsight = within(percent(judged.hindsight_loss), judged.hindsight_doubt)
    best = "the same" if set(judged.best) == set(judged.played) else spans(judged.best, judged.played)
    if judged.book:
        lost, hindsight, best = "book", "", ""
    return (
        f'{head}<td class="plain">{lost}</td><td class="plain">{hindsight}</td>'
        f'<td class="orders">{spans(judged.played, ())}</td><td class="orders">{best}</td>'
        f'<td class="words">{escape(peace(judged))}</td>'
    )


def peace(judged: Judged) -> str:
    """The powers with which a power kept or broke the peace, and the gain of a stab."""
    kept, broke, victims = (
        listed([power.title() for power in powers]) for powers in (judged.peace, judged.broke, judged.victims)
    )
    told = ", ".join([f"kept with {kept}"] * bool(kept) + [f"broken with {broke}"] * bool(broke))
    if judged.otherwise:
        whom = "" if broke else f" on {victims}"
        told += f"; the stab{whom} was worth {within(signed(judged.stab_worth), judged.stab_doubt)}"
    return told


def spans(orders: Iterable[str], same: Collection[str]) -> str:
    """Orders, with a muted style for those that are the same elsewhere."""
    return ", ".join(f"<span{' class=same' * (order in same)}>{escape(order)}</span>" for order in orders)


def skipped(review: Review) -> str:
    """Phases of the record that could not be read."""
    if not review.skipped:
        return ""
    items = "".join(f"<li>{escape(phase)}: {escape(why)}</li>" for phase, why in review.skipped[:20])
    return f"<h2>Phases that could not be read</h2><ul>{items}</ul>"
