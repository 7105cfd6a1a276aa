"""What a page does until its first answer; gives the files that it has opened, in `used`. Run by pack.mjs."""

import sys

used: set[str] = set()
sys.addaudithook(lambda event, values: used.add(str(values[0])[1:]) if event == "open" else None)

from rehearsal import rehearse  # type: ignore[import-not-found] # noqa: E402

from bordeaux import Engine, Position  # noqa: E402
from bordeaux.web import analyses  # noqa: E402

rehearse()
analyses.search(None)
with Engine(seed=0) as engine:
    engine.search_all(Position.start(), nodes=500)
used |= {str(getattr(module, "__file__", ""))[1:] for module in sys.modules.values()}
