"""What goes wrong at a table: each time the page ends as it should, and says what has happened."""

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.house import open_my_seat
from tests.browser.play_round import sit_down
from tests.browser.visitors import DESK, Visitor, answered_otherwise

TABLE = re.compile(r"(?<!/live)/tables/\d+/$")
# What the browser itself notes of refusals and of lines that are cut.
NOTED = re.compile(r"40[0-9]|50[0-9]|ERR_FAILED|ERR_INTERNET|htmx:|object Event")


def bet_on(page: Page, spot: str) -> str:
    return page.locator(f"#spot-{spot} .pile:not(.pending) b").inner_text()


def asking_nothing_by_itself(route: Route) -> None:
    """The table as it would be if it did not also look from time to time."""
    answer = route.fetch()
    text = answer.text()
    assert ", every 10s" in text
    route.fulfill(response=answer, body=text.replace(", every 10s", ""))


def messages(page: Page, words: str) -> None:
    expect(page.locator("#messages")).to_contain_text(words)


def noted(complaints: list[str]) -> None:
    assert [complaint for complaint in complaints if not NOTED.search(complaint)] == []
    complaints.clear()


def test_no_stream_another_language_and_the_way_back(
    visitor: Visitor, complaints: list[str]
) -> None:
    page, tab = visitor("dave", viewport=DESK), visitor("dave")
    sit_down(page, "baccarat")
    tab.goto(page.url)
    # Without a stream it is asked for when one looks again: a phone that has slept.
    page.route("**/live/**", lambda route: route.fulfill(status=503))
    stop = answered_otherwise(page, TABLE, asking_nothing_by_itself)
    page.reload()
    tab.click("#spot-banker_pair")
    expect(tab.locator("#spot-banker_pair .pile:not(.pending)")).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#spot-banker_pair .pile:not(.pending)")).to_be_visible()

    stop()

    # Another language in the middle of it, and back to a page that was left.
    page.goto("/wallet/")
    page.go_back()
    page.get_by_role("button", name="简体").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    assert bet_on(page, "banker_pair") == bet_on(tab, "banker_pair")
    # The language is the player's, on every device.
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    noted(complaints)


def test_a_house_that_fails_and_a_session_that_ends(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol", viewport=DESK)
    sit_down(page, "baccarat_commission")
    stop = answered_otherwise(
        page, "**/act/", lambda route: route.fulfill(status=500, body="<h1>no</h1>")
    )
    page.click("#spot-banker")
    messages(page, "Something went wrong on our side")
    expect(page.locator("#pending-banker")).to_be_visible()
    stop()
    expect(page.locator("#spot-banker .pile:not(.pending)")).to_be_visible()
    expect(page.locator("#messages")).to_be_empty()

    # The player has signed in again in another tab: this page is older than that.
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    page.context.clear_cookies(name="csrftoken")
    open_my_seat(page)
    page.click("#do-sit")
    messages(page, "open too long")
    page.context.add_cookies([cookies["csrftoken"]])  # type: ignore[list-item]
    page.click("#do-sit")
    expect(page.locator("#do-sit")).to_have_text("Sit in")
    expect(page.locator("#messages")).to_be_empty()
    page.click("#do-sit")
    expect(page.locator("#do-sit")).to_have_text("Sit out")

    # The session has ended: one is led to sign in, and back.
    address = page.url
    page.context.clear_cookies(name="sessionid")
    page.press("#chat-text", "Enter")
    expect(page).to_have_url(re.compile("sign-in"))
    page.fill("[name=username]", "carol")
    page.fill("[name=password]", "demo-carol")
    page.click("main button.main")
    expect(page).to_have_url(address)
    noted(complaints)


def test_a_table_that_closes_under_its_players(visitor: Visitor, complaints: list[str]) -> None:
    host = visitor("dave", viewport=DESK)
    host.goto("/private/")
    host.click("main form button.main")
    host.locator("#link").wait_for()
    settings = host.url
    host.get_by_role("button", name="Sit down").click()
    host.wait_for_selector("#seat-menu", state="attached")
    other = host.context.new_page()
    other.goto(settings)
    other.get_by_role("button", name="Close the table").click()
    expect(host.locator("#board")).to_contain_text("closed")
    expect(host.locator("#moves form")).to_have_count(0)
    noted(complaints)


def test_road_maps_that_were_refused_come_later(visitor: Visitor, complaints: list[str]) -> None:
    page = visitor("carol", viewport=DESK)
    sit_down(page, "baccarat")
    busy = "**/roads/"
    answered_otherwise(page, busy, lambda route: route.fulfill(status=503), times=1)
    with page.expect_response(lambda answer: answer.url.endswith("/roads/") and answer.ok):
        page.evaluate("htmx.trigger('#roads', 'renew')")
    noted(complaints)
