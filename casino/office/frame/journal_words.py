"""The values of an entry of the journal as people read them, and the pages behind its references.

The journal stores names of columns and minor units; nothing of it changes here. A field is called
what the form calls it, and an amount is of the currency that the entry, or its object, names.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from datetime import date, datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from casino.accounts.appointing import in_words
from casino.accounts.models import Player
from casino.office.desk.models import Receipt, Till
from casino.office.desk.summary import DESK
from casino.office.desk.verbs import OUTSIDE
from casino.office.house import content as house_content
from casino.office.models import AuditRun, HouseVersion
from games.models import Hand, Profile, ProfileVersion, Table
from games.models.profiles import AMOUNTS as TABLE_AMOUNTS
from games.profiles.options import Option, options_of, share_text, show
from games.rules.catalogue import GAMES
from games.words.naming import game_name
from tournaments.overview.words import KIND_NAMES, kind_name
from wallets.models import Currency, Jackpot
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.money.limits import LIMITS
from wallets.money.references import Link
from wallets.staff.journal import words_of
from wallets.staff.permitted import money
from wallets.staff.staff_verbs import AMOUNTS as JACKPOT_AMOUNTS
from wallets.staff.staff_verbs import JACKPOT_WORDS
from wallets.values.days import house_time

# What has a page of its own under the name of its kind.
NUMBERED: Final[dict[str, type[Model]]] = {
    "audit": AuditRun,
    "proposal": Proposal,
}


def register(kind: str, model: type[Model]) -> None:
    """Link references of this kind to the page of the same name."""
    NUMBERED[kind] = model


def _hands(keys: list[str]) -> dict[str, Link]:
    """The page of a hand, where approvers see how it was played."""
    hands = Hand.objects.filter(pk__in=keys)
    return {
        hand.reference: Link(reverse("office-hand", args=[hand.code]), hand.code) for hand in hands
    }


def _versions(keys: list[str]) -> dict[str, Link]:
    versions = ProfileVersion.objects.select_related("profile").filter(pk__in=keys)
    return {
        version.reference: Link(reverse("profile", args=[version.pk]), str(version))
        for version in versions
    }


def _profiles(keys: list[str]) -> dict[str, Link]:
    profiles = Profile.objects.filter(pk__in=keys)
    return {profile.reference: Link(reverse("profiles"), str(profile)) for profile in profiles}


def _players(keys: list[str]) -> dict[str, Link]:
    players = Player.objects.filter(pk__in=keys)
    return {
        player_reference(player.pk): Link(reverse("player-file", args=[player.pk]), player.username)
        for player in players
    }


def _house_versions(keys: list[str]) -> dict[str, Link]:
    versions = HouseVersion.objects.filter(pk__in=keys)
    return {version.reference: Link(reverse("house"), str(version)) for version in versions}


# By kind, what finds the pages of rows by their keys.
PAGES: Final[dict[str, Callable[[list[str]], dict[str, Link]]]] = DESK | {
    "hand": _hands,
    "houseversion": _house_versions,
    "player": _players,
    "profileversion": _versions,
    "profile": _profiles,
}


def links(references: Iterable[str]) -> dict[str, Link]:
    """A link for each reference that is the row of a list, or a proposal; for others none."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for reference in sorted(set(references)):
        kind, _colon, key = reference.partition(":")
        if (key.isdecimal() and len(key) < 19) or (kind == "limit" and key in LIMITS):
            by_kind[kind].append(key)
    lists = {model._meta.model_name: model for model in admin.site._registry}
    links: dict[str, Link] = {}
    for kind, keys in by_kind.items():
        if kind == "limit":
            rows = {f"limit:{key}": Link(reverse("limits"), str(LIMITS[key][1])) for key in keys}
        elif kind in NUMBERED:
            there = NUMBERED[kind]._default_manager.filter(pk__in=keys)
            rows = {
                f"{kind}:{key}": Link(reverse(kind, args=[key]), f"#{key}")
                for key in there.values_list("pk", flat=True)
            }
        elif kind in PAGES:
            rows = PAGES[kind](keys)
        elif kind in lists:
            model = lists[kind]
            page = f"admin:{model._meta.app_label}_{kind}_change"
            rows = {
                f"{kind}:{key}": Link(reverse(page, args=[key]), str(row))
                for key, row in model._default_manager.in_bulk(keys).items()
            }
        else:
            continue
        links |= rows
    return links


