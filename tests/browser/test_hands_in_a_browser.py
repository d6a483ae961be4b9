"""Hands played to their end in a real browser, at the size of a phone."""

from secrets import token_hex

from playwright.sync_api import Page, expect

from tests.browser.house import open_my_seat
from tests.browser.visitors import Visitor
from tests.waiting import until

PASSWORD = "a long way to the river"


def fits(page: Page) -> None:
    """Nothing is cut off at the side."""
    width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1]


def sign_up(page: Page, name: str) -> None:
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.click("main button.main")


def test_a_newcomer_plays_within_two_clicks(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    fits(page)
    page.click("main a:has-text('Fujian')")
    # Nobody of that name was here before, however often this is tried.
    sign_up(page, f"Newcomer-{token_hex(4)}")
    page.click("main button.main")
    page.wait_for_selector("#arrange")
    fits(page)
    page.click("#help-best_expected")
    page.click("#act-arrange .main:not([name])")
    expect(page.locator("#outcome.tells")).to_be_visible()
    fits(page)
    page.click("#lines summary")
    expect(page.locator("#lines li").first).to_be_visible()

    # And the next game in one click more.
    page.click("a.brand")
    expect(page.locator(".mine .row")).to_have_count(1)
    page.click(".games button:has-text('without commission')")
    page.wait_for_selector("#betting")
    fits(page)
    page.locator(".disc").nth(2).click()
    page.click("#spot-banker")
    page.click("[data-bet=place]")
    expect(page.locator("#spot-banker .pile:not(.pending)")).to_contain_text("5")
    page.click("#act-done button")
    expect(page.locator("#coup")).to_be_visible()
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#outcome")).to_be_visible()
    fits(page)

    # Both hands stand in the history, with their proof.
    page.goto("/history/")
    expect(page.locator(".statement li")).to_have_count(2)
    page.click(".statement a >> nth=0")
    expect(page.locator("h2:has-text('Proof')")).to_be_visible()
    fits(page)
    page.goto("/wallet/")
    expect(page.locator(".statement li")).to_have_count(3)
    fits(page)


def test_typed_input_survives_another_players_move(visitor: Visitor) -> None:
    alice, bob = visitor("alice"), visitor("bob")
    alice.goto("/play/baccarat_commission/")
    alice.click("main button.main")
    alice.wait_for_selector("#betting")
    alice.click("#spot-tie")
    alice.click("#spot-tie")
    open_my_seat(alice)
    alice.fill("#top-up-amount", "12")
    before = alice.locator("#shoe").get_attribute("data-version")
    bob.goto(alice.url)
    bob.click("#sit .main")
    alice.wait_for_selector("#seats :text('bob')")
    assert alice.locator("#shoe").get_attribute("data-version") != before
    expect(alice.locator("#spot-tie .pile.pending")).to_contain_text("2")
    assert alice.input_value("#top-up-amount") == "12"
    assert alice.evaluate("document.activeElement.id") == "top-up-amount"
    expect(alice.locator("#do-leave")).to_be_visible()
    alice.click("[data-bet=place]")
    expect(alice.locator("#spot-tie .pile:not(.pending)")).to_contain_text("2")
    alice.click("#act-done button")
    alice.wait_for_selector("#outcome")


# Every part of the board that a renewal takes out of its place, even if it puts it back.
TAKEN_OUT = """() => {
  delete Element.prototype.moveBefore;
  window.takenOut = [];
  new MutationObserver((changes) => changes.forEach(({ removedNodes }) =>
    removedNodes.forEach((one) => one.id && window.takenOut.push(one.id)))
  ).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""


def test_my_seat_menu_is_not_closed_by_updates(visitor: Visitor, complaints: list[str]) -> None:
    page = visitor("carol")
    page.goto("/play/thirteen_hongkong/")
    page.click("main button.main")
    page.wait_for_selector("#moves.mine")
    page.evaluate(TAKEN_OUT)
    page.click("#seat-button")
    page.click("#do-trustee")
    expect(page.locator("#do-trustee")).to_have_text("Play myself")
    page.fill("#top-up-amount", "1")
    # To the end of the hand, when lines come between the moves and the seat, and into the next.
    hand = page.get_attribute("#shoe", "data-hand")
    page.wait_for_selector("#lines")
    page.wait_for_selector(f"#shoe:not([data-hand='{hand}'])", state="attached")
    expect(page.locator("#seat-menu")).to_be_visible()
    assert page.input_value("#top-up-amount") == "1"
    assert page.evaluate("document.activeElement.id") == "top-up-amount"
    assert not {"my-seat", "seat-menu", "top-up"} & set(page.evaluate("window.takenOut"))
    with page.expect_response("**/top-up/") as answer:
        page.click("#top-up button")
    assert answer.value.ok, answer.value.text()
    page.click("#do-leave")
    expect(page.locator("#sit, .badge:text('leaves')").first).to_be_visible()


def test_the_focus_never_falls_to_the_top_of_the_page(visitor: Visitor) -> None:
    page = visitor("alice")
    page.goto("/play/chinese_poker/")
    page.click("main button.main")
    page.wait_for_selector("#arrange")
    page.focus("#help-best_expected")
    page.keyboard.press("Enter")
    page.wait_for_selector("#arrange[data-fill]")
    assert page.evaluate("document.activeElement.id") == "help-best_expected"
    page.focus("#act-arrange button.main")
    page.keyboard.press("Enter")
    page.wait_for_selector("#act-arrange", state="detached")
    page.wait_for_selector("#turn:focus")
    # The next hand's first action is where the keys are.
    page.wait_for_selector("#moves :is(a, button, input):focus")

    page.goto("/play/blackjack/")
    page.click("main button.main")
    page.wait_for_selector("#betting")
    page.focus(".spot:not(.closed)")
    page.keyboard.press("Enter")
    page.focus("[data-bet=clear]")
    page.keyboard.press("Enter")
    # What cannot be pressed any more hands the focus on.
    page.wait_for_selector("#moves button:focus:enabled")
    page.focus("#act-done button")
    page.keyboard.press("Enter")
    # The next round's first action is where the keys are.
    page.wait_for_selector("#betting :focus", state="attached")


def test_a_table_works_without_a_script(visitor: Visitor, complaints: list[str]) -> None:
    page = visitor("carol", script=False)
    page.goto("/play/thirteen_taiwan/")
    page.click("main button.main")

    def dealt() -> bool:
        page.reload()
        return page.locator("#act-arrange").count() > 0

    until(dealt)
    for at in range(13):
        row = "front" if at > 9 else "middle" if at > 4 else "back"
        page.locator("#arrange .place").nth(at).locator(f"[value={row}]").check()
    page.click("#act-arrange button.main")
    if page.locator("#refused").count():
        # A foul is asked about.
        page.click("#refused button")
    expect(page.locator(".rows-shown").first).to_be_visible()
    # Nobody is waited for by the next test.
    open_my_seat(page)
    page.click("#do-leave")
