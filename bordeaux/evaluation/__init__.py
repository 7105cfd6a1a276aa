"""The evaluation of positions, term by term (paper 002, chapter 4)."""

from bordeaux.evaluation.evaluation import Evaluation, end_value, evaluate, evaluations, evaluator
from bordeaux.evaluation.prospect import Prospects, prospect
from bordeaux.evaluation.shares import apportioned, shares

__all__ = [
    "Evaluation",
    "Prospects",
    "apportioned",
    "end_value",
    "evaluate",
    "evaluations",
    "evaluator",
    "prospect",
    "shares",
]
