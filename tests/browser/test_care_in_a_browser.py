"""A player sets limits and is held to them, and takes a break and is out everywhere."""

import pytest
from playwright.sync_api import Page

from tests.browser.visitors import Visitor
from tests.browser.width import too_wide

pytestmark = pytest.mark.release

PASSWORD = "a long way to the river"


def newcomer(visitor: Visitor, name: str, **options: object) -> Page:
    """Somebody new: what they arrange binds nobody of the demonstration."""
    page = visitor(**options)  # type: ignore[arg-type]
    page.goto("/players/sign-up/")
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.click("main button.main")
    page.wait_for_url("**/lobby/")
    return page


def seen(page: Page, name: str) -> None:
    assert too_wide(page) <= 0, name


def test_the_own_pages_fit_a_phone(visitor: Visitor) -> None:
    page = newcomer(visitor, "petra", language="zh-hans", color_scheme="dark")
    for name in ("limits", "statement", "data", "profile", "reality-check"):
        page.goto(f"/players/{name}/")
        seen(page, f"own-{name}")
