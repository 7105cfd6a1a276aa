"""What a search is about, as a value that travels from the master to the workers."""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from typing import Any, NamedTuple

from bordeaux._ext.influence import Evaluator
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.evaluation import end_value, evaluator
from bordeaux.rules.rulesets import DATC, RuleSet
from bordeaux.search.adjustments import AdjustmentSearch
from bordeaux.search.agreements import Agreement
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.bonds import Bonds
from bordeaux.search.movement import MovementSearch
from bordeaux.search.pruning import Maxims
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.situation import Situation
from bordeaux.search.stages import Ideas

__all__ = ["SearchJob", "SearchTask", "pack", "unpack"]

STRIDE = 0x9E3779B97F4A7C15
"""Distance of the random seeds of two processes of a search."""


class SearchTask(NamedTuple):
    """Everything that a search is made from.

    `evaluation` is the name of an evaluation, `raised` are the points of regional goals, as for
    `evaluator`; the rest is as for `Situation`.
    """

    position: Position
    evaluation: str
    maxims: Maxims
    seed: int
    seeds: Mapping[str, list[bytes]]
    beliefs: Beliefs
    given: Mapping[str, bytes]
    caution: float
    ideas: Ideas
    raised: Mapping[str, Mapping[str, float]]
    agreements: tuple[Agreement, ...] = ()
    rules: RuleSet = DATC
    anchor: float = 0.0

    def without(self, *ideas: str) -> SearchTask:
        """The same without some ideas of the search (`bordeaux.search.stages`)."""
        return self._replace(ideas=Ideas(self.ideas.difference(ideas)))

    def bonds(self) -> Bonds:
        """What the agreements, as `agreed` reads them, bind powers to."""
        return Bonds(self.position, self.agreements, self.rules)

    def evaluator(self) -> Evaluator:
        """The evaluation of the task, regional goals included."""
        return evaluator(self.position.map, self.evaluation, raised=self.raised)

    def search(
        self, rendezvous: Rendezvous | None = None, process: int = 0
    ) -> MovementSearch | AdjustmentSearch:
        """The search of a process of this number; number 0 draws from the seed itself. Retreats and
        adjustments are searched in one process."""
        seed = (self.seed + process * STRIDE) % 2**63 if process else self.seed
        judge = self.evaluator()
        ends = end_value(self.position.map, self.evaluation, judge)
        if self.position.phase.kind != "M":
            return AdjustmentSearch(
                self.position,
                judge,
                ends=ends,
                seed=seed,
                beliefs=self.beliefs,
                given=self.given,
                ideas=self.ideas,
                bonds=self.bonds(),
            )
        situation = Situation(
            self.position,
            judge,
            ends=ends,
            maxims=self.maxims,
            seed=seed,
            seeds=self.seeds,
            beliefs=self.beliefs,
            given=self.given,
            caution=self.caution,
            ideas=self.ideas,
            rendezvous=rendezvous,
            bonds=self.bonds(),
            anchor=self.anchor,
        )
        return MovementSearch(situation)


class SearchJob(NamedTuple):
    """What a worker gets to do: search number `search`, for the wanted `powers`, until
    `time.monotonic` reads `deadline` or all processes together have spent `nodes`."""

    search: int
    task: SearchTask
    powers: list[str]
    shares: tuple[frozenset[str], ...]
    deadline: float | None
    nodes: int | None


def pack(job: SearchJob, map: Map) -> bytes:
    """A job as bytes, without the map, which the worker has."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    pickler.persistent_id = lambda value: 0 if value is map else None  # type: ignore[method-assign]
    pickler.dump(job)
    return stream.getvalue()


def unpack(content: bytes, map: Map) -> SearchJob:
    """The job that `pack` has made into bytes."""

    def given(_: Any) -> Map:
        return map

    unpickler = pickle.Unpickler(io.BytesIO(content))
    unpickler.persistent_load = given  # type: ignore[method-assign]
    job: SearchJob = unpickler.load()
    return job
