"""What the house is called, says and looks like: one object, which a process reads once.

Staff publish it in versions (`casino/office/house`). A process that is told of a new version reads
it when it is asked next; one that hears of none, as a worker, reads again after some seconds. A
house that has published nothing is as the code has it.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from email.utils import formataddr, parseaddr
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, Final

import msgspec
from django.conf import settings
from django.db import Error
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import get_language, gettext

# By the code of a language.
Text = Mapping[str, str]
NO_TEXT: Final[Text] = {}

# How long a process that hears of no versions takes what it has read for the newest.
SECONDS: Final = 10.0
DIGITS: Final = 16

log = logging.getLogger(__name__)


class Palette(msgspec.Struct, frozen=True):
    """Three colours as `#rrggbb`; those of the style sheet where there is none."""

    accent: str = ""
    ground: str = ""
    felt: str = ""

    @property
    def is_own(self) -> bool:
        return bool(self.accent or self.ground or self.felt)


class HouseContent(msgspec.Struct, frozen=True, dict=True):
    """One version; what is empty is as the code has it."""

    name: Text = NO_TEXT
    # The digest of an uploaded picture.
    mark: str = ""
    palette: Palette = Palette()
    # What a player sees who has not chosen: values of the preferences of these names.
    felt: str = ""
    back: str = ""
    title: Text = NO_TEXT
    text: Text = NO_TEXT
    terms: Text = NO_TEXT
    contacts: Text = NO_TEXT
    footer: Text = NO_TEXT
    # The names of currencies, by their codes.
    units: Mapping[str, Text] = msgspec.field(default_factory=dict)
    # Those on offer, the house's own first; empty for all.
    languages: tuple[str, ...] = ()
    zone: str = ""

    @cached_property
    def key(self) -> str:
        """What differs between any two versions, for whatever is made of one and kept."""
        return sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:DIGITS]

    @property
    def name_here(self) -> str:
        """The name of the house, in the reader's language."""
        return self.said(self.name) or gettext("Card room")

    @property
    def offered(self) -> tuple[str, ...]:
        return self.languages or tuple(code for code, _name in settings.LANGUAGES)

    def said(self, text: Text) -> str:
        """A text in the reader's language, or in the first of the house's that has it."""
        own = text.get(get_language() or settings.LANGUAGE_CODE)
        return own or next((text[code] for code in self.offered if text.get(code)), "")

    def language(self, code: str) -> str:
        """This language if the house offers it, or the house's own."""
        return code if code in self.offered else self.offered[0]

    def unit(self, code: str) -> str:
        """The name of a currency, empty where the house has given it none."""
        return self.said(self.units.get(code, NO_TEXT)) if self.units else ""


AS_BUILT: Final = HouseContent()


class _Kept:
    """What this process has read, and until when it is the newest."""

    house: ClassVar[HouseContent] = AS_BUILT
    until: ClassVar[float] = float("-inf")
    # Rises with each version that is told: what was read before it is not kept after it.
    told: ClassVar[int] = 0
    # The zone of Django's clock, if it is another than the settings name.
    clock: ClassVar[str] = ""
    read: ClassVar[Callable[[], HouseContent] | None] = None
    hears: ClassVar[Callable[[], bool]] = staticmethod(lambda: False)


_SHOWN: Final[ContextVar[HouseContent | None]] = ContextVar(
    "the house as it is previewed", default=None
)


def current() -> HouseContent:
    """The version in force. Nothing is read in an event loop: a thread does so a moment later."""
    shown = _SHOWN.get()
    if shown is not None:
        return shown
    if time.monotonic() > _Kept.until and _Kept.read is not None and not _in_event_loop():
        _read(_Kept.read)
    return _Kept.house


def _read(read: Callable[[], HouseContent]) -> None:
    told = _Kept.told
    try:
        house = read()
    except Error as problem:
        # Pages about a database that is away have the name, too.
        log.warning("the house could not be read: %s", problem)
        house = _Kept.house
    _Kept.house = house
    _set_clock(house.zone)
    if told == _Kept.told:
        _Kept.until = float("inf") if _Kept.hears() else time.monotonic() + SECONDS


def _set_clock(zone: str) -> None:
    """Pages show times in the zone of the house, as Django does with one from the settings."""
    wanted = zone or settings.HOUSE_ZONE
    if (zone or _Kept.clock) and wanted != settings.TIME_ZONE:
        settings.TIME_ZONE, _Kept.clock = wanted, zone
        # It is remembered, which no description of types knows.
        zones: Any = timezone.get_default_timezone
        zones.cache_clear()


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def make() -> None:
    """Read it before the first request comes."""
    current()


def read_by(read: Callable[[], HouseContent]) -> None:
    """Say what reads the version in force."""
    _Kept.read = read


def told_by(hears: Callable[[], bool]) -> None:
    """Say whether this process is told of each new version."""
    _Kept.hears = staticmethod(hears)


def forget() -> None:
    """There may be another version: read it when it is asked for."""
    _Kept.told += 1
    _Kept.until = float("-inf")


def keep(house: HouseContent) -> None:
    """Let this be the version in force in this process, whatever is stored; for tests."""
    _Kept.house, _Kept.until = house, float("inf")
    _set_clock(house.zone)


@contextmanager
def shown_as(house: HouseContent) -> Iterator[None]:
    """Everything inside is shown as in another version."""
    before = _SHOWN.set(house)
    try:
        yield
    finally:
        _SHOWN.reset(before)


def house_name() -> str:
    return current().name_here


def sender(address: str) -> str:
    """From whom a letter comes: the house, unless the address has a name already."""
    name, bare = parseaddr(address)
    return address if name else formataddr((house_name(), bare))


# For settings and titles that are made before there is a reader.
lazy_name = lazy(house_name, str)
