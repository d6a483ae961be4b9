"""Notes from a player's file at the desk before a payment: identity, and source of the money."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.accounts.models import Player
from casino.office.desk.preview import CheckLine
from casino.office.players import permissions, traces
from casino.office.players.models import Check
from games.models import Hand, HandSeat
from games.records.audit import differences
from wallets.models import Currency
from wallets.staff.permitted import money
from wallets.values.days import day_of
from wallets.values.player import Viewer

# A withdrawal is mostly of what was won lately.
WON_WITHIN: Final = timedelta(hours=24)


def identity(member: Viewer, player: Player, _kind: str, now: datetime) -> Iterator[CheckLine]:
    """The newest identity check, for staff who may see documents."""
    if not member.has_perm(permissions.SEE_DOCUMENTS):
        return
    seen = [
        one for one in traces.checks(player, day_of(now)) if one.check.what == Check.What.IDENTITY
    ]
    if not seen:
        yield CheckLine("warn", _("Identity not checked: ask for a document"))
    elif seen[0].expired:
        yield CheckLine("warn", _("The document has expired: ask for another one"))
    else:
        until = seen[0].check.valid_until
        figure = _("until {day}").format(day=date_format(until)) if until else ""
        yield CheckLine("good", _("Identity checked, document not expired"), figure)


def won(member: Viewer, player: Player, kind: str, now: datetime) -> Iterator[CheckLine]:
    """Of a withdrawal, the largest win of the last day, with the hand settled again."""
    if kind != "withdrawal":
        return
    rows = HandSeat.objects.filter(
        player=player,
        status=Hand.Status.FINISHED,
        ended_at__gt=now - WON_WITHIN,
        net__gt=0,
        currency__in=Currency.objects.exclude(kind=Currency.Kind.CHIPS),
    )
    best = rows.select_related("currency", "hand__shoe", "hand__table__currency")
    largest = best.order_by("-net").first()
    if largest is None:
        yield CheckLine("warn", _("No hand won in the last 24 hours"))
        return
    hand = largest.hand
    figure = f"{hand.code} · {money(largest.net, largest.currency)}"
    opens = member.has_perm(permissions.SEE_HANDS) and member.has_perm("games.void_hand")
    address = reverse("office-hand", args=[hand.code]) if opens else ""
    if any(differences(hand)):
        words = _("The largest win of the last day does not settle to the same: ask a manager")
        yield CheckLine("bad", words, figure, address)
        return
    words = _("Largest win of the last day, settled again and equal")
    yield CheckLine("good", words, figure, address)
