"""What docs/daide.md shows is run as it stands."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "daide.md").read_text("utf-8")


def test_python_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for text in blocks:
        exec(compile(text, "docs/daide.md", "exec"), {})