WORDS: Final[Mapping[str, str | Promise]] = {
    **JACKPOT_WORDS,
    "amount": _("Amount"),
    "at": _("Time"),
    "arguments": _("What was asked for"),
    "balance": _("Balance"),
    "by": _("By"),
    "cards": pgettext_lazy("a hand", "Cards"),
    "closing": _("Closing"),
    "codes": _("Sign-in codes"),
    "counted": _("Counted"),
    "currency": _("Currency"),
    "day": _("Day"),
    "due_at": _("Due"),
    "format": _("Format"),
    "from": _("From"),
    "groups": _("Roles"),
    "held": _("In the till"),
    "house_pays": _("The house pays"),
    "message": _("Message"),
    "nets": _("Won or lost"),
    "one_time_password": _("One-time password"),
    "options": _("Rules"),
    "player": _("Player"),
    "pool": _("In the pool"),
    "prints": _("Prints"),
    "reversal": _("Reversal"),
    "revision": _("Revision of the draft"),
    "roles": _("Roles"),
    "sessions": _("Sessions"),
    "source": _("From"),
    "starts_at": _("Starts"),
    "status": _("Status"),
    "state": _("Status"),
    "subject": _("Object"),
    "tables": _("Tables"),
    "taken_by": _("Taken by"),
    "target": _("To"),
    "till": _("Till"),
    "to": _("To"),
    "value": _("Value"),
    "verb": _("What"),
    "version": _("Version"),
}
# The parts of objects whose parts are no columns.
OF_KINDS: Final = {"houseversion": house_content.WORDS}
AMOUNTS: Final = {
    *("amount", "balance", "pool", "house_pays", "nets", "counted", "held", "variance"),
    *("stake", "fee", "guarantee", "bounty"),
    *TABLE_AMOUNTS,
    *JACKPOT_AMOUNTS,
}
# How a value names a row, such as `player:7`.
REFERENCE: Final = re.compile(r"[a-z_]+:[0-9]{1,18}")
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# So many characters of one value fill a few lines of the page.
FOLDED_FROM: Final = 200
# Fields that name a till, or what is outside the house, by its number.
TILLS: Final = frozenset({"source", "target", "till"})
# By kind of object: its model, and the path from a row to its currency.
PRICED: Final[Mapping[str, tuple[type[Model], str]]] = {
    "table": (Table, "currency"),
    "hand": (Hand, "table__currency"),
    "profile": (Profile, "currency"),
    "profileversion": (ProfileVersion, "profile__currency"),
    "jackpot": (Jackpot, "pool__currency"),
    "receipt": (Receipt, "currency"),
}


# An event's structure, and which of its amounts are money.
STRUCTURE: Final = "structure"
ENTERING: Final = frozenset({"stake", "fee", "guarantee", "bounty"})
CHIPS: Final = Currency(code="", exponent=0, kind=Currency.Kind.CHIPS)


class Change(NamedTuple):
    """One value of an entry, before and after, as text."""

    name: str
    before: str
    after: str

    @property
    def folded(self) -> list[str]:
        """The parts of a text that is too long to stand open, such as a template's structure."""
        return self.after.split("; ") if len(self.after) > FOLDED_FROM else []


class Reader:
    """Reads the entries of one page: their currencies and references are looked up together."""

    def __init__(self, entries: Iterable[JournalEntry]) -> None:
        entries = list(entries)
        named = {
            text
            for entry in entries
            for text in (*_texts_in(entry.before), *_texts_in(entry.after))
            if REFERENCE.fullmatch(text)
        }
        self._references = {name: link.words for name, link in links(named).items()}
        self._known = Currency.objects.in_bulk()
        self._tills = {till.pk: str(till) for till in Till.objects.all()}
        self._tills[OUTSIDE] = gettext("Outside the house")
        by_kind: dict[str, set[int]] = {}
        for entry in entries:
            kind, _colon, key = entry.subject.partition(":")
            if kind in PRICED and key.isdecimal() and len(key) < 19:
                by_kind.setdefault(kind, set()).add(int(key))
        self._currency_of: dict[str, str] = {}
        for kind, keys in by_kind.items():
            model, path = PRICED[kind]
            rows = model._default_manager.filter(pk__in=keys).values_list("pk", path)
            self._currency_of |= {f"{kind}:{key}": code for key, code in rows}

    def changes_of(self, entry: JournalEntry) -> list[Change]:
        before, after = entry.before, entry.after
        # An entry about a proposal has the currency among what was asked for.
        wanted = after.get("arguments") or {}
        named = after.get("currency") or before.get("currency") or wanted.get("currency")
        code = str(named or "").removeprefix("currency:")
        if code not in self._known:
            code = self._currency_of.get(entry.subject, "")
        kind = entry.subject.partition(":")[0]
        words = Words(kind, self._known.get(code), self._known, self._tills, self._references)
        return [
            Change(
                words.label(name, before.get(name), after.get(name)),
                words.text(name, before.get(name)),
                words.text(name, after.get(name)),
            )
            for name in sorted({*before, *after})
            if before.get(name) != after.get(name)
        ]


