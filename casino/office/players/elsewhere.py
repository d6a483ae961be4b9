"""What other parts ask of a player's file: erasure, names in the ledger, checks at the desk."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.accounts.models import Player
from casino.care.own_data import DataRow
from casino.office.desk.paying import CheckLine
from casino.office.players import permissions, traces
from casino.office.players.models import Check, Complaint, Flag, Note
from games.models import Hand, HandSeat, Table
from games.records.audit import differences
from wallets.models import Currency
from wallets.models.holders import player_reference
from wallets.money.references import Link
from wallets.staff.permitted import money
from wallets.values.days import day_of
from wallets.values.player import Viewer


def forget(player: Player) -> None:
    """Empty text typed by staff, which may identify the player.

    That there was a check, a flag or a note, when and by whom, remains.
    """
    Check.objects.filter(player=player).exclude(ending="").update(ending="")
    Complaint.objects.filter(player=player).update(text="", answer="")
    Note.objects.filter(player=player).exclude(text="").update(text="")
    Flag.objects.filter(player=player).exclude(reason="").update(reason="")


def complaints(player: Player) -> Iterator[DataRow]:
    """For the player: what they complained about, and what the house answered."""
    for complaint in Complaint.objects.filter(player=player).select_related("hand").order_by("pk"):
        yield {
            "complaint": complaint.text,
            "hand": complaint.hand.code if complaint.hand else None,
            "made": complaint.at,
            "answer": complaint.answer,
            "outcome": complaint.outcome,
            "answered": complaint.answered_at,
        }


def checks(player: Player) -> Iterator[DataRow]:
    """For the player: what was checked, without who of the staff did."""
    for check in Check.objects.filter(player=player).order_by("pk"):
        yield {
            "what": check.what,
            "document": check.document,
            "ending": check.ending,
            "valid_until": check.valid_until,
            "checked": check.at,
        }


def players(references: list[str]) -> dict[str, Link]:
    """Links to the files of players, for references such as `player:12`."""
    suffixes = (reference.partition(":")[2] for reference in references)
    numbers = [int(suffix) for suffix in suffixes if suffix.isdecimal() and len(suffix) < 19]
    names = Player.objects.filter(pk__in=numbers).values_list("pk", "username")
    return {
        player_reference(number): Link(reverse("player-file", args=[number]), name)
        for number, name in names
    }


def search(text: str) -> Collection[str]:
    """The references of the player and of the tables that have this name."""
    references = [
        player_reference(player.pk) for player in Player.objects.filter(username__iexact=text)
    ]
    return [*references, *(table.reference for table in Table.objects.filter(name__iexact=text))]


# A withdrawal is mostly of what was won lately.
WON_WITHIN: Final = timedelta(hours=24)


def identity(member: Viewer, player: Player, _kind: str, now: datetime) -> Iterator[CheckLine]:
    """The newest identity check, for staff who may see documents."""
    if not member.has_perm(permissions.SEE_DOCUMENTS):
        return
    seen = [
        check
        for check in traces.checks(player, day_of(now))
        if check.check.what == Check.What.IDENTITY
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
