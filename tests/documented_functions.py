"""The functions that docs/api.md gives to programs which take part in mixing shoes."""

import re
from functools import cache
from pathlib import Path
from typing import Any

API = Path(__file__).parents[1] / "docs" / "api.md"


@cache
def functions_for_mixing() -> dict[str, Any]:
    """The page has other programs too; these functions stand in the one that computes the lock."""
    (shown,) = (
        program
        for program in re.findall(r"```python\n(.*?)```", API.read_text(), re.DOTALL)
        if "def lock_of(" in program
    )
    names: dict[str, Any] = {}
    exec(shown, names)
    return names
