"""An operator drafts a profile and sees its edge, a colleague approves, a player meets it."""

import os
import re
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.play_round import BETTING, deal, place, play_out
from tests.browser.visitors import DESK, PHONE, Visitor

WHY: Final = "quieter tables in the evening"


def look(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at the pages."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_a_profile_reaches_a_player(visitor: Visitor) -> None:
    operator = visitor("operator", viewport=DESK)
    operator.goto("/admin/profiles/")
    operator.get_by_role("link", name="New profile").click()
    operator.fill("[name=name]", "Evening baccarat")
    operator.select_option("[name=game]", "baccarat")
    operator.select_option("[name=currency]", "PLAY")
    operator.fill("[name=reason]", WHY)
    operator.get_by_role("button", name="Begin a draft").click()
    operator.get_by_label("Smallest bet").fill("7")
    operator.get_by_label("Largest bet", exact=True).fill("77")
    operator.get_by_label("Largest bet on a tie").fill("21")
    operator.get_by_label("Seconds to bet").fill("900")
    operator.fill("[name=reason]", WHY)
    look(operator, "profile-draft")
    operator.get_by_role("button", name="Save the draft").click()
    operator.get_by_role("button", name="Reckon").click()
    tie = operator.get_by_role("row", name=re.compile("^Tie "))
    expect(tie).to_contain_text("14.36 %")
    expect(tie).to_contain_text("exact")
    # The day has begun: what is published is in force at once.
    operator.fill("[name=hour]", "00:00")
    operator.fill("[name=reason]", WHY)
    look(operator, "profile-reckoned")
    operator.get_by_role("button", name="Propose").click()
    expect(operator.get_by_text("Somebody else must decide about this.")).to_be_visible()
    address = operator.url

    manager = visitor("manager", viewport=DESK)
    manager.goto(address)
    manager.fill("[name=reason]", "agreed")
    look(manager, "profile-proposed")
    manager.get_by_role("button", name="Approve and publish").click()
    expect(manager.get_by_text("Approved, and published.")).to_be_visible()
    manager.goto("/admin/profiles/")
    look(manager, "profiles")

    manager.goto("/admin/games/table/?game__exact=baccarat")
    manager.locator("#result_list a[href*='/change/']").first.click()
    table = manager.url.split("/table/")[1].split("/")[0]
    manager.select_option("[name=profile]", label="Evening baccarat")
    manager.fill("[name=reason]", WHY)
    look(manager, "profile-table")
    manager.locator("[name=_save]").click()
    expect(manager.locator("#result_list")).to_be_visible()

    player = visitor("alice", viewport=PHONE)
    player.goto(f"/tables/{table}/rules/")
    look(player, "profile-player")
    expect(player.locator("main")).to_contain_text("7–77")
    is_played_under_it(player, table)
    manager.goto(address)
    expect(manager.locator("a[href*='profile_version__id__exact']")).to_have_text(re.compile("^1 "))


def is_played_under_it(player: Page, table: str) -> None:
    player.goto(f"/tables/{table}/")
    player.click("#sit .main")
    expect(player.locator(BETTING)).to_be_visible()
    expect(player.locator("#spot-player")).to_contain_text("7–77")
    player.locator(".disc", has_text="25").click()
    place(player, "player")
    deal(player)
    play_out(player)
