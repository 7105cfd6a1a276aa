"""The twins in plain C: every compiler takes them, and they reckon as the vectors do, to the last bit."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

CORE = Path(__file__).resolve().parent.parent.parent / "_ext"
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]
pytestmark = pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"no C compiler ({COMPILER})")

SHIM = """
#include "learn/kernels.h"
#include "net/kernels.h"
#include "value/survey.h"
int bits(uint64_t *of, int n, int *out)
{
    for (int i = 0; i < n; i++) {
        out[2 * i] = lowest_bit(of[i]);
        out[2 * i + 1] = count_bits(of[i]);
    }
    return wide_vectors();
}
void dense(int wide, float *in, int count, int n_in, float *weights, float *bias, int n_out, float *out,
           int cut)
{ net_dense(wide, in, count, n_in, weights, bias, n_out, out, cut); }
void gather(int wide, float *table, uint16_t *rows, int count, float *base, int n, float *out, int cut)
{ net_gather(wide, table, rows, count, base, n, out, cut); }
void join(int wide, float *in, float *own, uint8_t *near, uint8_t *place, int count, int n, float *both)
{ net_join(wide, in, own, near, place, count, n, both); }
float score(int wide, float *a, float *b, float *c, float *d, float *weights, int n)
{ return net_score(wide, a, b, c, d, weights, n); }
float dot(int wide, float *a, float *b, int n) { return net_dot(wide, a, b, n); }
void outer(int wide, float *in, int count, int n_in, float *slopes, int n_out, float *grad)
{ learn_outer(wide, in, count, n_in, slopes, n_out, grad); }
void add(int wide, float *to, float *from, float factor, int n) { learn_add(wide, to, from, factor, n); }
void adam(int wide, float *weights, float *grad, float *first, float *second, float *mean, size_t n)
{
    AdamStep step = {0.01f, 0.1f, 0.9f, 0.98f, 1.9f, 3.1f, 0.95f, 0.7f};
    learn_adam(wide, weights, grad, first, second, mean, n, &step);
}
int built_wide(void) { return WIDE_VECTORS; }
size_t seen(void) { return sizeof(Survey); }
void look(int wide, Survey *s, uint8_t *rows, int own, int own_units, int others, int others_units, int n,
          int n_centres)
{
    Side sides[2] = {{own_units, own, {0}, {0}}, {others_units, others, {0}, {0}}};
    for (int k = 0; k < own; k++)
        sides[0].rows[k] = rows + 256 * k;
    for (int k = 0; k < others; k++)
        sides[1].rows[k] = rows + 256 * (own + k);
    survey_look(wide, s, &sides[0], &sides[1], n, n_centres);
}
void weigh(int wide, float *altitude, float *shares, float *pull, int count, int n, float *out)
{
    const float *pulls[16];
    for (int k = 0; k < count; k++)
        pulls[k] = pull + 256 * k;
    survey_weigh(wide, altitude, shares, pulls, count, n, out, out + 1);
}
void equal(uint64_t *words, uint8_t *bytes, uint8_t value, int n) { survey_equal(words, bytes, value, n); }
int danger(Survey *s, uint8_t *owner, uint8_t *standing, uint8_t power, uint8_t taken, int n)
{ return survey_danger(s, owner, standing, power, taken, n); }
int places(uint8_t *out, uint16_t *tokens, int n)
{ rows_fetch(tokens, 64); return rows_places(out, tokens, n); }
"""


def built(folder: Path, *flags: str) -> ctypes.CDLL:
    """The shim, compiled."""
    folder.mkdir()
    source, library = folder / "shim.c", folder / "shim.so"
    source.write_text(SHIM)
    command = [COMPILER, "-O2", "-ffp-contract=off", "-shared", "-fPIC", f"-I{CORE}", *flags]
    subprocess.run([*command, "-o", str(library), str(source)], check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """With vectors, and in plain C as the standard has it, without one word of gcc's own."""
    folder = tmp_path_factory.mktemp("shim")
    plain = built(folder / "plain", "-DBORDEAUX_PORTABLE", "-std=c11", "-pedantic-errors", "-Wall", "-Werror")
    made = built(folder / "vectors"), plain
    for library in made:
        library.score.restype = library.dot.restype = ctypes.c_float
        library.seen.restype = ctypes.c_size_t
    return made


Table = NDArray[np.generic]


def at(table: Table | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if table is None else table.ctypes.data)


def ways(both: tuple[ctypes.CDLL, ctypes.CDLL]) -> list[tuple[ctypes.CDLL, int]]:
    """Plain C, the vectors of every processor, and each of the wider ones that this one has."""
    vectors, plain = both
    nothing = np.ones(1, np.uint64)
    wide = vectors.bits(at(nothing), 1, at(np.zeros(2, np.int32)))
    assert plain.bits(at(nothing), 1, at(np.zeros(2, np.int32))) == 0
    return [(plain, 0), *((vectors, level) for level in range(wide + 1))]


@pytest.mark.slow
def test_wide_vectors_are_compiled_for_the_processors_that_may_have_them(
    both: tuple[ctypes.CDLL, ctypes.CDLL],
) -> None:
    vectors, plain = both
    assert vectors.built_wide() == (platform.machine().lower() in ("x86_64", "amd64"))
    assert plain.built_wide() == 0


