"""The site as an app: what shows without a connection, what is kept, and whose turn it is."""

import pytest
from playwright.sync_api import Page

from tests.browser.house import go_on, play_by_itself, sit
from tests.browser.visitors import DESK, Visitor
from tests.waiting import until

pytestmark = pytest.mark.release

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
