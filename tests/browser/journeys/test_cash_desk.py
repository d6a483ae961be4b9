"""A cashier opens a till on a phone, takes a deposit, and counts the till at the end."""

from typing import Final

from playwright.sync_api import Page, Route

from tests.browser.driver import go, press
from tests.browser.visitors import DESK, Visitor, answered_otherwise
from tests.browser.width import too_wide

FORM: Final = "#content form[method=post]"
# Until a frame has been drawn in which the field for the cursor is there.
DRAWN: Final = """async () => {
  let there;
  do {
    there = document.querySelector("[autofocus]");
    await new Promise(requestAnimationFrame);
  } while (!there);
}"""


def send(page: Page, **fields: str) -> None:
    """Fill the form of the page and send it."""
    for name, value in fields.items():
        place = page.locator(f"{FORM} [name='{name.replace('__', '-')}']")
        if place.evaluate("one => one.tagName") == "SELECT":
            place.select_option(label=value)
        else:
            place.fill(value)
    press(page, page.locator(f"{FORM} button").last)


def alpine_comes_after_a_frame(page: Page) -> None:
    """Hold back what shows the page until the browser has drawn the page without it."""

    def late(route: Route) -> None:
        page.evaluate(DRAWN)
        route.continue_()

    answered_otherwise(page, "**/alpinejs*", late, times=2)


def pay_in_with_three_presses(page: Page, name: str, amount: str) -> None:
    """Press the page of deposits, and Enter after the name and after the amount."""
    go(page, "/admin/desk/")
    alpine_comes_after_a_frame(page)
    press(page, page.locator("a[href$='/desk/deposit/']").first)
    for field, typed in (("q", name), ("amount", amount)):
        assert page.locator(f"[name={field}][autofocus]:focus").count() == 1
        page.keyboard.type(typed)
        press(page, ":focus", "Enter")
    assert "/desk/receipts/" in page.url
    assert f"+{amount}" in page.inner_text("#content")
    assert "Wallet after" in page.inner_text("#content")


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
    pay_in_with_three_presses(cashier, "alice", "300")
    assert too_wide(cashier) <= 0
    go(cashier, "/admin/desk/")
    assert "300" in cashier.inner_text("#content")
    assert too_wide(cashier) <= 0
    go(cashier, "/admin/desk/tills/")
    press(cashier, cashier.locator("a[href$='/close/']").first)
    # The count comes first; then the page says what should have been there.
    assert "300" not in cashier.inner_text("#content")
    send(cashier, sum__PLAY="295")
    assert "5.00 PLAY short: what happened?" in cashier.inner_text("#content")
    send(cashier, sum__PLAY="295", reason="gave 5 too much")
    press(cashier, cashier.locator("a[href*='/desk/shifts/']").first)
    said = cashier.inner_text("#content")
    assert "gave 5 too much" in said
    assert "−5" in said
    assert too_wide(cashier) <= 0
