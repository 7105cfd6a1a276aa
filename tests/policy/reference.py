"""The learnt policy in plain NumPy: what the core and the net in training are held against.

Slow and easy to read. Arrays go by the names of the file of weights; options are records of
`bordeaux._ext.net.facts`, one power's, grouped by the unit that chooses.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

HOLD, MOVE, VIA, HOLD_OWN, HOLD_OTHER, MOVE_OWN, MOVE_OTHER, CONVOY_OWN, CONVOY_OTHER = range(9)
RETREAT, WAIVE = 9, 14
NODE_ROWS = 12
FAR = (VIA, CONVOY_OWN, CONVOY_OTHER)
HELPS = range(HOLD_OWN, CONVOY_OTHER + 1)
OPTION = np.dtype(
    [
        ("code", "<u8"),
        ("unit", "u1"),
        ("again", "u1"),
        ("row", "<u2"),
        ("kind", "u1"),
        ("source", "u1"),
        ("goal", "u1"),
        ("other", "u1"),
        ("pattern", "<u4", (3,)),
    ]
)
UNLIKE = -6.0

Floats = npt.NDArray[np.floating[Any]]
Arrays = Mapping[str, npt.NDArray[Any]]
Facts = npt.NDArray[np.uint16]
Options = npt.NDArray[np.void]
Option = np.void | Mapping[str, int]
"""A record of `OPTION`, or its fields by name."""


def relu(x: Floats) -> Floats:
    return np.maximum(x, 0)


def softmax(x: Floats) -> Floats:
    e = np.exp(x - x.max())
    return e / e.sum()


def is_move(option: Option) -> bool:
    return option["kind"] in (MOVE, VIA)


def goes(option: Option, goal: int) -> bool:
    return is_move(option) and option["goal"] == goal


def evened(h: Floats) -> Floats:
    return h / np.sqrt((h**2).mean(1, keepdims=True) + 1e-3)


def provinces(
    arrays: Arrays, adjacency: Floats, rows: Facts
) -> tuple[Floats, Floats, dict[str, Floats], bool]:
    """What a power is told of every province and what it has found out of it, from its facts `rows`, uint16
    [n * 12 + 6]; the weights; and whether provinces are known by name."""
    w: dict[str, Floats] = {
        name: array.astype(np.float64) for name, array in arrays.items() if name != "header"
    }
    w["input"] = w["input"].copy()
    w["input"][0] = 0
    n = len(adjacency)
    mean = adjacency / np.maximum(adjacency.sum(1, keepdims=True), 1)
    x = w["input"][rows[: n * NODE_ROWS].reshape(n, NODE_ROWS)].sum(1) + w["input"][
        rows[n * NODE_ROWS :]
    ].sum(0)
    h1 = relu(x)
    h2 = relu(h1 @ w["own2"] + mean @ h1 @ w["near2"] + w["bias2"])
    h3 = relu(h2 @ w["own3"] + mean @ h2 @ w["near3"] + w["bias3"])
    if "round_own" in w:
        c = h3.shape[1]
        for i, bias in enumerate(w["round_bias"]):
            own, near, whole = (w[f"round_{part}"][i * c : (i + 1) * c] for part in ("own", "near", "whole"))
            x = evened(h3)
            h3 = h3 + relu(x @ own + mean @ x @ near + x.mean(0) @ whole + bias)
        h3 = evened(h3)
    # The rows of provinces by name are 0 where names are not known; then orders go without theirs.
    names = bool(rows[: n * NODE_ROWS].reshape(n, NODE_ROWS)[:, 8].any())
    return h1, h3, w, names


def words(arrays: Arrays, adjacency: Floats, rows: Facts, options: Options) -> list[Floats]:
    """What options ask of the other orders of their power and what they tell them, by a wide net: float64
    [n_options, q] each."""
    _, h3, w, names = provinces(arrays, adjacency, rows)
    words = []
    for part in ("ask", "tell"):
        words.append(
            h3[options["source"]] @ w[f"{part}_source"]
            + h3[options["goal"]] @ w[f"{part}_goal"]
            + w[f"{part}_kind"][options["kind"]]
            + names * w[f"{part}_order"][options["row"]]
        )
    return words


def base_scores(arrays: Arrays, adjacency: Floats, rows: Facts, options: Options) -> Floats:
    """First scores of a power's options, float64 [n_options], from its facts `rows`, uint16 [n * 12 + 6]."""
    h1, h3, w, names = provinces(arrays, adjacency, rows)
    helping = h3 if "round_own" in w else h1
    result = np.zeros(len(options))
    for i, o in enumerate(options):
        kind = o["kind"]
        z = w["kind_bias"][kind]
        if kind != WAIVE:
            z = z + h3[o["source"]] @ w["source"]
            if kind in FAR:
                z = z + helping[o["goal"]] @ w["far"]
            else:
                z = z + h3[o["goal"]] @ w["helped" if kind in HELPS else "goal"]
            if kind in HELPS:
                z = z + helping[o["other"]] @ w["other"]
        result[i] = (
            w["kind_out"][kind] @ relu(z)
            + w["kind_base"][kind]
            + (w["again"].reshape(2, 15)[o["again"] - 1, kind] if o["again"] else 0)
        )
        if names and kind != WAIVE:
            result[i] += w["pattern"][o["pattern"]].sum()
            result[i] += w["orders"][o["row"]] @ (h3[o["source"]] @ w["context"]) + w["order_bias"][o["row"]]
    return result


