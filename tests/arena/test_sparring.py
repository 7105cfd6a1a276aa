"""The preset of our own: who plays whom, one row for each partner, and older builds among them."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from bordeaux import BordeauxError
from bordeaux.arena.health import NAMES
from bordeaux.arena.job import Result
from bordeaux.arena.presets import Sparring, preset, read_partner
from bordeaux.arena.statistics import wilson

PARTNERS = ("iterated", "sampler", "haai-berserk", "dumbbot")


def sparring(players: tuple[str, ...] = (), older: tuple[str, ...] = ()) -> Sparring:
    matches = preset("sparring")
    assert isinstance(matches, Sparring)
    matches.choose(players, older)
    return matches


def result(index: int, seats: tuple[str, ...], winner: int | None, holds: int = 0) -> Result:
    """A game that its first seat, or a seat, has won, or that all share; each seat held so often in 10."""
    centres = tuple(18 if seat == winner else 2 for seat in range(7)) if winner is not None else (5,) * 7
    counts = {**dict.fromkeys(NAMES, 0), "phases": 10, "all_hold": holds}
    return Result(
        index=index,
        seats=seats,
        seed=index,
        end="cap" if winner is None else "solo",
        phase="W1920A",
        winner=winner,
        centres=((3, 3, 3, 3, 3, 4, 3), centres),
        alive=(True,) * 7,
        eliminated=(None,) * 7,
        faults=(),
        seconds=(0.0,) * 7,
        orders=(0,) * 7,
        total=0.0,
        health=(counts,) * 7,
    )


def test_one_of_ours_sits_with_six_of_each_partner_and_goes_round_the_powers() -> None:
    chosen = sparring()
    plan = chosen.plan()
    jobs = list(plan.jobs())
    assert len(jobs) == plan.total == 14 * len(PARTNERS)
    for partner in PARTNERS:
        games = [job for job in jobs if partner in job.seats]
        assert {Counter(job.seats)[partner] for job in games} == {6}
        assert Counter(job.seats.index("bordeaux") for job in games) == dict.fromkeys(range(7), 2)
    assert {job.health for job in jobs} == {True}
    assert {(job.until, job.stale_years) for job in jobs} == {(1935, None)}
    assert chosen.players == ("bordeaux", *PARTNERS)
    # Any part of a tournament has met all partners alike.
    assert [set(job.seats) - {"bordeaux"} for job in jobs[:4]] == [{partner} for partner in PARTNERS]


def test_players_play_the_same_seats_and_older_builds_are_partners() -> None:
    chosen = sparring(("bordeaux:nodes=10", "bordeaux"), ("cfa787b=program:old --nodes 5", "random"))
    plan = chosen.plan(games=3)
    assert plan.total == 3 * 2 * 6
    assert chosen.players[-2:] == ("program:old --nodes 5", "random")
    first, second = (
        [seating.index(ours) for seating in islice(chosen.seatings(0), 36) if ours in seating]
        for ours in ("bordeaux:nodes=10", "bordeaux")
    )
    assert first == second
    assert plan.setup()["partners"]["cfa787b"] == "program:old --nodes 5"
    assert plan.setup() != sparring().plan(games=3).setup()
    assert plan.setup()["health"] is True


def test_every_partner_has_a_row() -> None:
    chosen = sparring(older=("old=random",))
    ours, theirs = "bordeaux", "random"
    games = [
        result(0, (ours, *[theirs] * 6), winner=0, holds=1),
        result(1, (theirs, ours, *[theirs] * 5), winner=None, holds=2),
        result(2, (ours, *["dumbbot"] * 6), winner=3),
    ]
    dumbbot, old = chosen.bouts(games)
    assert (dumbbot.partner, old.partner, dumbbot.games, old.games) == ("dumbbot", "old", 1, 2)
    assert dumbbot.squares.mean == 0 and old.squares.mean == pytest.approx((1 + 1 / 7) / 2)
    assert old.solos == wilson(1, 2)
    assert old.centres == 11.5
    rows = chosen.rows(games)
    assert rows[1]["health"]["all_hold"] == {"share": 0.15, "count": 3, "of": 20}
    assert rows[0]["sum_of_squares"]["mean"] == 0
    [table] = chosen.compare(games)
    assert table.rows["old"].ours == old.squares and table.rows["old"].chance == pytest.approx(1 / 7)
    assert chosen.bouts([]) == []


@pytest.mark.parametrize(
    ("text", "partner"),
    [
        ("cfa787b=program:python x.py --a=b", ("cfa787b", "program:python x.py --a=b")),
        ("bordeaux:nodes=5", ("bordeaux:nodes=5",) * 2),
        ("random", ("random", "random")),
    ],
)
def test_partners_have_names(text: str, partner: tuple[str, str]) -> None:
    assert read_partner(text) == partner


@pytest.mark.parametrize(
    ("players", "older", "message"),
    [
        ((), ("dumbbot",), "is there already"),
        ((), ("a=random", "a=hold"), "is there already"),
        ((), ("=random",), "NAME=SPEC"),
        ((), ("a=",), "NAME=SPEC"),
        (("dumbbot",), (), "its own partner"),
        (("random", "random"), (), "twice"),
    ],
)
def test_what_makes_no_sense_is_refused(
    players: tuple[str, ...], older: tuple[str, ...], message: str
) -> None:
    with pytest.raises(BordeauxError, match=message):
        sparring(players, older)
