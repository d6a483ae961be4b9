"""Dou Dizhu in a real browser: by swipe, by keys, in two browsers, and over a lost line."""

import re
import time

from playwright.sync_api import Locator, Page, Response, expect

from tests.browser.errands import FRESH
from tests.browser.house import go_on, play_by_itself, sit, tell
from tests.browser.visitors import PHONE, Visitor
from tests.browser.width import too_wide
from tests.games.markup import cards_in
from tests.waiting import PATIENCE_SECONDS, until

# Of a hand that a bot wins at once nobody sees anything.
HANDS_MAX = 3
# A player who calls as high as one can is landlord in one hand of three, or oftener.
DEALS_MAX = 60
SIDEWAYS = {"width": 844, "height": 390}
DESK = {"width": 1280, "height": 800}
OVER = "#outcome.good, #outcome.bad"
# As many cards are out as the other seats hold: read at once, because the bots play on meanwhile.
COUNTED = """() => {
  const [out, held] = ["#counter-copy dd", ".place-at .holds b"].map((numbers) =>
    [...document.querySelectorAll(numbers)].reduce((sum, one) => sum + Number(one.textContent), 0));
  return out === held && 0 < held && held <= 54 - 20;
}"""


def nobody_passes_by_itself(page: Page, house: str) -> None:
    """However slow this machine is, a click comes first."""
    page.context.add_cookies([{"name": "passes", "value": "off", "url": house}])


def sit_down(page: Page, house: str) -> None:
    nobody_passes_by_itself(page, house)
    sit(page, "doudizhu")
    page.wait_for_selector("#moves")


def wait_for_turn(page: Page) -> bool:
    """Until it is this player's turn; False where the hand is over instead."""
    page.wait_for_selector(f"#moves.mine form, {OVER}")
    return page.locator(OVER).count() == 0


def turn_of(page: Page) -> str:
    return page.locator("#shoe").get_attribute("data-turn") or ""


def until_next(page: Page, turn: str) -> None:
    expect(page.locator(f"#shoe[data-turn='{turn}']")).to_have_count(0)


def hand_of(page: Page) -> list[str]:
    found: list[str] = page.locator("#my-cards .pick input").evaluate_all(
        "picks => picks.map((pick) => pick.value)"
    )
    return found


def chosen(page: Page) -> list[str]:
    found: list[str] = page.locator("#my-cards .pick input:checked").evaluate_all(
        "picks => picks.map((pick) => pick.value)"
    )
    return found


def become_landlord(page: Page, house: str) -> None:
    """Sit down, and deal until the player is landlord and leads to the first trick."""
    for _deal in range(DEALS_MAX):
        sit_down(page, house)
        while wait_for_turn(page) and page.locator("#act-call").count():
            turn = turn_of(page)
            page.locator("#act-call button").last.click()
            until_next(page, turn)
        if page.locator(".place-at.mine .crown").count():
            return
        tell(house, FRESH)
    raise AssertionError("the player has never become landlord")


def act(page: Page) -> None:
    """What the hint says, or a pass; with the bidding's highest call."""
    page.wait_for_selector("#act-call, #only-pass, #hint", state="attached")
    turn = turn_of(page)
    if page.locator("#act-call").count():
        page.locator("#act-call button").last.click()
    elif page.locator("#only-pass").count():
        page.click("#act-pass button")
    else:
        page.click("#hint")
        page.wait_for_selector("#reading:is([data-playable], [data-pass])")
        passes = page.locator("#reading[data-pass]").count()
        page.click("#act-pass button" if passes else "#act-play button")
    until_next(page, turn)


def hint_a_play(page: Page) -> None:
    """The best play that is suggested; where a pass is better it comes behind that."""
    page.click("#hint")
    page.wait_for_selector("#reading:is([data-playable], [data-pass])")
    if page.locator("#reading[data-pass]").count():
        page.click("#hint")
        page.wait_for_selector("#reading[data-playable]")


def centre(card: Locator) -> tuple[float, float]:
    """Where a finger meets a card: its index, as another may lie over the rest."""
    box = card.bounding_box()
    assert box
    return box["x"] + 10, box["y"] + 20


