"""The arithmetic of learning gives the same floats by all vectors of this processor."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pytest

CORE = Path(__file__).resolve().parent.parent.parent / "_ext"
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]
SHIM = """
#include "learn/kernels.h"
int wide(void) { return wide_vectors(); }
void outer(int wide, float *in, int count, int n_in, float *slopes, int n_out, float *grad)
{ learn_outer(wide, in, count, n_in, slopes, n_out, grad); }
void add(int wide, float *to, float *from, float factor, int n) { learn_add(wide, to, from, factor, n); }
void adam(int wide, float *weights, float *grad, float *first, float *second, float *mean, size_t n)
{
    AdamStep step = {0.01f, 0.1f, 0.9f, 0.98f, 1.9f, 3.1f, 0.95f, 0.7f};
    learn_adam(wide, weights, grad, first, second, mean, n, &step);
}
"""


def at(table: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(table.ctypes.data)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"no C compiler ({COMPILER})")
def test_learning(tmp_path: Path) -> None:
    source = tmp_path / "shim.c"
    source.write_text(SHIM)
    command = [COMPILER, "-O2", "-ffp-contract=off", "-shared", "-fPIC", f"-I{CORE}"]
    subprocess.run([*command, "-o", str(tmp_path / "shim.so"), str(source)], check=True)
    shim = ctypes.CDLL(str(tmp_path / "shim.so"))
    for seed in range(6):
        chance = np.random.default_rng(seed)
        n_in, n_out, count = (int(8 * chance.integers(1, 9)) for _ in range(3))
        count -= int(chance.integers(0, 7))
        shapes = [(count, n_in), (count, n_out), *[(n_in, n_out)] * 5]
        data, slopes, *states = (chance.normal(size=shape).astype(np.float32) for shape in shapes)
        states[-1] = abs(states[-1])
        results = []
        for wide in range(shim.wide() + 1):
            weights, grad, first, mean, second = arrays = [state.copy() for state in states]
            shim.outer(wide, at(data), count, n_in, at(slopes), n_out, at(grad))
            shim.add(wide, at(grad), at(weights), ctypes.c_float(0.3), grad.size - 3)
            slope = grad.copy()
            size = ctypes.c_size_t(grad.size)
            shim.adam(wide, at(weights), at(grad), at(first), at(second), at(mean), size)
            assert not grad.any()
            results.append([array.tobytes() for array in (slope, *arrays)])
        assert all(result == results[0] for result in results)
        expected = states[1].astype(float) + data.T.astype(float) @ slopes
        expected.ravel()[:-3] += 0.3 * states[0].ravel()[:-3]
        assert np.allclose(slope, expected, atol=1e-3)
