"""Staff set up codes by a QR code on a phone and sign in with them; players use a passkey."""

import re
from base64 import b32decode

import pytest
from django_otp.oath import TOTP
from playwright.sync_api import Page

from tests.browser.driver import go, press
from tests.browser.house import sign_in
from tests.browser.visitors import Visitor
from tests.browser.width import too_wide

# What a row of a list on a phone shows of its second and third cell and cuts off.
CUT = """() => [...document.querySelectorAll(".one-line > :is(:nth-child(2), :nth-child(3))")]
  .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"""


class App:
    """An authenticator app that shows each code once, as the house takes it."""

    def __init__(self, secret: str) -> None:
        self.key = b32decode(secret.replace(" ", ""))
        self.last = 0

    def code(self) -> str:
        """Return what it shows now, or will show next, which the house takes as well."""
        totp = TOTP(self.key)
        totp.drift = max(0, self.last + 1 - totp.t())
        self.last = totp.t()
        return f"{totp.token():06}"


def type_code(page: Page, code: str) -> None:
    page.fill("[name=code]", code)
    press(page, "main button.main")


def type_password(page: Page, name: str) -> None:
    go(page, "/players/sign-in/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", f"demo-{name}")
    press(page, "main button.main")


@pytest.mark.engines
def test_staff_sign_in_with_a_code(visitor: Visitor, complaints: list[str]) -> None:
    page = visitor(phone=True)
    sign_in(page, "technician")
    go(page, "/players/codes/set-up/")
    assert page.locator(".qr").is_visible()
    assert too_wide(page) <= 0
    app = App(page.locator("#secret").text_content() or "")
    first = app.code()
    type_code(page, first)
    kept = page.locator("#recovery-codes code").all_text_contents()
    assert len(kept) == 10
    assert too_wide(page) <= 0

    go(page, "/players/profile/")
    press(page, "main form[action$='/sign-out/'] button")
    type_password(page, "technician")
    assert "/sign-in/code/" in page.url
    # A code is used up by setting up; a browser notes each refusal.
    type_code(page, first)
    assert page.locator(".wrong").is_visible()
    assert all("422" in complaint for complaint in complaints)
    complaints.clear()
    type_code(page, app.code())
    # The office, and when and where they signed in before.
    assert page.url.endswith("/admin/")
    assert "127.0.0.1" in page.inner_text("body")
    # A finding may have a word that is longer than the screen is wide.
    page.evaluate("document.querySelector('.overview li').append('W'.repeat(200))")
    assert too_wide(page) <= 0
    # A list says on one line what its row is about: the first cells are read whole.
    go(page, "/admin/health/")
    assert page.locator(".one-line").count() > 3
    assert page.evaluate(CUT) == []
    assert too_wide(page) <= 0

    # Another browser takes a code from the paper, and this one ends its session.
    elsewhere = visitor(phone=True)
    type_password(elsewhere, "technician")
    type_code(elsewhere, kept[0])
    go(page, "/players/devices/")
    press(page, page.locator(".places button").first)
    go(elsewhere, "/admin/")
    assert "/sign-in/" in elsewhere.url


# A phone that asks for a finger, and always gets it.
PHONE_WITH_FINGER = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_a_passkey_replaces_password_and_code(
    visitor: Visitor, house_address: str, complaints: list[str]
) -> None:
    # Browsers bind passkeys to a domain, which an address of numbers has not.
    page = visitor(phone=True, address=house_address.replace("127.0.0.1", "localhost"))
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": PHONE_WITH_FINGER})
    type_password(page, "carol")
    go(page, "/players/profile/")
    press(page, "main a[href$='/passkeys/']")
    page.fill("[name=password]", "demo-carol")
    press(page, "main button.main")
    assert too_wide(page) <= 0
    page.click("[data-passkey]")
    page.wait_for_url("**/players/passkeys/")
    assert page.locator("[name=remove]").count() == 1
    assert too_wide(page) <= 0

    go(page, "/players/profile/")
    press(page, "main form[action$='/sign-out/'] button")
    go(page, "/players/sign-in/?next=/players/profile/")
    page.click("[data-passkey]")
    page.wait_for_url(re.compile(r"^[^?]*/players/profile/$"))
    assert "carol" in page.inner_text("main h1")
    # At the address of numbers none is offered.
    elsewhere = visitor(phone=True)
    go(elsewhere, "/players/sign-in/")
    assert elsewhere.locator("[data-passkey]").count() == 0
    assert complaints == []
