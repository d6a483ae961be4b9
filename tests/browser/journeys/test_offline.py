"""Without a connection a page says so, and nothing else of the site is kept."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.browser.driver import go, holds, press, settled
from tests.browser.journeys.house_table import sit_down
from tests.browser.slow_line import a_line
from tests.browser.visitors import DESK, Visitor

# Every address that any cache of this origin holds, with its text.
KEPT: Final = """async () => {
  const kept = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const key of await cache.keys())
      kept[new URL(key.url).pathname] = await (await cache.match(key)).text();
  }
  return kept;
}"""
CONTROLLED: Final = "() => navigator.serviceWorker.controller?.state === 'activated'"
FILES: Final = re.compile(r"/static/(casino/mark\.\w+\.svg|pages/frame\.\w+\.css)")
# What the browser notes of lines that are cut.
CUT: Final = ("net::ERR_", "htmx:", "object Event", "ServiceWorker intercepted")


def come_under_the_worker(page: Page) -> None:
    """Load the page anew: a worker that starts takes over no page that is being loaded."""
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    holds(page, CONTROLLED)


@pytest.mark.engines
def test_a_page_without_a_connection(
    visitor: Visitor, complaints: list[str], house_address: str
) -> None:
    with a_line(house_address) as line:
        page = visitor("bob", viewport=DESK, service_workers="allow", address=line.address)
        sit_down(page, "baccarat")
        table = page.url
        come_under_the_worker(page)
        go(page, "/wallet/")
        go(page, table)
        kept = page.evaluate(KEPT)
        page_kept, *files = sorted(kept)
        assert page_kept == "/offline/"
        assert len(files) == 2
        assert all(map(FILES.fullmatch, files)), files
        assert "bob" not in "".join(kept.values())
        line.cut()
        page.goto(table)
        for language, word in (("en", "Offline"), ("zh-Hans", "离线"), ("zh-Hant", "離線")):
            assert word in page.inner_text(f"section[lang={language}]")
        # Its styles were kept with it.
        corner = page.locator("section.sheet").first
        assert corner.evaluate("one => getComputedStyle(one).borderRadius") != "0px"
        line.mend()
        page.get_by_role("link", name="Try again").click()
        settled(page)
        assert page.url == table
        assert page.locator("#board").is_visible()
        press(page, "#spot-banker")
        page.close()
    assert [
        complaint for complaint in complaints if not any(word in complaint for word in CUT)
    ] == []
    complaints.clear()
