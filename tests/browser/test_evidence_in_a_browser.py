"""A browser beside a house that cheats: what it reveals, what it keeps, and what it says."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from html import escape, unescape
from typing import Any, Final
from urllib.parse import parse_qs

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Error, Page, Request, Route, expect

from games.rules.shoe import ShoeProtocol, from_hex
from tests.browser.house import go_on, go_on_at, hold, sit
from tests.browser.play_round import (
    BETTING,
    deal,
    next_round,
    place,
    play_out,
    sit_down,
)
from tests.browser.visitors import Visitor, answered_otherwise, hand_on, without_stream
from tests.waiting import until
from wallets.storage.signing import canonical

pytestmark = pytest.mark.release

NOTES: Final = """() => Object.keys(localStorage).filter((key) => key.startsWith("note "))
  .map((key) => JSON.parse(localStorage.getItem(key)))"""
SHOWN: Final = re.compile(r'data-(seal|lock|commits)="([^"]*)"')
# The browser compares every hand that ends, and not one in sixteen.
EVERY_HAND: Final = """const draw = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (into) => (into.length === 1 ? into.fill(0) : draw(into));"""
OTHER: Final = "0" * 64
# What a house shows of a shoe: its seal, its lock, and the commits as text.
Shown = dict[str, Any]


def notes(page: Page) -> list[dict[str, Any]]:
    page_notes: list[dict[str, Any]] = page.evaluate(NOTES)
    return page_notes


def shoe_of(page: Page) -> str:
    return page.locator("#shoe").get_attribute("data-shoe") or ""


def locked_honestly(code: str, shown: Shown) -> str:
    commits = {int(seat): from_hex(commit) for seat, commit in shown["commits"].items()}
    return ShoeProtocol(code).lock(from_hex(shown["seal"]), commits).hex()


def another_lock(_code: str, shown: Shown) -> None:
    shown["lock"] = OTHER


def one_more_seat(_code: str, shown: Shown) -> None:
    shown["commits"]["9"] = OTHER


def no_digits(code: str, shown: Shown) -> None:
    shown["commits"]["9"] = "zz" * 32


def another_commit(code: str, shown: Shown) -> None:
    shown["commits"] = dict.fromkeys(shown["commits"], OTHER)
    shown["lock"] = locked_honestly(code, shown)


def answer_otherwise(route: Route, change: Callable[[str], str]) -> None:
    """Answer a request with the house's response, altered on its way to the browser."""
    # A test may be over while the page still asks.
    with suppress(Error):
        answer = route.fetch()
        headers = {
            name: value for name, value in answer.headers.items() if name != "content-length"
        }
        route.fulfill(status=answer.status, headers=headers, body=change(answer.text()))


class Cheat:
    """A house that shows its boards otherwise than they are, from the lock on."""

    def __init__(self, page: Page, change: Callable[[str, Shown], None]) -> None:
        self.change = change
        self.revealed: list[str] = []
        without_stream(page)
        page.route(re.compile(r"(?<!/live)/tables/\d+/(board/.*)?$"), self.show)
        page.on("request", self.note)

    def note(self, request: Request) -> None:
        sent = parse_qs(request.post_data or "").get("mix", [])
        self.revealed.extend(value for value in sent if not value.startswith(("start ", "end ")))

    def show(self, route: Route) -> None:
        answer_otherwise(route, self.changed)

    def changed(self, text: str) -> str:
        begins = text.find('<div id="shoe"')
        whole, text = text[:begins], text[begins:]
        code = re.search(r'data-shoe="([^"]+)"', text)
        attributes = {name: unescape(value) for name, value in SHOWN.findall(text)}
        if code is None or not attributes.get("lock"):
            return whole + text
        shown = attributes | {"commits": json.loads(attributes["commits"])}
        self.change(code[1], shown)
        shown["commits"] = escape(json.dumps(shown["commits"]))

        def again(match: re.Match[str]) -> str:
            return f'data-{match[1]}="{shown[match[1]]}"'

        return whole + SHOWN.sub(again, text)


def take_part(page: Page) -> None:
    """Sit down where every hand has a shoe of its own, and have a part in mixing it."""
    sit_down(page, "casino_holdem")

    def has_part() -> bool:
        dealt = page.get_attribute("#shoe", "data-dealt")
        mine = [entry["note"] for entry in notes(page) if entry["note"]["shoe"] == dealt]
        return any(note["receipt"] for note in mine)

    until(lambda: has_part() or page.locator("#mixed-by-house").count())
    if not has_part():
        # One who sat down as a pause ended came too late for that shoe.
        end_a_hand(page)
        next_round(page)
        until(has_part)


def end_a_hand(page: Page) -> str:
    """Play a hand to its end, and say which it was."""
    place(page, "box-1")
    deal(page)
    play_out(page)
    return hand_on(page)


