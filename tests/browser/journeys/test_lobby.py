"""The lobby updates by itself, and keeps what its visitor has chosen."""

import re
from typing import Final

import pytest

from tests.browser.driver import go, press, settled, still
from tests.browser.visitors import DESK, Visitor
from tests.waiting import until

# The lobby as it would be if it did not also look from time to time.
ONLY_THE_STREAM: Final = """() => {
  const part = document.querySelector("[hx-trigger*=' every ']");
  part.setAttribute("hx-trigger", part.getAttribute("hx-trigger").replace(/, every \\w+/, ""));
  htmx.process(part);
}"""


@pytest.mark.engines
def test_the_lobby_shows_who_sits_down(visitor: Visitor) -> None:
    looking = visitor("carol", viewport=DESK)
    go(looking, "/lobby/")
    looking.locator("#filter summary").click()
    looking.select_option("#game", "all-poker")
    looking.get_by_label("Hide full").check()
    settled(looking)
    looking.evaluate(ONLY_THE_STREAM)
    assert looking.url.endswith("/lobby/?game=all-poker&open=1")
    rows = looking.locator("#tables .row[id^=table-]")
    assert rows.count() == 2
    neva = rows.filter(has_text="Neva")
    assert looking.locator(".empty-tables .row").filter(has_text="Neva").count() == 1

    dave = visitor("dave", phone=True)
    go(dave, "/lobby/")
    press(dave, dave.locator(".row", has_text="Neva").get_by_role("button", name="Sit"))
    assert dave.locator("#board").is_visible()

    # The stream announces it: a lobby has no version to wait for.
    until(lambda: still(looking) or neva.locator("[title=dave]").is_visible())
    assert looking.locator(".empty-tables .row").filter(has_text="Neva").count() == 0
    assert rows.count() == 2

    # On every page of his, Dave finds his table in one tap.
    go(dave, "/wallet/")
    press(dave, dave.get_by_role("button", name="My tables and jackpots"))
    press(dave, dave.locator("#running-panel").get_by_role("link", name="Neva"))
    assert re.search(r"/tables/\d+/$", dave.url)
