"""Arrays of games say what the positions and the orders say, whatever became of the making."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux.board.code import as_bytes
from bordeaux.board.submission import decode
from bordeaux.formats.games import read_games
from bordeaux.search.sets import from_orders, in_full
from tests.training.conftest import GAMES
from training.league.export import exported
from training.league.games import Options, play_generation
from training.league.records import read_shard
from training.shards import OPTION, Shards, games_in, labelled, load_shards, make_shards
from training.split import part_of, played_phases

MAP = Map.standard()
FACTS = Facts(MAP.tables)
PROVINCE = np.array([location.province for location in MAP.locations])


@pytest.mark.slow
def test_what_powers_saw_and_gave(shards: Shards) -> None:
    game = next(read_games(GAMES))
    last: list[tuple[int, bytes]] = []
    before: list[tuple[int, bytes]] = []
    phase = sample = checked = 0
    for position, orders in played_phases(game, MAP):
        packed = position.packed
        full = []
        if position.phase.kind == "M":
            number, part, kind, year, season, samples = shards.phases[phase]
            assert (number, part, kind, year) == (0, part_of(game.id), 0, position.phase.year)
            assert season == "SFW".index(position.phase.season)
            memory = Memory(MAP.tables, packed, last, before) if last else None
            powers = [power for power, name in enumerate(MAP.powers) if position.units_of(name)]
            assert samples == len(powers)
            for power in powers:
                given = in_full(position, MAP.powers[power], orders.get(power, b""))
                full.append((power, as_bytes(list(given.values()))))
                assert tuple(shards.samples[sample]) == (power, power in orders, len(given))
                assert shards.rows[sample].tobytes() == FACTS.seen(packed, power, memory)
                options = np.frombuffer(FACTS.options(packed, power, memory), OPTION)
                first, end = shards.first_choice[sample : sample + 2]
                begin = shards.first_option[first]
                assert (shards.pattern[begin : shards.first_option[end]] == options["pattern"]).all()
                for choice in range(first, end):
                    label = shards.choices[choice, 1]
                    if power in orders:
                        taken = options[shards.first_option[choice] - begin + label]
                        wanted = {str(decode(MAP, code)) for code in given.values()}
                        assert str(decode(MAP, int(taken["code"]))).removesuffix(" VIA") in {
                            order.removesuffix(" VIA") for order in wanted
                        }
                        checked += 1
                    else:
                        assert label == -1
                sample += 1
            last, before = full, last
            phase += 1
        elif phase < len(shards.phases) and shards.phases[phase, 2] == "MRA".index(position.phase.kind):
            sample += shards.phases[phase, 5]
            phase += 1
    assert checked > 300


@pytest.mark.slow
def test_stopped_and_begun_again(blocks: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(blocks, tmp_path / "again")
    paths = sorted(folder.glob("block-*.npz"))
    assert len(paths) == 3
    wholes = [path.read_bytes() for path in paths]
    paths[1].unlink()
    paths[2].unlink()
    make_shards(GAMES, folder, limit=6, block=2, processes=2)
    assert [path.read_bytes() for path in paths] == wholes


def test_arrays_of_other_games_are_refused(blocks: Path, tmp_path: Path) -> None:
    with pytest.raises(BordeauxError, match="other games"):
        make_shards(GAMES, blocks, limit=2)
    with pytest.raises(BordeauxError, match="no arrays"):
        load_shards(tmp_path)


@pytest.fixture(scope="module")
def selfplay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one short shard of self-play, in which seats of people are many."""
    folder = tmp_path_factory.mktemp("league")
    options = Options(
        games=3, policy="people", older="people", people_share=0.5, first_end=1902, last_end=1902
    )
    play_generation(folder, 1, options)
    return folder


