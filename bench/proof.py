"""How long a browser takes to check the record of a hand.

    python -m bench.proof

A record of eight decks whose 416 cards are all open, in round 256 of its shoe, with every draw:
more than any hand has. It is checked by the script of the pages in Chromium; the page is made up
here, as only the check is timed.
"""

import os
from pathlib import Path
from statistics import median
from typing import Any, Final

from playwright.sync_api import Route, sync_playwright

from games.rules.cards import composition
from tests import chromium
from tests.rules.proved import record

STATIC: Final = Path(__file__).parent.parent / "static"
SCRIPTS: Final = {
    "bytes.js": STATIC / "games" / "bytes.js",
    "proof_check.js": STATIC / "games" / "proof_check.js",
}
TIMES: Final = 15
# A secure context, which hashes need; every request is answered here.
ADDRESS: Final = "https://house.test/"
TIMED: Final = """async (record) => {
    const { check } = await import("/proof_check.js");
    const began = performance.now();
    const { steps, deal } = await check(record);
    const took = performance.now() - began;
    const holds = Object.values(steps).every((wrong) => !wrong.length);
    return [took, holds && deal.every((one) => one.known === "proved")];
}"""


def answer(route: Route) -> None:
    script = SCRIPTS.get(route.request.url.removeprefix(ADDRESS))
    if script:
        route.fulfill(body=script.read_text(), content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html>", content_type="text/html")


def main() -> None:
    hand_record = record(composition(8), round_number=256, cards_in_hand=416)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=arguments)
        page = browser.new_page()
        page.route(f"{ADDRESS}**", answer)
        page.goto(ADDRESS)
        runs: list[Any] = [page.evaluate(TIMED, hand_record) for _ in range(TIMES)]
        browser.close()
    assert all(holds for _, holds in runs)
    times = sorted(took for took, _ in runs)
    print(f"416 cards: {median(times):.0f} ms, the slowest of {TIMES} times {times[-1]:.0f} ms")


if __name__ == "__main__":
    main()
