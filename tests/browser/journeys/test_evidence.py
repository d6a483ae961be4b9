"""A browser helps to mix, keeps a note of it, and shows its number under no lock but its own."""

import json
import re
from typing import Any, Final
from urllib.parse import parse_qs

from playwright.sync_api import Page, Request, Route

from games.rules.shoe import ShoeProtocol, from_hex
from tests.browser.driver import advance, go, press, still
from tests.browser.journeys.house_table import deal, place, play_out, sit_down
from tests.browser.visitors import Visitor, hand_on, without_stream
from tests.waiting import until
from wallets.storage.signing import is_signed

NOTES: Final = """() => Object.keys(localStorage).filter((key) => key.startsWith("note "))
  .map((key) => JSON.parse(localStorage.getItem(key)))"""
LOCK: Final = re.compile(r'data-lock="[^"]+"')
OTHER: Final = "0" * 64


def notes(page: Page) -> list[dict[str, Any]]:
    page_notes: list[dict[str, Any]] = page.evaluate(NOTES)
    return page_notes


def test_an_honest_house_gives_a_receipt(visitor: Visitor) -> None:
    page = visitor("alice", phone=True)
    sit_down(page, "casino_holdem")
    code = page.get_attribute("#shoe", "data-dealt") or ""
    [note] = [entry["note"] for entry in notes(page) if entry["note"]["shoe"] == code]
    assert note["commits"][str(note["seat"])] == note["commit"]
    commits = {int(seat): from_hex(commit) for seat, commit in note["commits"].items()}
    assert note["lock"] == ShoeProtocol(code).lock(from_hex(note["seal"]), commits).hex()
    statement, [key] = (
        note["receipt"]["statement"],
        page.request.get("/fairness/keys.json").json()["keys"],
    )
    assert statement["lock"] == note["lock"]
    assert is_signed("receipt", statement, note["receipt"]["signature"], key)

    place(page, "box-1")
    deal(page)
    play_out(page)
    assert any(entry.get("compared") for entry in notes(page))
    assert page.locator("#evidence").is_hidden()
    go(page, f"/history/{hand_on(page)}/")
    assert "✓" in page.inner_text("#evidence")
    with page.expect_download() as waiting:
        page.locator("#evidence a").click()
    assert json.loads(waiting.value.path().read_text()) == note


def test_a_number_is_shown_under_no_other_lock(visitor: Visitor) -> None:
    page = visitor("bob", phone=True)
    revealed: list[str] = []

    def note(request: Request) -> None:
        sent = parse_qs(request.post_data or "").get("mix", [])
        revealed.extend(value for value in sent if not value.startswith(("start ", "end ")))

    def lie(route: Route) -> None:
        answer = route.fetch()
        text = LOCK.sub(f'data-lock="{OTHER}"', answer.text())
        route.fulfill(response=answer, body=text)

    page.on("request", note)
    without_stream(page)
    page.route(re.compile(r"(?<!/live)/tables/\d+/(board/.*)?$"), lie)
    page.goto("/play/russian_poker/")
    press(page, "main button.main", at_rest=False)
    # The house waits for the number, which does not come.
    accuses = page.locator("#evidence.wrong")
    until(lambda: advance(page) or accuses.count())
    assert "is not the one your browser works out" in accuses.inner_text()
    # The page says so again, until its reader has seen it.
    page.reload()
    still(page)
    assert accuses.is_visible()
    press(page, "#evidence button", at_rest=False)
    page.reload()
    still(page)
    assert page.locator("#evidence").is_hidden()
    assert revealed == []
    accused = [entry for entry in notes(page) if entry.get("wrong")]
    assert accused
    assert not any(entry["note"].get("lock") for entry in accused)
    page.unroute_all(behavior="ignoreErrors")
