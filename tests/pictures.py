"""Takes the pictures in README from a running demonstration: `make pictures`, some minutes.

The house opens as `make run` opens it, and has its month of history before anything is taken.
Beside the pictures it writes what their pages were made of, so that `make lint` can say which of
them show an older page (`docs/checks/pictures.py`).
"""

import json
from contextlib import suppress
from typing import Final

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from docs.checks.pictures import DIGESTS, FOLDER, PAGES, digest
from docs.checks.tree import Tree
from tests.browser.house import launch, sign_in
from tests.houses import open_house
from tests.houses.supervised import Supervised
from tests.houses.surroundings import REPOSITORY
from tests.screenshots import MOTION_ENDED
from tests.waiting import until

COMPLETE: Final = "the history is complete"
PHONE: Final = ViewportSize(width=390, height=844)
AUDIT: Final = ViewportSize(width=1280, height=1130)
OFFICE: Final = ViewportSize(width=1280, height=860)
WAIT_MILLISECONDS: Final = 120_000
# On a busy machine.
HISTORY_SECONDS_MAX: Final = 1_800
# A decision takes no press before it has been there for a moment.
PAUSE_MILLISECONDS: Final = 1_500
MINE: Final = "#moves.mine"
# A turn that can answer what others have played; and what to press until there is one.
ANSWERS: Final = "#moves.mine:not(:has(#only-pass)) #act-pass button:enabled"
PRESSES: Final = ("#act-call button >> nth=-1", "#act-pass button", "#hint", "#act-play button")
ENDED: Final = "#lines, #outcome.good, #outcome.bad"


def take(page: Page, name: str) -> None:
    page.evaluate(MOTION_ENDED)
    page.screenshot(path=REPOSITORY / FOLDER / f"{name}.png")
    print(f"{name}: {page.url}", flush=True)


def visitor(browser: Browser, address: str, name: str, size: ViewportSize, theme: str) -> Page:
    context = browser.new_context(base_url=address, viewport=size)
    context.add_cookies([{"name": "theme", "value": theme, "url": address}])
    page = context.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    sign_in(page, name)
    return page


def play(page: Page) -> None:
    """A hand of Dou Dizhu, with a picture of a turn that answers another player's cards."""
    page.goto("/play/doudizhu/")
    page.click("main button.main")
    while True:
        page.wait_for_selector(MINE)
        page.wait_for_timeout(PAUSE_MILLISECONDS)
        if page.locator(ANSWERS).count():
            break
        for selector in PRESSES:
            with suppress(TooLate):
                page.locator(f"{MINE} {selector}").click(timeout=PAUSE_MILLISECONDS)
    take(page, "doudizhu")
    page.evaluate("document.getElementById('do-auto-play').click()")
    page.wait_for_selector(ENDED)


def main() -> None:
    with (
        open_house(Supervised, migrated=False, variables={"DEMO_LIFE": "1"}) as house,
        sync_playwright() as playwright,
    ):
        print("waiting for the history of the demonstration", flush=True)
        until(lambda: COMPLETE in house.text(), HISTORY_SECONDS_MAX)
        browser = launch(playwright)
        play(visitor(browser, house.address, "alice", PHONE, "dark"))
        auditor = visitor(browser, house.address, "auditor", AUDIT, "light")
        auditor.goto("/admin/hands/?player=alice")
        auditor.locator("main a[href^='/admin/hands/T'], a[href^='/admin/hands/T']").first.click()
        auditor.fill("[name=reason]", "a complaint")
        auditor.click("[name=open]")
        auditor.wait_for_selector(".message.warning")
        take(auditor, "audit")
        manager = visitor(browser, house.address, "manager", OFFICE, "light")
        manager.goto("/admin/")
        manager.click("[name=step][value='0']")
        manager.wait_for_selector("#tour", state="detached")
        take(manager, "office")
        browser.close()
    tree = Tree.read()
    digests = {picture: digest(tree, picture) for picture in PAGES}
    (REPOSITORY / DIGESTS).write_text(json.dumps(digests, indent=2) + "\n")


if __name__ == "__main__":
    main()
