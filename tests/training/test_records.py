"""Records of self-play give back what was played, and nothing that was not."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.net.net_policy import NetPolicy
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import as_bytes, kind_of, make_code
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode, submit
from bordeaux.formats.games import read_games
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.rules.replay import replay_game
from tests.core.nets import net
from tests.core.test_selfplay import phases as listed
from training.league.export import main
from training.league.records import Shard, make_header, read_shard, recent, write_shard

MAP = Map.standard()
POWERS = len(MAP.powers)
MINDS = ["old", "new"]


def self_play() -> dict[str, bytes]:
    """Games of random nets and of DumbBot, which seeks best responses."""
    choosers = [NetPolicy(MAP.tables, net(), temperature=5.0), DUMBBOT.chooser(MAP)]
    minds: list[Any] = [([(0, 1, 1.0)], [], 0, 1, -1, 0), ([(1, 2, 1.0)], [(0, 1.0, 1.0)], 2, 1, -1, 0)]
    play = SelfPlay(MAP.tables, choosers, [Rollout(Valuer(MAP.tables), choosers[1])], minds)
    ends = [1905, 1901, 1908, 1903]
    return play.play(Position.start().packed, [bytes([0, 1, 1, 0, 1, 0, 1])] * 4, range(4), ends)


RAW = self_play()
ENDS = np.cumsum(np.frombuffer(RAW["game_phases"], "<u2")).tolist()
GAMES = [listed(RAW)[begin:end] for begin, end in pairwise([0, *ENDS])]
HEADER = make_header("standard", 1, 7, MINDS, {"years": 8})


def shard_of(generation: int = 1) -> Shard:
    return Shard.of({**HEADER, "generation": generation}, RAW)


def test_a_shard_gives_back_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "shard-00000.npz"
    write_shard(path, shard_of())
    shard = read_shard(path)
    kinds = {kind_of(code) for game in GAMES for _, orders in game for own in orders.values() for code in own}
    assert kinds == set(OrderKind)
    assert shard == shard_of() and shard.header == HEADER
    assert [path.name for path in tmp_path.iterdir()] == ["shard-00000.npz"]
    assert (shard.n_games, shard.n_phases) == (len(GAMES), sum(map(len, GAMES)))
    assert {name: array.tobytes() for name, array in shard.arrays().items()} == RAW
    phase = 0
    for number, game in enumerate(GAMES):
        assert shard.phases_of(number) == range(phase, phase + len(game))
        for packed, orders in game:
            assert shard.packed(phase) == packed
            assert shard.orders(phase) == {power: as_bytes(own) for power, own in orders.items() if own}
            phase += 1


@pytest.mark.parametrize("name", RAW)
def test_an_array_of_another_length_is_named(name: str) -> None:
    sums = {"game_phases": "year", "n_units": "units", "n_dislodged": "dislodged", "n_orders": "orders"}
    size = {"owners": 34}.get(name, 8)
    for wrong in (RAW[name][:-1], RAW[name][: -POWERS * size], RAW[name] + bytes(POWERS * size)):
        with pytest.raises(BordeauxError) as raised:
            Shard.of(HEADER, {**RAW, name: wrong})
        # A first array that is too short or long shows in the first one that is held against it.
        peers = {"game_phases": "seats", "year": "season"}
        assert str(raised.value).partition(":")[0] in {name, sums.get(name), peers.get(name)}
    with pytest.raises(BordeauxError, match=f"^{name}: missing"):
        Shard.of(HEADER, {key: value for key, value in RAW.items() if key != name})


@pytest.mark.parametrize(
    ("name", "dtype", "row", "value"),
    [
        ("seats", "u1", 3, 2),
        ("kind", "u1", 0, 3),
        ("owners", "u1", 5, 7),
        ("units", "<u2", 0, 0),
        ("units", "<u2", 0, 8 << 10 | 3),
        ("units", "<u2", 0, 1 << 10 | 1000),
        ("units", "<u2", 1, int(np.frombuffer(RAW["units"], "<u2")[0])),
        ("retreats", "<u4", 0, 1 << 31),
        ("orders", "<u8", 0, make_code(OrderKind.MOVE, 3, 500)),
    ],
)
def test_what_cannot_be_is_refused_by_name(name: str, dtype: str, row: int, value: float) -> None:
    array = np.frombuffer(RAW[name], dtype).copy()
    array[row] = value
    with pytest.raises(BordeauxError, match=f"^{name}: "):
        Shard.of(HEADER, {**RAW, name: array.tobytes()})


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"kind": "people"},
        {"map": "nowhere"},
        {"map": 3},
        {"generation": -1},
        {"generation": True},
        {"minds": []},
        {"minds": [1]},
        {"options": None},
    ],
)
def test_a_header_of_something_else_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BordeauxError, match=r"^header: "):
        Shard.of({**HEADER, **change}, RAW)


def read_or_refused(path: Path) -> Shard | None:
    """What a file gives; None where it is refused in one line that names it."""
    try:
        return read_shard(path)
    except BordeauxError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error)
        return None


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shard.npz"
    write_shard(path, shard_of())
    data = path.read_bytes()
    chance = random.Random(1)
    for length in (0, 1, len(data) - 1, *(chance.randrange(len(data)) for _ in range(100))):
        path.write_bytes(data[:length])
        assert read_or_refused(path) is None


def test_a_flipped_bit_is_never_believed(tmp_path: Path) -> None:
    path = tmp_path / "shard.npz"
    write_shard(path, shard_of())
    data = path.read_bytes()
    chance = random.Random(2)
    # The end of the file has the list of its parts, where most can go wrong.
    places = [chance.randrange(len(data)) for _ in range(80)]
    places += [chance.randrange(len(data) - 1500, len(data)) for _ in range(120)]
    refused = 0
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        shard = read_or_refused(path)
        # Some bits of a zip file mean nothing here, as the time of a part.
        assert shard is None or shard == shard_of()
        refused += shard is None
    assert refused > len(places) // 3


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "shard.npz"
    path.write_bytes(b"no shard at all")
    assert read_or_refused(path) is None
    arrays = dict(shard_of().arrays())
    text = np.frombuffer(b'{"format": 1}', "u1")
    files: tuple[dict[str, Any], ...] = (
        arrays,
        {**arrays, "header": text},
        {**arrays, "header": np.frombuffer(b"[" * 10**6, "u1")},
        {**arrays, "header": np.array({}, object)},
    )
    for given in files:
        np.savez(path, **given)
        assert read_or_refused(path) is None
    write_shard(path, shard_of())
    with np.load(path) as file:
        right = dict(file)
    np.savez(path, **{**right, "year": right["year"].astype(int)})
    with pytest.raises(BordeauxError, match="year: "):
        read_shard(path)
    with pytest.raises(OSError, match="nowhere"):
        read_shard(tmp_path / "nowhere.npz")


def test_the_recent_shards_are_those_of_the_last_generations_with_games(tmp_path: Path) -> None:
    for generation in (1, 2, 9, 10):
        games = tmp_path / f"generation-{generation:04}" / "games"
        games.mkdir(parents=True)
        (games / "shard-00000.npz").touch()
    (tmp_path / "generation-0011" / "games").mkdir(parents=True)
    (tmp_path / "notes").mkdir()
    assert list(recent(tmp_path, 3)) == [2, 9, 10]
    assert recent(tmp_path, 1) == {10: [tmp_path / "generation-0010" / "games" / "shard-00000.npz"]}


def test_exported_games_are_those_that_were_played_and_replay(tmp_path: Path) -> None:
    source, out = tmp_path / "shard.npz", tmp_path / "games.jsonl.gz"
    write_shard(source, shard_of())
    assert main([str(source), "--out", str(out)]) == 0
    games = list(read_games(out))
    assert len({game.id for game in games}) == len(games) == len(GAMES)
    for game, phases in zip(games, GAMES, strict=True):
        assert len(game.phases) == len(phases) + 1 and game.phases[-1].orders == {}
        for index, (packed, orders) in enumerate(phases):
            position = game.position(index)
            assert position.packed == packed
            texts = game.phases[index].orders
            given = submit(position, texts)
            assert not any(order.fault for order in given.orders)
            # As text, since support of a fleet into a coastal province has two codes and one spelling.
            assert [(power, str(decode(MAP, code))) for power, code in given.codes()] == [
                (power, str(decode(MAP, code))) for power, own in sorted(orders.items()) for code in own
            ]
        # What the next phase would have been, had it been played.
        last, given_last = phases[-1]
        after = last.adjudicate([(p, code) for p, own in given_last.items() for code in own])[0]
        assert game.position(-1) == Position.from_packed(MAP, after)
        report = replay_game(game)
        assert (report.mismatches, report.differences, report.unreadable) == ([], [], [])
        assert report.compared == len(phases) and report.results > 0


def test_a_folder_is_exported_without_what_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "games.jsonl"
    assert main([str(tmp_path), "--out", str(out)]) == 2
    assert capsys.readouterr().err == f"bordeaux: {tmp_path} holds no shards of self-play\n"
    (tmp_path / "shard-00000.npz").write_bytes(b"rubbish")
    assert main([str(tmp_path), "--out", str(out)]) == 2
    assert not out.exists() and len(capsys.readouterr().err.splitlines()) == 2
    write_shard(tmp_path / "shard-00001.npz", shard_of())
    assert main([str(tmp_path), "--out", str(out)]) == 1
    assert "shard-00000.npz" in capsys.readouterr().err
    assert len(list(read_games(out))) == len(GAMES)
    assert main([str(tmp_path / "none.npz"), "--out", str(out)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
