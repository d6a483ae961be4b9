"""The site as an app: what shows without a connection, what is kept, and whose turn it is."""

from playwright.sync_api import Page, expect

from tests.browser.house import go_on, play_by_itself, sit
from tests.browser.line import Line, a_line
from tests.browser.play_round import sit_down
from tests.browser.visitors import DESK, Visitor
from tests.waiting import until

# Every address that any cache of this origin holds, and the names of the caches.
KEPT = """async () => {
  const names = await caches.keys();
  const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return [names, lists.flat().map((request) => new URL(request.url).pathname)];
}"""
BODIES = """async () => {
  const bodies = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const key of await cache.keys()) bodies.push(await (await cache.match(key)).text());
  }
  return bodies.join();
}"""
CONTROLLED = "() => navigator.serviceWorker.controller?.state === 'activated'"
# What a device does for an app, written down.
DEVICE = """
window.badges = [];
window.awake = 0;
navigator.setAppBadge = (count) => badges.push(count);
navigator.clearAppBadge = () => badges.push(0);
navigator.wakeLock.request = async () => {
  awake += 1;
  return { release: () => (awake -= 1), released: false };
};
"""
OVER = "#outcome.good, #outcome.bad"
MINE = "document.title.startsWith('● Your turn · ')"
# The titles of the notifications that stand.
NOTES = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((one) => one.title);
}"""
HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def browser_notes_the_cut(complaints: list[str]) -> None:
    """The browser itself notes each line that is cut."""
    cut = ("net::ERR_", "htmx:", "object Event")
    assert [one for one in complaints if not any(word in one for word in cut)] == []
    complaints.clear()


def test_without_a_connection_a_page_says_so_and_nothing_else_is_kept(
    visitor: Visitor, complaints: list[str], house_address: str
) -> None:
    with a_line(house_address) as line:
        page: Page = visitor("bob", viewport=DESK, address=line.address)
        without_a_connection(page, line)
        page.close()
    browser_notes_the_cut(complaints)


def without_a_connection(page: Page, line: Line) -> None:
    sit_down(page, "baccarat")
    table = page.url
    page.wait_for_function(CONTROLLED)
    # A page that the worker answers for is no more kept than the one before it.
    page.goto("/history/")
    page.goto("/wallet/")
    page.goto(table)
    page.wait_for_selector("#shoe", state="attached")
    names, kept = page.evaluate(KEPT)
    assert len(names) == 1
    assert sorted(kept) == ["/offline/", "/static/casino/casino.css", "/static/casino/mark.svg"]
    bodies = page.evaluate(BODIES)
    assert "bob" not in bodies
    assert "<div id=" not in bodies

    line.cut()
    page.goto(table)
    for language, word in (("en", "Offline"), ("zh-Hans", "离线"), ("zh-Hant", "離線")):
        expect(page.locator(f"section[lang={language}]")).to_contain_text(word)
    expect(page.locator("#board")).to_have_count(0)
    # Its styles were kept with it.
    expect(page.locator("section.sheet").first).not_to_have_css("border-radius", "0px")
    line.mend()
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#board")).to_be_visible()
    assert page.url == table


def test_title_badge_and_screen_know_my_turn(visitor: Visitor) -> None:
    page: Page = visitor("alice", viewport=DESK, permissions=["notifications"])
    page.add_init_script(DEVICE)
    sit(page, "doudizhu")
    page.wait_for_function(f"() => {MINE} && awake === 1 && badges.at(-1) === 1")
    # Nobody who looks at the table is notified.
    assert page.evaluate(NOTES) == []

    until(lambda: play_by_itself(page) or page.locator(OVER).count())
    page.wait_for_function(f"() => !{MINE} && awake === 0 && badges.at(-1) === 0")

    page.evaluate(HIDDEN, True)
    go_on(page)
    page.wait_for_function(f"() => {MINE}")
    # The screen of a page that nobody sees may go dark.
    assert page.evaluate("awake") == 0
    until(lambda: page.evaluate(NOTES) == ["Your turn"])
    page.evaluate(HIDDEN, False)
    until(lambda: page.evaluate(NOTES) == [])
