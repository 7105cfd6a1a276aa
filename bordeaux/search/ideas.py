"""The ideas of the search that can be switched off, one at a time, to measure the gain of each."""

from __future__ import annotations

from collections.abc import Iterable

from bordeaux.board.errors import BordeauxError, nearest, quote

__all__ = ["IDEAS", "Ideas"]

IDEAS: dict[str, str] = {
    "beliefs": "orders of the others are drawn from what they seem to be like, and not only from searches",
    "rollouts": "the best candidates are compared by playing on",
    "draws": "candidates are drawn from learnt policies; without it the paper's search decides",
    "best-first": "candidates come from the best-first search of the paper as well, from draws as seeds",
    "reasoning": "the others take the best of what they draw, as far as they seem to",
    "learning": "what the others play is learnt from what is worth more to them",
    "replies": "sets are judged by how they stand up to the best replies of enemies that search",
    "forcing": "what can be forced in Fall joins the candidates and counts beside what is expected",
    "equilibrium": "sets of powers that search become a game; a mixture decides where rollouts cannot",
    "variants": "sets are valued against several alternative orders of the others",
    "policy": "what the fast policy would order is among the seeds and the candidates",
    "people": "powers may be believed to play like people in recorded games, or like engines in such",
    "league": "rollouts play on by what self-play has learnt, and it is among candidates and beliefs",
    "metamap": "a search on the map's regions sets goals",
    "fronts": "groups of units that do not interact are searched apart",
}


class Ideas(frozenset[str]):
    """The ideas in use: all except those named."""

    @classmethod
    def without(cls, names: Iterable[str] = ()) -> Ideas:
        """All ideas except some. Raises BordeauxError for an unknown name."""
        left_out = set(names)
        for name in sorted(left_out):
            if name not in IDEAS:
                known = ", ".join(IDEAS)
                raise BordeauxError(f"unknown idea {quote(name)}{nearest(name, IDEAS)} (known: {known})")
        return cls(set(IDEAS) - left_out)
