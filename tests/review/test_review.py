"""Whole reviews of small games: what is judged, and what is told of it."""

from pathlib import Path

import pytest

from bordeaux import BordeauxError, Limit, Position, legal_orders
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.formats.games import game_from_json
from bordeaux.policy.net import WIDE, load_net
from bordeaux.policy.people import People
from bordeaux.review import Review, review_game
from bordeaux.review.comparison import Attempt, weighed
from bordeaux.review.record import owned_after, read_record
from bordeaux.review.telling import percent, summary, whole, within
from bordeaux.search.sets import from_orders
from bordeaux.view.review import title_of

from ..players.playing import standard as board
from .games import TURKISH, game, saved

LIMIT = Limit(nodes=300)
BEFORE = board(
    "F1905M",
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A SIL"], "ITALY": ["F TYS"]},
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["BER", "MUN"], "ITALY": ["ROM"]},
)
PLAYED = (
    {"FRANCE": ["A BUR H", "A RUH H"], "GERMANY": ["A MUN - TYR", "A SIL - MUN"], "ITALY": []},
    {"FRANCE": ["A BUR - GAS", "A RUH - BUR"], "GERMANY": ["A MUN H", "A TYR - VEN"], "ITALY": []},
)
GAME = game(BEFORE, *PLAYED)


@pytest.fixture(scope="module")
def review() -> Review:
    return review_game(GAME, limit=LIMIT, processes=1)


def test_every_phase_of_every_power_that_owed_orders_is_there(review: Review) -> None:
    assert list(review.powers) == list(review.map.powers)
    assert [phase.phase for phase in review.powers["FRANCE"].phases] == ["F1905M", "S1906M"]
    assert review.powers["AUSTRIA"].phases == () and review.powers["AUSTRIA"].accuracy is None
    assert [moment.phase for moment in review.moments][:2] == ["F1905M", "S1906M"]
    for moment in review.moments:
        assert sum(moment.shares.values()) == pytest.approx(1, abs=0.001)


def test_who_sends_no_orders_is_told_of_and_not_judged(review: Review) -> None:
    italy = review.powers["ITALY"]
    assert italy.silent == ("F1905M", "S1906M") and italy.accuracy is None
    assert all((phase.loss, phase.best, phase.sent) == (0.0, (), False) for phase in italy.phases)
    assert all(point.power != "ITALY" for point in review.turning_points)


def test_centres_that_were_let_lie_are_a_loss_with_better_orders(review: Review) -> None:
    first = review.powers["FRANCE"].phases[0]
    assert first.loss > 0.02 and first.loss > 2 * first.doubt
    assert set(first.best) != set(first.played) and first.forced >= 4
    assert first.hindsight_loss > 0.02 and first.key is not None
    people = People(BEFORE.map, net=load_net(WIDE))
    chances = people.chances(BEFORE, "FRANCE", from_orders(BEFORE, "FRANCE", first.best))
    assert first.foreseen in [pytest.approx(chance, rel=1e-3) for chance in chances]
    (point,) = [point for point in review.turning_points if (point.power, point.number) == ("FRANCE", 0)]
    assert point.kind == "missed capture" and "after this Fall" in point.why
    after = BEFORE.next({**PLAYED[0], "FRANCE": point.better})
    assert sum(unit.power == "FRANCE" and unit.province in BEFORE.map.centres for unit in after.units) == 2


@pytest.mark.slow
def test_best_orders_lose_nothing() -> None:
    # With few nodes a second search may find what the first has missed.
    limit = Limit(nodes=800)
    best = review_game(GAME, limit=limit, powers=["FRANCE"], processes=1).powers["FRANCE"].phases[0].best
    again = game(BEFORE, {**PLAYED[0], "FRANCE": best}, PLAYED[1])
    judged = review_game(again, limit=limit, powers=["FRANCE"], processes=1).powers["FRANCE"].phases[0]
    assert judged.loss <= 0.01


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": Limit()}, "needs a limit"),
        ({"limit": LIMIT, "powers": ["SPAIN"]}, "unknown power"),
        ({"limit": LIMIT, "processes": 0}, "whole number from 1 on"),
    ],
)
def test_requests_that_make_no_sense(options: dict[str, object], words: str) -> None:
    with pytest.raises(BordeauxError, match=words):
        review_game(GAME, **options)  # type: ignore[arg-type]


