"""The proof of hands, checked by the script of the pages in a real browser."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Hand, Table
from games.rules.cards import composition
from games.shoes import chain
from tests.browser.in_process_house import page_at, sign_in
from tests.browser.visitors import PHONE
from tests.browser.width import too_wide
from tests.games.house import House
from tests.rules.falsified import falsified, says_the_same
from tests.rules.proved import AUDITOR, chain_entry, kept_note
from tests.rules.proved import record as made_record

pytestmark = pytest.mark.release

Record = dict[str, Any]
# The protocol's known answers: shoe T1-1, secret 00 01 … 1f, seats 1, 4 and 6; 8 decks.
MIX = "601ffa4e78332893015b6e2e42c348e307a9cabdf51609709c7377ba37d6be66"
LOCK = "d7b05aae39e0d26032f15e484122f979db6ce67a4a15dbe65c67a294c97baa23"
X_1 = "f279f49bb4c34f47e8caeea6d65278dbd8b02844d9ac559bc95b6e39b7342e0d"
COMMIT_OF_1 = "8afeb2c2d9ba5da010386ed9d024b3c15a5603c228285766d2353ff5f2ce9215"


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, complaints: list[str]) -> Iterator[Page]:
    """A browser at a house in this process: tests make its hands themselves."""
    with page_at(browser, live_server.url, complaints, PHONE) as page:
        yield page


def hands_over(count: int) -> Callable[[Table], bool]:
    return lambda table: table.hands.filter(status=Hand.Status.FINISHED).count() >= count


def test_hands_of_every_kind_of_shoe_are_proved_on_their_page(page: Page) -> None:
    house = House()
    played = [
        (house.dealt_in("chinese_poker", "alice", "bob"), 1),
        (house.table("baccarat"), 2),
        (house.table("doudizhu"), 1),
    ]
    house.sit(house.person("alice"), played[1][0], 1)
    for seat, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.person(name) if seat < 3 else house.player(name), played[2][0], seat)
    for table, hands in played:
        house.until(table, hands_over(hands))
    chain.link()
    sign_in(page, house, "alice")
    for table, hands in played:
        page.goto(f"/history/{table.hands.order_by('number')[0].pk}/")
        expect(page.locator("#proof-said")).to_contain_text("✓")
        expect(page.locator(".proof-parts")).to_contain_text("Result: proved, by entry")
        expect(page.locator("[data-step=chain].holds")).to_be_visible()
        expect(page.locator(".deal .proved").first).to_be_visible()
        expect(page.locator(".timeline")).to_contain_text("became entry")
        expect(page.locator(".shoe-hands a")).to_have_count(hands - 1)
        assert too_wide(page) <= 0


def other(digits: str) -> str:
    return ("0" if digits[0] != "0" else "1") + digits[1:]


def alter(path: str, value: Any = other) -> Callable[[Record], None]:
    """Changes the value at a path of a record."""

    def change(record: Record) -> None:
        *before, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
        inner: Any = record
        for part in before:
            inner = inner[part]
        inner[last] = value(inner[last]) if callable(value) else value

    return change


def swap_cards(record: Record) -> None:
    first, second = record["shoe"]["openings"][:2]
    first["card"], second["card"] = second["card"], first["card"]
    record["cards"][0], record["cards"][1] = record["cards"][1], record["cards"][0]


def two_leaves_in_one(record: Record) -> None:
    """The seal is the same, and one opening would fit elsewhere."""
    leaves = record["shoe"]["leaves"]
    leaves[-2:] = [leaves[-2] + leaves[-1][:32], leaves[-1][32:]]


# What was altered, and the first step that says so.
ALTERATIONS: list[tuple[Callable[[Record], None], str]] = [
    (alter("format", "hand-record/2"), "format"),
    (alter("shoe.lock", "no digits"), "format"),
    (alter("shoe", None), "format"),
    (alter("shoe.seal"), "seal"),
    (alter("shoe.leaves.50"), "seal"),
    (two_leaves_in_one, "seal"),
    (alter("shoe.seats.1.reveal"), "commit"),
    (alter("shoe.seats.1.commit"), "commit"),
    (alter("shoe.lock"), "lock"),
    (alter("shoe.seats", []), "lock"),
    (alter("shoe.mix"), "mix"),
    (alter("shoe.round", 2), "draw-chain"),
    (alter("shoe.x_m"), "draw-chain"),
    (alter("shoe.draws.3.value", lambda value: (value + 1) % 100), "draw"),
    (alter("shoe.draws.0.n", 40), "draw"),
    (alter("shoe.openings.0.salt"), "opening"),
    (swap_cards, "opening"),
    (alter("shoe.openings.0.k", 400), "opening"),
    (alter("cards.2", "2c"), "cards"),
    (alter("cards.3", "2c"), "cards"),
    (alter("shoe.from", 1), "cards"),
    (alter("context.wheel", lambda value: (value + 1) % 100), "context"),
]


# What a record tells beside its cards; each change of it shows in the digest.
BEYOND_THE_CARDS: list[Callable[[Record], Record]] = [
    lambda record: {**record, "settlement": {**record["settlement"], "rake": {}}},
    lambda record: {**record, "moves": record["moves"][:-1]},
    lambda record: {**record, "stakes": record["stakes"][::-1]},
]


def test_altered_record_fails_at_the_altered_step(page: Page) -> None:
    # Card 3 is one that this record's reader has not seen.
    honest = made_record(hidden=(3,))
    assert honest["cards"][2] != "2c"
    page.route("**/fairness/hands/*", lambda route: route.fulfill(json=chain_entry(honest)))
    page.goto("/verify/")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    said, field = page.locator("#proof-said"), page.get_by_label("Or paste it")
    field.fill(json.dumps(honest))
    expect(said).to_have_text("✓ Every step is right.")
    expect(page.locator(".proof-parts li")).to_have_text(
        [
            "Cards: 11 of 12 proved; a card that you have not seen stays sealed.",
            "Moves: all 5 proved, with when and by whom each was made.",
            "Result: proved, by entry 40 of the public chain.",
            "Closed to you: the cards of move 3, what the mystery prize lacked"
            + "".join(f", who sat in seat {seat}" for seat in (2, 3, 7))
            + ".",
        ]
    )
    expect(page.locator(".proof-steps .holds")).to_have_count(12)
    for change, step in ALTERATIONS:
        record = deepcopy(honest)
        change(record)
        field.fill(json.dumps(record))
        name = page.locator(f"[data-step={step}] b").inner_text()
        expect(said).to_have_text(f"✗ This record is wrong. First failed step: {name}.")
        expect(page.locator(f"[data-step={step}] .why")).not_to_be_empty()
        field.fill(json.dumps(honest))
        expect(said).to_contain_text("Every step is right")
    broken_off = json.dumps(honest)[:5_000]
    wrong = {
        "no JSON {": "cannot be read as JSON",
        broken_off: "broken off",
        "[]": "This record is wrong",
    }
    wrong |= {json.dumps(altered(honest)): "This record is wrong" for altered in BEYOND_THE_CARDS}
    for text, answer in wrong.items():
        field.fill(text)
        expect(said).to_contain_text(answer)
    file = page.get_by_label("Choose a record")
    large = {"name": "large.json", "mimeType": "application/json", "buffer": b" " * 10_000_000}
    file.set_input_files(large)  # type: ignore[arg-type]
    expect(said).to_contain_text("too large")
    file.set_input_files({**large, "buffer": json.dumps(honest).encode()})  # type: ignore[arg-type]
    expect(said).to_contain_text("Every step is right")
    # The tab's icon is the page's own.
    entry = "/fairness/hands/B-H3.json"
    assert [address for address in requested if not address.endswith(("/mark.svg", entry))] == []


def without_its_entry(page: Page, complaints: list[str]) -> None:
    """A browser tells its console of an answer 404, though the page has words for it."""
    page.wait_for_load_state("networkidle")
    assert all("404" in complaint for complaint in complaints), complaints
    complaints.clear()


def test_unproved_parts_are_named(page: Page, complaints: list[str]) -> None:
    house, record = House(), made_record()
    page.goto("/verify/")
    said, parts = page.locator("#proof-said"), page.locator(".proof-parts")
    file = page.get_by_label("Choose a record")

    def bring(*files: Record) -> None:
        file.set_input_files(
            [  # type: ignore[arg-type]
                {
                    "name": "a.json",
                    "mimeType": "application/json",
                    "buffer": json.dumps(file).encode(),
                }
                for file in files
            ]
        )

    assert house.now
    bring(record)
    expect(said).to_have_text(
        "✓ Everything that could be checked is right, but not everything could be checked."
    )
    expect(parts).to_contain_text("Moves: not proved. This house has no entry of this hand")
    expect(parts).to_contain_text("Result: not proved.")
    without_its_entry(page, complaints)
    bring(chain_entry(record))
    expect(said).to_have_text("✓ Every step is right.")
    bring(kept_note(record, 2))
    expect(page.locator("[data-step=note]")).to_have_class("holds")
    bring({**kept_note(record, 2), "lock": "0" * 64})
    expect(said).to_contain_text("Kept note")
    older = made_record(digested=False)
    bring(older, chain_entry(older))
    expect(parts).to_contain_text("Moves: not proved. Hands from that time have no digest")
    expect(parts).to_contain_text("Result: proved")
    page.goto("/verify/")
    bring(chain_entry(record))
    expect(said).to_contain_text("now give the record")


@pytest.mark.parametrize("reader", [None, AUDITOR])
def test_no_field_is_falsified_unnoticed_in_a_browser(page: Page, reader: str | None) -> None:
    """The page finds everything that docs/verify.py finds."""
    hidden = () if reader else (1, 4)
    record = made_record(composition(), first=3, round_number=2, hidden=hidden, reader=reader)
    altered = dict(falsified(record))
    page.goto("/verify/")
    verdicts = page.evaluate(
        """async ([records, entry]) => {
            const { check } = await import("/static/games/proof_check.js");
            const holds = async (record) => {
                try {
                    const { steps } = await check(record, entry);
                    return Object.values(steps).every((wrong) => !wrong.length);
                } catch { return false; }
            };
            const verdicts = [];
            for (const record of records) verdicts.push(await holds(record));
            return verdicts;
        }""",
        [[record, *altered.values()], chain_entry(record)],
    )
    assert verdicts[0]
    unnoticed = {what for what, held in zip(altered, verdicts[1:], strict=True) if held}
    assert {what for what in unnoticed if not says_the_same(what)} == set()


def test_the_known_answers_of_the_protocol_come_out_in_a_browser(page: Page) -> None:
    page.goto("/verify/")
    answers = page.evaluate(
        """async ([lock, mix, link]) => {
            const script = await import("/static/games/proof_check.js");
            const { hash, perm } = script.shoeProtocol("T1-1");
            const bytes = ["01", "04", "06"].map((byte) => byte.repeat(32));
            const chance = await hash("draw-mix", mix, link);
            const draw = async (label, n) => (await perm(chance, label, n))[0];
            return {
                commit: await hash("seat", "01", bytes[0]),
                mix: await hash("mix", lock, ...bytes),
                cut: (await perm(mix, "cut", 416)).slice(0, 8),
                x_0: await hash("draw", link),
                draws: [await draw("wild", 51), await draw("bonus-card", 52),
                        await draw("wheel-card", 52), await draw("wheel", 100)],
            };
        }""",
        [LOCK, MIX, X_1],
    )
    assert answers == {
        "commit": COMMIT_OF_1,
        "mix": MIX,
        "cut": [312, 52, 210, 250, 332, 31, 96, 324],
        "x_0": "9c406c3bfb1f3106ba6207a102fa93677868c7feff3d6e98bcf55593d3a2cd8c",
        "draws": [4, 48, 27, 93],
    }
