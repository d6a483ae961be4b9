"""Firefox, driven by WebDriver BiDi, which it speaks itself: no driver stands between."""

import base64
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import websocket

from tests import browsers
from tests.browser.engines.page import Context
from tests.browser.engines.tab import Action, Lost, Refused
from tests.waiting import PATIENCE_SECONDS, until

ARGUMENTS: Final = ("--headless", "--no-remote", "--remote-debugging-port", "0")
PREFERENCES: Final = {
    "ui.prefersReducedMotion": 1,
    # Without a screen it sees no mouse, and lays pages out for none: fine (2), and hovering (4).
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
    # Nothing is asked of the network but what a page asks.
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.safebrowsing.downloads.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.enabled": False,
}
# What it says of a stream that the house ends, where others say nothing.
OF_STREAMS: Final = "was interrupted while the page was loading"
# What the browser says of a tab that goes to another document.
GONE: Final = ("no such frame", "no such node", "discarded", "destroyed", "AbortError", "unloaded")


class Connection:
    """The words that go to and fro."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(
            f"{address}/session", timeout=PATIENCE_SECONDS, suppress_origin=True
        )
        self._number = 0
        self.complaints = defaultdict[str, list[str]](list)
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **what: Any) -> dict[str, Any]:
        self._number += 1
        command = {"id": self._number, "method": method, "params": what}
        self._socket.send(json.dumps(command))
        while True:
            said = json.loads(self._socket.recv())
            if said.get("id") == self._number:
                break
            if said.get("method") == "log.entryAdded":
                self._note(said["params"])
        if said["type"] == "success":
            result: dict[str, Any] = said["result"]
            return result
        sentence = f"{said['error']}: {said['message']}"
        raise (Lost if any(word in sentence for word in GONE) else Refused)(sentence)

    def _note(self, entry: dict[str, Any]) -> None:
        tab, text = entry["source"].get("context"), entry["text"]
        if entry["level"] == "error" and tab and OF_STREAMS not in text:
            self.complaints[tab].append(text)

    def close(self) -> None:
        self._socket.close()


class FirefoxTab:
    def __init__(self, connection: Connection, size: dict[str, int]) -> None:
        self._send = connection.send
        self._complaints = connection.complaints
        self._visitor: str = self._send("browser.createUserContext")["userContext"]
        # A tab that lies behind another one would be hidden.
        opened = self._send("browsingContext.create", type="window", userContext=self._visitor)
        self._tab: str = opened["context"]
        self.resize(**size)

    @property
    def _jar(self) -> dict[str, str]:
        return {"type": "storageKey", "userContext": self._visitor}

    def load(self, address: str) -> None:
        self._send("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def call(self, function: str) -> str:
        said = self._send(
            "script.callFunction",
            functionDeclaration=function,
            awaitPromise=True,
            target={"context": self._tab},
            userActivation=True,
        )
        if said["type"] == "exception":
            raise Refused(said["exceptionDetails"]["text"])
        answer: str = said["result"]["value"]
        return answer

    def act(self, kind: str, actions: list[Action]) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self._send("input.performActions", context=self._tab, actions=[source])

    def picture(self) -> bytes:
        said = self._send("browsingContext.captureScreenshot", context=self._tab)
        return base64.b64decode(said["data"])

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._tab, viewport=size)

    def cookies(self) -> list[dict[str, Any]]:
        cookies = self._send("storage.getCookies", partition=self._jar)["cookies"]
        return [{**cookie, "value": cookie["value"]["value"]} for cookie in cookies]

    def add_cookie(self, cookie: dict[str, Any]) -> None:
        kept = {
            "name": cookie["name"],
            "value": {"type": "string", "value": cookie["value"]},
            "domain": cookie.get("domain") or urlsplit(cookie["url"]).hostname,
            "path": cookie["path"],
        }
        self._send("storage.setCookie", cookie=kept, partition=self._jar)

    def remove_cookies(self, name: str) -> None:
        self._send("storage.deleteCookies", filter={"name": name}, partition=self._jar)

    def complaints(self) -> list[str]:
        # Its answer comes after all that was said before.
        self._send("session.status")
        return self._complaints.pop(self._tab, [])

    def close(self) -> None:
        # A page lives on for a moment after its tab, and might answer what the next journey does.
        self.load("about:blank")
        self._send("browsingContext.close", context=self._tab)
        self._send("browser.removeUserContext", userContext=self._visitor)


class Firefox:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def new_context(
        self, *, base_url: str, viewport: dict[str, int], **_options: object
    ) -> Context:
        return Context(base_url, FirefoxTab(self._connection, viewport))


def address_in(file: Path) -> str:
    """Where it listens, once it has written that down."""
    try:
        written = json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        return ""
    return f"ws://{written['ws_host']}:{written['ws_port']}"


@contextmanager
def firefox() -> Iterator[Firefox]:
    with TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        program = subprocess.Popen(
            [browsers.firefox() or "", *ARGUMENTS, "--profile", folder],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            address = until(lambda: address_in(profile / "WebDriverBiDiServer.json"))
            connection = Connection(address)
            yield Firefox(connection)
            connection.close()
        finally:
            program.terminate()
            program.wait()
