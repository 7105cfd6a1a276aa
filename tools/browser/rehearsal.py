"""What a page asks until its first answer, without the search: all that it needs is imported and read."""

import gc
import json
from pathlib import Path

import later  # type: ignore[import-not-found] # noqa: F401

from bordeaux.policy.net import WIDE, load_net
from bordeaux.web import analyses
from bordeaux.web.worker import PageHost


def rehearse() -> None:
    """Ask, and leave nothing behind but what was read."""
    host = PageHost(Path("/studies"))
    study = json.loads(host.answer("POST", "/api/studies", '{"start": true}').content)
    open_study = f"/api/studies/{study['id']}"
    for path in ("/api/about", "/api/studies", open_study):
        host.answer("GET", path)
    for path in ("geometry", "course", "review", "nodes/0", "nodes/0/evaluation"):
        host.answer("GET", f"{open_study}/{path}")
    host.answer("POST", f"{open_study}/nodes/0/picture", "{}")
    host.answer("DELETE", open_study)
    for net in ("people", "league", WIDE):
        load_net(net)
    analyses.standard_book()
    gc.collect()
