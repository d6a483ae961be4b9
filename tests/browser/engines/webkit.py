"""WebKitGTK, driven by its WebKitWebDriver, in windows on a screen that nobody sees."""

import base64
import json
import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

from tests import browsers
from tests.browser.engines.page import Context
from tests.browser.engines.tab import Action, Lost, Refused
from tests.waiting import PATIENCE_SECONDS, until

# Its bar of buttons would be wider than a phone.
STYLE: Final = """box *, toolbar *, entry, button {
  min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }"""
SETTINGS: Final = "[Settings]\ngtk-enable-animations=0\n"
GONE: Final = ("no such window", "no such frame", "Page load", "Unloaded", "destroyed")
# The driver does not say what the console shows, so each document is listened to from its first
# call on, and what it says is kept for when its tab has gone on.
CALL: Final = """const done = arguments[arguments.length - 1];
if (!document.isListenedTo) {
  document.isListenedTo = true;
  // As a page is left, its requests end.
  let leaves = false;
  addEventListener("beforeunload", () => (leaves = true));
  const keep = (...words) => {
    if (leaves) return;
    const said = JSON.parse(sessionStorage.getItem("complaints") ?? "[]");
    sessionStorage.setItem("complaints", JSON.stringify([...said, words.join(" ")]));
  };
  const { error } = console;
  console.error = (...words) => (keep(...words), error(...words));
  addEventListener("error", ({ message, filename, lineno }) => keep(message, filename, lineno));
  addEventListener("unhandledrejection", ({ reason }) => keep(reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective }) => keep(violatedDirective));
}
(%s)().then(
  (answer) => done({ answer }), (error) => done({ error: `${error}\\n${error.stack}` }));"""
SAID: Final = """async () => {
  const said = sessionStorage.getItem("complaints") ?? "[]";
  sessionStorage.removeItem("complaints");
  return said;
}"""


class WebKitTab:
    """A visitor has a driver and a browser of their own, as one driver drives one browser."""

    def __init__(self, folder: Path, display: str, size: dict[str, int]) -> None:
        self._start({**os.environ, "XDG_CONFIG_HOME": str(folder), "DISPLAY": display})
        options = {"binary": browsers.webkit(), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self._ask("POST", "/session", {"capabilities": wanted})
        self._session = f"/session/{session['sessionId']}"
        self._post("/timeouts", {"script": 1000 * PATIENCE_SECONDS})
        self._bars = int(self.call("async () => String(outerHeight - innerHeight)"))
        self.resize(**size)

    def _start(self, variables: dict[str, str]) -> None:
        """Start a driver, which takes a port but no open socket; again where that is taken."""

        def is_ready() -> bool:
            if self._driver.poll() is not None:
                raise Refused("the driver has ended")
            with suppress(OSError):
                return bool(self._ask("GET", "/status"))
            return False

        for attempt in range(5):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            self._address = f"http://127.0.0.1:{port}"
            self._driver = subprocess.Popen(
                [browsers.webkit_driver() or "", f"--port={port}"],
                env=variables,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                until(is_ready)
                return
            except Refused:
                if attempt == 4:
                    raise

    def _ask(self, method: str, path: str, what: object = None) -> Any:
        body = None if what is None else json.dumps(what).encode()
        request = urllib.request.Request(self._address + path, body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refused:
            said = json.load(refused)["value"]
            sentence = f"{said['error']}: {said['message']}"
            raise (Lost if any(word in sentence for word in GONE) else Refused)(sentence) from None

    def _post(self, path: str, what: object) -> Any:
        return self._ask("POST", self._session + path, what)

    def load(self, address: str) -> None:
        self._post("/url", {"url": address})

    def call(self, function: str) -> str:
        said = self._post("/execute/async", {"script": CALL % function, "args": []})
        if "error" in said:
            raise Refused(said["error"])
        answer: str = said["answer"]
        return answer

    def act(self, kind: str, actions: list[Action]) -> None:
        self._post("/actions", {"actions": [{"type": kind, "id": kind, "actions": actions}]})

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("GET", f"{self._session}/screenshot"))

    def resize(self, width: int, height: int) -> None:
        self._post("/window/rect", {"width": width, "height": height + self._bars})
        size = f"async () => String(innerWidth === {width} && innerHeight === {height})"
        until(lambda: self.call(size) == "true")

    def cookies(self) -> list[dict[str, Any]]:
        cookies: list[dict[str, Any]] = self._ask("GET", f"{self._session}/cookie")
        return cookies

    def add_cookie(self, cookie: dict[str, Any]) -> None:
        """Add it on a page of its site, since the driver takes it nowhere else."""
        host = cookie.get("domain") or urlsplit(cookie["url"]).hostname
        if self.call("async () => location.hostname") != host:
            self.load(f"{cookie['url'].rstrip('/')}/health/")
        kept = {"name": cookie["name"], "value": cookie["value"], "path": cookie["path"]}
        self._post("/cookie", {"cookie": {**kept, "domain": host}})

    def remove_cookies(self, name: str) -> None:
        self._ask("DELETE", f"{self._session}/cookie/{name}")

    def complaints(self) -> list[str]:
        said: list[str] = json.loads(self.call(SAID))
        return said

    def close(self) -> None:
        with suppress(Refused, Lost, OSError):
            self._ask("DELETE", self._session)
        os.killpg(self._driver.pid, signal.SIGTERM)
        self._driver.wait()


class WebKit:
    def __init__(self, folder: Path, display: str) -> None:
        self._folder, self._display = folder, display

    def new_context(
        self, *, base_url: str, viewport: dict[str, int], **_options: object
    ) -> Context:
        return Context(base_url, WebKitTab(self._folder, self._display, viewport))


@contextmanager
def webkit() -> Iterator[WebKit]:
    with TemporaryDirectory(prefix="webkit-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "gtk-3.0").mkdir()
        (folder / "gtk-3.0" / "gtk.css").write_text(STYLE)
        (folder / "gtk-3.0" / "settings.ini").write_text(SETTINGS)
        end, start = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(start), "-screen", "0", "1600x1200x24"],
            pass_fds=[start],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(start)
        try:
            with os.fdopen(end) as said:
                display = said.readline().strip()
            yield WebKit(folder, f":{display}")
        finally:
            screen.terminate()
            screen.wait()
