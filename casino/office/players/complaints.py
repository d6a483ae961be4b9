"""The register of complaints: one is taken with a deadline, and answered once."""

from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.office.players import permissions
from casino.office.players.models import NOTE_MAX, Complaint
from casino.office.players.verbs import player_for, signed
from games.models import Hand
from games.records.search import by_code
from games.words.plain import one_line
from wallets.models.holders import player_reference
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.days import ONE_DAY, day_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer

TAKEN: Final = journal.register(
    "complaint.take", _("Took a complaint"), needs_reason=False, permission=permissions.FLAG
)
ANSWERED: Final = journal.register(
    "complaint.answer", _("Answered a complaint"), needs_reason=False, permission=permissions.FLAG
)
# How long the house has to answer, unless the form says otherwise.
DAYS: Final = 14


def usual_deadline() -> date:
    return day_of(timezone.now()) + ONE_DAY * DAYS


@under(TAKEN)
@transaction.atomic
def take(
    member: Viewer, player_id: int, text: str, *, hand: str = "", due_on: date, now: datetime
) -> Complaint:
    """Enter a complaint; `hand` is the code of the hand that it is about."""
    player = player_for(member, permissions.FLAG, player_id)
    if due_on < day_of(now):
        raise Refused("deadline_over", _("The deadline is over already."))
    complaint = Complaint.objects.create(
        player=player,
        text=_text(text),
        hand=_hand(hand, player.pk),
        due_on=due_on,
        **signed(member, now),
    )
    after = {"complaint": complaint.pk, "hand": hand.strip(), "due_on": due_on}
    journal.write(
        journal.by(member), TAKEN, player_reference(player.pk), before={}, after=after, reason=""
    )
    return complaint


@under(ANSWERED)
@transaction.atomic
def answer(member: Viewer, number: int, outcome: str, text: str, now: datetime) -> Complaint:
    """Answer a complaint, once."""
    held = Complaint.objects.select_for_update(no_key=True).filter(pk=number).first()
    if held is None:
        raise Refused("no_such_complaint", _("There is no such complaint."))
    player = player_for(member, permissions.FLAG, held.player_id)
    if outcome not in Complaint.Outcome.values:
        raise Refused("no_such_outcome", _("Choose what the complaint came to."))
    if held.answered_at is not None:
        raise Refused("complaint_answered", _("This complaint is answered already."))
    held.outcome, held.answer = outcome, _text(text)
    held.answered_at, held.answered_by_name = now, member.username
    held.save(update_fields=["outcome", "answer", "answered_at", "answered_by_name"])
    after = {"complaint": held.pk, "outcome": outcome}
    journal.write(
        journal.by(member), ANSWERED, player_reference(player.pk), before={}, after=after, reason=""
    )
    return held


def register(*, only_open: bool) -> QuerySet[Complaint]:
    """The open complaints by their deadline, or all that were answered, the latest first."""
    complaints = Complaint.objects.select_related("player", "hand__table")
    if only_open:
        return complaints.filter(answered_at=None).order_by("due_on", "pk")
    return complaints.exclude(answered_at=None).order_by("-answered_at", "-pk")


def waiting(_member: Viewer) -> int:
    return Complaint.objects.filter(answered_at=None).count()


def _text(text: str) -> str:
    text = one_line(text[: NOTE_MAX * 10])
    if not 1 <= len(text) <= NOTE_MAX:
        raise Refused("complaint_length", _("Write 1 to {most} characters."), most=NOTE_MAX)
    return text


def _hand(code: str, player_id: int) -> Hand | None:
    """The hand that a complaint names: one that this player has played."""
    if not code.strip():
        return None
    played = Hand.objects.filter(seats__player=player_id)
    hand = by_code(played, code).first() if "-" in code else None
    if hand is None:
        raise Refused("no_such_hand", _("This player has played no hand with this code."))
    return hand
