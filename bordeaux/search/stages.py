"""The ideas of the search that can be switched off, one at a time, to see what each is worth."""

from __future__ import annotations

from collections.abc import Iterable

from bordeaux.board.errors import BordeauxError, nearest, quote

__all__ = ["IDEAS", "Ideas"]

IDEAS: dict[str, str] = {
    "beliefs": "orders of the others are drawn from what they seem to be like, and not only from searches",
    "rollouts": "the best candidates are compared by playing on",
    "replies": "sets are judged by how they stand up to the best replies of enemies that search",
    "forcing": "what can be forced in Fall joins the candidates and counts beside what is expected",
    "equilibrium": "sets of powers that search become a game; a mixture decides where rollouts cannot",
    "variants": "sets are valued against several alternative orders of the others",
    "policy": "what the fast policy would order is among the seeds and the candidates",
    "people": "sets as engines play are among them too; powers may be believed to play like these or people",
    "engines": "rollouts play on by a net that has learnt from games of engines, not by the fast policy",
    "metamap": "a search on the map's regions sets goals",
    "fronts": "groups of units that do not interact are searched apart",
}


class Ideas(frozenset[str]):
    """The ideas that are in use: all but those named."""

    @classmethod
    def without(cls, names: Iterable[str] = ()) -> Ideas:
        """All ideas save some. Raises BordeauxError for an unknown name."""
        left_out = set(names)
        for name in sorted(left_out):
            if name not in IDEAS:
                known = ", ".join(IDEAS)
                raise BordeauxError(f"unknown idea {quote(name)}{nearest(name, IDEAS)} (known: {known})")
        return cls(set(IDEAS) - left_out)