def fits(page: Page, size: dict[str, int]) -> None:
    """All one plays with is in sight, and nothing is cut off at the side."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    for part in ("#act-play button", "#hint", "#my-cards .pick >> nth=0", "#reading", ".middle"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.9)
    assert too_wide(page) <= 0


def answer_a_turn_that_is_over(page: Page, turn: str) -> None:
    """A page of an earlier turn learns so, and then shows the current state.

    In that turn a play was made: a pass, or other cards, are no answer to it that comes twice.
    """
    assert wait_for_turn(page)
    stale = "turn => document.getElementsByName('turn').forEach((one) => { one.value = turn })"
    if page.locator("#act-pass").count():
        page.evaluate(stale, turn)
        page.click("#act-pass button")
    else:
        hint_a_play(page)
        page.evaluate(stale, turn)
        page.click("#act-play button")
    expect(page.locator("#refused")).to_have_text("That turn is over.")
    expect(page.locator(".act [name=turn]").first).not_to_have_value(turn)


def choose_by_swipe(page: Page) -> None:
    """A swipe takes each card once, a tap one more; a tap beside puts all back."""
    hand, picks = hand_of(page), page.locator("#my-cards .pick")
    page.mouse.move(*centre(picks.nth(1)))
    page.mouse.down()
    for at in (2, 3, 4, 3, 2):
        page.mouse.move(*centre(picks.nth(at)), steps=4)
    page.mouse.up()
    assert chosen(page) == hand[1:5]
    page.mouse.click(*centre(picks.nth(2)))
    assert chosen(page) == [hand[1], hand[3], hand[4]]
    page.locator("#turn").click()
    assert chosen(page) == []


def play_twice_at_once(page: Page) -> str:
    """A double click plays once. The turn it was is the answer."""
    turn, before = turn_of(page), hand_of(page)
    expect(page.locator("#act-play button")).to_have_attribute("aria-disabled", "true")
    hint_a_play(page)
    gone = chosen(page)
    page.locator("#act-play button").dblclick()
    until_next(page, turn)
    assert hand_of(page) == [card for card in before if card not in gone]
    return turn


def test_a_hand_by_swipe_on_a_phone(
    visitor: Visitor, complaints: list[str], house_address: str
) -> None:
    page = visitor("dave")
    become_landlord(page, house_address)
    for size in (SIDEWAYS, DESK, PHONE):
        fits(page, size)
    choose_by_swipe(page)
    # What makes nothing says so, and cannot be sent.
    picks = page.locator("#my-cards .pick")
    for at in (0, 1, 16):
        page.mouse.click(*centre(picks.nth(at)))
    expect(page.locator("#reading:not([data-playable])")).not_to_be_empty()
    expect(page.locator("#act-play button")).to_have_attribute("aria-disabled", "true")
    page.locator("#turn").click()
    turn = play_twice_at_once(page)
    # The card counter is one tap away, and counts what the newest board shows.
    page.click("[popovertarget=panel-counter]")
    expect(page.locator("#counter-copy dt")).to_have_count(15)
    expect(page.locator("#counter-copy")).to_be_in_viewport()
    page.wait_for_function(COUNTED)
    page.keyboard.press("Escape")
    page.click(".worth")
    expect(page.locator("#worth")).to_contain_text("The call")
    page.keyboard.press("Escape")

    answer_a_turn_that_is_over(page, turn)

    # Loaded again, or come back to: the same hand, the same turn.
    hand, turn = hand_of(page), turn_of(page)
    page.reload()
    assert (hand_of(page), turn_of(page)) == (hand, turn)
    page.goto("/history/")
    page.go_back()
    expect(page.locator("#shoe")).to_have_attribute("data-turn", turn)
    assert hand_of(page) == hand

    # Without a line nothing is lost: it is there again as it stands.
    page.context.set_offline(True)
    page.context.set_offline(False)
    expect(page.locator("#shoe")).to_have_attribute("data-turn", turn)
    page.click("#auto-play")
    expect(page.locator(OVER)).to_contain_text("You ")
    expect(page.locator("#said")).to_contain_text("left")
    complaints.clear()


class Traffic:
    """All that a browser is answered, as text.

    But for the stream, which never ends, and for the rules, which show cards of their own.
    """

    def __init__(self, page: Page) -> None:
        self._new: list[Response] = []
        page.on("response", self._note)

    def _note(self, answer: Response) -> None:
        if "/rules/" not in answer.url:
            self._new.append(answer)

    def since(self) -> str:
        new, self._new[:] = list(self._new), []
        return "\n".join(
            one.text()
            for one in new
            if not re.search("/(live|static|rules)/", one.url) and one.status == 200
        )


def catch_up(page: Page, received: str) -> None:
    """Wait until a page shows the table as it stands in what another page has received."""
    newest = max(map(int, re.findall(r'data-version="(\d+)"', received)))
    until(lambda: int(page.locator("#shoe").get_attribute("data-version") or 0) >= newest)


def hidden_in(page: Page) -> set[str]:
    """The cards that nobody but their holder has seen, those in the middle left out."""
    return set(
        page.evaluate(
            """() => {
              const open = new Set(
                [...document.querySelectorAll(".middle [data-card]")].map((one) => one.dataset.card)
              );
              const picks = [...document.querySelectorAll("#my-cards .pick input")];
              return picks.map((pick) => pick.value).filter((card) => !open.has(card));
            }"""
        )
    )


def cards_leaked(one: Page, other: Page, traffic: Traffic) -> set[str]:
    """The cards that only the other may see and that came to this page all the same."""
    # The rules beside the table show cards of their own.
    received = traffic.since() + one.inner_html("#board")
    # A card that was just played is public before its owner's page takes it from the hand.
    catch_up(other, received)
    return cards_in(received) & hidden_in(other)


def is_over(*pages: Page) -> bool:
    return any(page.locator(OVER).count() for page in pages)


def go_on_together(*pages: Page) -> None:
    """All see the result before they see the next hand."""
    for page in pages:
        page.wait_for_selector(OVER, state="attached")
    go_on(pages[0])
    for page in pages:
        page.wait_for_selector("#my-cards")


def join(page: Page, address: str, host: Page) -> None:
    """Take a bot's seat when the hand is over, which the house plays for the host."""
    page.goto(address)
    page.locator("#sit-seat").select_option(index=page.locator("#sit-seat option").count() - 1)
    page.locator("#sit .main").click()
    # If nobody calls, the hand is over as well, and dealt again.
    until(lambda: play_by_itself(host) or page.locator("#seat-menu").count())

    def both_play() -> bool:
        if host.locator("#shoe[data-ended]").count():
            go_on(host)
        return all(one.locator("#my-cards").count() for one in (host, page))

    until(both_play)
    # Asked late, the house has begun to play this hand for the host as well.
    host.evaluate("document.querySelector('#do-auto-play.main')?.click()")
    expect(host.locator("#do-auto-play.main")).to_have_count(0)


