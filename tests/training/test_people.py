"""From games to weights: the net in training agrees with the plain one, and a run that was killed goes on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from bordeaux import BordeauxError, Map
from bordeaux.policy.net import load_net
from tests.core.test_net_policy import borders
from tests.policy.reference import passes, relations, scores, set_probability, softmax
from tests.training.conftest import GAMES, ROOT
from training.batches import Dropped, make_batch
from training.loop import Plan, Trainer
from training.model import Net, Sizes, begin_with, save_weights, sizes_in
from training.people import main, new_net
from training.relations import Fitted, beside_others, fit, likelihood, relations_to
from training.shards import OPTION, Shards
from training.split import TRAIN

MAP = Map.standard()
SIZES = Sizes(8, 8, 8, 8, 8)


@pytest.fixture(scope="module")
def net() -> Net:
    """A net whose weights are all of a size that matters."""
    net = new_net(3, SIZES)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(0, 0.3)
    return net


def arrays(net: Net) -> dict[str, np.ndarray]:
    return {name: named_parameter.detach().numpy() for name, named_parameter in net.named_parameters()}


def seen(shards: Shards, phase: int, memory: bool, names: bool) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """What the powers of a phase see, as the plain net takes it."""
    choices = []
    for sample in range(*shards.first_sample[phase : phase + 2]):
        first, end = shards.first_choice[sample : sample + 2]
        begin, stop = shards.first_option[first], shards.first_option[end]
        options = np.zeros(stop - begin, OPTION)
        options["unit"] = np.repeat(np.arange(end - first), shards.choices[first:end, 0])
        for name, column in zip(
            ("kind", "source", "goal", "other", "again"), shards.option[begin:stop].T, strict=True
        ):
            options[name] = column
        options["row"], options["pattern"] = shards.order[begin:stop], shards.pattern[begin:stop]
        rows = shards.rows[sample].copy()
        by_province = rows[: 75 * 12].reshape(75, 12)
        if not memory:
            by_province[:, 5:8] = rows[-2:] = options["again"] = 0
        if not names:
            by_province[:, 8:] = 0
        choices.append((int(shards.samples[sample, 0]), rows, options))
    return choices


@pytest.mark.parametrize(("memory", "names"), [(True, True), (False, True), (True, False)])
def test_the_net_in_training_is_the_plain_one(shards: Shards, net: Net, memory: bool, names: bool) -> None:
    movement = np.flatnonzero(shards.phases[:, 2] == 0)[[3, 20, 41]]
    dropped = Dropped(np.full(3, not memory), np.full(3, not names))
    with torch.no_grad():
        base, score = (tensor.numpy() for tensor in net(make_batch(shards, movement, dropped)))
    begun = 0
    for phase in movement:
        for first, last in scores(arrays(net), borders(), seen(shards, phase, memory, names)).values():
            span = slice(begun, begun + len(first))
            assert np.allclose(base[span], first, atol=2e-4) and np.allclose(score[span], last, atol=5e-4)
            begun += len(first)
    assert begun == len(base)


def test_other_phases_have_one_pass(shards: Shards, net: Net) -> None:
    others = np.flatnonzero(shards.phases[:, 2] > 0)[:30]
    assert set(shards.phases[others, 2]) == {1, 2}
    with torch.no_grad():
        base, score = net(make_batch(shards, others, Dropped(np.zeros(30, bool), np.zeros(30, bool))))
    assert torch.equal(base, score)


def test_relations_are_those_of_the_plain_net() -> None:
    random = np.random.default_rng(0)
    # Few provinces, so that orders have much to do with each other.
    options = np.stack([random.integers(0, 9, 400), *random.integers(0, 4, (3, 400))], axis=1)
    others = np.stack([np.arange(27) % 9, *random.integers(0, 4, (3, 27))], axis=1)
    related, known, does = relations_to(options, others)
    names = ("kind", "source", "goal", "other")
    for row, option in enumerate(options):
        listed_relations = [
            relation
            for other in others
            for relation in relations(
                dict(zip(names, option, strict=True)), dict(zip(names, other, strict=True))
            )
        ]
        assert related[row].tolist() == np.bincount(listed_relations, minlength=20).tolist()
        assert known[row] == any(relation in {4, 5, 6, 7, 12, 13} for relation in listed_relations)
        assert does[row] == any(relation in {4, 6, 12} for relation in listed_relations)
    assert (related.sum(0) > 0).all()


def test_the_likelihood_of_sets_is_that_of_the_plain_net(shards: Shards, net: Net) -> None:
    phase = int(np.flatnonzero(shards.phases[:, 2] == 0)[30])
    random = np.random.default_rng(1)
    fitted = Fitted(np.array([0.8], np.float32), random.normal(0, 1, 20).astype(np.float32))
    with torch.no_grad():
        mean = likelihood(beside_others(net, shards, np.array([phase])), *map(torch.from_numpy, fitted))
    powers = seen(shards, phase, True, True)
    scored = scores(arrays(net), borders(), powers)
    q = passes(
        {power: scored[power][0].astype(float) for power in scored}, {power: o for power, _, o in powers}
    )
    weights = arrays(net) | {"sharpness": fitted.sharpness, "relation": fitted.relation}
    total = units = 0.0
    for sample, (power, _, options) in zip(
        range(*shards.first_sample[phase : phase + 2]), powers, strict=True
    ):
        if shards.samples[sample, 1]:
            first, end = shards.first_choice[sample : sample + 2]
            chosen = (
                shards.first_option[first:end] - shards.first_option[first] + shards.choices[first:end, 1]
            )
            total += np.log(
                set_probability(weights, options, scored[power][1], q[power][:, 0], chosen.tolist())
            )
            units += len(chosen)
    assert units > 8 and float(mean) == pytest.approx(total / units, abs=1e-3)


def test_fitting_finds_what_orders_were_drawn_by(shards: Shards, net: Net) -> None:
    phases = np.flatnonzero(shards.phases[:, 2] == 0)[:60]
    beside = beside_others(net, shards, phases)
    # Units drawn anew, one by one, as if moves to one goal were shunned and supports sought.
    relation = torch.zeros(20)
    relation[0], relation[8] = -3.0, 2.0
    logits = (0.5 * beside.score + beside.related @ relation).numpy()
    parts, random = beside.choice.numpy(), np.random.default_rng(2)
    begun = np.searchsorted(parts, np.arange(len(beside.label)))
    drawn = [
        begin + random.choice(len(part), p=softmax(part.astype(float)))
        for begin, part in zip(begun, np.split(logits, begun[1:]), strict=True)
    ]
    beside = beside._replace(label=torch.tensor(drawn))
    fitted = fit(beside)
    assert fitted.sharpness[0] == pytest.approx(0.5, abs=0.1)
    assert fitted.relation[0] == pytest.approx(-3.0, abs=0.8)
    assert likelihood(beside, *map(torch.from_numpy, fitted)) > likelihood(
        beside, torch.ones(1), torch.zeros(20)
    )


class Killed(Exception):
    pass


def test_a_run_that_was_killed_comes_to_the_same_weights(shards: Shards, tmp_path: Path) -> None:
    phases, plan = shards.phases_of(TRAIN)[:48], Plan(epochs=3, batch=16, seed=5)
    losses: dict[str, list[float]] = {"whole": [], "broken": []}

    def trained(folder: str, kill: int | None = None) -> Trainer:
        def after(trainer: Trainer, loss: float) -> dict[str, float]:
            losses[folder].append(loss)
            if trainer.epoch == kill:
                raise Killed
            return {"loss": loss}

        (tmp_path / folder).mkdir(exist_ok=True)
        trainer = Trainer(new_net(5, SIZES), plan, tmp_path / folder, torch.device("cpu"))
        trainer.run(shards, phases, after)
        return trainer

    whole = trained("whole")
    with pytest.raises(Killed):
        trained("broken", kill=2)
    broken = trained("broken")
    # The epoch that was not saved was run twice.
    assert losses["broken"] == [*losses["whole"][:2], losses["whole"][1], losses["whole"][2]]
    assert broken.history == whole.history
    for one, other in zip(whole.average.parameters(), broken.average.parameters(), strict=True):
        assert torch.equal(one, other)
    assert losses["whole"][2] < losses["whole"][0]


def test_a_file_of_weights_is_what_the_core_takes(net: Net, tmp_path: Path) -> None:
    fitted = Fitted(np.ones(1, np.float32), np.zeros(20, np.float32))
    header = {
        "map": "standard",
        "made": "2026-01-01",
        "command": "",
        "games": 1,
        "held_out": 0,
        "figures": {},
    }
    save_weights(tmp_path / "net.npz", net, fitted, header)
    load_net(tmp_path / "net.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["net.npz"]
    assert sizes_in(tmp_path / "net.npz") == SIZES
    again = new_net(9, SIZES)
    begin_with(again, tmp_path / "net.npz")
    for name, named_parameter in again.named_parameters():
        # Row 0 of the input stands for nothing; the file has 16-bit floats.
        wanted, slopes = (
            array[1:] if name == "input" else array
            for array in (arrays(net)[name], named_parameter.detach().numpy())
        )
        assert np.allclose(wanted, slopes, atol=2e-3)
    with pytest.raises(BordeauxError, match="shape"):
        begin_with(new_net(9, Sizes(16, 8, 8, 8, 8)), tmp_path / "net.npz")


def test_from_games_to_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with gzip.open(GAMES, "rt", encoding="utf-8") as file:
        recorded = file.readlines()
    # One to learn from, one to judge by at the end and one meanwhile, and one more than is asked for.
    few = tmp_path / "few.jsonl"
    few.write_text("".join(recorded[number] for number in (4, 8, 18, 5)), "utf-8")
    words = ["--games", str(few), "--out", str(tmp_path / "net.npz"), "--work", str(tmp_path / "work")]
    words += ["--epochs", "1", "--sizes", "8,8,8,8,8", "--batch", "64", "--games-limit", "3"]
    words += ["--threads", "1"]
    assert main(words) == 0
    said = capsys.readouterr().err
    assert "epoch 1: loss" in said and "held out, as it is used: movement" in said
    load_net(tmp_path / "net.npz")
    with np.load(tmp_path / "net.npz") as file:
        header = json.loads(bytes(file["header"]))
    assert (header["games"], header["held_out"]) == (1, 1) and header["map"] == "standard"
    assert 0 < header["figures"]["held_out"][""]["movement_accuracy"] < 1
    assert str(tmp_path) not in json.dumps(header)


def test_bad_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--out", str(tmp_path / "net.npz"), "--work", str(tmp_path / "work")]
    for games in (tmp_path / "none.jsonl", ROOT / "pyproject.toml"):
        assert main(["--games", str(games), *options]) == 2
        error = capsys.readouterr().err
        assert error.startswith("bordeaux: ") and error.count("\n") == 1
