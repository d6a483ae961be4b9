"""A friends' evening as its host and a friend on a phone see it, from the form to the rematch."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from casino.evenings.scores import counted
from games.models import Table
from games.tables import seating
from tests.browser.house_here import page_at, sign_in
from tests.browser.visitors import DESK, PHONE
from tests.browser.width import too_wide
from tests.games.house import House


@pytest.fixture
def host(browser: Browser, live_server: LiveServer, complaints: list[str]) -> Iterator[Page]:
    with page_at(browser, live_server.url, complaints, DESK) as page:
        yield page


@pytest.fixture
def friend(browser: Browser, live_server: LiveServer, complaints: list[str]) -> Iterator[Page]:
    with page_at(browser, live_server.url, complaints, PHONE) as page:
        yield page


def fits(page: Page) -> bool:
    return too_wide(page) <= 0


def is_over(table: Table) -> bool:
    return counted(table.pk) == 1 and not table.seats.filter(left_at=None).exists()


def test_an_evening_from_its_form_to_the_rematch(host: Page, friend: Page) -> None:
    house = House()
    people = [house.player(name, money=0) for name in ("alice", "bob", "carol")]
    sign_in(host, house, "alice")
    host.goto("/evenings/?game=doudizhu")
    host.get_by_label("Number of hands").fill("1")
    host.get_by_role("button", name="Open the evening").click()
    link = host.locator("#link").input_value()
    host.get_by_text("Show as a QR code").click()
    expect(host.locator("svg.qr")).to_be_visible()
    sign_in(friend, house, "bob")
    friend.goto(link)
    expect(friend.locator("#evening")).to_contain_text("3 more players have sat down")
    expect(friend.get_by_role("button", name="Sit down")).to_be_visible()
    assert fits(friend)

    # The pages of this house have no streams, so nobody stands at the table itself.
    table = Table.objects.get()
    for number, player in enumerate(people, 1):
        seating.sit(player, table.pk, number, table.buy_in_min, house.now, table.invitation)
    house.until(table, is_over)

    friend.goto(link)
    expect(friend.get_by_role("heading", name="Final result")).to_be_visible()
    expect(friend.locator(".scores li")).to_have_count(3)
    assert fits(friend)
    friend.get_by_role("button", name="Rematch").click()
    expect(friend.locator("#link")).to_be_visible()
    host.goto(link)
    host.get_by_role("link", name="To the rematch").click()
    expect(host.get_by_role("heading", name=Table.objects.latest("pk").name)).to_be_visible()
