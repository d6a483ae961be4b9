"""The filters of auditors: cards, flags, options, profiles, places in the chain, and addresses.

All of them find hands that are over; the index of cards has no others (`card_index.py`).
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext_noop as _n

from games.models import ChainEntry
from games.records import card_index
from games.records.card_query import CardTerms
from games.records.search_filters import Search
from games.rules.catalogue import GAMES, game_type
from wallets.values.errors import Refused
from wallets.values.registry import Registry

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
    found = _OPTION.fullmatch(text.strip())
    if found is None or found[1] not in option_names():
        raise Refused("no_such_option", _n("Write an option of a game and its value: point=100."))
    value: object = found[2].strip()
    with suppress(ValueError):
        value = json.loads(found[2])
    return found[1], value


def further(search: Search) -> Q:
    """Return the conditions that auditors add to the filters of all readers."""
    found = Q()
    if search.cards is not None or search.flag:
        found &= card_index.matching(search.cards or CardTerms(), search.flag)
    if search.option is not None:
        found &= _has_option(*search.option)
    if search.profile is not None:
        found &= Q(profile_version__profile=search.profile)
    if search.chain is not None:
        found &= _at_place(search.chain)
    if search.address:
        played = Q(pk__in=())
        for finder in FINDERS.values():
            played |= finder(search.address)
        found &= played
    return found


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