def floats(chance: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    return chance.normal(size=shape).astype(np.float32)


@pytest.mark.slow
def test_bits(both: tuple[ctypes.CDLL, ctypes.CDLL]) -> None:
    chance = np.random.default_rng(1)
    words = np.concatenate([chance.integers(1, 1 << 63, 1000), 1 << np.arange(63)]).astype(np.uint64)
    words = np.concatenate([words, words << np.uint64(1), np.array([(1 << 64) - 1], np.uint64)])
    words = words[words > 0]
    expected = [((word & -word).bit_length() - 1, word.bit_count()) for word in map(int, words)]
    for library in both:
        out = np.zeros((len(words), 2), np.int32)
        library.bits(at(words), len(words), at(out))
        assert [tuple(row) for row in out.tolist()] == expected


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.slow
def test_the_net_s_sums(both: tuple[ctypes.CDLL, ctypes.CDLL], seed: int) -> None:
    chance = np.random.default_rng(seed)
    n_in, n_out, count = (int(8 * chance.integers(1, 9)) for _ in range(3))
    count -= int(chance.integers(0, 4))
    data, weights, bias = floats(chance, count, n_in), floats(chance, n_in, n_out), floats(chance, n_out)
    rows = chance.integers(0, n_in, 20).astype(np.uint16)
    near = chance.integers(0, count, 7).astype(np.uint8)
    place = chance.permutation(count).astype(np.uint8)
    a, b, c, d, scale = floats(chance, 5, n_out)
    by_library = []
    for library, wide in ways(both):
        results = []
        for given in (bias, None):
            for cut in (0, 1):
                out = np.zeros((count, n_out), np.float32)
                library.dense(wide, at(data), count, n_in, at(weights), at(given), n_out, at(out), cut)
                results.append(out.tobytes())
        for cut in (0, 1):
            out = np.zeros((1, n_out), np.float32)
            library.gather(wide, at(weights), at(rows), len(rows), at(bias), n_out, at(out), cut)
            results.append(out.tobytes())
        for neighbours in (len(near), 0):
            joined = np.zeros(2 * n_in, np.float32)
            library.join(wide, at(data), at(data[0]), at(near), at(place), neighbours, n_in, at(joined))
            results.append(joined.tobytes())
        for third in (c, None):
            results.append(library.score(wide, at(a), at(b), at(third), at(d), at(scale), n_out))
        results.append(library.dot(wide, at(a), at(b), n_out))
        by_library.append(results)
    assert all(results == by_library[0] for results in by_library)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.slow
def test_learning(both: tuple[ctypes.CDLL, ctypes.CDLL], seed: int) -> None:
    chance = np.random.default_rng(seed)
    n_in, n_out, count = (int(8 * chance.integers(1, 9)) for _ in range(3))
    count -= int(chance.integers(0, 7))
    data, slopes = floats(chance, count, n_in), floats(chance, count, n_out)
    states = [floats(chance, n_in, n_out) for _ in range(4)] + [abs(floats(chance, n_in, n_out))]
    by_library = []
    for library, wide in ways(both):
        weights, grad, first, mean, second = (state.copy() for state in states)
        library.outer(wide, at(data), count, n_in, at(slopes), n_out, at(grad))
        library.add(wide, at(grad), at(weights), ctypes.c_float(0.3), grad.size - 3)
        results = [grad.tobytes()]
        size = ctypes.c_size_t(grad.size)
        library.adam(wide, at(weights), at(grad), at(first), at(second), at(mean), size)
        assert not grad.any()
        by_library.append([*results, *(array.tobytes() for array in (weights, first, second, mean))])
    assert all(results == by_library[0] for results in by_library)
    expected = states[1].astype(float) + data.T.astype(float) @ slopes
    expected.ravel()[:-3] += 0.3 * states[0].ravel()[:-3]
    assert np.allclose(np.frombuffer(by_library[0][0], np.float32), expected.ravel(), atol=1e-3)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.slow
def test_surveys(both: tuple[ctypes.CDLL, ctypes.CDLL], seed: int) -> None:
    chance = np.random.default_rng(seed)
    n, n_centres = int(32 * chance.integers(1, 9)), int(chance.integers(1, 200))
    n_centres = min(n_centres, n)
    own, others = int(chance.integers(1, 30)), int(chance.integers(1, 60))
    units = (int(chance.integers(0, own + 1)), int(chance.integers(0, others + 1)))
    rows = chance.choice([0, 1, 2, 3, 9, 254, 255], (own + others, 256)).astype(np.uint8)
    owner, standing = (chance.integers(0, 4, 256).astype(np.uint8) for _ in range(2))
    altitude, shares, pull = floats(chance, 256), floats(chance, 256), floats(chance, 16, 256)
    tokens = (chance.integers(0, 3, 256) * chance.integers(1, 9999, 256)).astype(np.uint16)
    by_library = []
    for library, wide in ways(both):
        seen = np.zeros(library.seen(), np.uint8)
        library.look(wide, at(seen), at(rows), own, units[0], others, units[1], n, n_centres)
        dangers = [
            library.danger(at(seen), at(owner), at(standing), power, taken, n)
            for power in range(4)
            for taken in (0, 5)
        ]
        out, words = np.zeros(2, np.float32), np.zeros(4, np.uint64)
        library.weigh(wide, at(altitude), at(shares), at(pull), int(seed), n, at(out))
        library.equal(at(words), at(owner), 2, n - n % 64)
        places = np.zeros(256, np.uint8)
        count = library.places(at(places), at(tokens), 256)
        by_library.append((seen.tobytes(), dangers, out.tobytes(), words.tobytes(), count, places.tobytes()))
    assert all(results == by_library[0] for results in by_library)


def test_no_other_file_of_the_core_needs_gcc() -> None:
    guarded = {"portable.h", "rows.h", "kernels.h", "kernels_vector.h", "survey.h", "survey_vector.h"}
    assert guarded <= {path.name for path in CORE.rglob("*.h")}
    for path in CORE.rglob("*"):
        if path.suffix in (".pyx", ".pxd", ".h") and path.name not in guarded:
            text = path.read_text(encoding="utf-8")
            assert "__builtin" not in text and "__attribute__" not in text, path.name
