"""The task of a search, as a value that the master sends to the workers."""

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
from bordeaux.search.agreements import Agreement
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.bonds import Bonds
from bordeaux.search.config import SearchConfig
from bordeaux.search.paper.adjustments import AdjustmentSearch
from bordeaux.search.paper.movement import MovementSearch
from bordeaux.search.paper.situation import Situation
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.response import ResponseSearch

Search = ResponseSearch | MovementSearch | AdjustmentSearch
"""A search of any kind."""

__all__ = ["Search", "SearchJob", "SearchTask", "pack", "unpack"]

STRIDE = 0x9E3779B97F4A7C15
"""Distance of the random seeds of two processes of a search."""


class SearchTask(NamedTuple):
    """All inputs of a search: `raised` are the points of regional goals, as for `evaluator`; the rest is as
    for `ResponseSearch`."""

    position: Position
    config: SearchConfig
    seed: int
    seeds: Mapping[str, list[bytes]]
    beliefs: Beliefs
    given: Mapping[str, bytes]
    agreements: tuple[Agreement, ...] = ()
    rules: RuleSet = DATC
    raised: Mapping[str, Mapping[str, float]] = {}

    def without(self, *ideas: str) -> SearchTask:
        """The same without some ideas of the search (`bordeaux.search.ideas`)."""
        return self._replace(config=self.config.without_ideas(*ideas))

    def bonds(self) -> Bonds:
        """The obligations from the agreements, as `agreed` reads them."""
        return Bonds(self.position, self.agreements, self.rules)

    def evaluator(self) -> Evaluator:
        """The evaluation of the task, regional goals included."""
        return evaluator(self.position.map, self.config.evaluation, raised=self.raised)

    def search(self, rendezvous: Rendezvous | None = None, process: int = 0) -> Search:
        """The search of the process with this number: the paper's if candidates are not drawn."""
        if "draws" not in self.config.ideas:
            return self.paper(rendezvous, process)
        value = end_value(self.position.map, self.config.evaluation, self.evaluator())
        return ResponseSearch(
            self.position,
            value,
            self.config,
            seed=self.seed,
            beliefs=self.beliefs,
            given=self.given,
            seeds=self.seeds,
            bonds=self.bonds(),
            rendezvous=rendezvous,
            process=process,
        )

    def paper(
        self, rendezvous: Rendezvous | None = None, process: int = 0
    ) -> MovementSearch | AdjustmentSearch:
        """The search of the paper; process number 0 uses the seed itself. Retreats and adjustments are
        searched in one process."""
        seed = (self.seed + process * STRIDE) % 2**63 if process else self.seed
        judge = self.evaluator()
        ends = end_value(self.position.map, self.config.evaluation, judge)
        if self.position.phase.kind != "M":
            return AdjustmentSearch(
                self.position,
                judge,
                ends=ends,
                seed=seed,
                beliefs=self.beliefs,
                given=self.given,
                ideas=self.config.ideas,
                bonds=self.bonds(),
            )
        situation = Situation(
            self.position,
            judge,
            ends=ends,
            maxims=self.config.obeyed,
            seed=seed,
            seeds=self.seeds,
            beliefs=self.beliefs,
            given=self.given,
            caution=self.config.caution,
            ideas=self.config.ideas,
            rendezvous=rendezvous,
            bonds=self.bonds(),
            anchor=self.config.anchor,
        )
        return MovementSearch(situation)


class SearchJob(NamedTuple):
    """The job of a worker: search number `search`, for the wanted `powers`, until `time.monotonic` reads
    `deadline` or all processes together have used `nodes`."""

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
    """The job from bytes of `pack`."""

    def given(_: Any) -> Map:
        return map

    unpickler = pickle.Unpickler(io.BytesIO(content))
    unpickler.persistent_load = given  # type: ignore[method-assign]
    job: SearchJob = unpickler.load()
    return job