def test_retreats_and_builds_are_judged_and_the_winner_is_shown() -> None:
    position = board(
        "F1910M",
        {"TURKEY": ["A TYR", "A BOH"], "GERMANY": ["A MUN", "A RUH"]},
        {"TURKEY": TURKISH, "GERMANY": ["MUN", "BER"]},
    )
    sent = [
        {"TURKEY": ["A TYR - MUN", "A BOH S A TYR - MUN"], "GERMANY": ["A MUN H", "A RUH - BEL"]},
        {"GERMANY": ["A MUN D"]},
    ]
    review = review_game(game(position, *sent), limit=LIMIT, processes=1)
    assert [phase.phase for phase in review.powers["GERMANY"].phases] == ["F1910M", "F1910R"]
    assert review.powers["GERMANY"].phases[1].sent and review.powers["GERMANY"].phases[1].best
    assert review.moments[-1].shares["TURKEY"] == 1
    (stop,) = [point for point in review.turning_points if point.kind == "missed stop"]
    assert stop.power == "GERMANY" and stop.better == ("A MUN H", "A RUH S A MUN")


def test_maps_of_other_names_are_reviewed_without_a_book() -> None:
    start = Position.start(Map.load("gulfs"))
    power = start.map.powers[0]
    orders = {power: [f"{unit} H" for unit in start.units_of(power)]}
    review = review_game(game(start, orders), limit=LIMIT, processes=1)
    assert review.powers[power].accuracy is not None and review.alliances == ()
    assert review.powers[power].opening.name == ""


def test_a_victory_that_was_let_lie_is_a_missed_solo() -> None:
    position = board(
        "F1910M",
        {"TURKEY": ["A TYR", "A BOH", "A SIL"], "GERMANY": ["A MUN"]},
        {"TURKEY": TURKISH, "GERMANY": ["MUN", "BER"]},
    )
    sent = {"TURKEY": ["A TYR H", "A BOH H", "A SIL H"], "GERMANY": ["A MUN H"]}
    review = review_game(game(position, sent), limit=LIMIT, powers=["TURKEY"], processes=1)
    (point,) = review.turning_points
    assert point.kind == "missed solo" and "could have won at once" in point.why
    for reply in legal_orders(position)["MUN"]:
        after = position.next({"TURKEY": point.better, "GERMANY": [reply]})
        assert len(owned_after(after, "TURKEY")) >= 18, reply


POSITION = board(
    "S1905M",
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A SIL"], "ITALY": ["F TYS"]},
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["BER", "MUN"], "ITALY": ["ROM"]},
)
WASTED = {"FRANCE": ["A BUR - PIC", "A RUH H"], "GERMANY": ["A MUN - TYR", "A SIL - GAL"], "ITALY": []}


@pytest.fixture(scope="module")
def summed() -> Review:
    return review_game(game(POSITION, WASTED, {"FRANCE": ["A PIC H"]}), limit=Limit(nodes=400), processes=1)


def test_the_worst_phase_of_every_power_is_a_turning_point(summed: Review) -> None:
    rows = {row.power: row for row in summary(summed)}
    shown = [row for row in rows.values() if row.worst]
    assert shown
    for row in shown:
        worst = summed.powers[row.power].worst
        assert worst is not None and row.worst == f"{worst.phase}, {percent(worst.loss)}"
        point = summed.turning_points[row.point - 1]
        assert (point.power, point.number) == (row.power, worst.number)
    losses = [point for point in summed.turning_points if point.kind == "loss"]
    assert losses
    for point in losses:
        judged = summed.powers[point.power].phases[point.number]
        best, given = percent(judged.expected), percent(judged.expected - judged.loss)
        assert percent(judged.loss) in title_of(point)
        name = point.power.title()
        assert f"{name}'s expected score was {best} with its best orders, {given} with these" in point.why
    # Who sent nothing has lost nothing.
    assert (rows["ITALY"].accuracy, rows["ITALY"].lost, rows["ITALY"].worst) == ("", "", "")


def test_halves_go_up_as_in_the_page() -> None:
    assert [whole(value) for value in (38.5, 39.5, 0.0, 12.49)] == [39, 40, 0, 12]
    assert [percent(share) for share in (0.125, 0.115, 0.004, 1.0)] == ["13 %", "12 %", "0.4 %", "100 %"]
    # An error that rounds to nothing is left out.
    assert [within("13 %", error) for error in (0.0, 0.0004, 0.004)] == ["13 %", "13 %", "13 % ± 0.4 %"]


START = Position.start()
ATTEMPT_LIMIT = Limit(None, 400)


def read(position: Position, *texts: str) -> tuple[Order, ...]:
    return tuple(parse_order(text, position.map, position) for text in texts)


def test_taking_a_free_centre_is_worth_more_than_staying_beside_it() -> None:
    units, centres = {"FRANCE": ["A SPA"], "GERMANY": ["A BER"]}, {"FRANCE": ["PAR"], "GERMANY": ["BER"]}
    position = board("F1902M", units, centres)
    sets = {"takes": read(position, "A SPA - POR"), "stays": read(position, "A SPA - GAS")}
    by_name = {one.name: one for one in weighed(Attempt(position, "FRANCE", sets, limit=ATTEMPT_LIMIT))}
    takes, stays = by_name["takes"], by_name["stays"]
    assert takes.expected > stays.expected and stays.orders == ("A SPA - GAS",)
    assert stays.behind > 0 and stays.doubt >= 0


