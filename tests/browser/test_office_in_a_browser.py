"""The theme of the back office works under a policy that evaluates nothing."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import DESK, Visitor

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

    page.keyboard.press("t")
    field = page.locator("#nav-filter")
    expect(field).to_be_focused()
    field.press_sequentially("jackpot")
    expect(page.locator("#search-results")).to_contain_text("Jackpots")
    field.press("Escape")
    expect(page.locator("#search-results")).to_be_hidden()
    expect(field).to_have_value("")
    field.press("Escape")
    expect(field).not_to_be_focused()

    page.locator("[x-on\\:click^=openUserLinks]").click()
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_class(re.compile("dark"))

    page.goto("/admin/games/table/add/?kept=1")
    form = page.locator("#table_form")
    expect(form).to_have_attribute("action", "/admin/games/table/add/?kept=1")
    page.fill("[name=reason]", " ")
    page.locator("[name=_save]").click()
    expect(page.locator("#content")).to_contain_text("This field is required.")
    page.goto("/admin/wallets/jackpot/add/")
    page.goto("/admin/games/hand/")
    page.goto("/admin/players/player/")
