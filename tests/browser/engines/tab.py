"""What a browser offers: one tab, by the standard's own words."""

from typing import Any, Final, Protocol

Action = dict[str, Any]

# The standard's code points for keys that write nothing.
KEYS: Final = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Escape": "\ue00c",
    "Space": " ",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Delete": "\ue017",
}


class Lost(Exception):
    """The document that was asked has gone: the tab is on its way to another one."""


class Refused(Exception):
    """The browser cannot do what it was asked, or a script failed."""


class Tab(Protocol):
    """A tab of a visitor who has cookies of their own."""

    def load(self, address: str) -> None: ...

    def call(self, function: str) -> str:
        """Return what a function of the page answers, which is a text or a promise of one."""
        ...

    def act(self, kind: str, actions: list[Action]) -> None:
        """Move the pointer, or press keys: actions of a source of this kind, in turn."""
        ...

    def picture(self) -> bytes: ...

    def resize(self, width: int, height: int) -> None: ...

    def cookies(self) -> list[dict[str, Any]]: ...

    def add_cookie(self, cookie: dict[str, Any]) -> None: ...

    def remove_cookies(self, name: str) -> None: ...

    def complaints(self) -> list[str]:
        """The errors of scripts and of the console that have come since the last call."""
        ...

    def close(self) -> None: ...
