"""The verbs of staff for an announced event: each is an entry of the journal, with a reason.

Cancelling and announcing with a guarantee move money, and go through approvals (`staff_verbs`).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from tournaments.event import clock, registration
from tournaments.event.organiser import locked, save, wake
from tournaments.models import Entry, Tournament
from tournaments.running import progress
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.errors import Refused
from wallets.values.player import Viewer

PERMISSION: Final = "tournaments.run_tournament"
PAUSE: Final = journal.register("tournament.pause", _("Paused a tournament"), permission=PERMISSION)
RESUME: Final = journal.register(
    "tournament.resume", _("Resumed a tournament"), permission=PERMISSION
)
CLOSE: Final = journal.register(
    "tournament.close", _("Closed the registration of a tournament"), permission=PERMISSION
)
DISQUALIFY: Final = journal.register(
    "tournament.disqualify", _("Disqualified a player"), permission=PERMISSION
)
MESSAGE: Final = journal.register(
    "tournament.message", _("Sent a message to the players of a tournament"), permission=PERMISSION
)


@under(PAUSE)
def pause(member: Viewer, tournament_id: int, reason: str, now: datetime) -> Tournament:
    """Let no further hand begin, and stop the clock; hands that run are played to their end."""
    with transaction.atomic():
        tournament = _running(member, tournament_id)
        if tournament.paused_at is not None:
            raise Refused("already_paused", _n("This tournament is paused already."))
        tournament.paused_at = now
        clock.stop(tournament, now)
        tournament.due_at = None
        save(tournament, ["paused_at", "due_at", *clock.FIELDS])
        after = {"paused": True, "at": now}
        _note(member, PAUSE, tournament, reason, {"paused": False}, after)
        return tournament


@under(RESUME)
def resume(member: Viewer, tournament_id: int, reason: str, now: datetime) -> Tournament:
    """Let a paused event go on where it stopped."""
    with transaction.atomic():
        tournament = _running(member, tournament_id)
        if tournament.paused_at is None:
            raise Refused("not_paused", _n("This tournament is not paused."))
        tournament.paused_at = None
        clock.go_on(tournament, now)
        tournament.due_at = now
        save(tournament, ["paused_at", "due_at", *clock.FIELDS])
        clock.release(tournament, now)
        after = {"paused": False, "at": now}
        _note(member, RESUME, tournament, reason, {"paused": True}, after)
        return tournament


@under(CLOSE)
def close_registration(
    member: Viewer, tournament_id: int, reason: str, now: datetime
) -> Tournament:
    """Close late registration before its level is over."""
    with transaction.atomic():
        tournament = _running(member, tournament_id)
        if tournament.registration_closed_at is not None:
            raise Refused("registration_closed", _n("Registration for this tournament is closed."))
        registration.close(tournament, now)
        save(tournament, registration.FIELDS)
        progress.soon(tournament, now)
        after = {"registration": False, "entries": tournament.entries, "added": tournament.added}
        _note(member, CLOSE, tournament, reason, {"registration": True}, after)
        return tournament


@under(DISQUALIFY)
def disqualify(
    member: Viewer, tournament_id: int, player_id: int, reason: str, now: datetime
) -> Entry:
    """Take a player out for good: the last place, no prize. A hand that runs is played first."""
    with transaction.atomic():
        tournament = _running(member, tournament_id)
        entry = tournament.all_entries.filter(
            player=player_id, state__in=(Entry.State.PLAYING, Entry.State.WAITING)
        ).first()
        if entry is None or entry.disqualify_due:
            raise Refused("not_playing", _n("This player does not play in this tournament now."))
        entry.disqualify_due = True
        entry.save(update_fields=["disqualify_due"])
        if entry.seat is not None:
            tournament.tables.filter(table=entry.seat.table_id).update(held=True)
        tournament.moves_due = True
        wake(tournament, now)
        save(tournament, ["moves_due", "due_at"])
        progress.soon(tournament, now)
        after = {"player": f"player:{player_id}", "state": Entry.State.DISQUALIFIED}
        _note(member, DISQUALIFY, tournament, reason, {"state": entry.state}, after)
        return entry


@under(MESSAGE)
def tell(
    member: Viewer, tournament_id: int, notice: str, reason: str, _now: datetime
) -> Tournament:
    """Show all players a message, on the page of the event and at its tables; "" takes it away."""
    with transaction.atomic():
        require_permission(member)
        tournament = locked(tournament_id)
        if tournament.state not in Tournament.ALIVE:
            raise Refused("tournament_over", _n("This tournament is over."))
        before, tournament.notice = tournament.notice, notice
        save(tournament, ["notice"])
        _note(member, MESSAGE, tournament, reason, {"notice": before}, {"notice": notice})
        return tournament


def _running(member: Viewer, tournament_id: int) -> Tournament:
    require_permission(member)
    tournament = locked(tournament_id)
    if tournament.state != Tournament.State.RUNNING:
        raise Refused("not_running", _n("This tournament is not being played."))
    return tournament


def require_permission(member: Viewer) -> None:
    if not member.is_active or not member.has_perm(PERMISSION):
        raise Refused("not_operator", _n("Your role cannot run tournaments."))


def _note(
    member: Viewer,
    verb: str,
    tournament: Tournament,
    reason: str,
    before: Mapping[str, object],
    after: Mapping[str, object],
) -> None:
    journal.write(
        journal.by(member), verb, tournament.reference, before=before, after=after, reason=reason
    )
