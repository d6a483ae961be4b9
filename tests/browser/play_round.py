"""Rounds against the house, played with a browser: bets, decisions, and their end."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.house import go_on, sit
from tests.browser.width import LANDED
from tests.waiting import until

# The bets of the round that runs; next to a result is a form for the next one.
BETTING = "#betting[action$='/act/']"
# What a player who wants to see the end chooses, in this order; a guest follows.
TO_THE_END = ("stand", "call", "bet", "accept", "pick", "follow")
# It is decided in one step, as another board may come between two. Where the form has just come,
# the page first makes it its own. The answer is the turn that is over by that.
DECIDE = """(names) => {
  if (!document.querySelector("#deciding") || document.querySelector("#board.htmx-settling"))
    return null;
  const one = (name) => [...document.querySelectorAll(`.act-${name} button`)].at(-1);
  const uninsured = document.querySelector("#insurance [value=none]");
  const button = uninsured || names.map(one).find((found) => found);
  button?.click();
  return button && button.form.elements.turn.value;
}"""

# The same for being done with one's bets, once in a turn: a turn is over with any player's bet.
DONE = """(said) => {
  const button = document.querySelector("#board:not(.htmx-settling) #act-done button");
  const turn = button?.form.elements.turn.value;
  if (!button || button.disabled || turn === said) return said;
  button.click();
  return turn;
}"""


def sit_down(page: Page, game: str) -> None:
    """Find a seat, and wait until one can bet."""
    sit(page, game)
    # If a player has bet already, this one waits for the next round.
    expect(page.locator(BETTING)).to_be_visible()


def place(page: Page, *spots: str) -> None:
    """Put a chip on each spot and place them all."""
    for spot in spots:
        page.click(f"#spot-{spot}")
    confirm(page)


def confirm(page: Page) -> None:
    """All chips are bet."""
    expect(page.locator(".spot.changing")).to_have_count(0)


def deal(page: Page) -> None:
    """Be done with this round's bets: once all are, it is dealt, and perhaps over at once."""
    said = ""

    def over() -> bool:
        nonlocal said
        said = page.evaluate(DONE, said)
        return page.locator(BETTING).count() == 0

    until(over)


def ended(page: Page) -> bool:
    """Whether the round is over, for this player and everybody."""
    return page.locator("#shoe[data-ended]").count() > 0


def decide(page: Page) -> None:
    """Do one thing that leads to the end, where it is this player's turn."""
    turn = page.evaluate(DECIDE, TO_THE_END)
    if turn:
        expect(page.locator(f"#moves input[name=turn][value='{turn}']")).to_have_count(0)


def play_out(*pages: Page) -> None:
    """Play to the end of the round, whose result then stays on the page."""

    def over() -> bool:
        for page in pages:
            decide(page)
        return all(ended(page) for page in pages)

    until(over)


def next_round(page: Page) -> None:
    """The result has been looked at: on to the next bets."""
    go_on(page)
    expect(page.locator(BETTING)).to_be_visible()


def press_all_the_same(button: Locator) -> None:
    """Press a disabled button at its final place: a forced click does not wait."""
    button.page.evaluate(LANDED)
    button.click(force=True)