def test_of_self_play_best_responses_are_learnt(selfplay: Path, tmp_path: Path) -> None:
    shards = load_shards(make_shards(selfplay, tmp_path / "arrays", processes=1))
    (path,) = selfplay.rglob("shard-*.npz")
    shard = read_shard(path)
    recorded = [(game, phase) for game in range(3) for phase in shard.phases_of(game)]
    # Phases in which nothing is to be decided are left out: their samples would have no choices.
    numbers = {(row[0], row[3], row[4], row[2]): index for index, row in enumerate(shards.phases.tolist())}
    compared = learnt = 0
    for game, phase in recorded:
        kind = int(shard.kind[phase])
        index = numbers.get((game, int(shard.year[phase]), int(shard.season[phase]), kind))
        if index is None:
            assert kind != 0
            continue
        assert shards.phases[index, 1] == part_of(shard.identity(game))
        position, orders = Position.from_packed(MAP, shard.packed(phase)), shard.orders(phase)
        for sample in range(*shards.first_sample[index : index + 2]):
            power, known, _ = shards.samples[sample]
            assert known == np.isfinite(shard.gains[phase, power])
            learnt += int(known)
            compared += 1
            labels = shards.choices[slice(*shards.first_choice[sample : sample + 2]), 1]
            assert (labels >= 0).all() if known else (labels == -1).all()
            if known and kind == 0:
                full = in_full(position, MAP.powers[power], orders.get(power, b""))
                assert len(labels) == len(full)
    assert 0 < learnt < compared


def test_games_of_self_play_are_those_that_are_exported(selfplay: Path) -> None:
    (path,) = selfplay.rglob("shard-*.npz")
    for game, source in zip(exported(read_shard(path)), games_in(selfplay, MAP), strict=True):
        assert game.id == source.id
        played = [position for position, _ in played_phases(game, MAP)][:-1]
        assert [lesson.position for lesson in source.phases] == played
    for source in games_in(selfplay, MAP):
        assert any(lesson.learnt for lesson in source.phases)


def test_a_folder_without_shards_or_with_a_damaged_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(BordeauxError, match="no shards of self-play"):
        make_shards(tmp_path, tmp_path / "arrays")
    (tmp_path / "shard-00000.npz").write_bytes(b"rubbish")
    with pytest.raises(BordeauxError, match="damaged"):
        list(games_in(tmp_path, MAP))


def chosen(
    state: dict[str, object], power: str, texts: list[str], kind: int
) -> list[tuple[str, list[str], bool]]:
    """For each choice of a power what was taken, among what, and whether it was ordered."""
    position = Position.from_json(state)
    number = MAP.powers.index(power)
    options = np.frombuffer(FACTS.options(position.packed, number), OPTION)
    given = from_orders(position, power, texts)
    result = []
    for choice in labelled(options, kind, given, position.packed.due(number) if kind == 2 else 0, PROVINCE):
        names = [str(decode(MAP, int(code))) for code in choice.options["code"]]
        result.append((names[choice.label], names, choice.ordered))
    return result


def test_winter_is_one_choice_after_another() -> None:
    state: dict[str, object] = {
        "name": "W1901A",
        "units": {"FRANCE": ["A SPA"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR", "SPA"]},
    }
    labelled = chosen(state, "FRANCE", ["F BRE B", "A PAR B"], 2)
    assert [taken for taken, _, _ in labelled] == ["F BRE B", "A PAR B", "WAIVE"]
    assert not any("BRE" in name for name in labelled[1][1]) and "WAIVE" in labelled[1][1]
    assert labelled[2][1] == ["A MAR B", "F MAR B", "WAIVE"]
    removal: dict[str, object] = {
        "name": "W1901A",
        "units": {"ITALY": ["A ROM", "F NAP", "A VEN"]},
        "centers": {"ITALY": ["ROM"]},
    }
    labelled = chosen(removal, "ITALY", ["A VEN D"], 2)
    assert [taken for taken, _, _ in labelled] == ["A VEN D"]


def test_units_without_orders_hold_and_coasts_do_not_matter() -> None:
    units = {"FRANCE": ["A BUR", "F PIC", "A PAR"]}
    labelled = chosen({"name": "S1902M", "units": units, "centers": {}}, "FRANCE", ["A BUR S F PIC - BEL"], 0)
    assert [(taken, ordered) for taken, _, ordered in labelled] == [
        ("A BUR S F PIC - BEL", True),
        ("A PAR H", False),
        ("F PIC H", False),
    ]