def test_two_browsers_see_plays_and_never_each_others_cards(
    visitor: Visitor, complaints: list[str], house_address: str
) -> None:
    alice, bob = visitor("alice"), visitor("bob", viewport=DESK)
    sit_down(alice, house_address)
    nobody_passes_by_itself(bob, house_address)
    alice.wait_for_selector("#auto-play")
    join(bob, alice.url, alice)
    complaints.clear()
    traffic = {page: Traffic(page) for page in (alice, bob)}
    plays_seen = 0
    deadline = time.monotonic() + HANDS_MAX * PATIENCE_SECONDS
    while time.monotonic() < deadline:
        alice.wait_for_function(
            f"document.querySelector('#moves.mine form') || document.querySelector('{OVER}')"
            " || document.querySelector('.acting:not(.mine)')"
        )
        if is_over(alice, bob):
            if plays_seen:
                break
            # The bot has won before anybody could play a card: the next hand is another one.
            go_on_together(alice, bob)
            # The cards of the hand that is over lay open.
            for one in traffic.values():
                one.since()
            continue
        for one, other in ((alice, bob), (bob, alice)):
            got = cards_leaked(one, other, traffic[one])
            assert not got or is_over(alice, bob), got
        # One whose turn it is waits for this test; a bot does not.
        mover = next((one for one in (alice, bob) if one.locator("#moves.mine form").count()), None)
        if mover is None:
            alice.wait_for_timeout(100)
            continue
        before = hand_of(mover)
        act(mover)
        gone = set(before) - set(hand_of(mover))
        if gone and not mover.locator(OVER).count():
            watcher = bob if mover is alice else alice
            for card in gone:
                expect(watcher.locator(f".front [data-card='{card}']")).to_be_visible()
            plays_seen += 1
    assert plays_seen
