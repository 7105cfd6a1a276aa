"""The papers' experiments: their figures as printed, the games that repeat them, and the tables."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from bordeaux import BordeauxError
from bordeaux.arena.job import Result
from bordeaux.arena.presets import Sparring, preset, presets
from bordeaux.arena.statistics import Interval, wilson
from bordeaux.arena.tables import ComparisonRow, ComparisonTable
from bordeaux.players import registry
from bordeaux.players.base import Limit

from .conftest import finished

HAAI = preset("haai")
DIPLOMINATOR = preset("diplominator")


def mean(figure: Interval | float | None) -> float:
    """A figure without its interval."""
    assert figure is not None
    return figure.mean if isinstance(figure, Interval) else figure


def test_the_presets_are_those_of_the_papers_and_our_own() -> None:
    assert presets() == ("diplominator", "haai", "sparring")
    assert (HAAI.games, HAAI.before, DIPLOMINATOR.games, DIPLOMINATOR.before) == (592, 35, 84, 0)
    for name in presets():
        for spec in preset(name).players:
            registry.check(spec)


def test_haai_has_the_figures_that_the_paper_prints() -> None:
    won, drawn, points, gone, speed = HAAI.compare([])
    printed = {
        # per cent won (3.2), score a match (3.4), per cent eliminated (3.5)
        "haai-berserk": (18.4, 1.46, 14.7),
        "diplobot": (16.0, 1.29, 19.6),
        "dumbbot": (14.7, 1.10, 58.8),
        "haai-vanilla": (13.7, 1.22, 10.0),
        "manchi-attack": (12.7, 1.11, 19.4),
        "manchi-defence": (6.8, 0.75, 12.8),
        "random": (0.0, 0.06, 89.5),
    }
    assert list(printed) == list(HAAI.players)
    for spec, (solos, score, eliminated) in printed.items():
        assert 100 * mean(won.rows[spec].theirs) == pytest.approx(solos, abs=0.05)
        assert points.rows[spec].theirs == pytest.approx(score, abs=0.006)
        assert 100 * mean(gone.rows[spec].theirs) == pytest.approx(eliminated, abs=0.05)
        assert won.rows[spec].ours is None
    # 487 solos, and seven points for each of the other games.
    assert sum(mean(row.theirs) for row in won.rows.values()) * 592 == pytest.approx(487)
    assert sum(mean(row.theirs) for row in drawn.rows.values()) * 592 == pytest.approx(
        7 * (592 - 487), abs=0.5
    )
    assert speed.rows["diplobot"].theirs == 3.7
    assert speed.rows["random"].theirs is None


def test_the_diplominators_figures() -> None:
    (won, _) = DIPLOMINATOR.compare([])
    shares = [round(100 * mean(row.theirs), 2) for row in won.rows.values()]
    assert shares == [78.57, 78.57, 57.14, 50.00, 21.43, 7.14]
    expected = [round(100 * (row.chance or 0.0), 2) for row in won.rows.values()]
    assert expected == [85.71, 71.43, 57.14, 42.86, 28.57, 14.29]
    assert won.rows["1 diplominator, 6 dumbbot"].theirs == wilson(1, 14)


def test_haai_plays_everyone_alone_and_then_all_together() -> None:
    plan = HAAI.plan(seed=3, limit=Limit(nodes=10))
    jobs = list(plan.jobs())
    assert len(jobs) == plan.total == 627
    assert [job.index for job in jobs] == list(range(627))
    assert Counter(job.seats for job in jobs[:35]) == {(spec,) * 7: 5 for spec in HAAI.players}
    assert all(sorted(job.seats) == sorted(HAAI.players) for job in jobs[35:])
    assert {(job.until, job.stale_years, job.limit.nodes, job.map) for job in jobs} == {
        (1950, 5, 10, "standard")
    }
    assert len({job.seed for job in jobs}) == 627
    # Seats are drawn by lot: no player has any seat in far more or fewer games than 592 / 7.
    for seat in range(7):
        counts = Counter(job.seats[seat] for job in jobs[35:])
        assert max(counts.values()) < 125
        assert min(counts.values()) > 50


def test_haais_tables_from_results() -> None:
    table = HAAI.players
    games = [
        finished(35, table, (20, 5, 4, 5, 0, 0, 0), winner=0),
        finished(36, table, (10, 10, 0, 4, 10, 0, 0)),
        finished(37, table, (0, 18, 0, 16, 0, 0, 0), winner=1),
        finished(38, table, (0, 0, 0, 34, 0, 0, 0), winner=3),
        *(
            finished(number, ("dumbbot",) * 7, (5,) * 7, seconds=(0.5 * number + 0.5,) * 7, orders=(10,) * 7)
            for number in (0, 1)
        ),
    ]
    won, drawn, points, gone, speed = HAAI.compare(games)
    assert won.rows["haai-berserk"].ours == wilson(1, 4)
    assert won.rows["random"].ours == wilson(0, 4)
    # Four share the game without a winner.
    assert mean(drawn.rows["manchi-attack"].ours) == pytest.approx(7 / 4 / 4)
    assert mean(drawn.rows["dumbbot"].ours) == 0
    assert mean(points.rows["diplobot"].ours) == pytest.approx((7 / 4 + 7) / 4)
    assert sum(mean(row.ours) for row in points.rows.values()) == pytest.approx(7)
    assert gone.rows["haai-berserk"].ours == wilson(2, 4)
    assert gone.rows["haai-vanilla"].ours == wilson(0, 4)
    # 140 orders in 3.5 and 7 seconds.
    assert mean(speed.rows["dumbbot"].ours) == pytest.approx(140 / 10.5)
    ours = speed.rows["dumbbot"].ours
    assert ours is not None and ours.low < 140 / 10.5 < ours.high
    assert speed.rows["diplobot"].ours is None


def test_a_game_that_ends_without_a_solo_goes_to_the_most_centres() -> None:
    dip, dumb = DIPLOMINATOR.players
    table = (dip, dip, dumb, dumb, dumb, dumb, dumb)
    won, solos = DIPLOMINATOR.compare(
        [
            finished(0, table, (18, 8, 8, 0, 0, 0, 0), winner=0),
            finished(1, table, (0, 8, 18, 8, 0, 0, 0), winner=2),
            finished(2, table, (4, 17, 13, 0, 0, 0, 0)),
            finished(3, table, (10, 4, 10, 10, 0, 0, 0)),
        ]
    )
    row = "2 diplominator, 5 dumbbot"
    assert won.rows[row].ours == wilson(2 + 1 / 3, 4)
    assert solos.rows[row].ours == wilson(1, 4)
    assert won.rows["1 diplominator, 6 dumbbot"].ours is None


def test_tables_for_people_and_programs() -> None:
    shown = ComparisonTable(
        "Games won",
        "player",
        {
            "a": ComparisonRow("Bot A", Interval(0.184, 0.155, 0.217), Interval(0.2, 0.1, 0.3)),
            "b": ComparisonRow("b", 0.5, None),
        },
    )
    assert shown.columns == ("player", "paper", "ours")
    assert shown.cells() == [("a (Bot A)", "18.4% (16-22)", "20.0% (10-30)"), ("b", "50.0%", "")]
    assert shown.to_json()["a"]["ours"] == {"mean": 0.2, "low": 0.1, "high": 0.3}
    assert shown.to_json()["b"] == {"paper": 0.5, "ours": None, "chance": None}
    points = shown._replace(digits=2, rows={"b": ComparisonRow("b", 1.456, Interval(1, 0.5, 2), 1.0)})
    assert points.columns == ("player", "by chance", "paper", "ours")
    assert points.cells() == [("b", "1.00", "1.46", "1.00 (0.50-2.00)")]
    assert HAAI.compare([])[4].columns == ("player", "paper")


def test_an_unknown_preset() -> None:
    with pytest.raises(BordeauxError, match="did you mean 'haai'"):
        preset("haaai")
    with pytest.raises(BordeauxError, match="diplominator, haai"):
        preset("../job")


PARTNERS = ("iterated", "sampler", "haai-berserk", "dumbbot")


def sparring(players: tuple[str, ...] = ("bordeaux",)) -> Sparring:
    matches = preset("sparring")
    assert isinstance(matches, Sparring)
    matches.choose(players)
    return matches


def sparred(index: int, seats: tuple[str, ...], winner: int | None) -> Result:
    """A game that a seat has won, or that all share."""
    centres = [5 if winner is None else 18 if seat == winner else 2 for seat in range(7)]
    return finished(index, seats, centres, winner)


def test_one_of_ours_sits_with_six_of_each_partner_and_goes_round_the_powers() -> None:
    chosen = sparring()
    plan = chosen.plan()
    jobs = list(plan.jobs())
    assert len(jobs) == plan.total == 14 * len(PARTNERS)
    for partner in PARTNERS:
        games = [job for job in jobs if partner in job.seats]
        assert {Counter(job.seats)[partner] for job in games} == {6}
        assert Counter(job.seats.index("bordeaux") for job in games) == dict.fromkeys(range(7), 2)
    assert {(job.until, job.stale_years) for job in jobs} == {(1935, None)}
    assert chosen.players == ("bordeaux", *PARTNERS)
    # Any part of a tournament has met all partners alike.
    assert [set(job.seats) - {"bordeaux"} for job in jobs[:4]] == [{partner} for partner in PARTNERS]


def test_several_players_play_the_same_seats() -> None:
    chosen = sparring(("bordeaux:nodes=10", "bordeaux"))
    plan = chosen.plan(games=3)
    assert plan.total == 3 * 2 * 4
    first, second = (
        [seating.index(ours) for seating in islice(chosen.seatings(0), 24) if ours in seating]
        for ours in ("bordeaux:nodes=10", "bordeaux")
    )
    assert first == second
    jobs = list(plan.jobs())
    assert [job.pair for job in jobs[:4]] == [0, 0, 1, 1]
    # Alone each has the same games as in turn with another.
    alone = list(sparring().plan(games=3).jobs())
    assert [(job.seats, job.seed) for job in alone] == [
        (job.seats, job.seed) for job in jobs if "bordeaux" in job.seats
    ]
    assert plan.setup() != sparring().plan(games=3).setup()


def test_every_partner_has_a_row() -> None:
    chosen = sparring()
    ours, theirs = "bordeaux", "iterated"
    games = [
        sparred(0, (ours, *[theirs] * 6), winner=0),
        sparred(4, (theirs, ours, *[theirs] * 5), winner=None),
        sparred(3, (ours, *["dumbbot"] * 6), winner=3),
    ]
    iterated, dumbbot = chosen.bouts(games)
    assert (dumbbot.partner, iterated.partner, dumbbot.games, iterated.games) == ("dumbbot", "iterated", 1, 2)
    assert dumbbot.squares.mean == 0 and iterated.squares.mean == pytest.approx((1 + 1 / 7) / 2)
    assert iterated.solos == wilson(1, 2)
    assert iterated.centres == 11.5
    rows = chosen.rows(games)
    assert rows[1]["sum_of_squares"]["mean"] == 0
    [table] = chosen.compare(games)
    row = table.rows["iterated"]
    assert (row.ours, row.chance) == (iterated.squares, pytest.approx(1 / 7))
    assert chosen.bouts([]) == []


@pytest.mark.parametrize(
    ("players", "message"), [(("dumbbot",), "its own partner"), (("random", "random"), "twice")]
)
def test_what_makes_no_sense_is_refused(players: tuple[str, ...], message: str) -> None:
    with pytest.raises(BordeauxError, match=message):
        sparring(players)


MINDS = """
title = "Minds"
games = 7
[partners]
one = "random"
two = "hold"
three = "dumbbot:neutral_value=0"
[mixed]
all = ["one", "one", "one", "two", "two", "two", "three"]
"""


def own(tmp_path: Path, text: str) -> Sparring:
    path = tmp_path / "minds.toml"
    path.write_text(text)
    table = preset(str(path))
    assert isinstance(table, Sparring)
    return table


def test_a_table_of_ones_own_has_mixed_games(tmp_path: Path) -> None:
    table = own(tmp_path, MINDS)
    plan = table.plan()
    jobs = list(plan.jobs())
    assert (table.title, plan.total, plan.until, jobs[0].stale_years) == ("Minds", 28, 1914, None)
    mixed = jobs[3::4]
    assert sorted(job.seats.index("bordeaux") for job in mixed) == list(range(7))
    assert len({job.seats for job in mixed}) == 7
    for job in mixed:
        counts = Counter(job.seats)
        assert max(counts["random"], counts["hold"]) == 3 and counts["bordeaux"] == 1
    assert [table.table_of(number) for number in range(5)] == ["one", "two", "three", "all", "one"]
    assert (plan.setup()["preset"], plan.setup()["mixed"]["all"][-1]) == ("minds.toml", "three")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[partners", "Expected"),
        ("title = 'x'", "needs [partners]"),
        ("partners = 3", "needs [partners]"),
        ("partners = 'hold'", "needs [partners]"),
        ("partners = [['hold']]", "needs [partners]"),
        ("[partners]", "needs [partners]"),
        ("[partners]\na = 3", "needs [partners]"),
        ("title = 3\npartners = ['hold']", "title must be a text"),
        ("player = 3\npartners = ['hold']", "player must be a spec"),
        ("games = 0\npartners = ['hold']", "games must be a whole number from 1 on, not 0"),
        ("until = 1914.5\npartners = ['hold']", "until must be a whole number"),
        ("stale_years = -1\npartners = ['hold']", "stale_years must be a whole number from 0 on, not -1"),
        ("game = 7\npartners = ['hold']", "no field 'game'; did you mean 'games'?"),
        ("mixed = 3\npartners = ['hold']", "mixed must be a table"),
        ("partners = ['hold']\n[mixed]\nb = 'hold'", "mixed.b must be a list"),
        ("[partners]\na = 'random'\n[mixed]\nb = ['a', 'c']", "'c' is none"),
        ("[partners]\na = 'random'\n[mixed]\nb = ['a']", "six or more"),
        ("[partners]\na = 'random'\n[mixed]\na = ['a', 'a', 'a', 'a', 'a', 'a']", "a name of its own"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        own(tmp_path, text)
    assert says in str(caught.value) and "minds.toml" in str(caught.value)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BordeauxError, match=r"cannot read .*none\.toml"):
        preset(str(tmp_path / "none.toml"))
