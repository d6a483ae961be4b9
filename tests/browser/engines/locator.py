"""Parts of a page, as Playwright's locators find them and a person's pointer and keys meet them."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.waiting import until

if TYPE_CHECKING:
    from tests.browser.engines.page import Page

LOCATE: Final = Path(__file__).with_name("locate.js").read_text().rstrip().rstrip(";")
# What is longer is put in at once instead of key by key.
TYPED_MAX: Final = 80

Step = tuple[str, Any]
Words = str | re.Pattern[str]


def described(words: Words, *, exact: bool = False) -> dict[str, Any]:
    """A text or a pattern, as `locate.js` takes it."""
    if isinstance(words, str):
        return {"source": words, "exact": exact}
    return {"source": words.pattern, "flags": "i" if words.flags & re.IGNORECASE else ""}


class Parts:
    """What can be found in a page or in a part of it."""

    page: "Page"
    steps: tuple[Step, ...] = ()

    def _further(self, *steps: Step) -> "Locator":
        return Locator(self.page, self.steps + steps)

    def locator(self, selector: str, *, has_text: Words = "") -> "Locator":
        parts = self._further(("css", selector))
        return parts.filter(has_text=has_text) if has_text else parts

    def get_by_role(self, role: str, *, name: Words = "", exact: bool = False) -> "Locator":
        return self._further(("role", {"role": role, **described(name, exact=exact)}))

    def get_by_label(self, text: Words, *, exact: bool = False) -> "Locator":
        return self._further(("label", described(text, exact=exact)))

    def get_by_text(self, text: Words, *, exact: bool = False) -> "Locator":
        return self._further(("text", described(text, exact=exact)))


class Locator(Parts):
    def __init__(self, page: "Page", steps: tuple[Step, ...]) -> None:
        self.page, self.steps = page, steps

    def __repr__(self) -> str:
        return f"<{self.steps}>"

    # Which of them

    def filter(self, *, has_text: Words) -> "Locator":
        return self._further(("has", described(has_text)))

    def nth(self, place: int) -> "Locator":
        return self._further(("nth", place))

    @property
    def first(self) -> "Locator":
        return self.nth(0)

    @property
    def last(self) -> "Locator":
        return self.nth(-1)

    # What they are

    def _ask(self, doing: str, value: object = None) -> Any:
        """What the page answers, once it has such a part."""
        wanted = json.dumps([self.steps, doing, value])
        return until(
            lambda: self.page.look(f"({LOCATE})(...{wanted})", missing=True),
            otherwise=lambda: f"{self.page.url} has no {self} to be asked for {doing}",
        )["answer"]

    def count(self) -> int:
        return int(self._ask("count"))

    def is_visible(self) -> bool:
        return bool(self._ask("visible"))

    def is_hidden(self) -> bool:
        return not self.is_visible()

    def is_checked(self) -> bool:
        return bool(self._ask("checked"))

    def inner_text(self) -> str:
        return str(self._ask("innerText"))

    def text_content(self) -> str:
        return str(self._ask("textContent"))

    def all_text_contents(self) -> list[str]:
        return list(self._ask("texts"))

    def inner_html(self) -> str:
        return str(self._ask("innerHTML"))

    def get_attribute(self, name: str) -> str | None:
        value: str | None = self._ask("attribute", name)
        return value

    def input_value(self) -> str:
        return str(self._ask("value"))

    def bounding_box(self) -> dict[str, float] | None:
        box: dict[str, float] | None = self._ask("box")
        return box

    def evaluate(self, function: str, argument: object = None) -> Any:
        """Answer for the first of them, once it is there."""
        until(lambda: self._ask("there"), otherwise=lambda: f"{self.page.url} has no {self}")
        return self.page.run(f"({function})({self._parts}[0], {json.dumps(argument)})")

    def evaluate_all(self, function: str) -> Any:
        return self.page.run(f"({function})({self._parts})")

    @property
    def _parts(self) -> str:
        return f"({LOCATE})({json.dumps(self.steps)}, 'parts')"

    # What a person does with them

    def point(self, *, force: bool = False) -> tuple[int, int]:
        """Where the pointer meets it, once it stays there and nothing else lies over it."""
        before: list[int] | None = None

        def rests() -> list[int] | None:
            nonlocal before
            wanted = {"force": force, "last": self.page.mouse.last_press}
            point, last = self._ask("point", wanted), before
            before = point
            return point if point == last else None

        x, y = until(rests, otherwise=lambda: f"no pointer meets {self}, or it does not rest")
        return x, y

    def click(self, *, force: bool = False) -> None:
        self.page.mouse.click(*self.point(force=force))

    def dblclick(self) -> None:
        self.page.mouse.click(*self.point(), times=2)

    def hover(self) -> None:
        self.page.mouse.move(*self.point())

    def drag_to(self, other: "Locator") -> None:
        self.hover()
        self.page.mouse.down()
        self.page.mouse.move(*other.point(force=True), steps=3)
        self.page.mouse.up()

    def check(self) -> None:
        if not self.is_checked():
            self.click()

    def fill(self, text: str) -> None:
        self._ask("choose")
        if len(text) > TYPED_MAX:
            self._ask("insert", text)
        elif text:
            self.page.keyboard.type(text)
        else:
            self.page.keyboard.press("Delete")

    def press(self, key: str) -> None:
        self._ask("focus")
        self.page.keyboard.press(key)

    def select_option(self, value: str | None = None, *, label: str = "") -> None:
        wanted = {"label": label} if label else {"value": value}
        until(
            lambda: self._ask("option", wanted), otherwise=lambda: f"{self} has no option {wanted}"
        )
