"""The filters of a search in the history, and those of auditors, which the journal notes.

All filters find hands that are over; the index of cards has no others (`card_index.py`).

The journal has one entry for each different search by cards on a day, however many of its pages are
read, and even if it finds nothing, because "nothing" is an answer, too. All other filters ask for
what every spectator of the hand has read: its moves, its settlement with naturals and fouls, its
options, and the totals of banker and player at baccarat.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import ChainEntry
from games.records import card_index
from games.records.card_index import CardTerms, hashed
from games.records.record import AUDIT
from games.records.reversals import PERMISSION as REVERSE
from games.rules.catalogue import GAMES, game_type
from games.words.naming import games_of
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.storage.signing import canonical
from wallets.values.days import day_of, start_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer
from wallets.values.registry import Registry


class Search(NamedTuple):
    """The hands to find; every filter is optional."""

    # A game or a family, as in the lobby.
    game: str = ""
    table: int | None = None
    currency: str = ""
    first_day: date | None = None
    last_day: date | None = None
    # won, lost, even or void.
    result: str = ""
    # The smallest win or loss, in minor units by currency.
    least: dict[str, int] | None = None
    code: str = ""
    player_id: int | None = None
    # Who else played the hand.
    partners: tuple[int, ...] = ()
    # For staff alone (`auditor_filters.py`): cards, a flag, an option with its value, a profile,
    # a place in the public chain, and the address of a device.
    cards: CardTerms | None = None
    flag: str = ""
    option: tuple[str, object] | None = None
    profile: int | None = None
    chain: int | None = None
    address: str = ""

    @property
    def has_further(self) -> bool:
        """Whether it asks for what only staff search by."""
        terms = (self.cards, self.option, self.profile, self.chain)
        return any(term is not None for term in terms) or bool(
            self.flag or self.address or self.partners
        )

    def about(self, currency: str = "currency_id") -> Q:
        """The filters by game, table and currency, which hands, seats and closed days share."""
        condition = Q()
        if self.game:
            condition &= Q(game__in=games_of(self.game))
        if self.table is not None:
            condition &= Q(table_id=self.table)
        if self.currency:
            condition &= Q(**{currency: self.currency})
        return condition


_OPTION: Final = re.compile(r"([a-z][a-z0-9_]*)\s*=\s*(.+)")
_CODE: Final = re.compile(r"T([0-9]{1,9})-H([0-9]{1,9})")

Finder = Callable[[str], Q]
# Each tells which hands were played from an address.
FINDERS: Final = Registry[Finder]("finder of hands")


def option_names() -> frozenset[str]:
    return frozenset(name for key in GAMES for name in _names(key))


def _names(key: str) -> tuple[str, ...]:
    options: Any = game_type(key)
    names: tuple[str, ...] = options.__struct_fields__
    return names


def read_option(text: str) -> tuple[str, object]:
    """Read `point=100` or `jokers=2`: an option of a game as its hands store it."""
    match = _OPTION.fullmatch(text.strip())
    if match is None or match[1] not in option_names():
        raise Refused("no_such_option", _n("Write an option of a game and its value: point=100."))
    value: object = match[2].strip()
    with suppress(ValueError):
        value = json.loads(match[2])
    return match[1], value


def further(search: Search) -> Q:
    """Return the conditions that auditors add to the filters of all readers."""
    condition = Q()
    if search.cards is not None or search.flag:
        condition &= card_index.matching(search.cards or CardTerms(), search.flag)
    if search.option is not None:
        condition &= _has_option(*search.option)
    if search.profile is not None:
        condition &= Q(profile_version__profile=search.profile)
    if search.chain is not None:
        condition &= _at_place(search.chain)
    if search.address:
        played = Q(pk__in=())
        for finder in FINDERS.values():
            played |= finder(search.address)
        condition &= played
    return condition


def _has_option(name: str, value: object) -> Q:
    """On PostgreSQL an index finds what contains it, and the second condition what equals it."""
    equal = Q(**{f"options__{name}": value})
    if connection.vendor != "postgresql":
        return equal
    return Q(options__contains={name: value}) & equal


def _at_place(position: int) -> Q:
    """The hand whose end, or whose reversal, has this place in the public chain."""
    entry = ChainEntry.objects.filter(position=position).first()
    code = _CODE.fullmatch(str(entry.body.get("hand", ""))) if entry else None
    return Q(table=int(code[1]), number=int(code[2])) if code else Q(pk__in=())


SEARCHED: Final = journal.register(
    "hands.search_cards",
    _("Searched hands by cards"),
    needs_reason=False,
    permission=AUDIT,
    also=REVERSE,
)
# The cards that the house opens in every hand.
OPEN: Final = ("banker:", "player:")


def note(user: Viewer, search: Search, now: datetime) -> None:
    """Write the day's first entry of a search that tells hidden cards."""
    if not tells_hidden_cards(search):
        return
    requested = _requested(search)
    subject = f"search:{sha256(canonical(requested)).hexdigest()[:16]}"
    if _is_noted(user, subject, now):
        return
    with transaction.atomic():
        own = get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk)
        own.values_list("pk").first()
        # Two pages opened simultaneously write one entry.
        if not _is_noted(user, subject, now):
            journal.write(
                journal.by(user),
                SEARCHED,
                subject,
                before={},
                after={"day": day_of(now), **requested},
                reason="",
                now=now,
            )


def tells_hidden_cards(search: Search) -> bool:
    terms = search.cards or CardTerms()
    return bool(terms.player) or any(not token.startswith(OPEN) for token in terms.house)


def _requested(search: Search) -> dict[str, object]:
    """Every filter that narrows the search; players are numbers, and an address is a hash."""
    terms = search.cards or CardTerms()
    given: dict[str, object] = search._asdict() | {"cards": sorted((*terms.player, *terms.house))}
    if search.address:
        given["address"] = hashed(search.address, settings.SEALING_KEYS[0])
    nothing = (None, "", ())
    return {name: journal.value_of(value) for name, value in given.items() if value not in nothing}


def _is_noted(user: Viewer, subject: str, now: datetime) -> bool:
    """The newest entry decides: times of entries never run backwards."""
    begins = start_of(day_of(now))
    entries = JournalEntry.objects.filter(
        subject=subject, actor=journal.by(user).reference, verb=SEARCHED
    )
    last = entries.order_by("-position").values_list("at", flat=True).first()
    return last is not None and last >= begins
