"""Games against the house in a real browser: chips on the felt, decisions, and what goes wrong."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.play_hand import minor
from tests.browser.play_round import (
    BETTING,
    confirm,
    deal,
    ended,
    next_round,
    place,
    play_out,
    sit_down,
)
from tests.browser.visitors import DESK, Visitor, answered_otherwise, without_stream
from tests.waiting import until

pytestmark = pytest.mark.release


def stands(page: Page, spot: str, amount: str) -> None:
    expect(page.locator(f"#spot-{spot} .pile:not(.pending)")).to_contain_text(amount)


def visit(page: Page) -> int:
    said = page.inner_text("#visit")
    return -minor(said) if "−" in said else minor(said)


def test_two_players_at_blackjack_one_a_guest_on_the_others_box(visitor: Visitor) -> None:
    alice, bob = visitor("alice", viewport=DESK), visitor("bob", viewport=DESK)
    sit_down(alice, "blackjack")
    bob.goto(alice.url)
    bob.click("#sit .main")
    expect(bob.locator("#seat-menu")).to_be_attached()

    # A round without bets does not hold the table up, and the next one has both of them.
    deal(alice)
    expect(bob.locator(BETTING)).to_be_visible()
    both = bob.get_attribute(BETTING, "data-hand")
    expect(alice.locator(f"{BETTING}[data-hand='{both}']")).to_be_visible()

    # A bonus needs a bet; a step is undone.
    alice.click("#spot-box-2-bonus")
    expect(alice.locator("#said-box-2-bonus")).to_contain_text("needs a bet on the same box")
    for spot in ("box-2", "box-2", "box-4", "box-2-bonus"):
        alice.click(f"#spot-{spot}")
    alice.click("[data-bet=undo]")
    expect(alice.locator("#spot-box-2-bonus .pile:not(.pending)")).to_have_count(0)
    alice.click("#spot-box-2-bonus")
    alice.click("[data-bet=double]")
    expect(alice.locator("#act-done small")).to_have_text("8")
    confirm(alice)
    stands(alice, "box-2", "4")
    stands(alice, "box-2-bonus", "2")

    # Bob rides along on her box, and all see whose it is.
    expect(bob.locator("#bet-box-2 .bet")).to_contain_text("alice")
    place(bob, "box-2")
    deal(alice)
    deal(bob)
    expect(bob.locator("#box-2 .bet").nth(0)).to_contain_text("alice")
    expect(bob.locator("#box-2 .bet.mine")).to_contain_text("guest")
    expect(bob.locator("#box-4 .bet")).to_have_count(1)
    # The named cards are open before the first decision.
    expect(bob.locator("#sides .card")).to_have_count(2)
    play_out(alice, bob)

    # The same once more, with a hint on the way, and the visit adds up.
    next_round(alice)
    alice.click("[data-bet=rebet]")
    expect(alice.locator("#act-done small")).to_have_text("8")
    confirm(alice)
    stands(alice, "box-4", "2")
    # Who has not bet is not waited for.
    deal(alice)
    until(lambda: ended(alice) or alice.locator("#deciding").count())
    if alice.locator("#hint").count():
        alice.click("#hint")
        expect(alice.locator("#hint-said")).to_contain_text("Strategy:")
    play_out(alice, bob)
    next_round(alice)
    assert minor(alice.inner_text(".side.mine .stack-size")) == 100_00 + visit(alice)


def test_late_bets_and_a_lost_connection_move_no_chips(
    visitor: Visitor, complaints: list[str]
) -> None:
    page, phone = visitor("dave", viewport=DESK), visitor("dave")
    without_stream(page)
    sit_down(page, "blackjack")
    phone.goto(page.url)
    place(page, "box-1", "box-3")

    # The line is lost: this page hears nothing of the end of the betting, and is refused.
    def lost(route: Route) -> None:
        route.abort()

    stop = answered_otherwise(page, "**/board/**", lost)
    deal(phone)
    expect(phone.locator("#box-3")).to_be_visible()
    page.click("#spot-box-5")
    expect(page.locator("#refused")).to_be_visible()
    stop()
    assert page.locator("#box-5").count() == 0

    # What is loaded anew is exactly what the other screen shows.
    play_out(phone)
    next_round(page)
    # Nothing is carried over.
    expect(page.locator("#pending-box-5")).to_be_hidden()
    place(page, "box-1", "box-2", "box-3")
    deal(page)
    expect(page.locator("#box-3")).to_be_visible()
    before = page.locator(".boxes").text_content()
    page.reload()
    expect(page.locator("#box-3")).to_be_visible()
    if page.locator("#deciding").count():
        assert page.locator(".boxes").text_content() == before
    play_out(page)
    # The browser notes what was refused and what did not arrive.
    assert all(re.search("ERR_|abort|htmx:|object", complaint) for complaint in complaints), (
        complaints
    )
    complaints.clear()
