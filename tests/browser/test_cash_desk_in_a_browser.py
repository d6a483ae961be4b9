"""A till from its first float to its last count: a cashier works, and two others agree."""

from playwright.sync_api import Page, expect

from tests.browser.test_approvals_in_a_browser import look
from tests.browser.visitors import DESK, PHONE, Visitor
from tests.browser.width import too_wide


def send(page: Page, **fields: str) -> None:
    """Fill the form of the page and send it."""
    for name, value in fields.items():
        place = page.locator(f"#content form[method=post] [name='{name.replace('__', '-')}']")
        if place.evaluate("one => one.tagName") == "SELECT":
            place.select_option(label=value)
        else:
            place.fill(value)
    page.locator("#content form[method=post] button").last.click()


def approve(member: Page, reason: str) -> None:
    """The newest of what waits for this member of staff."""
    member.goto("/admin/approvals/")
    member.locator("tr:has-text('waiting for you') a[href*='/approvals/']").first.click()
    member.fill("[name=reason]", reason)
    member.click("[name=approve]")
    expect(member.get_by_text("Approved, and carried out.")).to_be_visible()


def correct_receipt(cashier: Page, colleague: Page) -> None:
    """The receipt in sight says 300 and it were 290: the colleague sees both figures and agrees."""
    cashier.locator("a[href$='/correct/']").click()
    send(cashier, amount="290", reason="counted a note twice")
    approve(colleague, "looked at the notes")


def pay_request(cashier: Page, player: Page) -> None:
    """A player asks for 40 on a phone, and fetches it at the desk."""
    player.goto("/wallet/withdrawals/")
    player.select_option("[name=currency]", "PLAY")
    player.fill("[name=amount]", "40")
    player.get_by_role("button", name="Set aside for the desk").click()
    request = player.locator(".requests li").first
    expect(request).to_contain_text("40 PLAY")
    assert too_wide(player) <= 0
    cashier.goto("/admin/desk/requests/")
    cashier.get_by_role("link", name="Pay…").first.click()
    send(cashier, reason="showed a passport")
    expect(cashier.locator("#content")).to_contain_text("−40")
    player.reload()
    expect(request).to_contain_text("paid")


def test_a_cashier_and_a_colleague_work_a_shift(visitor: Visitor) -> None:
    manager = visitor("manager", viewport=DESK)
    manager.goto("/admin/desk/tills/new/")
    send(manager, name="Front", reason="the club opens")
    cashier = visitor("cashier", viewport=PHONE, color_scheme="dark")
    cashier.goto("/admin/desk/tills/")
    cashier.locator("a[href$='/open/']").first.click()
    send(cashier, sum__PLAY="0", reason="begin")
    transfer = {
        "source": "Outside the house",
        "target": "Front",
        "currency": "PLAY",
        "amount": "5,000",
        "reason": "the float",
    }
    cashier.goto("/admin/desk/transfer/")
    send(cashier, **transfer)
    expect(cashier.get_by_text("Only a manager moves cash into the house")).to_be_visible()
    manager.goto("/admin/desk/transfer/")
    send(manager, **transfer)
    approve(visitor("operator", viewport=DESK), "counted it with them")

    cashier.goto("/admin/desk/deposit/?q=alice")
    cashier.locator("a[href*='player=']").first.click()
    send(cashier, currency="PLAY", amount="300", reason="in notes")
    expect(cashier.locator("#content")).to_contain_text("Wallet after")
    look(cashier, "receipt")
    assert too_wide(cashier) <= 0
    correct_receipt(cashier, visitor("operator", viewport=DESK))
    pay_request(cashier, visitor("alice", viewport=PHONE))
    cashier.goto("/admin/desk/withdrawal/?q=alice")
    cashier.locator("a[href*='player=']").first.click()
    send(cashier, currency="PLAY", amount="2,500", reason="asked for it")
    cashier.goto("/admin/desk/")
    expect(cashier.locator("#content")).to_contain_text("2,750")
    expect(cashier.locator("#content")).to_contain_text("Outside the house → Front")
    look(cashier, "desk")
    assert too_wide(cashier) <= 0

    cashier.goto("/admin/desk/tills/")
    cashier.locator("a[href$='/close/']").first.click()
    send(cashier, sum__PLAY="2,745", reason="gave 5 too much")
    cashier.locator("a[href*='/desk/shifts/']").first.click()
    expect(cashier.locator("#content")).to_contain_text("gave 5 too much")
    expect(cashier.locator("#content")).to_contain_text("−5")
    look(cashier, "shift")
    assert too_wide(cashier) <= 0
