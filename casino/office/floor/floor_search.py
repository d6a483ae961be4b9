"""Find a player, a table or a hand by what staff have typed: a name, `P-3`, `T7`, `T7-H12`."""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.office.players.permissions import OPENS_HANDS
from casino.office.players.permissions import SEE as SEE_FILE
from games.models import Hand, Table
from games.words.naming import table_title
from wallets.values.player import Viewer

TABLE: Final = re.compile(r"[Tt]?0*([0-9]{1,15})")
PLAYER: Final = re.compile(r"[Pp]-0*([0-9]{1,15})")
HAND: Final = re.compile(r"[Tt]0*([0-9]{1,15})-[Hh]0*([0-9]{1,15})")
FOUND_MAX: Final = 10
TYPED_MAX: Final = 100


class Found(NamedTuple):
    kind: str
    words: str
    detail: str
    address: str


def find(member: Viewer, typed: str) -> list[Found]:
    """Return the matches that the member may see, with a limit for each kind."""
    typed = typed.strip()[:TYPED_MAX]
    if not typed:
        return []
    matches: list[Found] = []
    if member.has_perm("games.view_hand"):
        matches += _hands(member, typed)
    if member.has_perm("games.view_table"):
        matches += _tables(typed)
    if member.has_perm("players.view_player"):
        matches += _players(typed, to_file=member.has_perm(SEE_FILE))
        if any(map(member.has_perm, OPENS_HANDS)):
            matches += _together(typed)
    return matches


def hand_address(member: Viewer, hand: Hand) -> str:
    """The page of a finished hand, for staff who may open it; else its row in the list."""
    ended = hand.status != Hand.Status.LIVE
    if ended and any(map(member.has_perm, OPENS_HANDS)):
        return reverse("office-hand", args=[hand.code])
    return reverse("admin:games_hand_change", args=[hand.pk])


def _hands(member: Viewer, typed: str) -> list[Found]:
    code = HAND.fullmatch(typed)
    if code is None:
        return []
    hands = Hand.objects.filter(table=int(code[1]), number=int(code[2])).select_related("table")
    return [
        Found(
            _("Hand"),
            hand.code,
            f"{hand.table.title} · {hand.get_status_display()}",
            hand_address(member, hand),
        )
        for hand in hands
    ]


def _tables(typed: str) -> list[Found]:
    code = TABLE.fullmatch(typed)
    by_code = list(Table.objects.filter(pk=int(code[1]))) if code else []
    by_name = Table.objects.filter(called(typed, Table.objects.all(), table_title)).exclude(
        pk__in=[table.pk for table in by_code]
    )
    return [
        Found(
            _("Table"),
            table.title,
            f"T{table.pk} · {table.get_status_display()}",
            reverse("floor-table", args=[table.pk]),
        )
        for table in [*by_code, *by_name.order_by("name")[:FOUND_MAX]]
    ]


def called(typed: str, rows: QuerySet[Any], title: Callable[[str], str]) -> Q:
    """Rows by a part of their name, as it is stored and as this reader sees it translated."""
    names = rows.order_by().values_list("name", flat=True).distinct()
    translated = [name for name in names if typed.casefold() in title(name).casefold()]
    return Q(name__icontains=typed) | Q(name__in=translated)


def _together(typed: str) -> list[Found]:
    """Two or more whole names: the hands that these players played together."""
    keys = [name_key(name) for name in re.split(r"[\s,，、]+", typed) if name]
    if len(keys) < 2:
        return []
    names = dict(
        Player.objects.filter(username_key__in=keys).values_list("username_key", "username")
    )
    if len(names) < len(set(keys)):
        return []
    together = " ".join(names[key] for key in keys)
    address = f"{reverse('office-hands')}?{urlencode({'player': together})}"
    return [Found(_("Hands"), ", ".join(names[key] for key in keys), _("played together"), address)]


def _players(typed: str, *, to_file: bool) -> list[Found]:
    page = "player-file" if to_file else "admin:players_player_change"
    wanted = Q(username_key__startswith=name_key(typed))
    if number := PLAYER.fullmatch(typed):
        wanted |= Q(pk=int(number[1]))
    players = Player.objects.filter(wanted).order_by("username_key")
    return [
        Found(
            _("Player"),
            player.username,
            "" if player.is_active else _("frozen"),
            reverse(page, args=[player.pk]),
        )
        for player in players[:FOUND_MAX]
    ]
