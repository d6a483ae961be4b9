"""An auditor finds a hand by its cards, replays and proves it, and takes away what proves it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from casino.players import staff
from games.models import Hand
from games.records import card_index
from games.shoes import chain
from tests.browser.house_here import page_at, sign_in
from tests.browser.visitors import DESK
from tests.browser.width import too_wide
from tests.games.house import House

pytestmark = pytest.mark.release


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, complaints: list[str]) -> Iterator[Page]:
    with page_at(browser, live_server.url, complaints, DESK) as page:
        yield page


def a_hand_that_is_over(house: House) -> Hand:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    number = table.hand_id
    house.until(table, lambda table: table.hand_id != number)
    chain.link()
    hand = Hand.objects.get(pk=number)
    assert card_index.index(Hand.objects.filter(pk=number)) == 1
    return hand


def test_an_auditor_finds_a_hand_and_packs_it(page: Page, tmp_path: Path) -> None:
    house = House()
    hand = a_hand_that_is_over(house)
    staff.appoint(house.player("ada", 0), "auditors")
    sign_in(page, house, "ada")

    page.goto("/history/")
    page.click(".filters summary")
    for cards, found in (("dealer 17", 0), ("BJ", 1)):
        page.fill("[name=cards]", cards)
        page.click(".filter button")
        page.wait_for_url("**cards=**")
        expect(page.locator(f"main a[href*='/history/{hand.pk}/']")).to_have_count(found)
    assert too_wide(page) <= 0

    page.goto(f"/admin/hands/{hand.code}/")
    page.click("[name=open]")
    expect(page.get_by_text("You see all cards; this has been recorded.")).to_be_visible()
    page.goto(f"/history/{hand.pk}/")
    page.keyboard.press("Home")
    expect(page.locator("#step-text")).to_contain_text("The hand begins.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#step-text")).to_contain_text(re.compile("alice|bob|carol"))
    expect(page.locator("#proof-said")).to_contain_text("✓")

    page.goto(f"/admin/evidence/?kind=hand&name={hand.code}")
    page.fill("[name=reason]", "a complaint of carol's")
    with page.expect_download() as download:
        page.click("#content form button[type=submit]")
    package = tmp_path / "package.zip"
    download.value.save_as(package)
    assert check(package) == 0
    whole = package.read_bytes()
    package.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    assert check(package) == 1
    page.goto("/admin/journal/")
    expect(page.locator("tr[id^=entry-]").first).to_contain_text("a complaint of carol's")


def check(package: Path) -> int:
    """The verdict of a Python that has nothing but its own library."""
    command = [sys.executable, "-I", "-S", "docs/verify.py", str(package)]
    return subprocess.run(command, check=False, capture_output=True).returncode
