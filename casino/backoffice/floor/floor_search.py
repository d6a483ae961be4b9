"""Finding a player, a table or a hand from what somebody typed: a name, `T7` or `T7-H12`."""

import re
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.player_file.permissions import SEE as SEE_FILE
from casino.players.models import Player
from casino.players.names import name_key
from games.models import Hand, Table
from games.records.record import AUDIT
from games.records.reversals import PERMISSION as REVERSE
from wallets.player import Viewer

TABLE: Final = re.compile(r"[Tt]?0*([0-9]{1,15})")
HAND: Final = re.compile(r"[Tt]0*([0-9]{1,15})-[Hh]0*([0-9]{1,15})")
FOUND_MAX: Final = 10
# Whoever has one of these opens the page of a finished hand; others see its row.
OPENS_HANDS: Final = (REVERSE, AUDIT)
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
    found: list[Found] = []
    if member.has_perm("games.view_hand"):
        found += _hands(member, typed)
    if member.has_perm("games.view_table"):
        found += _tables(typed)
    if member.has_perm("players.view_player"):
        found += _players(typed, to_file=member.has_perm(SEE_FILE))
    return found


def hand_address(member: Viewer, hand: Hand) -> str:
    """The page of a finished hand for whoever may open it; else its row in the list."""
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
    by_name = Table.objects.filter(name__icontains=typed).exclude(
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


def _players(typed: str, *, to_file: bool) -> list[Found]:
    page = "player-file" if to_file else "admin:players_player_change"
    players = Player.objects.filter(username_key__startswith=name_key(typed)).order_by(
        "username_key"
    )
    return [
        Found(
            _("Player"),
            player.username,
            "" if player.is_active else _("frozen"),
            reverse(page, args=[player.pk]),
        )
        for player in players[:FOUND_MAX]
    ]
