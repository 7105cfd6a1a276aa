"""training/prior.py: how well shares of models foretell orders, and which prior does it best."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.board.submission import decode
from bordeaux.formats.games import Game, read_games
from bordeaux.policy.net import BUNDLED
from bordeaux.search.beliefs import LEAST, PRIOR, Beliefs, heated, shifted
from tests.training.conftest import GAMES
from training import prior

MAP = Map.standard()
LEARNT = tuple(name for name in PRIOR if heated(name)[0] in BUNDLED)


def saved(folder: Path, state: dict[str, Any], *orders: list[str]) -> list[Game]:
    """Games of one phase each, in which ITALY gave other orders."""
    path = folder / "games.jsonl"
    games = (
        {
            "id": f"game-{number}",
            "map": "standard",
            "phases": [{"name": state["name"], "state": state, "orders": {"ITALY": texts}}],
        }
        for number, texts in enumerate(orders)
    )
    path.write_text("".join(json.dumps(game) + "\n" for game in games))
    return list(read_games(path))


def made(game: str, **logs: float) -> Any:
    """A row of one unit with ten legal orders, of which models think little but where it is said."""
    low = dict.fromkeys(PRIOR, math.log(0.02)) | logs
    return prior.Row((game, "ITALY"), low, dict.fromkeys(LEARNT, (0.01,)), (10,), True)


def test_rows_are_what_beliefs_would_observe() -> None:
    game = next(iter(read_games(GAMES)))
    rows = list(prior.rows_of(game))
    first = game.position(0, MAP)
    beliefs = Beliefs(MAP)
    beliefs.observe(first, game.phases[0].orders)
    seats = [row for row in rows if row.seat[1] in game.phases[0].orders][: len(game.phases[0].orders)]
    assert len({row.seat for row in seats}) == len(seats) > 1
    for row in seats:
        assert row.seat[0] == game.id
        assert shifted(PRIOR, row.logs) == pytest.approx(beliefs.shares[row.seat[1]])
        assert len(row.options) == len(first.units_of(row.seat[1]))
    assert len(rows) > 3 * len(seats)


@pytest.mark.parametrize("nodes", [0, 50])
def test_every_model_is_scored_by_chances_that_add_up_to_one(nodes: int, tmp_path: Path) -> None:
    position = Position.from_json({"name": "S1901M", "units": {"ITALY": ["A BOH"]}, "centers": {}})
    (codes,) = position.packed.legal()[MAP.powers.index("ITALY")].values()
    ways = [[str(decode(MAP, code))] for code in codes]
    games = saved(tmp_path, position.to_json(), *ways)
    for name in PRIOR:
        fit = prior.Fit({name: 1.0})
        scores = [prior.score(prior.Games(list(prior.rows_of(game, nodes))), fit) for game in games]
        # The draws of the fast policies are the same in equal positions.
        assert math.fsum(map(math.exp, scores)) == pytest.approx(1, abs=1e-4)


def test_the_first_phase_is_foretold_by_the_prior_and_the_next_by_what_was_learnt() -> None:
    row = made("game", dumbbot=math.log(0.8))
    fit = prior.Fit({"dumbbot": 0.25, "crude": 0.75})
    all_sets = 0.8 + 10 * 0.2 / 8

    def chance(share: float) -> float:
        return (share * 0.8 + (1 - share) * 0.02) / all_sets

    assert prior.score(prior.Games([row]), fit) == pytest.approx(math.log(chance(0.25)))
    evidence = {name: row.logs[name] for name in fit.prior}
    later = shifted(fit.prior, evidence, weight=0.5, memory=0.9, least=0.01)["dumbbot"]
    twice = prior.score(prior.Games([row, row]), fit._replace(weight=0.5, memory=0.9, least=0.01))
    assert twice == pytest.approx((math.log(chance(0.25)) + math.log(chance(later))) / 2)
    other = made("other game", dumbbot=math.log(0.8))
    assert prior.score(prior.Games([row, other]), fit) == pytest.approx(math.log(chance(0.25)))


def test_a_fit_finds_who_plays() -> None:
    rows = [made(f"game {n}", dumbbot=math.log(0.9)) for n in range(8) for _ in range(3)]
    rows += [made(f"other {n}", hold=math.log(0.9)) for n in range(2) for _ in range(3)]
    games, before = prior.Games(rows), prior.Fit()
    after = prior.fitted([games], before, list(PRIOR))
    assert prior.score(games, after) > prior.score(games, before)
    assert math.fsum(after.prior.values()) == pytest.approx(1)
    assert min(after.prior.values()) > 0.9 * LEAST
    assert after.prior["dumbbot"] > 2 * after.prior["hold"] > 2 * after.prior["search"]
    assert after[1:] == before[1:]
    whole = prior.fitted([games], after, [*PRIOR, *prior.Fit._fields[1:]])
    assert prior.score(games, whole) > prior.score(games, after)
    # Nobody changes, so that all that was seen counts.
    assert whole.weight > after.weight
    gain = prior.gains(games, before, after)
    assert gain["low"] <= gain["mean"] <= gain["high"]
    assert gain["mean"] == pytest.approx(prior.score(games, after) - prior.score(games, before))


def test_learnt_models_leave_another_chance_for_what_they_do_not_foresee() -> None:
    games = prior.Games([made("game")])
    slips = [prior.score(games, prior.Fit({"people-wide": 1.0}, slip=slip)) for slip in (0.05, 0.5)]
    expected = [math.log(((1 - s) * 0.01 + s / 8) / (1 - s + 10 * s / 8)) for s in (0.05, 0.5)]
    assert slips == pytest.approx(expected)


@pytest.mark.slow
def test_the_report_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with gzip.open(GAMES, "rt", encoding="utf-8") as file:
        recorded = [json.loads(line) for line in file]
    # The first years of a game to fit to, and of one to measure by.
    few = tmp_path / "few.jsonl"
    with few.open("w", encoding="utf-8") as handle:
        for game in (recorded[18], recorded[1]):
            handle.write(json.dumps(game | {"phases": game["phases"][:8]}) + "\n")
    assert prior.main([str(few), "--games", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["about"]["counts"]["people"]["test"]["games"] == 1
    assert report["now"]["prior"] == {name: round(share, 4) for name, share in PRIOR.items()}
    for fit in report["fits"]["people"].values():
        before, after = fit["validation"]
        assert before <= after < 0
        tested = fit["test"]["people"]
        assert tested["gain"]["mean"] == pytest.approx(tested["after"] - tested["before"])
