"""The theme of the back office works under a policy that evaluates nothing."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visitors import DESK, PHONE, Visitor

pytestmark = pytest.mark.release


def test_the_office_works_without_evaluation(visitor: Visitor) -> None:
    """Sidebar, search, theme, a list, its filters and actions, a form: the console is silent."""
    page = visitor("operator", viewport=DESK)
    answer = page.goto("/admin/games/table/")
    assert answer is not None
    assert "unsafe-eval" not in answer.headers["content-security-policy"]
    sidebar = page.locator("#nav-sidebar")
    expect(sidebar).to_be_visible()
    page.get_by_text("dock_to_right").first.click()
    expect(sidebar).to_be_hidden()
    page.reload()
    expect(sidebar).to_be_hidden()
    page.get_by_text("dock_to_right").first.click()
    expect(sidebar).to_be_visible()

    page.keyboard.press("Control+k")
    field = page.locator("#search-input-command")
    expect(field).to_be_focused()
    field.press_sequentially("jackpots")
    expect(page.locator("#command-results")).to_contain_text("Jackpots")
    field.press("Escape")
    expect(field).to_have_value("")
    field.press("Escape")
    expect(field).to_be_hidden()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    field.press_sequentially("jackpots")
    expect(page.locator("#command-results li.active")).to_contain_text("Jackpots")
    field.press("Enter")
    page.wait_for_url("**/admin/wallets/jackpot/")

    page.locator("[x-on\\:click^=openUserLinks]").click()
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_class(re.compile("dark"))

    page.goto("/admin/wallets/currency/add/?kept=1")
    form = page.locator("#currency_form")
    expect(form).to_have_attribute("action", "/admin/wallets/currency/add/?kept=1")
    page.fill("[name=reason]", " ")
    page.locator("[name=_save]").click()
    expect(page.locator("#content")).to_contain_text("This field is required.")
    page.goto("/admin/wallets/jackpot/add/")
    page.goto("/admin/games/hand/")
    page.goto("/admin/players/player/")


def top(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["y"]


def test_on_a_phone_a_row_is_one_line_and_controls_are_folded(visitor: Visitor) -> None:
    page = visitor("manager", viewport=PHONE)
    page.goto("/admin/players/player/")
    rows, second = page.locator("tr.one-line"), page.locator("tr.one-line").nth(1)
    assert top(rows.nth(2)) - top(second) < 48
    joined = second.locator(".field-date_joined")
    expect(joined).to_be_hidden()
    details = second.get_by_role("button", name="Details")
    details.press("Enter")
    expect(joined).to_be_visible()
    expect(details).to_have_attribute("aria-expanded", "true")
    second.locator(".field-kind").click()
    expect(joined).to_be_hidden()

    page.goto("/admin/reports/revenue/")
    days = page.locator("[name=from]")
    expect(days).to_be_hidden()
    page.locator(".folds").click()
    expect(days).to_be_visible()
