"""The evaluation of positions, term by term (Hall and Loeb 1995, chapter 4)."""

from bordeaux.evaluation.evaluation import (
    Evaluation,
    ScaledValue,
    apportioned,
    end_value,
    evaluate,
    evaluations,
    evaluator,
    scaled_value,
    shares,
)
from bordeaux.evaluation.prospect import Prospects, prospect

__all__ = [
    "Evaluation",
    "Prospects",
    "ScaledValue",
    "apportioned",
    "end_value",
    "evaluate",
    "evaluations",
    "evaluator",
    "prospect",
    "scaled_value",
    "shares",
]
