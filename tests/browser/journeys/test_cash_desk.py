"""A cashier opens a till on a phone, takes a deposit, and counts the till at the end."""

from playwright.sync_api import Page

from tests.browser.driver import go, press
from tests.browser.visitors import DESK, Visitor
from tests.browser.width import too_wide

FORM = "#content form[method=post]"


def send(page: Page, **fields: str) -> None:
    """Fill the form of the page and send it."""
    for name, value in fields.items():
        place = page.locator(f"{FORM} [name='{name.replace('__', '-')}']")
        if place.evaluate("one => one.tagName") == "SELECT":
            place.select_option(label=value)
        else:
            place.fill(value)
    press(page, page.locator(f"{FORM} button").last)


def test_a_cashier_works_a_shift(visitor: Visitor) -> None:
    manager, cashier = visitor("manager", viewport=DESK), visitor("cashier", phone=True)
    go(manager, "/admin/desk/tills/new/")
    till = f"Front {manager.evaluate('Date.now()')}"
    send(manager, name=till, reason="the club opens")
    go(cashier, "/admin/desk/tills/")
    press(
        cashier, cashier.locator("tr, li, section", has_text=till).locator("a[href$='/open/']").last
    )
    send(cashier, sum__PLAY="0", reason="begin")
    go(cashier, "/admin/desk/deposit/?q=alice")
    press(cashier, cashier.locator("a[href*='player=']").first)
    send(cashier, currency="PLAY", amount="300", reason="in notes")
    assert "Wallet after" in cashier.inner_text("#content")
    assert too_wide(cashier) <= 0
    go(cashier, "/admin/desk/")
    assert "300" in cashier.inner_text("#content")
    assert too_wide(cashier) <= 0
    go(cashier, "/admin/desk/tills/")
    press(cashier, cashier.locator("a[href$='/close/']").first)
    send(cashier, sum__PLAY="295", reason="gave 5 too much")
    press(cashier, cashier.locator("a[href*='/desk/shifts/']").first)
    said = cashier.inner_text("#content")
    assert "gave 5 too much" in said
    assert "−5" in said
    assert too_wide(cashier) <= 0
