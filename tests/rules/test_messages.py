"""The sentences of settlement lines: each reason that a game's page names has one."""

import re
from pathlib import Path

import pytest

from games.rules.messages import SENTENCES, sentence
from games.rules.settlement import Line

PAGES = sorted((Path(__file__).parents[2] / "docs" / "rules").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_reason_of_a_page_has_a_sentence(page: Path) -> None:
    section = page.read_text(encoding="utf-8").split("\n## Reasons in a settlement\n")[1]
    rows = [line for line in section.split("\n## ")[0].splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall("`([a-z_]+)`", row.split("|")[1])}
    assert named
    assert named <= set(SENTENCES)


def test_a_sentence_names_who_pays_whom_and_why() -> None:
    line = Line("call", 2, 1, 300, {"points": 3, "point": 100})
    assert sentence(line) == "1 wins the call of 3 from 2, at 100 a point"
