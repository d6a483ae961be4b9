"""The packages import one another one way, and the drawing of them is the one of this tree."""

import pytest

from docs.structure import DRAWING, Structure, box_of, drawing, levels, structure

LEVELS_MAX = 12
ARROWS_MAX = 126
# What the site and tournaments import says nothing of how the games are built.
ABOVE = ("casino", "tournaments")


def test_the_packages_stand_on_few_levels_with_few_arrows() -> None:
    drawn = structure()
    assert {"games.rules", "games.tables", "games.families", "wallets", "casino"} <= set(
        drawn.sizes
    )
    assert max(levels(drawn).values()) + 1 <= LEVELS_MAX
    assert len([one for one in drawn.arrows if one[0] not in ABOVE]) <= ARROWS_MAX


def test_a_package_stands_above_all_that_it_imports() -> None:
    drawn = structure()
    at = levels(drawn)
    assert all(at[box] > at[other] for box, other in drawn.arrows)


def test_packages_that_import_one_another_are_refused() -> None:
    arrows = {("games.a", "games.b"), ("games.b", "games.c"), ("games.c", "games.a")}
    drawn = Structure(dict.fromkeys(("games.a", "games.b", "games.c"), (1, 1)), frozenset(arrows))
    with pytest.raises(ValueError, match=r"games\.a → games\.b → games\.c → games\.a"):
        levels(drawn)


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


def test_the_drawing_is_current() -> None:
    sentence = "the structure has changed: run python -m docs.structure"
    assert DRAWING.read_text("utf-8") == drawing(structure()), sentence
