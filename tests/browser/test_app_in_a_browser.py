"""The site as an app: what shows without a connection, what is kept, and whose turn it is."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.house import go_on, play_by_itself, sit
from tests.browser.line import Line, a_line
from tests.browser.play_round import sit_down
from tests.browser.visitors import DESK, Visitor
from tests.casino.push_service import Browser
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
# A browser without a line has no push service: what one gives, and where it leads.
SUBSCRIBES = """
const given = {
  toJSON: () => ({ endpoint: "https://push.example/1", keys: KEYS }),
  unsubscribe: async () => (window.subscribed = null),
};
window.subscribed = null;
PushManager.prototype.getSubscription = async () => subscribed;
PushManager.prototype.subscribe = async (options) => {
  window.wanted = options;
  return (window.subscribed = given);
};
"""
# A press on the notification, and the page that this opens: the browser lets only people do that.
PRESS = """async () => {
  let opened;
  clients.openWindow = async (page) => { opened = page; };
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  while (!opened) await new Promise((done) => setTimeout(done, 10));
  return opened;
}"""
OVER = "#outcome.good, #outcome.bad"
MINE = "document.title.startsWith('● Your turn · ')"
# The titles of the notifications that stand.
NOTES = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((one) => one.title);
}"""
# What has been shown, in order. Chromium forgets a notification that a page lists before it stands,
# so nothing asks for NOTES until then.
SHOWN = """
self.shown = [];
const { showNotification } = ServiceWorkerRegistration.prototype;
ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
  await showNotification.call(this, title, options);
  shown.push(title);
};
"""
HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def browser_notes_the_cut(complaints: list[str]) -> None:
    """The browser itself notes each line that is cut."""
    cut = ("net::ERR_", "htmx:", "object Event")
    assert [one for one in complaints if not any(word in one for word in cut)] == []
    complaints.clear()


def come_under_the_worker(page: Page) -> None:
    """Wait for the worker and load the page anew.

    As it starts, it takes over the pages that are open, but not one that is just being loaded.
    """
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.wait_for_function(CONTROLLED)


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
    come_under_the_worker(page)
    # A page that the worker answers for is no more kept than the one before it.
    page.goto("/history/")
    page.goto("/wallet/")
    page.goto(table)
    page.wait_for_selector("#shoe", state="attached")
    names, kept = page.evaluate(KEPT)
    assert len(names) == 1
    files = ("bar.css", "casino.css", "mark.svg")
    assert sorted(kept) == ["/offline/", *(f"/static/casino/{name}" for name in files)]
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
    page.add_init_script(DEVICE + SHOWN)
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
    page.wait_for_function("() => shown.length")
    assert page.evaluate(NOTES) == ["Your turn"]
    page.evaluate(HIDDEN, False)
    until(lambda: page.evaluate(NOTES) == [])


def test_a_player_is_called_back_to_the_table(visitor: Visitor) -> None:
    page: Page = visitor("alice", viewport=DESK, permissions=["notifications"])
    keys = {name: key for name, key in Browser("").fields.items() if name != "endpoint"}
    page.add_init_script(SUBSCRIBES.replace("KEYS", json.dumps(keys)))
    page.goto("/players/profile/")
    switch = page.locator("main form[data-push]")
    switch.get_by_role("button", name="Notify me when it is my turn").click()
    expect(switch.get_by_role("button", name="Stop notifying me in this browser")).to_be_visible()
    assert page.evaluate("wanted.userVisibleOnly")

    come_under_the_worker(page)
    sit_down(page, "baccarat")
    table = urlsplit(page.url).path
    deliver = a_push_service(page)
    words = "It is your turn at the table"
    (worker,) = page.context.service_workers
    worker.evaluate(f"() => {{{SHOWN}}}")
    # Whoever sees the table is not called to it.
    deliver({"words": words, "page": table})
    deliver({"words": "Elsewhere", "page": "/tables/999/"})
    until(lambda: worker.evaluate("shown.at(-1)") == "Elsewhere")
    assert page.evaluate(NOTES) == ["Elsewhere"]
    assert worker.evaluate(PRESS) == "/tables/999/"
    assert page.evaluate(NOTES) == []

    page.goto("/rules/")
    deliver({"words": "An earlier turn", "page": table})
    deliver({"words": words, "page": table})
    until(lambda: worker.evaluate("shown.at(-1)") == words)
    assert page.evaluate(NOTES) == [words]
    page.goto(table)
    until(lambda: page.evaluate(NOTES) == [])

    page.goto("/players/profile/")
    # This page has no subscription, as one that the browser has ended.
    switch.get_by_role("button", name="Notify me when it is my turn").click()
    switch.get_by_role("button", name="Stop notifying me in this browser").click()
    expect(switch.get_by_role("button", name="Notify me when it is my turn")).to_be_visible()
    page.reload()
    expect(switch).not_to_have_attribute("data-on", "")


def a_push_service(page: Page) -> Callable[[dict[str, str]], None]:
    """What hands a message to the worker of this origin, as the browser's own service would."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found.extend(one["registrationId"] for one in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    until(lambda: page.evaluate("1") and found)
    parts = urlsplit(page.url)

    def deliver(message: dict[str, str]) -> None:
        given = {"origin": f"{parts.scheme}://{parts.netloc}", "registrationId": found[0]}
        session.send("ServiceWorker.deliverPushMessage", {**given, "data": json.dumps(message)})

    return deliver
