"""What the theme of the back office says is translated, though the theme brings no catalogue."""

import re
from pathlib import Path
from typing import Final

import pytest
import unfold
from django.utils import translation

from casino.backoffice import theme_templates

TEMPLATES: Final = Path(unfold.__file__).parent / "templates"
# For forms that another package lays out, which the house does not use.
ELSEWHERE: Final = "unfold_crispy/"
WORDS: Final = re.compile(r"""\{%\s*trans(?:late)?\s+(["'])(.+?)\1""")


def words() -> list[str]:
    found: set[str] = set()
    for file in TEMPLATES.rglob("*.html"):
        name = file.relative_to(TEMPLATES).as_posix()
        if not name.startswith(ELSEWHERE):
            text = theme_templates.mend(name, file.read_text())
            found.update(match[2] for match in WORDS.finditer(text))
    return sorted(found)


def test_the_theme_says_something() -> None:
    assert len(words()) > 50


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
def test_all_that_the_theme_says_is_translated(language: str) -> None:
    with translation.override(language):
        assert [one for one in words() if translation.gettext(one) == one] == []
