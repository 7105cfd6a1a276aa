"""What docs/metamap.md shows is run as it stands, and gives values of the form that it shows."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs" / "metamap.md"


def test_the_example_of_the_docs_runs() -> None:
    code = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert len(code) == 1
    names: dict[str, Any] = {}
    exec(compile(code[0], str(DOCS), "exec"), names)
    answer = re.search(r"goals\.regions +# (.+)", code[0])
    assert answer is not None
    regions, shown = names["goals"].regions, ast.literal_eval(answer[1])
    assert [type(part) for part in regions[0]] == [type(part) for part in shown[0]]
