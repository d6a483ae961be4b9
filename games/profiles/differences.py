"""The differences between two versions, in words."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from games.models import ProfileVersion
from games.models.table_rules import SETTINGS
from games.profiles.options import defaults, options_of, show
from games.profiles.table_settings import label_of, show_setting
from games.profiles.words import EFFECTS, LARGER
from wallets.models import Currency


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
    return [one for one in differences(before, after) if one.changed]


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