def scores(
    arrays: Arrays, adjacency: Floats, powers: Iterable[tuple[int, Facts, Options]]
) -> dict[int, tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
    """First and last scores of all powers in a movement phase: ``{power: (base, score)}``, float32 each.
    `adjacency` is boolean [n, n]; `powers` are ``(power, rows, options)`` of all that have units."""
    base = {power: base_scores(arrays, adjacency, rows, options) for power, rows, options in powers}
    listed = {power: options for power, _, options in powers}
    q = passes(base, listed)
    second = arrays["second"].astype(np.float64)
    return {
        power: (
            base[power].astype(np.float32),
            (base[power] + (second[listed[power]["kind"]] * q[power]).sum(1)).astype(np.float32),
        )
        for power in base
    }


def passes(base: Mapping[int, Floats], listed: Mapping[int, Options]) -> dict[int, Floats]:
    """What the first scores of all powers say of their moves: ``{power: [n_options, 5]}``."""
    chances = {}
    for power, options in listed.items():
        chances[power] = np.zeros(len(options))
        for unit in np.unique(options["unit"]):
            mine = options["unit"] == unit
            chances[power][mine] = softmax(base[power][mine])
    mass: dict[tuple[int, int], float] = {}
    helped: dict[tuple[int, int], float] = {}
    stay: dict[int, float] = {}
    owner: dict[int, int] = {}
    for power, options in listed.items():
        for o, p in zip(options, chances[power], strict=True):
            owner[o["source"]] = power
            stay.setdefault(o["source"], 1.0)
            if is_move(o):
                mass[o["source"], o["goal"]] = mass.get((o["source"], o["goal"]), 0) + p
                stay[o["source"]] -= p
            elif o["kind"] in (HOLD_OWN, MOVE_OWN):
                helped[o["other"], o["goal"]] = helped.get((o["other"], o["goal"]), 0) + p
    result: dict[int, Floats] = {}
    for power, options in listed.items():
        result[power] = np.zeros((len(options), 5))
        for q, o in zip(result[power], options, strict=True):
            if o["kind"] in (HOLD_OWN, HOLD_OTHER):
                q[0] = math.log(max(stay[o["other"]], math.exp(UNLIKE)))
            elif o["kind"] in HELPS:
                q[0] = math.log(max(mass.get((o["other"], o["goal"]), 0), math.exp(UNLIKE)))
            for unit, whose in owner.items():
                if whose != power:
                    q[2] += mass.get((unit, o["goal"]), 0)
                    q[3] += mass.get((unit, o["source"]), 0)
                elif unit != o["source"]:
                    q[1] += mass.get((unit, o["goal"]), 0)
            if is_move(o) or o["kind"] == HOLD:
                q[4] = helped.get((o["source"], o["goal"]), 0)
    return result


def relations(o: Option, j: Option) -> list[int]:
    """The numbers of the relations that an option has to the option of another unit of its power."""
    relations = []
    if is_move(o) and is_move(j):
        if o["goal"] == j["goal"]:
            relations.append(0)
        if o["goal"] == j["source"] and j["goal"] == o["source"]:
            relations.append(3)
        elif o["goal"] == j["source"]:
            relations.append(2)
        elif j["goal"] == o["source"]:
            relations.append(19)
    elif goes(o, j["source"]):
        relations.append(1)
    elif goes(j, o["source"]):
        relations.append(18)
    if o["other"] == j["source"]:
        if o["kind"] == MOVE_OWN:
            relations.append(4 if goes(j, o["goal"]) else 5)
        if o["kind"] == HOLD_OWN:
            relations.append(7 if is_move(j) else 6)
        if o["kind"] == CONVOY_OWN:
            relations.append(12 if goes(j, o["goal"]) else 13)
    if j["other"] == o["source"]:
        if j["kind"] == MOVE_OWN:
            relations.append(8 if goes(o, j["goal"]) else 9)
        if j["kind"] == HOLD_OWN:
            relations.append(11 if is_move(o) else 10)
        if j["kind"] == CONVOY_OWN:
            relations.append(14 if goes(o, j["goal"]) else 15)
    supports = range(HOLD_OWN, MOVE_OTHER + 1)
    if (
        o["kind"] in supports
        and j["kind"] in supports
        and o["other"] == j["other"]
        and o["goal"] == j["goal"]
    ):
        relations.append(16)
    if o["kind"] == MOVE_OTHER and o["goal"] == j["source"] and not is_move(j):
        relations.append(17)
    return relations


def set_probability(
    arrays: Arrays,
    options: Options,
    score: Floats,
    helps: Floats,
    chosen: Sequence[int],
    spoken: Sequence[Floats] | None = None,
) -> float:
    """The probability of a whole set of movement orders, by the places of its orders among a power's options.
    `score` are the last scores and `helps` the first column of `passes`. Units come in the order of their
    surest option; each one's options are judged beside the orders of the units before it. `spoken` are the
    `words` of a wide net."""
    second, relation = arrays["second"].astype(np.float64), arrays["relation"].astype(np.float64)
    relation = np.repeat(relation[:, None], 15, axis=1) + arrays.get("fitting", np.zeros((20, 15)))
    sharpness = float(arrays["sharpness"].reshape(-1)[0])
    units = list(np.unique(options["unit"]))
    taken = {options[place]["unit"]: options[place] for place in chosen}
    assert len(taken) == len(units) == len(chosen)
    places = {options[place]["unit"]: place for place in chosen}
    surest = {unit: softmax(score[options["unit"] == unit].astype(np.float64)).max() for unit in units}
    units.sort(key=lambda unit: (-surest[unit], unit))
    total = 1.0
    for number, unit in enumerate(units):
        mine = np.flatnonzero(options["unit"] == unit)
        logits = np.zeros(len(mine))
        for k, place in enumerate(mine):
            o, help, gain = options[place], helps[place], 0.0
            for before in units[:number]:
                j = taken[before]
                if spoken is not None:
                    gain += spoken[0][place] @ spoken[1][places[before]]
                for r in relations(o, j):
                    gain += relation[r, o["kind"]]
                    if r in (4, 6, 12):
                        help = 0.0
                    elif r in (5, 7, 13):
                        help = UNLIKE
            logits[k] = sharpness * (score[place] + second[o["kind"], 0] * (help - helps[place])) + gain
        total *= softmax(logits)[mine == places[unit]][0]
    return total


# Files of weights, for tests of how they are read.

HEADER: dict[str, Any] = {
    "format": 1,
    "kind": "policy",
    "map": "standard",
    "made": "2026-01-01",
    "command": "none",
    "games": 0,
    "held_out": 0,
    "figures": {},
}


def write(path: Path, arrays: dict[str, Any], header: object = HEADER) -> Path:
    """A file of weights."""
    stored = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez_compressed(path, header=stored, **arrays)
    return path
