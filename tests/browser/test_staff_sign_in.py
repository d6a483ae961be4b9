"""Staff set up codes, sign in with them, are asked again after a while, and end a session."""

import urllib.request
from base64 import b32decode

import pytest
from django_otp.oath import TOTP
from playwright.sync_api import Page, expect

from tests.browser.errands import AWAY
from tests.browser.house import sign_in
from tests.browser.test_approvals_in_a_browser import look
from tests.browser.visitors import DESK, PHONE, Visitor
from tests.browser.width import too_wide


class App:
    """An authenticator app that shows each code once, as the house takes it."""

    def __init__(self, secret: str) -> None:
        self.key = b32decode(secret.replace(" ", ""))
        self.last = 0

    def code(self) -> str:
        """Return what it shows now, or will show next.

        The next one is the last that the house takes: it remembers whose clock is slow, and takes
        for that a code that was typed late.
        """
        totp = TOTP(self.key)
        totp.drift = max(0, self.last + 1 - totp.t())
        self.last = totp.t()
        return f"{totp.token():06}"


def seen(page: Page, name: str) -> None:
    look(page, name)
    assert too_wide(page) <= 0


def sign_out(page: Page) -> None:
    page.goto("/players/profile/")
    page.locator("main form[action$='/sign-out/'] button").click()
    page.wait_for_url("**/lobby/")


def type_password(page: Page, name: str) -> None:
    page.goto("/players/sign-in/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", f"demo-{name}")
    page.click("main button.main")
    page.wait_for_url("**/sign-in/code/**")


def type_code(page: Page, code: str) -> None:
    page.fill("[name=code]", code)
    page.click("main button.main")


@pytest.mark.parametrize(
    ("name", "size", "language"), [("technician", PHONE, "en"), ("floor", DESK, "zh-hans")]
)
def test_codes_are_set_up_and_used(
    visitor: Visitor, complaints: list[str], name: str, size: dict[str, int], language: str
) -> None:
    theme = "dark" if size is PHONE else "light"
    page = visitor(viewport=size, language=language, color_scheme=theme)
    sign_in(page, name)
    page.goto("/players/codes/set-up/")
    expect(page.locator(".qr")).to_be_visible()
    secret = page.locator("#secret").text_content() or ""
    seen(page, f"set-up-{name}")
    app = App(secret)
    first = app.code()
    type_code(page, first)
    recovery = page.locator("#recovery-codes code")
    expect(recovery).to_have_count(10)
    kept = recovery.all_text_contents()
    seen(page, f"recovery-{name}")
    page.click("main a.main")
    page.wait_for_url("**/players/codes/")
    seen(page, f"codes-{name}")

    sign_out(page)
    type_password(page, name)
    seen(page, f"code-{name}")
    # A code is used up by setting up; a browser notes each refusal.
    type_code(page, first)
    expect(page.locator(".wrong")).to_be_visible()
    assert any("422" in one for one in complaints)
    complaints.clear()
    type_code(page, app.code())
    page.wait_for_url("**/lobby/")
    # When and where they signed in before.
    expect(page.locator(".message")).to_contain_text("127.0.0.1")
    seen(page, f"last-sign-in-{name}")

    elsewhere = visitor(viewport=size, language=language)
    type_password(elsewhere, name)
    type_code(elsewhere, kept[0])
    elsewhere.wait_for_url("**/lobby/")
    page.goto("/players/devices/")
    expect(page.locator(".places li")).to_have_count(2)
    seen(page, f"devices-{name}")
    page.locator(".places button").click()
    expect(page.locator(".places li")).to_have_count(1)
    elsewhere.goto("/admin/")
    elsewhere.wait_for_url("**/sign-in/**")
    page.goto("/admin/")
    page.wait_for_url("**/admin/")
    page.goto("/admin/roles/")
    look(page, f"roles-{name}")


@pytest.mark.parametrize(("size", "language"), [(DESK, "en"), (PHONE, "zh-hans")])
def test_a_form_goes_on_after_the_question(
    visitor: Visitor,
    house_address: str,
    complaints: list[str],
    size: dict[str, int],
    language: str,
) -> None:
    page = visitor("manager", viewport=size, language=language, color_scheme="dark")
    page.goto("/admin/limits/")
    page.fill("[name=value]", "1234")
    page.fill("[name=reason]", f"asked in {language}")
    urllib.request.urlopen(f"{house_address}{AWAY}?name=manager", data=b"").close()
    page.locator("#content form button[type=submit], form button[type=submit]").last.click()
    expect(page.locator("[name=confirm_code]")).to_be_visible()
    seen(page, f"question-{language}")
    page.fill("[name=confirm_code]", "wrong")
    page.click("main button.main")
    expect(page.locator(".wrong")).to_be_visible()
    page.fill("[name=confirm_code]", "demo-manager")
    page.click("main button.main")
    page.wait_for_url("**/admin/approvals/*/")
    expect(page.locator("#content, main").last).to_contain_text(f"asked in {language}")
    assert all("403" in one for one in complaints)
    complaints.clear()