def test_equal_sets_are_weighed_once_under_their_first_name_and_the_best_comes_first() -> None:
    sets = {"one": read(START, "A PAR H"), "other": ()}
    found = weighed(Attempt(START, "FRANCE", sets, limit=ATTEMPT_LIMIT))
    names = [one.name for one in found]
    assert names.count("one") == 1 and "other" not in names and len(found) > 1
    expected = [one.expected for one in found]
    assert found[0].behind == 0 and expected == sorted(expected, reverse=True)


OPENED = {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "ITALY": [], "GERMANY": ["A MUN - RUH"]}


def test_turns_have_the_orders_of_all_that_owed_some() -> None:
    record = read_record(game(START, OPENED, {"FRANCE": ["A BUR - MUN"]}))
    first, second = record.turns
    assert [str(order) for order in first.orders["FRANCE"]] == ["A PAR - BUR", "F BRE - MAO"]
    sent_none = {power for power, given in first.orders.items() if not given}
    assert sent_none == {"AUSTRIA", "ENGLAND", "ITALY", "RUSSIA", "TURKEY"}
    assert str(record.last.phase) == "S1902M" or record.last.phase.kind == "A"
    assert "MUN" in record.last.centres["FRANCE"] and second.after == record.last


def test_what_cannot_be_read_is_left_out_and_told() -> None:
    data = saved(START, {"FRANCE": ["A PAR - BUR"]}, OPENED, OPENED)
    data["phases"][0]["orders"] = {"FRANCE": ["A PAR - BUR", "gibberish"], "MARS": ["A PAR H"]}
    data["phases"][1]["state"]["units"] = {"FRANCE": ["A NOWHERE"]}
    record = read_record(game_from_json(data))
    assert [str(order) for order in record.turns[0].orders["FRANCE"]] == ["A PAR - BUR"]
    ((phase, why),) = record.skipped
    assert phase == "F1901M" and "NOWHERE" in why


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"id": "x", "phases": []}, "has no phases"),
        ({"id": "x", "map": "nowhere", "phases": []}, "unknown map"),
        (saved(START, {"FRANCE": []}), "nobody gave orders"),
    ],
)
def test_games_without_anything_to_review(data: object, words: str) -> None:
    with pytest.raises(BordeauxError, match=words):
        read_record(game_from_json(data))


def test_a_fall_that_is_followed_by_retreats_counts_who_stands_where() -> None:
    before = board(
        "F1905M",
        {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]},
        {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]},
    )
    after = before.next({"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]})
    assert str(after.phase) == "F1905R"
    assert owned_after(after, "FRANCE") == {"PAR", "MUN"}
    assert owned_after(after, "GERMANY") == {"BER"}


class Ended(Exception):
    """What ends a review half way."""


@pytest.mark.slow
def test_a_review_that_was_ended_goes_on_from_its_journal(review: Review, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    progress = []

    def end_soon(done: int, total: int) -> None:
        progress.append((done, total))
        if done == 1:
            raise Ended

    with pytest.raises(Ended):
        review_game(GAME, limit=LIMIT, processes=1, journal=journal, progress=end_soon)
    assert progress == [(0, 2), (1, 2)]
    # Whatever ended it may have cut a line short.
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"index": 1, "pow')
    counts: list[int] = []
    after = review_game(
        GAME, limit=LIMIT, processes=1, journal=journal, progress=lambda done, total: counts.append(done)
    )
    assert counts == [1, 2] and after.to_json() == review.to_json()
    assert journal.read_bytes().startswith(whole)


def test_a_journal_of_another_review_is_not_gone_on_with(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    review_game(GAME, limit=LIMIT, powers=["FRANCE"], processes=1, journal=journal)
    before = journal.read_bytes()
    for limit, words in ((Limit(nodes=700), "nodes 300, not 700"), (LIMIT, "powers")):
        with pytest.raises(BordeauxError, match=words):
            review_game(GAME, limit=limit, processes=1, journal=journal)
    other = game(BEFORE, PLAYED[0])
    with pytest.raises(BordeauxError, match="game"):
        review_game(other, limit=LIMIT, powers=["FRANCE"], processes=1, journal=journal)
    assert journal.read_bytes() == before


@pytest.mark.parametrize("content", [b"hello\n", b'{"bordeaux arena": 1}\n', b"[1]\n", b"\xff\n"])
def test_a_file_that_is_no_journal_stays_as_it_is(content: bytes, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.write_bytes(content)
    with pytest.raises(BordeauxError, match="not the journal of a review"):
        review_game(GAME, limit=LIMIT, processes=1, journal=journal)
    assert journal.read_bytes() == content
