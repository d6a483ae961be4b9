"""What a new board moves glides to its new place: the browser counts no layout shift."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.driver import holds

pytestmark = pytest.mark.release

STATIC: Final = Path(__file__).parents[2] / "static"
BOARD: Final = """<style>
  #board, #seat, #plate { width: 300px; padding: 20px; background: tan }
  #room { height: 0 }
</style>
<div id="board"><div id="room"></div><div id="seat"><div id="plate">Alice</div></div></div>
<script type="module">
  import { land, look } from "/games/glide.js";
  window.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
    .observe({ type: "layout-shift" });
  window.change = ({ room = 0, seat = 20, left = 0, width = 300, glides = true }) => {
    if (glides) look();
    document.getElementById("room").style.height = `${room}px`;
    const { style } = document.getElementById("seat");
    style.paddingTop = `${seat}px`;
    style.marginLeft = `${left}px`;
    style.width = `${width}px`;
    if (glides) land();
  };
</script>"""
GLIDING: Final = (
    "document.getAnimations().map(({ effect }) => effect.target.id || effect.target.className)"
)
# The browser reports a shift with the frame in which it happens.
DRAWN: Final = "new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)))"


@pytest.fixture
def board(browser: Browser) -> Iterator[Page]:
    def serve(route: Route) -> None:
        path = route.request.url.partition("//glide.test/")[2]
        if path:
            route.fulfill(path=STATIC / path)
        else:
            route.fulfill(body=BOARD, content_type="text/html")

    page = browser.new_page(viewport={"width": 400, "height": 600})
    page.route("http://glide.test/**", serve)
    page.goto("http://glide.test/")
    holds(page, "window.change !== undefined")
    page.evaluate(DRAWN)
    yield page
    page.close()


def moved(board: Page, **change: object) -> tuple[list[str], float]:
    """What glides after a change, and how much the browser saw jump."""
    gliding = board.evaluate(f"(change) => {{ window.change(change); return {GLIDING} }}", change)
    board.evaluate(DRAWN)
    return gliding, board.evaluate("shifts.splice(0).reduce((sum, one) => sum + one, 0)")


def test_a_part_that_moves_glides_and_carries_what_stands_in_it(board: Page) -> None:
    assert moved(board, room=200) == (["seat"], 0)


def test_a_part_goes_the_rest_of_its_way_by_itself(board: Page) -> None:
    assert moved(board, room=200, seat=120) == (["seat", "plate"], 0)


def test_a_second_change_continues_the_motion_of_the_first(board: Page) -> None:
    start, then = board.evaluate("""() => {
      const where = () => document.getElementById("seat").getBoundingClientRect().y;
      const start = where();
      change({ room: 200 });
      change({ room: 100 });
      return [start, where()];
    }""")
    assert then == start


def test_without_it_the_browser_sees_a_jump(board: Page) -> None:
    gliding, shifted = moved(board, room=200, glides=False)
    assert not gliding
    assert shifted > 0


def test_nothing_glides_under_reduced_motion(board: Page) -> None:
    board.emulate_media(reduced_motion="reduce")
    assert moved(board, room=200)[0] == []


def test_a_part_that_becomes_wide_does_not_widen_the_page(board: Page) -> None:
    moved(board, left=40, width=100)
    # A glide that still runs would take back some of the next one's way.
    board.evaluate("document.getAnimations().forEach((one) => one.finish())")
    width = board.evaluate("""() => {
      change({ width: 330 });
      return document.documentElement.scrollWidth;
    }""")
    assert width == 400
