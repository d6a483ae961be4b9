"""Templates are read by people, too: no line is wider than a screen."""

import re
from pathlib import Path
from typing import Final

import pytest

from casino.settings import BASE_DIR

WIDEST: Final = 160
TEMPLATES: Final = BASE_DIR / "templates"


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.name)
def test_the_lines_of_a_template_fit_a_screen(path: Path) -> None:
    wide = [
        f"{path.relative_to(BASE_DIR)}:{number}"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > WIDEST
    ]
    assert not wide


def test_how_an_answer_gets_into_the_page_stands_once() -> None:
    """Elements that fetch themselves have no target: each says how it is renewed."""
    swaps = re.compile(r'hx-target="[^"]+"\s+hx-swap="morph:innerHTML"')
    found = [path for path in TEMPLATES.rglob("*.html") if swaps.search(path.read_text())]
    assert [path.name for path in found] == ["swap.html"]


def test_every_list_to_choose_from_is_a_form_field() -> None:
    found = [path for path in TEMPLATES.rglob("*.html") if "<select" in path.read_text()]
    assert [path.name for path in found] == ["select.html"]
