"""The job of a worker as bytes, which the master sends."""

from __future__ import annotations

import io
import pickle
from typing import Any, NamedTuple

from bordeaux.board.map import Map
from bordeaux.search.task import SearchTask

__all__ = ["SearchJob", "pack", "unpack"]


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
