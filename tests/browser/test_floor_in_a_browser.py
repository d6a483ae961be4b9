"""A table is closed in mid-hand and empties; an alarm shows itself, and is taken."""

import os

import pytest
from playwright.sync_api import Page, expect

from tests.browser.errands import SILENCE
from tests.browser.house import house_of, tell
from tests.browser.visitors import DESK, PHONE, Visitor

pytestmark = pytest.mark.release


def look(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at the pages."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def say_why(page: Page, why: str) -> None:
    page.fill("[name=reason]", why)
    page.click("#content form button[type=submit]")


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
