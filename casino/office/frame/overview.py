"""The first page of the back office: the news and the tasks of its reader.

Each part belongs to a permission, so the page of a role follows from what the role may see.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from casino.office.alarms import acknowledging
from casino.office.desk import cash, requests
from casino.office.desk.models import Receipt
from casino.office.desk.receipts import SEE_ALL, WORK
from casino.office.desk.shifts import MANAGE, own_shift
from casino.office.desk.summary import lately_different, lines, shows_expected
from casino.office.floor import halting, house_state, listing, row_cache
from casino.office.floor.floor_context import open_alarms, waiting
from casino.office.frame.check_states import check_states
from casino.office.frame.day_figures import day_figures
from casino.office.frame.health_page import health_rows
from casino.office.reports.report import READ as READ_REPORTS
from games.models import Table
from games.records.record import AUDIT
from games.tables.jackpots import jackpot_view
from tournaments.models import Tournament
from wallets.models import Currency, Jackpot
from wallets.staff.permitted import money
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.player import Player, player_of

SHOWN: Final = 8
DECIDES: Final = "wallets.approve_proposal"
READ_HEALTH: Final = "upkeep.read_health"
RUNS_EVENTS: Final = "tournaments.view_tournament"
SEES_JACKPOTS: Final = "wallets.change_jackpot"


class NearJackpot(NamedTuple):
    """A prize that must be hit before it has grown to its highest amount."""

    name: str
    holds: str
    highest: str
    percent: int
    address: str


def overview(request: HttpRequest, context: dict[str, object]) -> dict[str, object]:
    """Add to the context of the first page what this reader may see."""
    member, now = player_of(request), timezone.now()
    shown: dict[str, object] = {
        "now": now,
        "proposals": waiting(member, now),
        "may": {"take": member.has_perm(acknowledging.TAKE), "decide": member.has_perm(DECIDES)},
    }
    if member.has_perm(acknowledging.SEE):
        shown["alarms"] = open_alarms(member)
    if member.has_perm(house_state.SEE):
        shown |= _floor(member, now)
    if member.has_perm(READ_REPORTS):
        shown["day"] = day_figures(now)
    if member.has_perm(RUNS_EVENTS):
        shown["events"] = _events(now)
    if member.has_perm(SEES_JACKPOTS):
        shown["jackpots"] = _near_jackpots()
    if member.has_perm(WORK):
        shown |= _desk(member)
    if member.has_perm(SEE_ALL):
        shown["variances"] = lately_different(now)[:SHOWN]
    if member.has_perm(AUDIT) or member.has_perm(READ_HEALTH):
        shown["checks"] = check_states(now, for_auditor=member.has_perm(AUDIT))
    if member.has_perm(READ_HEALTH) and not member.has_perm(READ_REPORTS):
        # Others have the alarms, which say what does not work.
        shown["health"] = health_rows(now)
    return context | shown


def _floor(member: Player, now: datetime) -> dict[str, object]:
    """The room, and the tables that need a member of staff: for the floor, all by their need."""
    rows = row_cache.rows(now)
    found: dict[str, object] = {
        "totals": listing.totals(rows),
        "house": house_state.state(),
        "needing": _needing(rows)[:SHOWN],
        "may_halt": member.has_perm(halting.HALT),
    }
    if member.has_perm(halting.HALT) and not member.has_perm(READ_REPORTS):
        usable = [row for row in rows if row.status != Table.Status.CLOSED]
        found["by_need"] = sorted(usable, key=listing.ORDERS["need"])[:SHOWN]
    return found


def _needing(rows: Iterable[listing.FloorRow]) -> list[listing.FloorRow]:
    """Tables that are stuck, the latest first, and those that are closing."""
    found = [row for row in rows if row.is_stuck or row.status == Table.Status.CLOSING]
    return sorted(found, key=lambda row: (not row.is_stuck, -row.late, row.name))


def _events(now: datetime) -> list[Tournament]:
    """Running events, and those that begin today."""
    today = start_of(day_of(now))
    begins = Q(starts_at__gte=today, starts_at__lt=start_of(day_of(now) + ONE_DAY))
    runs = Q(started_at__isnull=False, ended_at__isnull=True)
    found = Tournament.objects.filter(begins | runs).select_related("currency")
    return list(found.order_by("starts_at", "pk")[:SHOWN])


def _near_jackpots() -> list[NearJackpot]:
    """The prizes with a highest amount, the fullest first."""
    found = Jackpot.objects.filter(active=True, kind=Jackpot.Kind.MYSTERY, highest__gt=0)
    near = []
    for one in found.select_related("pool__currency"):
        currency, jackpot = one.pool.currency, jackpot_view(one)
        near.append(
            NearJackpot(
                jackpot.name,
                money(jackpot.amount, currency),
                money(one.highest, currency),
                min(100, 100 * jackpot.amount // one.highest),
                reverse("admin:wallets_jackpot_change", args=[one.pk]),
            )
        )
    return sorted(near, key=lambda one: -one.percent)[:SHOWN]


def _desk(member: Player) -> dict[str, object]:
    """The member's own till, and who waits for money."""
    shift = own_shift(member)
    # Counting is blind: a cashier reads what the till should hold after a count.
    shows = shift is not None and shows_expected(member, shift, lines(shift))
    held = cash.held_by(shift.till) if shift and shows else {}
    known = Currency.objects.in_bulk(held) if held else {}
    return {
        "shift": shift,
        "holds": [money(amount, known[code]) for code, amount in held.items()],
        # Managers may work at a till, too; those who do not see no empty one.
        "at_desk": shift is not None or not member.has_perm(MANAGE),
        "requests": list(requests.waiting()[:SHOWN]),
        "receipts": list(
            Receipt.objects.filter(cashier=member.pk)
            .select_related("currency", "player", "till")
            .order_by("-pk")[:SHOWN]
        ),
    }
