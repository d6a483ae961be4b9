"""A page of Firefox or WebKit, with the part of Playwright's words that journeys use."""

import fnmatch
import json
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

from playwright.sync_api import TimeoutError as TooLate

from tests.browser.engines.locator import Locator, Parts
from tests.browser.engines.tab import KEYS, Action, Lost, Tab
from tests.waiting import PATIENCE_SECONDS, until

# As Playwright, a text is called if it is a function, and is otherwise an expression.
FUNCTION: Final = re.compile(r"\s*(async\s+)?((\w+|\([^()]*\))\s*=>|function\b)")


class Keyboard:
    def __init__(self, tab: Tab) -> None:
        self._tab = tab

    def press(self, keys: str) -> None:
        """Press a key, or several at once: `Shift+Tab`."""
        codes = [KEYS.get(key, key) for key in keys.split("+")]
        down: list[Action] = [{"type": "keyDown", "value": code} for code in codes]
        up: list[Action] = [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self._tab.act("key", down + up)

    def type(self, text: str) -> None:
        kinds = ("keyDown", "keyUp")
        self._tab.act("key", [{"type": kind, "value": sign} for sign in text for kind in kinds])


class Mouse:
    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._at = (0, 0)
        # Where it was pressed last.
        self.last_press: tuple[int, int] | None = None

    def _moves(self, x: float, y: float, steps: int = 1) -> list[Action]:
        (left, top), self._at = self._at, (round(x), round(y))
        return [
            {
                "type": "pointerMove",
                "duration": 0,
                "x": round(left + (x - left) * step / steps),
                "y": round(top + (y - top) * step / steps),
            }
            for step in range(1, steps + 1)
        ]

    def move(self, x: float, y: float, *, steps: int = 1) -> None:
        self._tab.act("pointer", self._moves(x, y, steps))

    def down(self) -> None:
        self._tab.act("pointer", [{"type": "pointerDown", "button": 0}])

    def up(self) -> None:
        self._tab.act("pointer", [{"type": "pointerUp", "button": 0}])

    def click(self, x: float, y: float, *, times: int = 1) -> None:
        press: list[Action] = [
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._tab.act("pointer", self._moves(x, y) + times * press)
        self.last_press = self._at


class Message:
    """A complaint of the console."""

    type = "error"

    def __init__(self, text: str) -> None:
        self.text = text


class Page(Parts):
    def __init__(self, context: "Context", tab: Tab) -> None:
        self.context, self._tab = context, tab
        self.page = self
        self.keyboard, self.mouse = Keyboard(tab), Mouse(tab)
        self._listeners = defaultdict[str, list[Callable[[Message], object]]](list)

    def set_default_timeout(self, _milliseconds: float) -> None:
        """There is one limit, that of `tests/waiting.py`."""

    def on(self, event: str, listener: Callable[[Message], object]) -> None:
        self._listeners[event].append(listener)

    def pass_complaints_on(self) -> None:
        for complaint in self._tab.complaints():
            for listener in self._listeners["console"]:
                listener(Message(complaint))

    # Where it is

    def goto(self, address: str) -> None:
        self._tab.load(urljoin(self.context.base_url, address))

    def reload(self) -> None:
        self.goto(self.url)

    @property
    def url(self) -> str:
        return str(until(lambda: self.look("location.href")))

    def wait_for_url(self, wanted: str | Callable[[str], bool]) -> None:
        def is_there() -> bool:
            return wanted(self.url) if callable(wanted) else fnmatch.fnmatch(self.url, wanted)

        until(is_there, otherwise=lambda: f"the page is at {self.url}, not at {wanted}")
        self.wait_for_load_state()

    def wait_for_load_state(self) -> None:
        until(
            lambda: self.look("document.readyState === 'complete'"),
            otherwise=lambda: f"{self.url} has not loaded",
        )

    # What its scripts say

    def run(self, expression: str) -> Any:
        return json.loads(
            self._tab.call(f"async () => JSON.stringify((await ({expression})) ?? null)")
        )

    def look(self, expression: str, *, missing: bool = False) -> Any:
        """The same, or None while the page is on its way to another one, or lacks the part."""
        try:
            answer = self.run(expression)
        except Lost:
            return None
        return None if missing and answer.get("missing") else answer

    def evaluate(self, script: str, argument: object = None) -> Any:
        return self.run(self._expression(script, argument))

    def _expression(self, script: str, argument: object) -> str:
        return f"({script})({json.dumps(argument)})" if FUNCTION.match(script) else script

    def wait_for_function(
        self, script: str, *, arg: object = None, polling: float = 0, timeout: float = 0
    ) -> None:
        del polling
        seconds_max = timeout / 1000 or PATIENCE_SECONDS
        try:
            until(lambda: self.look(self._expression(script, arg)), seconds_max)
        except AssertionError as late:
            raise TooLate(script) from late

    def eval_on_selector_all(self, selector: str, function: str) -> Any:
        return self.locator(selector).evaluate_all(function)

    # What a person sees of it, and does there

    def inner_text(self, selector: str) -> str:
        return self.locator(selector).inner_text()

    def inner_html(self, selector: str) -> str:
        return self.locator(selector).inner_html()

    def text_content(self, selector: str) -> str:
        return self.locator(selector).text_content()

    def get_attribute(self, selector: str, name: str) -> str | None:
        return self.locator(selector).get_attribute(name)

    def input_value(self, selector: str) -> str:
        return self.locator(selector).input_value()

    def click(self, selector: str) -> None:
        self.locator(selector).first.click()

    def fill(self, selector: str, text: str) -> None:
        self.locator(selector).fill(text)

    def check(self, selector: str) -> None:
        self.locator(selector).check()

    def select_option(self, selector: str, value: str | None = None, *, label: str = "") -> None:
        self.locator(selector).select_option(value, label=label)

    def screenshot(self, *, path: str | Path = "") -> bytes:
        picture = self._tab.picture()
        if path:
            Path(path).write_bytes(picture)
        return picture

    def set_viewport_size(self, size: dict[str, int]) -> None:
        self._tab.resize(size["width"], size["height"])

    def close(self) -> None:
        self.context.close()


class Context:
    """A visitor: a browser of their own, with one tab."""

    def __init__(self, base_url: str, tab: Tab) -> None:
        self.base_url, self._tab = base_url, tab
        self._pages: list[Page] = []
        self._closed = False

    def new_page(self) -> Page:
        assert not self._pages, "a visitor has one tab"
        self._pages.append(Page(self, self._tab))
        return self._pages[0]

    def cookies(self) -> list[dict[str, Any]]:
        return self._tab.cookies()

    def add_cookies(self, cookies: list[dict[str, Any]]) -> None:
        for cookie in cookies:
            self._tab.add_cookie({"url": self.base_url, "path": "/", **cookie})

    def clear_cookies(self, *, name: str) -> None:
        self._tab.remove_cookies(name)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            for page in self._pages:
                page.pass_complaints_on()
            self._tab.close()


__all__ = ["Context", "Locator", "Page"]
