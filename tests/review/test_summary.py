"""The figures of a review in short: one figure for one thing, wherever it stands."""

import pytest

from bordeaux import Limit
from bordeaux.review import Review, review_game
from bordeaux.review.telling import percent, summary, whole
from bordeaux.view.review import page, title_of

from .games import board, game

POSITION = board(
    "S1905M",
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A SIL"], "ITALY": ["F TYS"]},
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["BER", "MUN"], "ITALY": ["ROM"]},
)
WASTED = {"FRANCE": ["A BUR - PIC", "A RUH H"], "GERMANY": ["A MUN - TYR", "A SIL - GAL"], "ITALY": []}


@pytest.fixture(scope="module")
def review() -> Review:
    return review_game(game(POSITION, WASTED, {"FRANCE": ["A PIC H"]}), limit=Limit(nodes=400), processes=1)


def test_the_worst_phase_of_every_power_is_a_turning_point(review: Review) -> None:
    rows = {row.power: row for row in summary(review)}
    shown = [row for row in rows.values() if row.worst]
    assert shown
    for row in shown:
        worst = review.powers[row.power].worst
        assert worst is not None and row.worst == f"{worst.phase}, {percent(worst.loss)}"
        point = review.turning_points[row.point - 1]
        assert (point.power, point.number) == (row.power, worst.number)
        if point.kind == "loss":
            assert percent(worst.loss) in title_of(point) and f"lost {percent(worst.loss)} of" in point.why
    # Who sent nothing has lost nothing.
    assert (rows["ITALY"].accuracy, rows["ITALY"].lost, rows["ITALY"].worst) == ("", "", "")


def test_the_page_has_the_same_figures(review: Review) -> None:
    html = page(review)
    for row in summary(review):
        if row.worst:
            assert f'<a href="#turn-{row.point}">{row.worst}</a>' in html
        if row.accuracy:
            assert f'<td class="number">{row.accuracy}</td><td class="number">{row.lost}</td>' in html


def test_halves_go_up_as_in_the_page() -> None:
    assert [whole(value) for value in (38.5, 39.5, 0.0, 12.49)] == [39, 40, 0, 12]
    assert [percent(share) for share in (0.125, 0.115, 0.004, 1.0)] == ["13 %", "12 %", "0.4 %", "100 %"]
