"""A finished hand stepped through in a real browser: by keyboard, by links without a script."""

import re

from playwright.sync_api import Page, expect

from tests.browser.play_round import confirm, deal, sit_down
from tests.browser.visitors import Visitor


def play_baccarat(page: Page) -> None:
    sit_down(page, "baccarat")
    page.locator(".disc").nth(2).click()
    page.click("#spot-banker")
    confirm(page)
    deal(page)
    page.click("#show button")
    expect(page.locator("#outcome")).to_be_visible()


def test_a_hand_is_stepped_through_and_shared(visitor: Visitor) -> None:
    page = visitor("bob")
    play_baccarat(page)
    page.goto("/history/")
    page.locator(".statement a.what").first.click()
    page.wait_for_url(re.compile(r"/history/\d+/$"))
    sentence = page.locator("#step-text")
    expect(page.locator("#coup")).to_be_visible()
    address = page.url

    page.keyboard.press("Home")
    expect(sentence).to_contain_text("The hand begins.")
    expect(page.locator("#coup")).to_have_count(0)
    expect(page).to_have_url(f"{address}?step=0")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text("bob bets")
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    expect(page.locator("#coup")).to_be_visible()
    page.get_by_role("link", name="One step back").click()
    expect(page.locator("#coup")).to_have_count(0)
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#coup")).to_be_visible()

    # What the coach tells is looked at in the same page, and whoever listens or types is there too.
    page.evaluate("window.same = true")
    page.get_by_role("link", name="Ask the coach").click()
    expect(page.locator(".coach-summary")).to_be_focused()
    page.get_by_role("link", name="Show Move 1").click()
    expect(sentence).to_contain_text("bob bets")
    expect(page.get_by_role("region", name="Replay")).to_be_focused()
    expect(page).to_have_url(f"{address}?step=1")
    assert page.evaluate("window.same")

    page.get_by_role("button", name="Create a link").click()
    link = page.locator("#shared-address").input_value()
    reader = visitor(script=False)
    reader.goto(link)
    expect(reader.locator("#coup")).to_be_visible()
    reader.get_by_role("link", name="To the beginning").click()
    expect(reader.get_by_text("The hand begins.")).to_be_visible()
    expect(reader.get_by_text("bob")).to_have_count(0)
