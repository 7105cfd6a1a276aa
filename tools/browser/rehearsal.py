"""What a page asks until its first answer, without the search: all that it needs is imported and read."""

import gc
import json
from pathlib import Path
from typing import Any

import later  # type: ignore[import-not-found] # noqa: F401

from bordeaux.policy.net import WIDE, load_net
from bordeaux.web.worker import PageHost


def rehearse() -> None:
    """Ask, and leave nothing behind but what was read."""
    # The largest first: the others find room where it was read.
    for net in (WIDE, "people", "league"):
        load_net(net)
    host = PageHost(Path("/studies"))

    def ask(method: str, path: str, body: str | None = None) -> Any:
        reply = host.answer(method, path, body)
        assert reply.status == 200, f"{method} {path}: {reply.content!r}"
        return reply.content

    study = json.loads(ask("POST", "/api/studies", '{"start": true}'))
    open_study = f"/api/studies/{study['id']}"
    for path in ("/api/about", "/api/studies", open_study):
        ask("GET", path)
    for path in ("geometry", "course", "review", "nodes/0", "nodes/0/evaluation"):
        ask("GET", f"{open_study}/{path}")
    ask("POST", f"{open_study}/nodes/0/picture", "{}")
    ask("DELETE", open_study)
    gc.collect()
