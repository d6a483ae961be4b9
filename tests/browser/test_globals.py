"""Our scripts keep their names to themselves, and leave the browser's own as they are."""

import pytest

from tests.browser.visitors import Visitor

# What the libraries define.
LIBRARIES = {"htmx", "Idiomorph"}
# The names of a window, each with whether it is the browser's own function.
NAMES = """() => Object.fromEntries(Object.getOwnPropertyNames(window).map((name) => [
  name,
  typeof window[name] === "function" && /\\[native code\\]/.test(window[name]),
]))"""
CLASSIC = """() => [...document.scripts].filter((one) => one.type !== "module")
  .map((one) => new URL(one.src).pathname.split("/")[2])"""


@pytest.mark.parametrize("game", ["", "chinese_poker", "doudizhu", "baccarat", "blackjack"])
def test_no_page_adds_or_changes_a_global(visitor: Visitor, game: str) -> None:
    page = visitor("alice")
    # A page without a script; browsers ask for its icon.
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.goto("/health/")
    bare = page.evaluate(NAMES)
    page.goto(f"/play/{game}/" if game else "/verify/")
    if game:
        page.click("main button.main")
        page.wait_for_selector("#shoe", state="attached")
        page.wait_for_load_state()
    found = page.evaluate(NAMES)
    assert found.keys() - bare.keys() == LIBRARIES
    assert {name for name in bare if bare[name] != found.get(name)} == set()
    assert set(page.evaluate(CLASSIC)) == {"vendor"}
