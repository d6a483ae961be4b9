"""A page that is cut off says so, and shows the present state when the line is back."""

from typing import Final

from playwright.sync_api import Page, Route

from casino.ops.server.pages import LATE
from tests.browser.driver import press, settled, still
from tests.browser.journeys.house_table import placed, sit_down
from tests.browser.visitors import DESK, Visitor, answered_otherwise, look_again

# What the browser itself notes of lines that are cut.
CUT: Final = ("ERR_INTERNET", "ERR_FAILED", "htmx:", "object Event")


def says(page: Page) -> str:
    return page.inner_text("#messages")


def older_board_replaces_none(page: Page) -> None:
    """A board that was asked for earlier comes late."""
    newest = page.get_attribute("html", "data-settled")
    old = page.inner_html("#board").replace(f'data-version="{newest}"', 'data-version="1"')

    def late(route: Route) -> None:
        route.fulfill(body=old, content_type="text/html")

    answered_otherwise(page, "**/board/", late, times=1)
    with page.expect_response("**/board/"):
        look_again(page)
    still(page)
    assert page.get_attribute("html", "data-settled") == newest


def test_a_line_is_lost_and_comes_back(visitor: Visitor, complaints: list[str]) -> None:
    page, tab = visitor("bob", viewport=DESK), visitor("bob", phone=True)
    sit_down(page, "baccarat")
    tab.goto(page.url)
    page.fill("#chat-text", "is anybody there")
    press(page, "#spot-banker")
    page.context.set_offline(True)
    look_again(page)
    still(page)
    assert "Connection lost, trying again" in says(page)

    # What is put is not bet yet, and the page says so; nothing that was put or typed is gone.
    page.click("#spot-tie")
    page.locator(".betting.lost").wait_for()
    assert "not bet yet" in page.inner_text("#betting-said")
    still(page)
    assert "may not have arrived" in says(page)
    look_again(page)
    still(page)
    assert "may not have arrived" in says(page)
    assert page.locator("#pending-tie").is_visible()

    # The other tab bets. When the line is back the page bets, too, and both say the same.
    press(tab, "#spot-player_pair")
    page.context.set_offline(False)
    settled(page)
    assert placed(page, "player_pair") == placed(tab, "player_pair") == "1"
    assert placed(page, "tie") == "1"
    settled(tab)
    assert placed(tab, "tie") == "1"
    press(page, "#chat-text", "Enter")
    assert "is anybody there" in page.inner_text("#chat-lines")
    assert page.input_value("#chat-text") == ""
    older_board_replaces_none(page)
    assert [
        complaint for complaint in complaints if not any(word in complaint for word in CUT)
    ] == []
    complaints.clear()


def test_a_page_whose_ticket_is_refused_asks_for_another(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol", viewport=DESK)
    sit_down(page, "baccarat")
    # A request that is cut off would be a complaint.
    still(page)
    table = page.url
    # Else this page's own stream, where it is lost, would be the one that is refused.
    page.goto("about:blank")
    opened: list[str] = []
    page.on("request", lambda sent: opened.append(sent.url) if "/live/" in sent.url else None)
    answered_otherwise(page, "**/live/tables/**", lambda route: route.fulfill(status=403), times=1)
    with (
        page.expect_request(lambda _sent: len(opened) > 1),
        page.expect_response("**/tables/*/stream/") as renewed,
    ):
        page.goto(table)
    assert f"{renewed.value.json()['stream']}&" in opened[1]
    still(page)
    assert [complaint for complaint in complaints if "403" not in complaint] == []
    complaints.clear()


def test_what_the_stream_does_not_bring_is_fetched_once(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol", viewport=DESK)
    sit_down(page, "baccarat")
    still(page)
    shown = int(page.get_attribute("html", "data-settled") or 0)
    fetched: list[str] = []
    page.on("request", lambda sent: fetched.append(sent.url) if "/board/" in sent.url else None)
    made = {"Stream-Version": str(shown + 1)}
    stop = answered_otherwise(
        page, "**/act/", lambda route: route.fulfill(status=204, headers=made)
    )
    # What did not arrive is sent until it does.
    with page.expect_response("**/board/"), page.expect_response("**/act/"):
        page.click("#spot-tie")
    with page.expect_response("**/act/"):
        pass
    stop()
    settled(page)
    assert placed(page, "tie") == "1"
    assert len(fetched) == 1
    # A busy house puts a look off, which is no news for the player.
    said = {name.decode(): value.decode() for name, value in LATE.headers}
    page.route("**/board/", lambda route: route.fulfill(status=LATE.status, headers=said))
    with page.expect_response("**/board/"):
        look_again(page)
    still(page)
    assert says(page) == ""
    assert [complaint for complaint in complaints if "503" not in complaint] == []
    complaints.clear()