def until_accused(page: Page) -> None:
    """Until the browser accuses the house; who came too late for a shoe plays on to the next."""

    def accused() -> bool:
        if page.locator("#mixed-by-house").count() and page.locator(BETTING).count():
            end_a_hand(page)
            go_on(page)
        return page.locator("#evidence.wrong").count() > 0

    until(accused)


@pytest.mark.parametrize(
    ("name", "game", "change", "words"),
    [
        # The house mixes for a seat that shows nothing twice: no two share name and table.
        ("bob", "russian_poker", another_lock, "is not the one your browser works out"),
        ("bob", "casino_holdem", one_more_seat, "is not the one your browser works out"),
        ("carol", "russian_poker", no_digits, "is not the one your browser works out"),
        ("dave", "russian_poker", another_commit, "is missing from the lock"),
    ],
)
def test_a_browser_shows_its_number_under_no_other_lock(
    visitor: Visitor, name: str, game: str, change: Callable[[str, Shown], None], words: str
) -> None:
    page = visitor(name, service_workers="block")
    cheat = Cheat(page, change)
    sit(page, game)
    until_accused(page)
    expect(page.locator("#evidence.wrong")).to_contain_text(words)
    # It says so on every page of that table, until its reader has seen it.
    page.reload()
    expect(page.locator("#evidence.wrong")).to_contain_text(words)
    page.click("#evidence button")
    page.reload()
    page.wait_for_selector("#shoe[data-shoe]", state="attached")
    expect(page.locator("#evidence")).to_be_hidden()
    assert cheat.revealed == []
    accused = [entry for entry in notes(page) if entry.get("wrong")]
    assert accused
    assert not any(entry["note"].get("lock") for entry in accused)


@pytest.mark.parametrize(
    ("name", "game", "language", "words"),
    [
        ("dave", "casino_holdem", "zh-hans", "你的浏览器"),
        ("alice", "russian_poker", "zh-hant", "你的瀏覽器"),
    ],
)
def test_the_notice_speaks_its_readers_language(
    visitor: Visitor, name: str, game: str, language: str, words: str
) -> None:
    page = visitor(name, language=language)
    Cheat(page, another_lock)
    sit(page, game)
    until_accused(page)
    expect(page.locator("#evidence.wrong")).to_contain_text(words)


def test_a_lock_that_is_quicker_than_the_answer_to_the_commit_is_not_missed(
    visitor: Visitor,
) -> None:
    page = visitor("dave", service_workers="block")
    page.goto("/")
    hold(page)

    def late(route: Route) -> None:
        answer = route.fetch()
        go_on(page)
        page.wait_for_selector("#shoe:not([data-lock=''])", state="attached")
        route.fulfill(response=answer)

    answered_otherwise(page, "**/mix/", late, times=1)
    sit(page, "russian_poker")
    expect(page.locator(BETTING)).to_be_visible()
    until(lambda: any(entry["note"]["receipt"] for entry in notes(page)))


def signed_for_another_lock(receipt: dict[str, Any]) -> None:
    receipt["statement"]["lock"] = OTHER


def signed_by_nobody(receipt: dict[str, Any]) -> None:
    receipt["signature"] = "00" * 64


