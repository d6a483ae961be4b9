"""The lobby in a real browser: it updates by itself and keeps what the visitor has chosen."""

import re

from playwright.sync_api import Route, expect

from tests.browser.house import open_my_seat
from tests.browser.visitors import DESK, Visitor


def asking_nothing_by_itself(route: Route) -> None:
    """The lobby as it would be if it did not also look from time to time."""
    answer = route.fetch()
    text = answer.text()
    assert ", every 30s" in text
    route.fulfill(response=answer, body=text.replace(", every 30s", ""))


def test_the_lobby_shows_who_sits_down_and_keeps_what_was_chosen(visitor: Visitor) -> None:
    looking = visitor("carol", viewport=DESK)
    looking.route(re.compile(r"^http://[^/]+/lobby/$"), asking_nothing_by_itself)
    looking.goto("/lobby/")
    looking.select_option("#game", "all-poker")
    looking.check("text=Hide full")
    expect(looking).to_have_url(re.compile(r"/lobby/\?game=all-poker&open=1$"))
    rows = looking.locator("#tables .row[id^=table-]")
    expect(rows).to_have_count(3)
    neva = rows.filter(has_text="Neva")
    expect(neva).to_contain_text("waiting")

    dave = visitor("dave")
    dave.goto("/lobby/")
    dave.locator(".row", has_text="Neva").get_by_role("link", name="Sit").click()
    dave.get_by_role("button", name="Sit down").click()
    dave.wait_for_selector("#board")

    # The stream announced it: the page does not poll.
    expect(neva.locator("[title=dave]")).to_be_visible()
    expect(neva).to_contain_text("running")
    expect(rows).to_have_count(3)

    # On every page of his, Dave finds his table in one tap.
    dave.goto("/wallet/")
    dave.get_by_role("button", name="My tables and jackpots").click()
    dave.locator("#running-panel").get_by_role("link", name="Neva").click()
    expect(dave).to_have_url(re.compile(r"/tables/\d+/$"))


def test_a_private_table_is_opened_and_joined_by_its_link(visitor: Visitor) -> None:
    alice = visitor("alice", script=False)
    alice.goto("/private/")
    alice.get_by_label("Bots may fill").check()
    alice.get_by_role("button", name="Open").click()
    link = alice.get_by_label("The link to send").input_value()
    bob = visitor("bob")
    bob.goto(link)
    expect(bob.locator("main")).to_contain_text("opened by alice")
    bob.get_by_role("button", name="Sit down").click()
    expect(bob.locator("#board")).to_be_visible()
    alice.reload()
    expect(alice.locator("main")).to_contain_text("At the table: bob")
    alice.get_by_role("button", name="Close the table").click()
    expect(alice.locator("main")).not_to_contain_text("Copy")


def test_a_place_is_kept_until_the_hand_is_over(visitor: Visitor) -> None:
    """Bots play the only table of a game: two clicks lead there, and one is seated by itself."""
    carol, dave = visitor("carol"), visitor("dave", viewport=DESK)
    carol.goto("/play/doudizhu/")
    carol.get_by_role("button", name="Play now").click()
    # While she is to act, the hand does not end.
    carol.wait_for_selector("#moves.mine")
    dave.goto("/")
    dave.get_by_role("link", name=re.compile("^Dou Dizhu .* a point")).click()
    dave.get_by_role("button", name="Play now").click()
    seat = dave.locator("#my-seat")
    expect(seat.get_by_role("status")).to_contain_text("your seat is ready in a moment")
    expect(dave.locator("#running")).to_contain_text("Landlord's yard")
    open_my_seat(carol)
    carol.click("#do-auto-play")
    expect(seat.locator("#seat-menu")).to_be_attached()
    for page in (carol, dave):
        page.goto(page.url)
        open_my_seat(page)
        page.get_by_role("button", name="Leave the table").click()
