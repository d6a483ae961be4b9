"""How pages look and sound; a browser keeps the choices in cookies."""

from typing import Final, NamedTuple

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Choice(NamedTuple):
    value: str
    words: str | Promise
    icon: str = ""


class Preference(NamedTuple):
    """A cookie, its default and the buttons that set it."""

    name: str
    words: str | Promise
    default: str
    choices: tuple[Choice, ...]

    def value(self, request: HttpRequest) -> str:
        """The value in the cookie; the default where the cookie has none of the choices."""
        kept = request.COOKIES.get(self.name, "")
        return kept if self.has(kept) else self.default

    def has(self, value: str) -> bool:
        return any(choice.value == value for choice in self.choices)


PREFERENCES: Final = (
    Preference(
        "theme",
        _("Light or dark"),
        "dark",
        (
            Choice("dark", _("Dark"), icon="dark"),
            Choice("light", _("Light"), icon="light"),
            Choice("system", _("Device"), icon="device"),
        ),
    ),
    Preference(
        "deck",
        _("Suits"),
        "two",
        (Choice("two", _("Two colours")), Choice("four", _("Four colours"))),
    ),
    Preference(
        "felt",
        _("Felt"),
        "green",
        (
            Choice("green", _("Green felt")),
            Choice("night", _("Night blue")),
            Choice("claret", _("Claret")),
        ),
    ),
    Preference(
        "back",
        _("Card backs"),
        "blue",
        (Choice("blue", _("Blue")), Choice("red", _("Red")), Choice("green", _("Green"))),
    ),
    Preference(
        "motion",
        _("Motion"),
        "on",
        (Choice("on", _("Device"), icon="device"), Choice("off", _("Off"))),
    ),
    Preference(
        "sounds",
        _("Sounds"),
        "off",
        (Choice("off", _("Off"), icon="sound-off"), Choice("on", _("On"), icon="sound")),
    ),
    Preference(
        "volume",
        _("Volume"),
        "2",
        (Choice("1", _("Low")), Choice("2", _("Medium")), Choice("3", _("High"))),
    ),
)