def signed_by_another_key(receipt: dict[str, Any]) -> None:
    """A signature that holds, by a key that the house can deny later."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    message = b"CR1|receipt|" + canonical(receipt["statement"])
    receipt["signature"] = key.sign(message).hex()
    receipt["key"] = key.public_key().public_bytes_raw().hex()


@pytest.mark.parametrize(
    ("name", "forge"),
    [
        ("alice", signed_for_another_lock),
        ("bob", signed_by_nobody),
        ("carol", signed_by_another_key),
    ],
)
def test_a_receipt_that_proves_nothing_turns_red(
    visitor: Visitor, name: str, forge: Callable[[dict[str, Any]], None]
) -> None:
    page = visitor(name, service_workers="block")

    def changed(text: str) -> str:
        answer = json.loads(text)
        if answer.get("receipt"):
            forge(answer["receipt"])
        return json.dumps(answer)

    page.route("**/tables/*/mix/", lambda route: answer_otherwise(route, changed))
    sit(page, "casino_holdem")
    until_accused(page)
    expect(page.locator("#evidence.wrong")).to_contain_text("receipt of the house")
    assert not any(entry["note"]["receipt"] for entry in notes(page))


def test_a_hand_that_differs_from_the_note_turns_red_at_the_table(visitor: Visitor) -> None:
    page = visitor("alice", service_workers="block")
    page.add_init_script(EVERY_HAND)

    def changed(text: str) -> str:
        return json.dumps(json.loads(text) | {"lock": OTHER})

    page.route("**/fairness/shoes/*.json", lambda route: answer_otherwise(route, changed))
    take_part(page)
    end_a_hand(page)
    expect(page.locator("#evidence.wrong")).to_contain_text("before the deal: Lock")


def alter(shoe: dict[str, Any], what: str) -> None:
    if what == "lock":
        shoe["lock"] = OTHER
    elif what == "seal":
        shoe["seal"] = OTHER
    elif what == "house":
        for seat in shoe["seats"]:
            seat["who"] = "house"
    else:
        for seat in shoe["seats"]:
            seat[what] = OTHER


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("seal", "Seal"),
        ("lock", "Lock"),
        ("commit", "Commitments"),
        ("house", "Commitments"),
        ("reveal", "your own number"),
    ],
)
def test_a_record_that_differs_from_the_note_turns_red_in_the_proof_panel(
    visitor: Visitor, what: str, words: str
) -> None:
    page = visitor("alice", service_workers="block")
    take_part(page)
    hand = end_a_hand(page)

    def changed(text: str) -> str:
        record = json.loads(text)
        alter(record["shoe"], what)
        return json.dumps(record)

    page.route("**/history/*/record/", lambda route: answer_otherwise(route, changed))
    page.goto(f"/history/{hand}/")
    expect(page.locator("#evidence.wrong")).to_contain_text(f"before the deal: {words}")
    expect(page.locator("#evidence a")).to_be_visible()


def test_another_lock_after_the_number_was_shown_turns_red(visitor: Visitor) -> None:
    """The next shoe is locked ahead, and its number goes with the next act."""
    page = visitor("alice", service_workers="block")
    take_part(page)
    place(page, "box-1")
    deal(page)

    def is_shown() -> bool:
        received = [note["note"]["shoe"] for note in notes(page) if note["note"]["receipt"]]
        return shoe_of(page) in received

    until(is_shown)
    Cheat(page, another_lock)
    page.reload()
    accused = page.locator("#evidence.wrong")
    expect(accused).to_contain_text("is not the one your browser works out")
    page.close()


def test_a_number_that_came_cannot_be_called_withheld(visitor: Visitor) -> None:
    page = visitor("alice", service_workers="block")
    page.add_init_script(EVERY_HAND)

    def changed(text: str) -> str:
        shoe = json.loads(text) | {"status": "void", "void": "not revealed by seat 1"}
        for seat in shoe["seats"]:
            seat["reveal"] = ""
        return json.dumps(shoe)

    page.route("**/fairness/shoes/*.json", lambda route: answer_otherwise(route, changed))
    take_part(page)
    end_a_hand(page)
    expect(page.locator("#evidence.wrong")).to_contain_text("before the deal: your own number")


TIPS: Final = """() => Object.keys(localStorage).filter((key) => key.startsWith("chain "))
  .map((key) => JSON.parse(localStorage.getItem(key)).tip)"""


def sit_and_start(page: Page) -> str:
    """A table whose shoe is locked only when the test says so; the tip of the browser's chain."""
    page.goto("/")
    hold(page)
    with page.expect_response("**/mix/"):
        sit(page, "doudizhu")
    [tip] = page.evaluate(TIPS)
    return str(tip)


def version_in(text: str) -> int:
    """The version of the table's board that a page shows."""
    shown = re.search(r'data-version="(\d+)"', text)
    assert shown
    return int(shown[1])


def mixed(shoe: dict[str, Any]) -> dict[str, Any] | None:
    """What is published of a shoe that is not sealed or locked any more."""
    return None if shoe["status"] in ("sealed", "locked") else shoe


def test_leaving_a_page_ends_the_chain_and_returning_starts_another(
    visitor: Visitor,
) -> None:
    page = visitor("bob", service_workers="block")
    tip = sit_and_start(page)
    table, code = page.url, shoe_of(page)
    before = version_in(page.content())
    page.goto("/history/")
    # What a page sends as it is left arrives after that.
    until(lambda: version_in(page.request.get(f"{table}board/").text()) > before)
    go_on_at(table)
    # The table did not wait for the number of a player who had left; the house mixed instead.
    address = f"/fairness/shoes/{code}.json"
    shoe = until(lambda: mixed(page.request.get(address).json()))
    assert shoe is not None
    assert shoe["void"] == ""
    assert tip not in [seat["commit"] for seat in shoe["seats"]]
    page.goto(table)
    expect(page.locator("#mixed-by-house")).to_be_visible()


def test_page_restored_from_the_browser_cache_starts_again(visitor: Visitor) -> None:
    page = visitor("bob", service_workers="block")
    tip = sit_and_start(page)
    with page.expect_request("**/mix/") as ended:
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert parse_qs(ended.value.post_data or "")["mix"] == [f"end {tip}"]
    page.wait_for_selector("#shoe[data-tip='']", state="attached")
    with page.expect_request("**/mix/") as again:
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert parse_qs(again.value.post_data or "")["mix"][0].startswith("start ")
