"""A player sets limits and is held to them, and takes a break and is out everywhere."""

from playwright.sync_api import Page, expect

from tests.browser.test_approvals_in_a_browser import look
from tests.browser.visitors import DESK, Visitor
from tests.browser.width import too_wide

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
    look(page, name)
    assert too_wide(page) <= 0


def test_a_player_is_held_to_a_limit(visitor: Visitor) -> None:
    page = newcomer(visitor, "nora", viewport=DESK, color_scheme="light")
    page.goto("/players/limits/")
    page.select_option("[name=kind]", "stake")
    page.select_option("[name=currency]", "PLAY")
    page.fill("[name=value]", "0")
    page.click("[name=set]")
    expect(page.get_by_text("Your limit holds from now on.")).to_be_visible()
    seen(page, "limits")
    page.goto("/play/blackjack/")
    page.click("main button.main")
    expect(page.get_by_text("the limit that you set for money taken to tables")).to_be_visible()

    page.goto("/players/limits/")
    page.click("[name=lift]")
    expect(page.get_by_text("Waiting for your second yes")).to_be_visible()
    expect(page.locator("[name=confirm]")).to_have_count(0)
    seen(page, "limit-waits")


def sign_in(page: Page) -> None:
    page.fill("[name=username]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.main")


def test_a_player_takes_a_break(visitor: Visitor, complaints: list[str]) -> None:
    page = newcomer(visitor, "olga", language="zh-hans", color_scheme="dark")
    other = visitor(viewport=DESK)
    other.goto("/players/sign-in/")
    sign_in(other)
    other.wait_for_url("**/lobby/")
    page.goto("/players/exclusion/")
    seen(page, "break")
    page.select_option("[name=length]", "time_out-7")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.main")
    page.wait_for_url("**/lobby/")
    for browser in (page, other):
        browser.goto("/players/profile/")
        browser.wait_for_url("**/sign-in/**")
    sign_in(page)
    expect(page.locator("main .wrong")).to_be_visible()
    seen(page, "sign-in-refused")
    # The refusal is the form again, with a status that browsers write into their console.
    complaints[:] = [one for one in complaints if "422" not in one]


def test_the_own_pages_fit_a_phone(visitor: Visitor) -> None:
    page = newcomer(visitor, "petra", language="zh-hans", color_scheme="dark")
    for name in ("limits", "statement", "data", "profile", "reality-check"):
        page.goto(f"/players/{name}/")
        seen(page, f"own-{name}")
