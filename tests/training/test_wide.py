"""A wide net in training agrees with the plain one, alone and beside orders that are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from bordeaux.policy.net import load_net
from tests.core.test_net_policy import borders
from tests.policy.reference import relations, scores, set_probability, words
from tests.training.test_people import arrays, seen
from training.batches import Batch, Dropped, make_batch
from training.known import Known, known_among
from training.loop import Plan, Trainer
from training.model import Net, Sizes, begin_with, by_choice, save_weights, sizes_in
from training.people import main, new_net
from training.relations import Fitted
from training.shards import Shards

SIZES = Sizes(8, 8, 16, 8, 8, 3, 8)
NEUTRAL = Fitted(np.ones(1, np.float32), np.zeros(20, np.float32))


@pytest.fixture(scope="module")
def net() -> Net:
    """A wide net whose weights are all of a size that matters, as it is used."""
    net = new_net(3, SIZES).eval()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(0, 0.2)
    return net


def movement(shards: Shards, places: list[int]) -> np.ndarray:
    return np.flatnonzero(shards.phases[:, 2] == 0)[places]


def batch_of(shards: Shards, phases: np.ndarray, *, names: bool = True) -> Batch:
    return make_batch(shards, phases, Dropped(np.zeros(len(phases), bool), np.full(len(phases), not names)))


def beside(net: Net, batch: Batch, choices: np.ndarray) -> tuple[np.ndarray, Known]:
    """The logarithms of all options' chances beside some choices, and what these tell."""
    known = known_among(batch, choices, len(net.mean))
    with torch.no_grad():
        return by_choice(net.beside(batch, known)[2], batch).numpy(), known


@pytest.mark.parametrize("names", [True, False])
def test_it_is_the_plain_one(shards: Shards, net: Net, names: bool) -> None:
    phases = movement(shards, [3, 20, 41])
    with torch.no_grad():
        base, score = (tensor.numpy() for tensor in net(batch_of(shards, phases, names=names)))
    begun = 0
    for phase in phases:
        powers = seen(shards, phase, True, names)
        for first, last in scores(arrays(net), borders(), powers).values():
            part = slice(begun, begun + len(first))
            assert np.allclose(base[part], first, atol=5e-4) and np.allclose(score[part], last, atol=1e-3)
            begun += len(first)
    assert begun == len(base)


def test_units_decided_one_after_the_other_make_the_probability_of_the_set(shards: Shards, net: Net) -> None:
    phase = movement(shards, [30])
    batch = batch_of(shards, phase)
    first, label = batch.first.numpy(), batch.label.numpy()
    ends = np.append(first, len(batch.kind))
    with torch.no_grad():
        base, score = (tensor.numpy() for tensor in net(batch))
        helps = net.passes(batch, torch.from_numpy(base))[:, 0].numpy()
    compared = 0
    for number, (_, rows, options) in enumerate(seen(shards, int(phase[0]), True, True)):
        choices = np.flatnonzero(batch.sample.numpy() == number)
        if label[choices[0]] < 0:
            continue
        own = slice(first[choices[0]], ends[choices[-1] + 1])
        chosen = (label[choices] - own.start).tolist()
        spoken = words(arrays(net), borders(), rows, options)
        weights = arrays(net) | NEUTRAL._asdict()
        expected = set_probability(weights, options, score[own], helps[own], chosen, spoken)
        surest = [by_choice(torch.from_numpy(score), batch)[first[c] : ends[c + 1]].max() for c in choices]
        known, total = np.zeros(len(first), bool), 0.0
        for choice in choices[np.argsort([-float(certainty) for certainty in surest], kind="stable")]:
            total += beside(net, batch, known)[0][label[choice]]
            known[choice] = True
        assert total == pytest.approx(np.log(expected), rel=1e-3, abs=0.02)
        compared += 1
    assert compared > 3


