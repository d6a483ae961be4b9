"""A table is closed in mid-hand and empties; an alarm shows itself, and is taken."""

import os
import re

from playwright.sync_api import Page, expect

from tests.browser.errands import SILENCE
from tests.browser.house import house_of, play_by_itself, sit, tell
from tests.browser.visitors import DESK, PHONE, Visitor
from tests.waiting import until


def look(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at the pages."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def say_why(page: Page, why: str) -> None:
    page.fill("[name=reason]", why)
    page.click("#content form button[type=submit]")


def table_of(page: Page) -> str:
    found = re.search(r"/tables/(\d+)/", page.url)
    assert found, page.url
    return found[1]


def test_a_table_closed_in_mid_hand_empties(visitor: Visitor) -> None:
    alice = visitor("alice")
    sit(alice, "doudizhu")
    alice.wait_for_selector("#live-hand:not([data-hand=''])", state="attached")
    table = table_of(alice)

    operator = visitor("operator", viewport=DESK)
    operator.goto("/admin/floor/")
    card = operator.locator(f"#table-{table}")
    expect(card).to_contain_text("PLAY")
    look(operator, "floor")
    card.click()
    expect(operator.locator(".sheet")).to_contain_text("alice")
    look(operator, "floor-table")
    operator.get_by_role("link", name="Close after this hand…").click()
    expect(operator.locator(".effects")).to_contain_text("player stands up")
    look(operator, "floor-close")
    say_why(operator, "the light is broken")
    expect(operator.get_by_text("The table closes.")).to_be_visible()

    operator.goto("/admin/floor/")
    expect(card).to_have_class(re.compile("closing"))
    # Nobody touches the operator's page: the stream brings it.
    closed = operator.locator(f"#table-{table}.closed")
    until(lambda: play_by_itself(alice) or closed.count())
    expect(card).to_contain_text("operator")
    alice.goto("/wallet/")
    assert alice.locator("main").is_visible()

    # The next test finds the table open.
    operator.goto(f"/admin/floor/tables/{table}/open/")
    say_why(operator, "the light is mended")
    expect(operator.get_by_text("The table is open.")).to_be_visible()


def test_an_alarm_is_taken_by_one(visitor: Visitor) -> None:
    operator = visitor("operator", viewport=DESK)
    operator.goto("/admin/floor/")
    manager = visitor("manager", viewport=PHONE, language="zh-hans", color_scheme="dark")
    tell(house_of(operator), SILENCE)
    strip = operator.locator(".alarms .strip").filter(has_text="worker")
    expect(strip).to_contain_text("nobody has it")
    manager.goto("/admin/floor/")
    look(manager, "floor-phone")
    look(operator, "floor-alarm")
    strip.get_by_role("link", name="I take it…").click()
    look(operator, "alarm")
    say_why(operator, "restarting it")
    expect(operator.get_by_text("You have taken this alarm.")).to_be_visible()
    operator.goto("/admin/alarms/")
    look(operator, "alarms")
    expect(operator.locator("li").filter(has_text="restarting it")).to_contain_text("operator")
    manager.goto("/admin/floor/")
    expect(manager.locator(".alarms .strip").filter(has_text="operator")).to_be_visible()
    operator.goto("/admin/floor/halt/")
    look(operator, "halt")
