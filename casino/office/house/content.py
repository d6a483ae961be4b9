"""The content of a version: what it may say, what players rely on, and how it is written down."""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.utils.translation import pgettext_lazy

from casino.accounts.preferences import PREFERENCES
from casino.office.models import HouseMark
from games.words.plain import one_line
from wallets.models import Closing, Currency
from wallets.values import palette
from wallets.values.errors import Refused
from wallets.values.house import AS_BUILT, HouseContent

# By field: its words, in the order of the page.
WORDS: Final[Mapping[str, Any]] = {
    "name": _("Name of the house"),
    "mark": _("Mark"),
    "palette": _("Palette"),
    "felt": _("Felt of the house"),
    "back": _("Card back of the house"),
    "title": _("Title of the front page"),
    "text": _("Text of the front page"),
    "terms": _("Terms"),
    "contacts": _("Contacts"),
    "footer": _("Footer"),
    "units": _("Names of currencies"),
    "languages": _("Languages"),
    "zone": _("Time zone"),
}
COLOURS: Final[Mapping[str, Any]] = {
    "accent": _("Main buttons"),
    "ground": _("Ground"),
    "felt": pgettext_lazy("a colour", "Felt"),
}
# The texts by languages, with the longest of each.
LINES: Final = {"name": 40, "title": 80}
PAGES: Final = {"text": 400, "terms": 20_000, "contacts": 2_000, "footer": 400}
UNIT_MAX: Final = 20
# What players rely on needs a second person.
RELIED_ON: Final = ("name", "terms", "contacts", "units", "languages", "zone")
CHOSEN: Final = ("felt", "back")


def preferences() -> dict[str, list[tuple[str, str | Promise]]]:
    """The choices of felt and card back, as players have them."""
    return {
        preference.name: [(choice.value, choice.words) for choice in preference.choices]
        for preference in PREFERENCES
        if preference.name in CHOSEN
    }


def decoded(stored: object) -> HouseContent:
    """The content as it was stored; a field that has gone is passed over."""
    return msgspec.convert(stored, HouseContent, strict=False)


def encoded(content: HouseContent) -> dict[str, Any]:
    """The content as it is stored: without what is as the code has it."""
    values: dict[str, Any] = msgspec.to_builtins(content)
    built = msgspec.to_builtins(AS_BUILT)
    return {name: value for name, value in values.items() if value != built[name]}


def with_mark(content: HouseContent, digest: str) -> HouseContent:
    return msgspec.structs.replace(content, mark=digest)


def changed(before: HouseContent, after: HouseContent) -> list[str]:
    """The fields that differ."""
    return [name for name in WORDS if getattr(before, name) != getattr(after, name)]


def relied_on(before: HouseContent, after: HouseContent) -> list[str]:
    return [name for name in changed(before, after) if name in RELIED_ON]


def checked(content: HouseContent, before: HouseContent) -> HouseContent:
    """The content as plain text, or a refusal; `before` is the version in force."""
    languages = dict(settings.LANGUAGES)
    if unknown := [code for code in content.languages if code not in languages]:
        raise _refused(
            "languages", _n("The pages are not written in {language}."), language=unknown[0]
        )
    if len(set(content.languages)) != len(content.languages):
        raise _refused("languages", _n("A language is listed twice."))
    texts: dict[str, Any] = {
        name: _text(getattr(content, name), name, most) for name, most in {**LINES, **PAGES}.items()
    }
    units = {code: _text(text, "units", UNIT_MAX) for code, text in content.units.items()}
    content = msgspec.structs.replace(
        content, **texts, units={code: text for code, text in units.items() if text}
    )
    for check in (_check_look, _check_units):
        check(content)
    _check_zone(content, before)
    return content


def _text(text: Mapping[str, str], name: str, most: int) -> dict[str, str]:
    """A text by languages, without those in which nothing is said."""
    plain = {}
    for code, written in text.items():
        if code not in dict(settings.LANGUAGES):
            raise _refused(name, _n("The pages are not written in {language}."), language=code[:20])
        lines = [one_line(line) for line in written.splitlines()]
        said = "\n".join(lines).strip() if name in PAGES else one_line(written)
        if len(said) > most:
            raise _refused(name, _n("This text has at most {most} characters."), most=most)
        if said:
            plain[code] = said
    return plain


def _check_look(content: HouseContent) -> None:
    for name in COLOURS:
        colour = getattr(content.palette, name)
        if colour and not palette.COLOUR.fullmatch(colour):
            raise _refused("palette", _n("A colour is written as # and six digits from 0 to f."))
    for fault in palette.faults(content.palette):
        raise _refused(
            "palette",
            _n("{pair}: the contrast is {contrast} to 1, but at least {least} is needed."),
            pair=fault.words,
            contrast=f"{fault.contrast:.1f}",
            least=f"{fault.least:g}",
        )
    for name, choices in preferences().items():
        if getattr(content, name) not in ("", *(value for value, _words in choices)):
            raise _refused(name, _n("There is no such choice."))
    if content.mark and not HouseMark.objects.filter(pk=content.mark).exists():
        raise _refused("mark", _n("The picture of the mark is missing."))


def _check_units(content: HouseContent) -> None:
    known = Currency.objects.exclude(kind=Currency.Kind.CHIPS).values_list("code", flat=True)
    if unknown := content.units.keys() - set(known):
        raise _refused(
            "units", _n("The house has no currency {currency}."), currency=min(unknown)[:20]
        )


def _check_zone(content: HouseContent, before: HouseContent) -> None:
    """Days that are closed are days of the zone in which they were closed."""
    if content.zone == before.zone:
        return
    try:
        zone = ZoneInfo(content.zone or settings.HOUSE_ZONE)
    except (KeyError, OSError, ValueError):
        raise _refused("zone", _n("There is no such time zone.")) from None
    if str(zone) != (before.zone or settings.HOUSE_ZONE) and Closing.objects.exists():
        raise _refused(
            "zone",
            _n("The time zone is fixed: the house has already closed days in it."),
        )


def _refused(field: str, template: str, **values: object) -> Refused:
    refusal = Refused(f"house_{field}", template, **values)
    refusal.path = field
    return refusal


def lines(before: HouseContent, after: HouseContent) -> Iterator[tuple[str, str, str]]:
    """What differs: what, before and after, as a reader reads them."""
    for name in changed(before, after):
        words, old, new = str(WORDS[name]), getattr(before, name), getattr(after, name)
        if name == "units":
            for code in sorted({*old, *new}):
                yield from _by_language(f"{words}: {code}", old.get(code, {}), new.get(code, {}))
        elif name in LINES or name in PAGES:
            yield from _by_language(words, old, new)
        elif name == "palette":
            own, others = palette.of_house(old), palette.of_house(new)
            for colour, colour_words in COLOURS.items():
                if getattr(own, colour) != getattr(others, colour):
                    values = getattr(own, colour), getattr(others, colour)
                    yield (f"{words}: {colour_words}", *values)
        else:
            yield words, _shown(name, old), _shown(name, new)


def _by_language(
    words: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    for code, language in settings.LANGUAGES:
        if before.get(code, "") != after.get(code, ""):
            yield f"{words} ({language})", before.get(code, ""), after.get(code, "")


def _shown(name: str, value: Any) -> str:
    if name == "languages":
        names = dict(settings.LANGUAGES)
        return ", ".join(str(names[code]) for code in value) or str(_("all"))
    if name == "zone":
        return value or settings.HOUSE_ZONE
    if name in CHOSEN:
        return str(dict(preferences()[name]).get(value, "")) if value else ""
    return str(value)