def test_what_is_known_is_that_of_the_plain_relations(shards: Shards, net: Net) -> None:
    batch = batch_of(shards, movement(shards, [5, 33, 60]))
    choices = np.random.default_rng(2).random(len(batch.first)) < 0.5
    known = beside(net, batch, choices)[1]
    n, none = len(net.mean), len(batch.powers) * len(net.mean)
    helped = batch.helped.numpy()
    options = {
        "kind": batch.kind.numpy(),
        "source": batch.own_source.numpy() % n,
        "goal": batch.own_goal.numpy() % n,
        "other": np.where(helped < none, helped % n, batch.own_source.numpy() % n),
    }

    def option(number: int) -> dict[str, int]:
        return {name: int(column[number]) for name, column in options.items()}

    sums = np.zeros((len(batch.kind), 20))
    sums[known.option.numpy(), known.relation.numpy() // 15] = known.count.numpy()
    assert (known.relation.numpy() % 15 == options["kind"][known.option.numpy()]).all()
    log_by_option = dict(zip(known.helping.tolist(), known.log_helped.tolist(), strict=True))
    chosen = set(known.chosen.tolist())
    sample, choice = batch.sample.numpy(), batch.choice.numpy()
    for number in range(0, len(batch.kind), 3):
        own = sample[choice[number]]
        others = [unit for unit in chosen if sample[choice[unit]] == own]
        if any(choice[other] == choice[number] for other in others):
            continue
        wanted = [r for other in others for r in relations(option(number), option(other))]
        assert sums[number].tolist() == np.bincount(wanted, minlength=20).tolist()
        does = any(r in {4, 6, 12} for r in wanted)
        assert log_by_option.get(number) == (
            None if not {4, 5, 6, 7, 12, 13} & set(wanted) else 0.0 if does else -6.0
        )
    assert sums.sum(0).astype(bool).sum() > 12


def test_nothing_known_changes_nothing(shards: Shards, net: Net) -> None:
    batch = batch_of(shards, movement(shards, [7]))
    alone = by_choice(net(batch)[1], batch).detach().numpy()
    assert np.allclose(beside(net, batch, np.zeros(len(batch.first), bool))[0], alone, atol=1e-5)


def test_a_file_of_weights_is_what_the_core_takes(net: Net, tmp_path: Path) -> None:
    save_weights(tmp_path / "wide.npz", net, NEUTRAL, {"map": "standard"})
    assert load_net(tmp_path / "wide.npz").rounds == 3
    assert sizes_in(tmp_path / "wide.npz") == SIZES
    again = new_net(9, SIZES)
    begin_with(again, tmp_path / "wide.npz")
    assert np.allclose(arrays(again)["round_own"], arrays(net)["round_own"], atol=2e-3)


def test_it_learns_both_ways(shards: Shards, tmp_path: Path) -> None:
    plan = Plan(epochs=3, seed=2, batch=16, rate=5e-3, dropout=0.1)
    trainer = Trainer(new_net(5, SIZES), plan, tmp_path, torch.device("cpu"))
    phases = np.arange(0, len(shards.phases), 40)
    losses: list[float] = []

    def noted(trainer: Trainer, loss: float) -> dict[str, float]:
        losses.append(loss)
        return {"loss": loss}

    trainer.run(shards, phases, noted)
    assert losses[-1] < losses[0]
    learnt = trainer.average
    assert not learnt.training
    for name in ("fitting", "ask_source", "tell_order", "round_whole"):
        assert not torch.equal(getattr(learnt, name), getattr(new_net(5, SIZES), name))


def test_it_learns_what_teachers_expect(shards: Shards, net: Net, tmp_path: Path) -> None:
    """Their mean chances, alone and beside known orders: a net that is taught by two comes nearer to both's
    mean than it was, which one that learns from orders alone does not."""
    other = new_net(4, SIZES)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.normal_(0, 0.2)
    kept = [parameter.clone() for parameter in net.parameters()]
    phases = movement(shards, [1, 13])
    batch = batch_of(shards, phases)
    half = np.arange(len(batch.first)) % 2 == 0
    known = known_among(batch, half, len(net.mean))

    def chances(net: Net) -> torch.Tensor:
        with torch.no_grad():
            _, alone, next_to = net.eval().beside(batch, known)
        return torch.stack([by_choice(alone, batch).exp(), by_choice(next_to, batch).exp()])

    wanted = (chances(net) + chances(other)) / 2
    far = {}
    for taught in (0.0, 1.0):
        plan = Plan(
            epochs=12, seed=2, batch=2, rate=2e-2, first=0.0, no_memory=0.0, no_names=0.0, taught=taught
        )
        folder = tmp_path / str(taught)
        folder.mkdir()
        trainer = Trainer(new_net(5, SIZES), plan, folder, torch.device("cpu"), [net, other])
        before = (chances(trainer.net) - wanted).abs().mean()
        trainer.net.train()
        trainer.run(shards, phases, lambda _, loss: {"loss": loss})
        far[taught] = (chances(trainer.net) - wanted).abs().mean() / before
    assert far[1.0] < 0.6 < far[0.0]
    assert all(torch.equal(now, then) for now, then in zip(net.parameters(), kept, strict=True))
    net.eval()


def test_teachers_are_wide_nets_as_is_who_learns(
    net: Net, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_weights(tmp_path / "wide.npz", net, NEUTRAL, {"map": "standard"})
    small = new_net(1, Sizes(8, 8, 8, 8, 8))
    save_weights(tmp_path / "small.npz", small, NEUTRAL, {"map": "standard"})
    options = ["--games", "none.jsonl", "--out", str(tmp_path / "net.npz"), "--work", str(tmp_path / "work")]
    for sizes, teacher, message in (
        ("8,8,8,8,8", tmp_path / "wide.npz", "teachers are wide nets"),
        ("8,8,16,8,8,3,8", tmp_path / "small.npz", "teachers are wide nets"),
        ("8,8,16,8,8,3,8", tmp_path / "none.npz", "none.npz"),
    ):
        assert main([*options, "--sizes", sizes, "--teachers", str(teacher)]) == 2
        error = capsys.readouterr().err
        assert error.startswith("bordeaux: ") and message in error and error.count("\n") == 1
    assert main([*options, "--start", str(tmp_path / "small.npz"), "--sizes", "8,8,8,8,8"]) == 2
    assert "leave --sizes out" in capsys.readouterr().err
    assert main([*options, "--out", str(tmp_path / "no" / "net.npz")]) == 2
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--taught", "2", "is not a number from 0 to 1"),
        ("--dropout", "x", "is not a number from 0 to 0.9"),
        ("--rate", "nan", "is not a number from"),
        ("--epochs", "-1", "is not a whole number from 1"),
        ("--threads", "0", "is not a whole number from 1 to 1024"),
        ("--sizes", "96,96", "is not five widths"),
        ("--sizes", "256,96,96,48,24,6,16", "multiples of 8, from 8 to 128"),
        ("--sizes", "96,96,96,48,24,6,64", "a multiple of 8 up to 32"),
        ("--sizes", "96,96,96,48,24,-2,16", "has 1 round or more"),
    ],
)
def test_a_bad_option_is_told(
    option: str, value: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--games", "none", "--out", str(tmp_path / "net.npz"), "--work", str(tmp_path)]
    assert main([*given, option, value]) == 2
    error = capsys.readouterr().err
    assert message in error and error.startswith("bordeaux: ") and error.count("\n") == 1
