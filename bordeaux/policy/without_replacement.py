"""The probability of a set drawn without replacement, in any order: builds or removals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["drawn_together"]

# Double exponential quadrature (Takahasi and Mori 1974) over u from 0 to 1, where integrands may be steep at
# either end: u = 1 / (1 + e^-y) with y = pi sinh x, in steps of x.
_STEP = 0.05
_X = np.arange(-4.5, 4.5 + _STEP / 2, _STEP)
_Y = np.pi * np.sinh(_X)
_LOG_U = -np.logaddexp(0, -_Y)
_WEIGHTS = _STEP * np.pi * np.cosh(_X) * np.exp(_LOG_U - np.logaddexp(0, _Y))


def drawn_together(shares: Sequence[float], rest: float, blank: float = 0.0, blanks: int = 0) -> float:
    """The probability that as many draws as there are `shares` and `blanks` give exactly these things, in any
    order. Things are drawn in proportion to their shares, without replacement. `rest` is the share of all
    other things together, `blank` that of one which may be drawn repeatedly.

    Equivalently, each thing is a clock that rings at a rate in proportion to its share. The result is the
    expected time during which exactly these have rung, times the rate of the others: an integral over u, the
    probability that no other has rung.
    """
    rate = rest + blank
    if rate <= 0:
        return 0.0 if blanks else 1.0
    chances = -np.expm1(np.outer(np.asarray(shares, float) / rate, _LOG_U))
    rung = (-blank / rate * _LOG_U) ** blanks / math.factorial(blanks)
    return min(1.0, float(np.sum(_WEIGHTS * rung * chances.prod(axis=0))))
