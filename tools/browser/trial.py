"""What a page does until its first answer; gives the files that it has opened, in `used`. Run by pack.mjs."""

import json
import sys
from pathlib import Path

used: set[str] = set()
sys.addaudithook(lambda event, values: used.add(str(values[0])[1:]) if event == "open" else None)

import later  # type: ignore[import-not-found] # noqa: E402, F401

from bordeaux import Engine, Position  # noqa: E402
from bordeaux.web import analyses  # noqa: E402, F401
from bordeaux.web.worker import PageHost  # noqa: E402

host = PageHost(Path("/studies"))
study = json.loads(host.answer("POST", "/api/studies", '{"start": true}').content)
open_study = f"/api/studies/{study['id']}"
for path in ("/api/about", "/api/studies", open_study):
    host.answer("GET", path)
for path in ("geometry", "course", "review", "nodes/0", "nodes/0/evaluation", "nodes/0/people"):
    host.answer("GET", f"{open_study}/{path}")
host.answer("POST", f"{open_study}/nodes/0/picture", "{}")
with Engine(seed=0) as engine:
    engine.search_all(Position.start(), nodes=500)
used |= {str(getattr(module, "__file__", ""))[1:] for module in sys.modules.values()}
