"""The differences between two versions in words, and the settings of a profile's tables."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.models import ProfileVersion, Table
from games.models.profiles import AMOUNTS, COUNTS, SECONDS, SETTINGS, SWITCHES
from games.profiles.options import CHOICES, EFFECTS, LARGER, defaults, options_of, show
from games.tables.settings import SECONDS_LEAST
from wallets.models import Currency
from wallets.values.amounts import show_amount

# The longest that a table may be told to wait, in seconds.
SECONDS_MAX: Final = 3600
BOTS_MAX: Final = 20


def bounds_of(name: str) -> tuple[int, int]:
    """The smallest and the largest number that a setting may have."""
    if name in COUNTS:
        return 0, BOTS_MAX
    return SECONDS_LEAST.get(name, 1), SECONDS_MAX


def column(name: str) -> Any:
    return Table._meta.get_field(name)


def label_of(name: str) -> str:
    return capfirst(str(column(name).verbose_name))


def show_setting(name: str, value: Any, currency: Currency) -> str:
    if name in AMOUNTS:
        return show_amount(value, currency)
    if name in SECONDS:
        return _("{seconds} s").format(seconds=value)
    if name in SWITCHES:
        return str(CHOICES[name, bool(value)])
    return str(value)


class Difference(NamedTuple):
    """One rule or setting: its value before and after, and what that means."""

    name: str
    label: str
    before: str
    after: str
    effect: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


class Content(NamedTuple):
    """The content of a version: options of the game, and settings of the table."""

    game: str
    currency: Currency
    options: Mapping[str, Any]
    settings: Mapping[str, Any]


def content_of(version: ProfileVersion) -> Content:
    profile = version.profile
    return Content(profile.game, profile.currency, version.options, version.table_settings)


def differences(before: Content | None, after: Content) -> list[Difference]:
    """Every rule and setting; those that have changed say what the change means."""
    return [*_of_options(before, after), *_of_settings(before, after)]


def changed(before: Content | None, after: Content) -> list[Difference]:
    return [difference for difference in differences(before, after) if difference.changed]


def _of_options(before: Content | None, after: Content) -> Iterator[Difference]:
    new = defaults(after.game) | dict(after.options)
    old = defaults(after.game) | dict(before.options) if before else {}
    for option in options_of(after.game):
        was, now = old.get(option.name), new[option.name]
        yield Difference(
            option.name,
            option.label,
            show(option, was, after.currency) if before else "",
            show(option, now, after.currency),
            effect(option.name, was, now) if before else "",
        )


def _of_settings(before: Content | None, after: Content) -> Iterator[Difference]:
    for name in SETTINGS:
        was = before.settings.get(name) if before else None
        now = after.settings[name]
        yield Difference(
            name,
            label_of(name),
            show_setting(name, was, after.currency) if was is not None else "",
            show_setting(name, now, after.currency),
            effect(name, was, now) if before else "",
        )


def effect(name: str, was: object, now: object) -> str:
    """Say what a change means to players and house; empty if the values say it all."""
    if was == now:
        return ""
    if isinstance(now, bool | str) and (name, now) in EFFECTS:
        return str(EFFECTS[name, now])
    if name in LARGER and isinstance(was, int) and isinstance(now, int):
        larger, smaller = LARGER[name]
        return str(larger if now > was else smaller)
    return ""