def _texts_in(value: object) -> Iterator[str]:
    """Every text of a value, however deep, names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from (str(key), *_texts_in(part))
    elif isinstance(value, list):
        for part in value:
            yield from _texts_in(part)


class Words:
    """The words of one entry: of what kind its object is, and in which currency its amounts are."""

    def __init__(
        self,
        kind: str,
        currency: Currency | None,
        known: Mapping[str, Currency],
        tills: Mapping[int, str],
        references: Mapping[str, str],
    ) -> None:
        self._meta, self._own = _metas().get(kind), OF_KINDS.get(kind, {})
        self._currency, self._known, self._tills = currency, known, tills
        self._references = references

    def _in(self, currency: Currency | None) -> "Words":
        """The same words with amounts in another currency; chips of an event have none."""
        other = copy(self)
        other._currency = currency
        return other

    def label(self, name: str, *values: object) -> str:
        option, field = _options().get(name), self._field(name)
        if name == "table" and option and not set(map(str, values)) & {*map(str, option.choices)}:
            # Not the option of this name, but where something happened.
            return gettext("Table")
        words = (
            self._own.get(name)
            or WORDS.get(name)
            or (option.label if option else getattr(field, "verbose_name", ""))
        )
        return capfirst(str(words or name.replace("_", " ")))

    def _field(self, name: str) -> object:
        try:
            return self._meta and self._meta.get_field(name)
        except FieldDoesNotExist:
            return None

    def text(self, name: str, value: object) -> str:
        if isinstance(value, dict):
            return "; ".join(self._parts(name, value))
        if isinstance(value, list):
            roles = name == "roles"
            return (
                in_words(value)
                if roles
                else ", ".join(self.text(name, element) for element in value)
            )
        if isinstance(value, bool):
            return self._choice(name, value) or (gettext("yes") if value else gettext("no"))
        if isinstance(value, int):
            return self._number(name, value)
        return "" if value is None else self._text(name, str(value))

    def _text(self, name: str, value: str) -> str:
        if name == "verb":
            return words_of(value)
        if name == "game" and value in GAMES:
            return str(game_name(value))
        if name == "kind" and value in KIND_NAMES:
            return kind_name(value)
        known = self._references.get(value) or _moment(value).removeprefix("currency:")
        return self._choice(name, value) or known

    def _parts(self, name: str, values: Mapping[str, Any]) -> Iterator[str]:
        """The values of a mapping; of an event's structure, all but the price of entry is chips."""
        currency = self._known.get(str(values.get("currency")))
        for key, value in sorted(values.items()):
            words = self
            if name == STRUCTURE:
                words = self._in(currency if key in ENTERING else CHIPS)
            yield words._part(name, key, value)

    def _part(self, name: str, key: str, value: object) -> str:
        """One value of several: of a currency, of a person, or of a field that has a name."""
        if key in self._known:
            words = self._in(self._known[key])
            return (
                words.text("amount", value) if isinstance(value, int) else words.text(name, value)
            )
        if name in AMOUNTS and key not in AMOUNTS:
            return f"{self._references.get(key, key)}: {self.text(name, value)}"
        return f"{self.label(key, value)}: {self.text(key, value)}"

    def _number(self, name: str, value: int) -> str:
        if name in TILLS and value in self._tills:
            return self._tills[value]
        option = _options().get(name)
        if name in AMOUNTS or (option is not None and option.kind == "amount"):
            currency = self._currency
            return (
                money(value, currency)
                if currency
                else gettext("{amount} minor units").format(amount=value)
            )
        if name.endswith("_bp"):
            return f"{share_text(value)} %"
        if name.endswith("_seconds"):
            return gettext("{seconds} s").format(seconds=value)
        return str(value)

    def _choice(self, name: str, value: object) -> str:
        option = _options().get(name)
        if option is not None and option.kind in ("choice", "switch"):
            return show(option, value, self._currency or Currency())
        choices = dict(getattr(self._field(name), "flatchoices", ()))
        return str(choices.get(value, ""))


def _moment(text: str) -> str:
    """A day, or a moment in the house, as the reader's language writes it; other text as it is."""
    try:
        if DAY.fullmatch(text):
            return date_format(date.fromisoformat(text), "SHORT_DATE_FORMAT")
        moment = datetime.fromisoformat(text) if "T" in text else None
    except ValueError:
        return text
    if moment is None:
        return text
    if moment.tzinfo:
        return house_time(moment)
    return date_format(moment, "SHORT_DATETIME_FORMAT")


@cache
def _options() -> dict[str, Option]:
    """The options of all games by name: one that several games have is the same in each."""
    return {option.name: option for key in GAMES for option in options_of(key)}


@cache
def _metas() -> dict[str, Any]:
    models = {*admin.site._registry, *(model for model, _path in PRICED.values())}
    return {str(model._meta.model_name): model._meta for model in models}
