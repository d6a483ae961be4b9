"""What a scene is, and how to add one.

The scenes are tuples in modules of this folder: `pages` has those of the house's pages, `tables`
and `house_tables` those of tables, and `stress` the states that no drawing shows.

    Scene("phone-blackjack-bet", betting, "alice", size=PHONE, differs="...")

`make` gets a house with its clock at the present and whatever a test of positions uses
(`tests/browser/positions.py`, `deal_first` by the patch): it plays to the state that is drawn and
returns the address of the page. Each scene has a house and a process of its own.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.games.house import House

PHONE: Final = ViewportSize(width=390, height=844)
LOW_PHONE: Final = ViewportSize(width=390, height=664)
DESK: Final = ViewportSize(width=1440, height=900)


def as_it_is(page: Page) -> None:
    """The page as it was loaded."""


class Scene(NamedTuple):
    # The name of the drawing.
    drawing: str
    make: Callable[[House, pytest.MonkeyPatch], str]
    # Whose page it is; empty for a visitor.
    who: str = ""
    size: ViewportSize = PHONE
    language: str = "en"
    theme: str = "dark"
    # The page down to its end.
    whole: bool = False
    # What is pressed before the picture is taken.
    pose: Callable[[Page], None] = as_it_is
    # What still differs, and why.
    differs: str = ""
