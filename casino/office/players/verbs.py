"""The verbs of staff in a player's file: checks, flags, notes, a freeze, complaints, and each look.

Each is one transaction with its entry in the journal. Of a note the journal has the number alone,
so that an erasure can empty the text. A complaint is taken with a deadline, and answered once.
"""

import re
from datetime import date, datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts import freezing
from casino.accounts.models import Player
from casino.accounts.staff import is_staff_member
from casino.office.players import permissions
from casino.office.players.models import ENDING_MAX, NOTE_MAX, Check, Complaint, Flag, Note
from games.models import Hand
from games.records.search import by_code
from games.words.plain import one_line
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer

CHECKED: Final = journal.register(
    "player.check", _("Saw a document of a player"), permission=permissions.CHECK
)
FLAGGED: Final = journal.register("player.flag", _("Flagged a player"), permission=permissions.FLAG)
UNFLAGGED: Final = journal.register(
    "player.unflag", _("Took a flag off a player"), permission=permissions.FLAG
)
NOTED: Final = journal.register(
    "player.note",
    _("Wrote a note about a player"),
    needs_reason=False,
    permission=permissions.NOTE,
)
# How many days a freeze may last; 0 means without end.
FREEZE_DAYS: Final = (1, 3, 7, 14, 30, 90, 0)
ENDING: Final = re.compile(rf"[0-9A-Za-z]{{0,{ENDING_MAX}}}")


@under(CHECKED)
@transaction.atomic
def check(  # noqa: PLR0913 - what a check is
    member: Viewer,
    player_id: int,
    what: str,
    document: str,
    *,
    ending: str = "",
    valid_until: date | None = None,
    reason: str,
    now: datetime,
) -> Check:
    """Note that a document was seen; of its number at most the end is stored."""
    player = player_for(member, permissions.CHECK, player_id)
    if what not in Check.What.values or document not in Check.Document.values:
        raise Refused("no_such_check", _("Choose what was checked, and by which document."))
    if not ENDING.fullmatch(ending):
        raise Refused("document_number", _("Type at most the last four characters of the number."))
    if valid_until is not None and valid_until < day_of(now):
        raise Refused("document_expired", _("This document is no longer valid."))
    new_check = Check.objects.create(
        player=player,
        what=what,
        document=document,
        ending=ending.upper(),
        valid_until=valid_until,
        **signed(member, now),
    )
    journal.write(
        journal.by(member),
        CHECKED,
        player_reference(player.pk),
        before={},
        after={"what": what, "document": document, "check": new_check.pk},
        reason=reason,
    )
    return new_check


@under(FLAGGED)
@transaction.atomic
def flag(member: Viewer, player_id: int, kind: str, reason: str, now: datetime) -> Flag:
    player = player_for(member, permissions.FLAG, player_id)
    if kind not in Flag.Kind.values:
        raise Refused("no_such_flag", _("There is no such flag."))
    before = _flags_up(player)
    if kind in before:
        raise Refused("flag_is_up", _("This player has that flag already."))
    reason = journal.reason_of(reason)
    new_flag = Flag.objects.create(player=player, kind=kind, reason=reason, **signed(member, now))
    _journal_flags(member, FLAGGED, player, before, reason)
    return new_flag


@under(UNFLAGGED)
@transaction.atomic
def unflag(member: Viewer, player_id: int, kind: str, reason: str, now: datetime) -> None:
    player = player_for(member, permissions.FLAG, player_id)
    before = _flags_up(player)
    if kind not in before:
        raise Refused("flag_is_down", _("This player does not have that flag."))
    held = Flag.objects.filter(player=player, kind=kind, lowered_at=None)
    held.update(lowered_at=now, lowered_by_name=member.username)
    _journal_flags(member, UNFLAGGED, player, before, reason)


@transaction.atomic
def note(member: Viewer, player_id: int, text: str, now: datetime) -> Note:
    player = player_for(member, permissions.NOTE, player_id)
    return _write_note(member, player, text, now)


