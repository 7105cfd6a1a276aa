"""What a finished search tells: answers as texts for people, and read-only handles for programs."""

from bordeaux.search.answers.analysis import Analysis
from bordeaux.search.answers.answering import answer, explained, first_answers
from bordeaux.search.answers.pools import SetPools

__all__ = ["Analysis", "SetPools", "answer", "explained", "first_answers"]
