"""A player is frozen by one, unfrozen by two, and an auditor reads all of it in the journal."""

import os
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.visitors import DESK, Visitor


def look(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at the pages."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def press(page: Page, what: str) -> None:
    """Follow a button of the page, which may stand in a menu."""
    page.goto(page.locator(f"a[href$='/{what}/']").first.get_attribute("href") or "")


def say_why(page: Page, why: str) -> None:
    page.fill("[name=reason]", why)
    page.click("#content form button[type=submit]")


def test_two_people_unfreeze_a_player(visitor: Visitor, sessions: dict[str, list[Any]]) -> None:
    # One who is frozen is signed out everywhere.
    sessions.pop("dave", None)
    operator = visitor("operator", viewport=DESK)
    operator.goto("/admin/players/player/?q=dave")
    operator.click("#result_list a[href$='/change/'], #result_list a[href*='/change/?']")
    press(operator, "freeze")
    look(operator, "freeze")
    say_why(operator, "asked us to")
    expect(operator.get_by_text("The player is frozen.")).to_be_visible()
    press(operator, "unfreeze")
    say_why(operator, "asked again")
    expect(operator.get_by_text("somebody else must decide")).to_be_visible()
    assert operator.locator("[name=approve]").count() == 0
    address = operator.url
    look(operator, "proposal-of-the-maker")

    manager = visitor("manager", viewport=DESK)
    manager.goto("/admin/approvals/")
    expect(manager.get_by_text("waiting for you")).to_be_visible()
    look(manager, "approvals")
    manager.goto(address)
    manager.fill("[name=reason]", "spoke to him")
    look(manager, "proposal")
    manager.click("[name=approve]")
    expect(manager.get_by_text("Approved, and carried out.")).to_be_visible()
    look(manager, "approved")
    manager.goto("/admin/limits/")
    look(manager, "limits")

    auditor = visitor("auditor", viewport=DESK)
    auditor.goto("/admin/journal/")
    auditor.fill("[name=person]", "operator")
    auditor.get_by_role("button", name="Search").click()
    rows = auditor.locator("tr[id^=entry-]")
    expect(rows.filter(has_text="Froze a player")).to_contain_text("asked us to")
    expect(rows.filter(has_text="Unfreeze a player").last).to_contain_text("asked again")
    auditor.goto("/admin/journal/")
    look(auditor, "journal")
    expect(rows.filter(has_text="spoke to him")).to_contain_text("manager")
