"""What a page costs to open, as a real browser asks for it."""

from typing import Any, Final, NamedTuple

from playwright.sync_api import Page

from tests.browser.driver import still

# A browser that has a page's files asks for the page and its stream, and at a table of its own it
# starts a chain of numbers.
COLD_REQUESTS_MAX: Final = 15
# The fonts come once for all pages, and a page is read without them.
COLD_BYTES_MAX: Final = 90_000
WARM_REQUESTS_MAX: Final = 3


class Traffic(NamedTuple):
    """Requests that reach the house, the stream among them, and the bytes that are no fonts."""

    requests: int
    received: int


def of_opening(page: Page, *, cold: bool) -> Traffic:
    """Load the page anew, `cold` as a browser that has nothing of it."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    if cold:
        session.send("Network.clearBrowserCache")
    sent, kept, fonts, received = set[str](), set[str](), set[str](), dict[str, int]()

    def answered(event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            kept.add(event["requestId"])
        if event["type"] == "Font":
            fonts.add(event["requestId"])

    def finished(event: dict[str, Any]) -> None:
        received[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", lambda event: sent.add(event["requestId"]))
    session.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    page.reload()
    still(page)
    session.detach()
    came = sent - kept
    return Traffic(len(came), sum(received.get(request, 0) for request in came - fonts))


def opens_lightly(page: Page) -> None:
    cold, warm = of_opening(page, cold=True), of_opening(page, cold=False)
    assert cold.requests <= COLD_REQUESTS_MAX
    assert cold.received <= COLD_BYTES_MAX
    assert warm.requests <= WARM_REQUESTS_MAX, warm
