"""Rounds against the house, played with a browser: bets, decisions, and their end."""

from playwright.sync_api import Page, expect

from tests.waiting import until

# What a player who wants to see the end chooses, in this order; a guest follows.
TO_THE_END = ("stand", "call", "bet", "accept", "follow")


def sit_down(page: Page, game: str) -> None:
    """Find a seat, and wait until one can bet."""
    page.goto(f"/play/{game}/")
    page.click("main button.main")
    # Where somebody bets already, one waits for the round after.
    expect(page.locator("#betting")).to_be_visible()


def place(page: Page, *spots: str) -> None:
    """Put a chip on each spot and place them all."""
    for spot in spots:
        page.click(f"#spot-{spot}")
    confirm(page)


def confirm(page: Page) -> None:
    page.click("[data-bet=place]")
    expect(page.locator(".betting.pending")).to_have_count(0)


def ended(page: Page) -> bool:
    """Whether the round is over, or over so long that the next one has begun."""
    return bool(page.locator("#outcome, #betting").count())


def decide(page: Page) -> None:
    """Do one thing that leads to the end, where it is this player's turn."""
    turn = page.locator("#deciding")
    if not turn.count():
        return
    for name in TO_THE_END:
        button = page.locator(f".act-{name} button").last
        if button.count():
            was = page.locator("#moves input[name=turn]").first.get_attribute("value")
            button.click()
            expect(page.locator(f"#moves input[name=turn][value='{was}']")).to_have_count(0)
            return


def play_out(*pages: Page) -> None:
    def over() -> bool:
        for page in pages:
            decide(page)
        return all(ended(page) for page in pages)

    until(over)
