"""What a position is worth, term by term (paper 002, chapter 4)."""

from bordeaux.evaluation.evaluation import Evaluation, evaluate, evaluations, evaluator

__all__ = ["Evaluation", "evaluate", "evaluations", "evaluator"]
