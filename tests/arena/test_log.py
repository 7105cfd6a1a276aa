"""Results and games on disk: nothing lost, nothing counted twice, nothing mixed up."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.arena.game import play
from bordeaux.arena.job import Result
from bordeaux.arena.runner import run
from bordeaux.arena.tournament import GamesFile, Log, play_all
from bordeaux.formats.games import read_games

from .conftest import MakeJob, timeless

SETUP = {"players": ["hold"], "seed": 1, "time": None}


@pytest.fixture(scope="module")
def results(job: MakeJob) -> list[Result]:
    return [play(job("random", index=index, seed=index, until=1901, keep=True)) for index in range(4)]


@pytest.fixture
def path(tmp_path: Path, results: list[Result]) -> Path:
    """A log of the first result."""
    with Log(tmp_path / "a.log", SETUP) as log:
        log.append(results[0])
    return tmp_path / "a.log"


def test_what_is_appended_is_there_again(tmp_path: Path, results: list[Result]) -> None:
    path = tmp_path / "a.log"
    with Log(path, SETUP) as log:
        assert log.results == {}
        for result in results:
            log.append(result)
    with Log(path, SETUP) as log:
        assert log.results == {result.index: replace(result, game=None) for result in results}


@pytest.mark.parametrize("cut", [1, 5, 200])
def test_a_line_cut_short_is_played_again_and_the_rest_is_kept(
    path: Path, results: list[Result], cut: int
) -> None:
    with Log(path, SETUP) as log:
        for result in results[1:]:
            log.append(result)
    path.write_bytes(path.read_bytes()[:-cut])
    with Log(path, SETUP) as log:
        assert sorted(log.results) == [0, 1, 2]
        log.append(results[3])
    with Log(path, SETUP) as log:
        assert sorted(log.results) == [0, 1, 2, 3]


def test_a_first_line_cut_short_is_a_new_log(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    Log(path, SETUP).close()
    first = path.read_bytes()
    for length in (0, 1, 20, len(first) - 1):
        path.write_bytes(first[:length])
        with Log(path, SETUP) as log:
            assert log.results == {}
        assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 2}, "seed 1, not 2"),
        ({"time": 0.5}, "time null, not 0.5"),
        ({"extra": True}, "extra null, not true"),
    ],
)
def test_another_set_up_is_refused_and_nothing_is_changed(
    path: Path, change: dict[str, Any], says: str
) -> None:
    before = path.read_bytes()
    with pytest.raises(BordeauxError, match="another set-up") as error:
        Log(path, {**SETUP, **change})
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"hello", "not a log of the arena"),
        (b"[]\n", "not a log of the arena"),
        (b"\xff\xfe\n", "not a log of the arena"),
        (b'{"id": "1"}\n', "not a log of the arena"),
        (b"\0" * 5000, "not a log of the arena"),
        (b"[" * 99999 + b"\n", "not a log of the arena"),
        (b'{"bordeaux arena": 99, "setup": {}}\n', "99"),
    ],
)
def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "thesis.txt"
    path.write_bytes(content)
    with pytest.raises(BordeauxError, match=says):
        Log(path, SETUP)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"index": -1}, "number of a game"),
        ({"index": "1"}, "number of a game"),
        ({"centres": []}, "for each of 7 seats"),
        ({"centres": [[1, 2]]}, "for each of 7 seats"),
        ({"alive": []}, "for each of 7 seats"),
        ({"winner": 7, "end": "solo"}, "a seat that is not there"),
        ({"faults": [{"seat": 9, "kind": "crash", "phase": "", "text": ""}]}, "a seat that is not there"),
        ({"faults": [{"seat": 0, "kind": "crash", "phase": "", "text": 5}]}, "in words"),
        ({"end": "banana"}, "no end of a game"),
        ({"end": "solo", "winner": None}, "no end of a game"),
        ({"total": math.nan}, "not finite"),
        ({"seconds": ["a"] * 7}, "real number"),
        *((line, "") for line in ("nonsense", "7", '{"index": 1}')),
    ],
)
def test_a_line_that_is_no_result_is_named(
    path: Path, results: list[Result], change: dict[str, Any] | str, says: str
) -> None:
    line = change if isinstance(change, str) else json.dumps({**results[1].to_json(), **change})
    with path.open("a") as handle:
        handle.write(line + "\n")
    with pytest.raises(BordeauxError, match=f"line 3: .*{says}"):
        Log(path, SETUP)


def test_two_commands_do_not_write_one_log(path: Path) -> None:
    with Log(path, SETUP), pytest.raises(BordeauxError, match="another command is writing"):
        Log(path, SETUP)
    Log(path, SETUP).close()


def test_games_are_in_order_at_the_end(tmp_path: Path, results: list[Result]) -> None:
    path = tmp_path / "games.jsonl"
    with GamesFile(path) as games:
        for number in (2, 0, 3, 1):
            games.append(number, results[number].game or {})
    assert [game.id for game in read_games(path)] == [f"{number}-{number}" for number in range(4)]
    assert list(tmp_path.iterdir()) == [path]


def test_games_go_on_where_the_log_stops(tmp_path: Path, results: list[Result]) -> None:
    path = tmp_path / "games.jsonl"
    with GamesFile(path) as games:
        for number in (1, 0, 2):
            games.append(number, results[number].game or {})
    # Game 2 was written but its result was not, and game 3 was cut short.
    with path.open("ab") as handle:
        handle.write(json.dumps(results[3].game).encode()[:-100])
    with GamesFile(path, known=[0, 1]) as games:
        for number in (3, 2):
            games.append(number, results[number].game or {})
    assert [game.id for game in read_games(path)] == [f"{number}-{number}" for number in range(4)]


def test_games_that_the_log_has_and_the_file_lacks_are_missed(tmp_path: Path, results: list[Result]) -> None:
    path = tmp_path / "games.jsonl"
    with GamesFile(path) as games:
        games.append(0, results[0].game or {})
    with pytest.raises(BordeauxError, match="lacks 2 games that the log has, like game 1"):
        GamesFile(path, known=[0, 1, 2])
    path.write_text("hello\n")
    with pytest.raises(BordeauxError, match="line 1"):
        GamesFile(path, known=[0])
    with pytest.raises(BordeauxError, match="gz"):
        GamesFile(tmp_path / "games.jsonl.gz")


@pytest.mark.slow
def test_a_tournament_is_carried_on_without_playing_a_game_twice(tmp_path: Path, job: MakeJob) -> None:
    jobs = [job("random", index=index, seed=index, until=1902, keep=True) for index in range(6)]
    log_path, games_path = tmp_path / "a.log", tmp_path / "games.jsonl"
    played: list[int] = []

    def counting(stream: Any) -> Any:
        def noted() -> Any:
            for outcome in stream:
                played.append(outcome.index)
                yield outcome

        return run(noted(), processes=2)

    with Log(log_path, SETUP) as log, GamesFile(games_path) as games:
        some = play_all(jobs, len(jobs), counting, log, games)
        first = [next(some) for _ in range(2)]
        some.close()
    assert len(played) <= 4
    played.clear()
    with Log(log_path, SETUP) as log, GamesFile(games_path, log.results) as games:
        outcomes = list(play_all(jobs, len(jobs), counting, log, games))
    assert sorted(played) == sorted(set(range(6)) - {result.index for result in first})
    assert [result.index for result in outcomes[:2]] == sorted(result.index for result in first)
    assert sorted(result.index for result in outcomes) == list(range(6))
    expected = [timeless(replace(play(job), game=None)) for job in jobs]
    assert [timeless(outcome) for outcome in sorted(outcomes, key=lambda outcome: outcome.index)] == expected
    assert [int(game.id.partition("-")[0]) for game in read_games(games_path)] == list(range(6))
