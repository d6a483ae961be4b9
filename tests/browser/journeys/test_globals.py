"""Our scripts keep their names to themselves, and leave the browser's own as they are."""

from typing import Final

import pytest

from tests.browser.driver import go
from tests.browser.journeys.house_table import sit_down
from tests.browser.visitors import Visitor

# What the libraries define.
LIBRARIES: Final = {"htmx", "Idiomorph"}
# The names of a window, each with whether it is the browser's own function.
NAMES: Final = """() => Object.fromEntries(Object.getOwnPropertyNames(window).map((name) => [
  name,
  typeof window[name] === "function" && /\\[native code\\]/.test(window[name]),
]))"""
CLASSIC: Final = """() => [...document.scripts].filter((one) => one.type !== "module")
  .map((one) => new URL(one.src).pathname.split("/")[2])"""


@pytest.mark.release
def test_no_page_adds_or_changes_a_global(visitor: Visitor) -> None:
    page = visitor("alice")
    # A page without a script; browsers ask for its icon.
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.goto("/health/")
    bare = page.evaluate(NAMES)
    for game in ("", "doudizhu", "baccarat", "chinese_poker"):
        if game:
            sit_down(page, game)
        else:
            go(page, "/verify/")
        names = page.evaluate(NAMES)
        assert names.keys() - bare.keys() == LIBRARIES
        assert {name for name in bare if bare[name] != names.get(name)} == set()
        assert set(page.evaluate(CLASSIC)) == {"vendor"}
