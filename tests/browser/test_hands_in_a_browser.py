"""Hands played to their end in a real browser, at the size of a phone."""

from playwright.sync_api import Page, expect

from tests.browser.house import go_on, hold, open_my_seat, sit
from tests.browser.play_round import (
    BETTING,
    confirm,
    deal,
    sit_down,
)
from tests.browser.visitors import Visitor, hand_on
from tests.browser.width import too_wide
from tests.waiting import until


def fits(page: Page) -> None:
    """Nothing is cut off at the side."""
    assert too_wide(page) <= 0


def test_a_newcomer_plays_within_two_clicks(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    fits(page)
    page.click("main a:has-text('Fujian')")
    page.get_by_role("button", name="Play as a guest").click()
    page.wait_for_selector("#arrange")
    fits(page)
    page.click("#help-best_expected")
    page.wait_for_selector("#arrange[data-fill]")
    page.click("#act-arrange .main:not([name])")
    expect(page.locator("#outcome.tells")).to_be_visible()
    fits(page)
    page.click("#lines summary")
    expect(page.locator("#lines li").first).to_be_visible()

    # And the next game in one click more.
    page.click("a.brand")
    expect(page.locator(".mine .row")).to_have_count(1)
    page.click(".games button:has-text('without commission')")
    page.wait_for_selector(BETTING)
    fits(page)
    page.locator(".disc").nth(2).click()
    page.click("#spot-banker")
    confirm(page)
    expect(page.locator("#spot-banker .pile:not(.pending)")).to_contain_text("5")
    deal(page)
    expect(page.locator("#coup")).to_be_visible()
    page.click("#show button")
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
    sit_down(alice, "baccarat_commission")
    alice.click("#spot-tie")
    alice.click("#spot-tie")
    open_my_seat(alice)
    alice.fill("#top-up-amount", "12")
    before = alice.locator("#shoe").get_attribute("data-version")
    bob.goto(alice.url)
    bob.click("#sit .main")
    alice.wait_for_selector("#seats :text('bob')")
    assert alice.locator("#shoe").get_attribute("data-version") != before
    # He is seated by now, and looks on until the next round.
    expect(bob.locator("#seat-menu")).to_be_attached()
    expect(alice.locator("#spot-tie .pile.pending")).to_contain_text("2")
    assert alice.input_value("#top-up-amount") == "12"
    expect(alice.locator("#top-up-amount")).to_be_focused()
    expect(alice.locator("#do-leave")).to_be_visible()
    confirm(alice)
    expect(alice.locator("#spot-tie .pile:not(.pending)")).to_contain_text("2")
    deal(alice)
    expect(alice.locator("#outcome")).to_be_visible()


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
    sit(page, "thirteen_hongkong")
    page.wait_for_selector("#moves.mine")
    page.evaluate(TAKEN_OUT)
    page.click("#seat-button")
    page.click("#do-auto-play")
    # Where the others have moved already, the house's move may be the last of the hand.
    page.wait_for_selector("#do-auto-play.main, #shoe[data-ended]", state="attached")
    page.fill("#top-up-amount", "1")
    # To the end of the hand, when lines come between the moves and the seat, and into the next.
    hand = hand_on(page)
    page.wait_for_selector("#lines")
    go_on(page)
    page.wait_for_selector(f"#shoe:not([data-hand='{hand}'])", state="attached")
    expect(page.locator("#seat-menu")).to_be_visible()
    assert page.input_value("#top-up-amount") == "1"
    expect(page.locator("#top-up-amount")).to_be_focused()
    assert not {"my-seat", "seat-menu", "top-up"} & set(page.evaluate("window.takenOut"))
    with page.expect_response("**/top-up/") as answer:
        page.click("#top-up > button")
    assert answer.value.ok, answer.value.text()
    page.click("#do-leave")
    expect(page.locator("#sit, .badge:text('leaves')").first).to_be_visible()


def test_the_focus_never_falls_to_the_top_of_the_page(visitor: Visitor) -> None:
    page = visitor("alice")
    sit(page, "chinese_poker")
    page.wait_for_selector("#arrange")
    page.focus("#help-best_expected")
    page.keyboard.press("Enter")
    page.wait_for_selector("#arrange[data-fill]")
    expect(page.locator("#help-best_expected")).to_be_focused()
    page.focus("#act-arrange .main:not([name])")
    page.keyboard.press("Enter")
    page.wait_for_selector("#act-arrange", state="detached")
    # Where the others have moved already the hand is over with this move, and there is an action.
    page.wait_for_selector("#turn:focus, #moves :is(a, button, input):focus")
    page.wait_for_selector("#shoe[data-ended]", state="attached")
    go_on(page)
    # The next hand's first action is where the keys are.
    page.wait_for_selector("#moves :is(a, button, input):focus")

    sit_down(page, "blackjack")
    page.focus(".spot:not(.closed)")
    page.keyboard.press("Enter")
    page.focus("[data-bet=clear]")
    page.keyboard.press("Enter")
    # What cannot be pressed any more hands the focus on.
    page.wait_for_selector("#moves button:focus:enabled")
    hold(page)
    page.focus("#act-done button")
    page.keyboard.press("Enter")
    # The next round's first action is where the keys are.
    expect(page.locator(BETTING)).to_have_count(0)
    go_on(page)
    page.wait_for_selector(f"{BETTING} :focus", state="attached")


def test_a_table_works_without_a_script(visitor: Visitor, complaints: list[str]) -> None:
    page = visitor("carol", script=False)
    sit(page, "thirteen_taiwan")
    address = page.url

    def dealt() -> bool:
        page.goto(address)
        return page.locator("#act-arrange").count() > 0

    until(dealt)
    for at in range(13):
        row = "front" if at > 9 else "middle" if at > 4 else "back"
        page.locator("#arrange .place").nth(at).locator(f"[value={row}]").check()
    with page.expect_navigation():
        page.click("#act-arrange .main:not([name])")
    if page.locator("#refused").count():
        # A foul is asked about.
        with page.expect_navigation():
            page.click("#refused button")

    def over() -> bool:
        page.goto(address)
        return page.locator(".rows-shown").count() > 0

    # The others may not have moved yet.
    until(over)
    expect(page.locator(".rows-shown").first).to_be_visible()
    # Nobody is waited for by the next test.
    open_my_seat(page)
    page.click("#do-leave")