@transaction.atomic
def freeze(
    member: Viewer, player_id: int, reason: str, *, days: int, text: str = "", now: datetime
) -> Player:
    """Freeze a player for some days or without end, with an optional note."""
    player_for(member, freezing.PERMISSION, player_id)
    if days not in FREEZE_DAYS:
        raise Refused("freeze_days", _("Choose how long the freeze is to last."))
    until = now + timedelta(days=days) if days else None
    before = Player.objects.values_list("is_active", "frozen_until").get(pk=player_id)
    player = freezing.freeze(member, player_id, reason, until=until)
    if (player.is_active, player.frozen_until) == before:
        raise Refused("frozen_longer", _("This player is frozen already, for at least as long."))
    if text.strip():
        _write_note(member, player, text, now)
    return player


def player_for(member: Viewer, permission: str, player_id: int) -> Player:
    """The player, held until the transaction ends, if the member may write about them."""
    if not member.has_perm(permission):
        raise Refused("not_permitted", _("Your role cannot do this."))
    held = Player.objects.select_for_update(no_key=True)
    player = held.filter(pk=player_id, is_bot=False).first()
    if player is None:
        raise Refused("no_such_player", _("There is no such player."))
    if player.pk == member.pk:
        raise Refused("own_file", _("You cannot write into your own file."))
    if is_staff_member(player) and not getattr(member, "is_superuser", False):
        raise Refused("colleague", _("Only a superuser writes into the files of staff."))
    return player


def signed(member: Viewer, now: datetime) -> dict[str, object]:
    who = journal.by(member)
    return {"by": who.reference, "by_name": who.name, "at": now}


def _flags_up(player: Player) -> list[str]:
    up = Flag.objects.filter(player=player, lowered_at=None)
    return sorted(up.values_list("kind", flat=True))


def _journal_flags(
    member: Viewer, verb: str, player: Player, before: list[str], reason: str
) -> None:
    journal.write(
        journal.by(member),
        verb,
        player_reference(player.pk),
        before={"flags": before},
        after={"flags": _flags_up(player)},
        reason=reason,
    )


@under(NOTED)
def _write_note(member: Viewer, player: Player, text: str, now: datetime) -> Note:
    text = one_line(text[: NOTE_MAX * 10])
    if not 1 <= len(text) <= NOTE_MAX:
        raise Refused("note_length", _("A note has 1 to {most} characters."), most=NOTE_MAX)
    new_note = Note.objects.create(player=player, text=text, **signed(member, now))
    journal.write(
        journal.by(member),
        NOTED,
        player_reference(player.pk),
        before={},
        after={"note": new_note.pk},
        reason="",
    )
    return new_note


LOOKED: Final = journal.register(
    "player.look",
    _("Looked at the file of a player"),
    needs_reason=False,
    permission=permissions.SEE,
)


def note_visit(member: Viewer, player: Player, now: datetime) -> None:
    """Write the first look of a gaming day; pages opened simultaneously write one."""
    day = day_of(now)
    if _has_looked(member, player, now):
        return
    with transaction.atomic():
        own = Player.objects.select_for_update(no_key=True).filter(pk=member.pk)
        own.values_list("pk").first()
        if not _has_looked(member, player, now):
            journal.write(
                journal.by(member),
                LOOKED,
                player_reference(player.pk),
                before={},
                after={"day": day},
                reason="",
                now=now,
            )


def _has_looked(member: Viewer, player: Player, now: datetime) -> bool:
    """The newest look of this member decides: times of entries never run backwards."""
    begins = start_of(day_of(now))
    looks = JournalEntry.objects.filter(
        subject=player_reference(player.pk), actor=journal.by(member).reference, verb=LOOKED
    )
    last = looks.order_by("-position").values_list("at", flat=True).first()
    return last is not None and last >= begins


def looks_at(player: Player, most: int) -> list[JournalEntry]:
    """Return who has opened the file, the latest first."""
    looks = JournalEntry.objects.filter(subject=player_reference(player.pk), verb=LOOKED)
    return list(looks.order_by("-position")[:most])


def acts_on(player: Player, most: int) -> list[tuple[JournalEntry, str | Promise]]:
    """Return the actions of staff about the player except visits, the latest first."""
    about = JournalEntry.objects.filter(subject=player_reference(player.pk))
    acts = about.exclude(verb=LOOKED).order_by("-position")[:most]
    return [(entry, journal.words_of(entry.verb)) for entry in acts]


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
def take_complaint(
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
def answer_complaint(
    member: Viewer, number: int, outcome: str, text: str, now: datetime
) -> Complaint:
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


def complaints_waiting(_member: Viewer) -> int:
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
