"""How pages look and sound; a browser keeps the choices in cookies."""

from typing import Final, NamedTuple

from django.http import HttpRequest
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from wallets.values import house


def _name_of_first_felt() -> str:
    """A house with a palette of its own has its own felt in the place of the green one."""
    return gettext("Felt of the house") if house.current().palette.felt else gettext("Green felt")


_first_felt = lazy(_name_of_first_felt, str)


class Choice(NamedTuple):
    value: str
    words: str | Promise
    icon: str = ""


class Preference(NamedTuple):
    """A cookie, its default, unless the house has another, and the buttons that set it."""

    name: str
    words: str | Promise
    default: str
    choices: tuple[Choice, ...]

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
            Choice("green", _first_felt()),
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


def chosen(request: HttpRequest) -> list[tuple[Preference, str]]:
    """The value of each cookie, or the default where the cookie has none of the choices."""
    own = house.current()
    defaults = {"felt": own.felt, "back": own.back}
    values = []
    for preference in PREFERENCES:
        kept = request.COOKIES.get(preference.name, "")
        default = defaults.get(preference.name) or preference.default
        values.append((preference, kept if preference.has(kept) else default))
    return values
