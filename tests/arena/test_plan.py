"""Who sits where: balance, pairs, and the words for it."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, groupby, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import BordeauxError, Map, Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job, Result
from bordeaux.arena.plan import (
    OURS,
    Ratio,
    Starts,
    TournamentPlan,
    against,
    drawn,
    jobs,
    mixed,
    pairs,
    read_ratio,
    read_starts,
)
from bordeaux.arena.tables import differences
from bordeaux.formats.games import game_from_json
from bordeaux.players.base import Limit
from bordeaux.rules.replay import replay_game

from .conftest import MakeJob, timeless


@pytest.mark.parametrize("ours", range(1, 7))
def test_each_power_is_ours_equally_often(ours: int) -> None:
    seatings = against("A", "B", Ratio(ours, 7 - ours), seed=4)
    for _ in range(9):
        seats = Counter(seat for seating in islice(seatings, 7) for seat in range(7) if seating[seat] == "A")
        assert seats == dict.fromkeys(range(7), ours)


@pytest.mark.parametrize("ours", range(1, 7))
def test_every_choice_of_seats_comes_before_any_comes_again(ours: int) -> None:
    choices = list(combinations(range(7), ours))
    seatings = islice(against("A", "B", Ratio(ours, 7 - ours), seed=0), len(choices))
    seen = [tuple(seat for seat in range(7) if seating[seat] == "A") for seating in seatings]
    assert sorted(seen) == choices


@given(st.integers(1, 10), st.integers(2, 8), st.integers(0, 5))
def test_mixed_tables_give_everybody_every_seat_once(players: int, seats: int, seed: int) -> None:
    names = [f"P{number}" for number in range(players)]
    seatings = mixed(names, seats, seed)
    for _ in range(3):
        block_of = islice(seatings, players)
        given_out = Counter((seat, spec) for seating in block_of for seat, spec in enumerate(seating))
        assert given_out == {(seat, name): 1 for seat in range(seats) for name in names}


def test_seats_by_lot_are_fair_and_nobody_has_two_before_all_have_one() -> None:
    for players in ("ABC", "ABCDEFG", "ABCDEFGHI"):
        seatings = list(islice(drawn(players, 7, seed=5), 2100))
        counts = Counter(spec for seating in seatings for spec in seating)
        assert max(counts.values()) < 1.1 * min(counts.values())
        for seating in seatings:
            held = Counter(seating)
            assert max(held.values()) - min(held.get(name, 0) for name in players) <= 1


def test_candidates_have_the_seats_and_the_seed_of_their_pair() -> None:
    made = list(
        islice(
            jobs(
                pairs(("A", "C", "B"), against(OURS, "B", Ratio(2, 5), seed=9)),
                seed=9,
                limit=Limit(nodes=5),
                until=1905,
            ),
            63,
        )
    )
    assert [job.index for job in made] == list(range(63))
    for number in range(21):
        trio = made[3 * number : 3 * number + 3]
        assert {job.pair for job in trio} == {number}
        assert len({job.seed for job in trio}) == 1
        places = [seat for seat in range(7) if trio[0].seats[seat] == "A"]
        assert len(places) == 2
        assert [seat for seat in range(7) if trio[1].seats[seat] == "C"] == places
        assert trio[2].seats == ("B",) * 7
    assert len({job.seed for job in made}) == 21


def test_ratios() -> None:
    assert read_ratio(" 1:6", 7) == (1, 6)
    for text in ("0:7", "7:0", "1:7", "3:3", "1", "a:b", "1:6:0", "-1:8", "1.0:6", "¹:6"):
        with pytest.raises(BordeauxError, match="1:6"):
            read_ratio(text, 7)


STANDARD = Map.standard()
Games = list[dict[str, Any]]
Read = Callable[..., Starts]


@pytest.fixture(scope="module")
def games() -> Games:
    """Four games of DumbBots, from 1901 to 1905."""
    made = []
    for number in range(4):
        seats = ("dumbbot",) * 7
        game = play(Job(number, seats, number, Limit(nodes=1), 1905, keep=True)).game
        assert game is not None
        made.append(game)
    return made


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """The starts of some games, written to a file first."""

    def call(games: Games, map: Map = STANDARD, **rest: Any) -> Starts:
        path = tmp_path / "recorded.jsonl"
        path.write_text("".join(json.dumps(game) + "\n" for game in games))
        return read_starts(path, map, **{"years": 3, "seed": 0, "most": 100, **rest})

    return call


def game_of(start: dict[str, Any], games: Games) -> int:
    """The number of the game that a position is from."""
    (number,) = (
        number
        for number, game in enumerate(games)
        if any(phase["state"] == start for phase in game["phases"])
    )
    return number


def altered(game: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """A copy of a game with a change to every phase."""
    copy: dict[str, Any] = json.loads(json.dumps(game))
    for phase in copy["phases"]:
        change(phase)
    return copy


def test_a_position_that_several_games_have_is_one_start(games: Games, read: Read) -> None:
    alone, thrice = read(games[:1]), read([games[0]] * 3)
    assert 0 < len(alone.chosen) < len(thrice.chosen)
    positions = [json.dumps(start.position) for start in thrice.chosen]
    assert len(set(positions)) == len(positions)


def test_starts_are_springs_with_a_seat_that_matters(games: Games, read: Read) -> None:
    starts = read(games)
    assert len(starts.chosen) == 12
    for start in starts.chosen:
        position = Position.from_json(start.position)
        assert str(position.phase) == f"S{start.year}M" and 1902 <= start.year <= 1906
        power = STANDARD.powers[start.seat]
        assert len(position.centres[power]) >= 4 and position.units_of(power)


def test_every_game_gives_one_start_before_any_gives_a_second(games: Games, read: Read) -> None:
    chosen = read(games).chosen
    assert len({json.dumps(start.position) for start in chosen}) == 12
    numbers = [game_of(start.position, games) for start in chosen]
    assert [sorted(numbers[first : first + 4]) for first in (0, 4, 8)] == [[0, 1, 2, 3]] * 3


def test_the_seed_decides_and_fewer_are_the_beginning_of_more(games: Games, read: Read) -> None:
    whole = read(games, seed=5)
    assert read(games, seed=5) == whole
    for most in (1, 7):
        fewer = read(games, seed=5, most=most)
        assert (fewer.chosen, fewer.digest) == (whole.chosen[:most], whole.digest)
    orders = {tuple(start.seat for start in read(games, seed=seed).chosen) for seed in range(3)}
    assert len(orders) == 3


def test_the_digest_is_that_of_the_positions(games: Games, read: Read, tmp_path: Path) -> None:
    plain = read(games)
    packed = tmp_path / "recorded.jsonl.gz"
    packed.write_bytes(gzip.compress((tmp_path / "recorded.jsonl").read_bytes()))
    assert read_starts(packed, STANDARD, years=3, seed=0, most=100) == plain
    assert read([altered(game, lambda phase: phase["results"].clear()) for game in games]) == plain
    assert read(games, seed=1).digest == plain.digest
    assert len({read(games[:count]).digest for count in (1, 2, 3, 4)}) == 4
    assert read(games[::-1]).digest != plain.digest


def test_what_is_no_start(games: Games, read: Read, tmp_path: Path) -> None:
    def later(phase: dict[str, Any]) -> None:
        phase["name"] = phase["state"]["name"] = phase["name"].replace("190", "999")

    def won(phase: dict[str, Any]) -> None:
        phase["state"]["centers"] = {"TURKEY": list(STANDARD.centres)}

    def small(phase: dict[str, Any]) -> None:
        phase["state"]["centers"] = dict(STANDARD.start_centres, RUSSIA=["MOS"])

    def without_units(phase: dict[str, Any]) -> None:
        small(phase)
        phase["state"]["centers"]["ITALY"] = ["NAP", "ROM", "VEN", "TUN"]
        phase["state"]["units"]["ITALY"] = []

    first = {**games[0], "phases": games[0]["phases"][:2]}
    for game in (first, *(altered(games[0], change) for change in (later, won, small, without_units))):
        with pytest.raises(BordeauxError, match=r"recorded\.jsonl has no position to begin at"):
            read([game])
    with pytest.raises(BordeauxError, match="is on map 'standard', not capitals; give its map to --map"):
        read(games, map=Map.load("capitals"))
    broken = altered(games[0], lambda phase: phase["state"]["units"].update(FRANCE=["A PARR"]))
    with pytest.raises(BordeauxError, match=r"recorded\.jsonl: game '0-0', phase 'S19.*'PARR'"):
        read([broken])


def test_a_game_goes_on_from_its_start(games: Games, read: Read, job: MakeJob) -> None:
    start = read(games).chosen[0]
    begun = job("dumbbot", until=start.year + 2, start=start.position, keep=True, seed=4)
    result = play(begun)
    position = Position.from_json(start.position)
    assert result.centres[0] == tuple(position.owners.count(power) for power in STANDARD.powers)
    assert len(result.centres) == 4 and result.end == "cap"
    assert result.phase[1:5] == str(start.year + 2)
    assert result.game is not None
    assert result.game["phases"][0]["state"] == start.position
    assert replay_game(game_from_json(result.game)).mismatches == []
    assert timeless(play(begun)) == timeless(result)


def test_who_is_out_at_the_start_stays_out(job: MakeJob) -> None:
    state = Position.start().to_json()
    for power in ("AUSTRIA", "TURKEY"):
        state["units"].pop(power)
        state["centers"].pop(power)
    state = Position.from_json({**state, "name": "S1907M"}).to_json()
    result = play(job("hold", until=1907, start=state))
    assert result.centres == ((0, 3, 3, 3, 3, 4, 0),) * 2
    assert result.alive == (False, True, True, True, True, True, False)
    assert result.eliminated == (None,) * 7
    assert result.orders[0] == 0


def test_where_no_game_can_begin(job: MakeJob) -> None:
    state = Position.start().to_json()
    with pytest.raises(BordeauxError, match="begins in 1901, after 1900"):
        play(job("hold", until=1900, start=state))
    with pytest.raises(BordeauxError, match="end of another"):
        play(job("hold", start={**state, "name": "COMPLETED"}))
    with pytest.raises(BordeauxError, match="unknown province 'PARR'"):
        play(job("hold", start={**state, "units": {"FRANCE": ["A PARR"]}}))


def plan(starts: Starts, *players: str, rival: str | None = None, games: int = 6) -> TournamentPlan:
    ratio = None if rival is None else Ratio(1, 6)
    made = TournamentPlan(players, rival, ratio, False, games, 7, 3, Limit(nodes=1), 1935)
    return replace(made, starts=starts)


def test_candidates_have_the_same_starts_seats_and_seeds(games: Games, read: Read) -> None:
    starts = read(games)
    made = plan(starts, "dumbbot", "random", "hold", rival="people", games=12)
    jobs = list(made.jobs())
    assert len(jobs) == 36
    assert len({job.seed for job in jobs}) == 12
    for number, start in enumerate(starts.chosen):
        trio = jobs[3 * number : 3 * number + 3]
        for job, candidate in zip(trio, made.candidates, strict=True):
            assert (job.pair, job.seed) == (number, trio[0].seed)
            assert job.start == start.position
            assert job.until == start.year + 2
            assert job.seats.index(candidate) == start.seat
            assert Counter(job.seats) == {candidate: 1, "people": 6}
    assert [*made.our_seats()] == [(start.seat,) for start in starts.chosen]


def test_at_a_mixed_table_everybody_has_every_seat_of_a_start(games: Games, read: Read) -> None:
    starts = read(games)
    players = ("random", "hold", "dumbbot")
    jobs = list(plan(starts, *players, games=9).jobs())
    begun = [(start, list(group)) for start, group in groupby(jobs, key=lambda job: job.start)]
    assert [start for start, _ in begun] == [start.position for start in starts.chosen[:3]]
    for _, group in begun:
        for seat in range(7):
            assert sorted(job.seats[seat] for job in group) == sorted(players)
    by_lot = replace(plan(starts, *players, games=9), random=True)
    assert [job.start for job in by_lot.jobs()] == [start.position for start in starts.chosen[:9]]


def test_candidates_are_compared_in_centres_too(games: Games, read: Read) -> None:
    made = plan(read(games), "random", "hold", rival="dumbbot", games=4)
    results: list[Result] = [play(job) for job in made.jobs()]
    more = []
    for pair, (seat,) in zip(range(4), made.our_seats(), strict=False):
        first, second = (results[2 * pair + place].centres[-1][seat] for place in (0, 1))
        more.append(second - first)
    measured = differences(results, made.our_seats(), made.candidates)["hold"]["centres"]
    assert measured.mean == pytest.approx(sum(more) / 4)
    assert min(more) <= measured.low <= measured.mean <= measured.high <= max(more)
    assert measured.low < measured.high
