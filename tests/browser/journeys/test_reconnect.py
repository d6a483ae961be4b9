"""A page that is cut off says so, and shows the present state when the line is back."""

from typing import Final

from playwright.sync_api import Page, Route

from tests.browser.driver import press, settled, still
from tests.browser.journeys.house_table import placed, sit_down
from tests.browser.visitors import DESK, Visitor, look_again

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

    page.route("**/board/?*", late)
    with page.expect_response("**/board/?*"):
        look_again(page)
    still(page)
    page.unroute("**/board/?*")
    assert page.get_attribute("html", "data-settled") == newest


def other_pieces_replace_none(page: Page) -> None:
    """A board stands for pieces that the page does not have, so the page asks once more."""
    felt, named = page.inner_html("#felt"), list[str]()

    def answer(route: Route) -> None:
        named.append(route.request.headers["known"])
        if len(named) > 1:
            route.continue_()
        else:
            strange = '<section id="felt" data-same="00000000"></section>'
            route.fulfill(body=strange, content_type="text/html")

    page.route("**/board/?*", answer)
    with page.expect_response(lambda response: bool(named[1:]) and "/board/" in response.url):
        look_again(page)
    still(page)
    page.unroute("**/board/?*")
    assert len(named[0]) > 8
    assert named[0] == named[1]
    assert page.inner_html("#felt") == felt


def test_a_line_is_lost_and_comes_back(visitor: Visitor, complaints: list[str]) -> None:
    page, tab = visitor("bob", viewport=DESK), visitor("bob", phone=True)
    sit_down(page, "baccarat")
    tab.goto(page.url)
    page.fill("#chat-text", "is anybody there")
    for spot in ("banker", "tie"):
        press(page, f"#spot-{spot}")
    page.context.set_offline(True)
    look_again(page)
    still(page)
    assert "Connection lost, trying again" in says(page)

    # What was done is not sent, and the page says so; nothing that was put or typed is gone.
    page.click("[data-bet=place]")
    still(page)
    assert "may not have arrived" in says(page)
    look_again(page)
    still(page)
    assert "may not have arrived" in says(page)
    assert page.locator("#pending-tie").is_visible()

    # The other tab bets. When the line is back both say the same.
    press(tab, "#spot-player_pair")
    press(tab, "[data-bet=place]")
    page.context.set_offline(False)
    settled(page)
    assert placed(page, "player_pair") == placed(tab, "player_pair") == "1"
    assert "The connection is back" in says(page)
    press(page, "[data-bet=place]")
    assert says(page) == ""
    settled(tab)
    assert placed(tab, "tie") == "1"
    press(page, "#chat-text", "Enter")
    assert "is anybody there" in page.inner_text("#chat-lines")
    assert page.input_value("#chat-text") == ""
    older_board_replaces_none(page)
    other_pieces_replace_none(page)
    assert [one for one in complaints if not any(word in one for word in CUT)] == []
    complaints.clear()


def test_a_page_whose_ticket_is_refused_asks_for_another(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol", viewport=DESK)
    sit_down(page, "baccarat")
    opened: list[str] = []
    page.on("request", lambda sent: opened.append(sent.url) if "/live/" in sent.url else None)
    page.route("**/live/tables/**", lambda route: route.fulfill(status=403), times=1)
    with (
        page.expect_request(lambda _sent: len(opened) > 1),
        page.expect_response("**/tables/*/stream/") as renewed,
    ):
        page.reload()
    assert opened[1].endswith(renewed.value.json()["stream"])
    still(page)
    assert [one for one in complaints if "403" not in one] == []
    complaints.clear()
