"""The packages import one another one way, and the drawing of them is the one of this tree."""

import re

import pytest

from docs.structure import DRAWING, TOP, Structure, box_of, drawing, levels, numbers, structure

LEVELS_MAX = 12
ARROWS_MAX = 139
PAGE = TOP / "docs" / "architecture.md"


@pytest.fixture(scope="module")
def drawn() -> Structure:
    return structure()


def test_the_packages_stand_on_few_levels_with_few_arrows(drawn: Structure) -> None:
    found = numbers(drawn)
    assert found.levels <= LEVELS_MAX
    assert found.arrows_without_tournaments <= ARROWS_MAX


def test_the_page_states_the_numbers_and_has_a_row_for_every_package(drawn: Structure) -> None:
    page = PAGE.read_text("utf-8")
    assert f"| today | {' | '.join(map(str, numbers(drawn)))} |" in page
    rows = set(re.findall(r"^\| `([a-z._]+)` \| [^|]+ \| [^|]+ \|$", page, re.MULTILINE))
    assert rows == drawn.sizes.keys() - {"games"}


def test_the_page_leads_to_every_other_page() -> None:
    page, docs = PAGE.read_text("utf-8"), TOP / "docs"
    others = {file.name for file in docs.glob("*.md")} - {PAGE.name}
    assert len(others) > 30
    assert others <= set(re.findall(r"\]\(([a-z/-]+\.md)", page))


def test_a_package_stands_above_all_that_it_imports(drawn: Structure) -> None:
    at = levels(drawn)
    assert all(at[box] > at[other] for box, other in drawn.arrows)


def test_packages_that_import_one_another_are_refused() -> None:
    arrows = {("games.a", "games.b"), ("games.b", "games.c"), ("games.c", "games.a")}
    circle = Structure(dict.fromkeys(("games.a", "games.b", "games.c"), (1, 1)), frozenset(arrows))
    with pytest.raises(ValueError, match=r"games\.a → games\.b → games\.c → games\.a"):
        levels(circle)


@pytest.mark.parametrize(
    ("module", "box"),
    [
        ("games.tables.play", "games.tables"),
        ("games.rules.doudizhu.game", "games.rules"),
        ("games.admin", "games.admin"),
        ("wallets.ledger", "wallets"),
        ("casino.players.views", "casino"),
    ],
)
def test_a_module_belongs_to_one_box(module: str, box: str) -> None:
    assert box_of(module) == box


def test_the_drawing_is_current(drawn: Structure) -> None:
    sentence = "the structure has changed: run python -m docs.structure"
    assert DRAWING.read_text("utf-8") == drawing(drawn), sentence
