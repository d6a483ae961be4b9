"""A player is called back to the table: by the page's title, by a badge, and by a push."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright

from tests.browser.driver import go, press, settled
from tests.browser.house import go_on, launch
from tests.browser.journeys.house_table import ended, sit_down
from tests.browser.journeys.test_offline import come_under_the_worker
from tests.browser.visitors import DESK, Visitor
from tests.casino.push_service import Browser as Device
from tests.waiting import until

# A browser in a test has no push service: this one gives a subscription. It notes the badges,
# and whether its screen stays on.
DEVICE: Final = """
window.awake = 0;
navigator.wakeLock.request = async () => {
  awake += 1;
  return { release: () => (awake -= 1) };
};
window.badges = [];
navigator.setAppBadge = (count) => badges.push(count);
navigator.clearAppBadge = () => badges.push(0);
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
PRESS: Final = """async () => {
  let opened;
  clients.openWindow = async (page) => { opened = page; };
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  while (!opened) await new Promise((done) => setTimeout(done, 10));
  return opened;
}"""
# The titles of the notifications that stand.
NOTES: Final = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((one) => one.title);
}"""
# What has been shown, in order. Chromium forgets a notification that is listed before it is shown.
SHOWN: Final = """() => {
  self.shown = [];
  const { showNotification } = ServiceWorkerRegistration.prototype;
  ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
    await showNotification.call(this, title, options);
    shown.push(title);
  };
}"""
HIDDEN: Final = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
AUTO_PLAY: Final = "document.querySelector('#auto-play[aria-pressed=false]')?.click()"
WORDS: Final = "It is your turn at the table"


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser without windows shows no notifications."""
    with launch(playwright) as browser:
        yield browser


def a_push_service(page: Page) -> Callable[[dict[str, str]], None]:
    """What hands a message to the worker of this origin, as the browser's own service would."""
    session = page.context.new_cdp_session(page)
    registration_ids: list[str] = []

    def note(event: dict[str, Any]) -> None:
        registration_ids.extend(
            registration["registrationId"] for registration in event["registrations"]
        )

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    until(lambda: page.evaluate("1") and registration_ids)
    parts = urlsplit(page.url)

    def deliver(message: dict[str, str]) -> None:
        given = {
            "origin": f"{parts.scheme}://{parts.netloc}",
            "registrationId": registration_ids[0],
        }
        session.send("ServiceWorker.deliverPushMessage", {**given, "data": json.dumps(message)})

    return deliver


def play_out(page: Page) -> None:
    """Let the house play the hand to its end.

    The hand may end, or be dealt again, while the table comes to rest: looking for the button and
    pressing it are one step, in which nothing can take it away.
    """
    while not ended(page):
        page.evaluate(AUTO_PLAY)
        settled(page)


def test_a_player_is_called_back_to_the_table(visitor: Visitor) -> None:
    page = visitor("alice", viewport=DESK, service_workers="allow", permissions=["notifications"])
    keys = {name: key for name, key in Device("").fields.items() if name != "endpoint"}
    page.add_init_script(DEVICE.replace("KEYS", json.dumps(keys)) + f"({SHOWN})()")
    go(page, "/players/profile/")
    switch = page.locator("main form[data-push]")
    press(page, switch.get_by_role("button", name="Notify me when it is my turn"))
    quiet = switch.get_by_role("button", name="Stop notifying me in this browser")
    assert quiet.is_visible()
    assert page.evaluate("wanted.userVisibleOnly")

    come_under_the_worker(page)
    sit_down(page, "doudizhu")
    assert page.title().startswith("● Your turn · ")
    assert page.evaluate("[awake, badges.at(-1)]") == [1, 1]
    table = urlsplit(page.url).path
    deliver = a_push_service(page)
    (worker,) = page.context.service_workers
    worker.evaluate(SHOWN)
    # A player who sees the table is not called to it.
    deliver({"words": WORDS, "page": table})
    deliver({"words": "Elsewhere", "page": "/tables/999/"})
    until(lambda: worker.evaluate("shown.at(-1)") == "Elsewhere")
    assert page.evaluate(NOTES) == ["Elsewhere"]
    assert worker.evaluate(PRESS) == "/tables/999/"
    assert page.evaluate(NOTES) == []
    play_out(page)
    assert not page.title().startswith("●")
    assert "You " in page.inner_text("#outcome")
    assert page.evaluate("[awake, badges.at(-1)]") == [0, 0]
    # A hidden page says by itself whose turn it is, and its screen may go dark.
    page.evaluate(HIDDEN, True)
    go_on(page)
    settled(page)
    until(lambda: page.evaluate("shown.length"))
    assert page.evaluate(NOTES) == ["Your turn"]
    assert page.evaluate("awake") == 0
    page.evaluate(HIDDEN, False)
    until(lambda: page.evaluate(NOTES) == [])

    go(page, "/rules/")
    deliver({"words": "An earlier turn", "page": table})
    deliver({"words": WORDS, "page": table})
    until(lambda: worker.evaluate("shown.at(-1)") == WORDS)
    assert page.evaluate(NOTES) == [WORDS]
    go(page, table)
    until(lambda: page.evaluate(NOTES) == [])

    go(page, "/players/profile/")
    # This page has no subscription, as one that the browser has ended.
    press(page, switch.get_by_role("button", name="Notify me when it is my turn"))
    press(page, quiet)
    assert quiet.is_hidden()
    page.reload()
    settled(page)
    assert switch.get_attribute("data-on") is None
