"""The actions in a player's file: each with its address, permission, form and verb.

One page asks for all of them. The list of pages and the page of roles are made from this list.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.forms import CharField, ChoiceField, DateField, Textarea, TypedChoiceField
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.accounts import freezing
from casino.accounts.models import Player
from casino.office.players import closing, permissions, verbs
from casino.office.players.models import ENDING_MAX, NOTE_MAX, Check, Complaint, Flag
from casino.office.players.verbs import FREEZE_DAYS, usual_deadline
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import ReasonForm
from wallets.staff import approvals
from wallets.typed_form import FinalForm
from wallets.values.player import Viewer

_CLASS: Final = UnfoldAdminTextInputWidget().attrs["class"]


def _days() -> list[tuple[int, str]]:
    return [
        (days, ngettext("{count} day", "{count} days", days).format(count=days))
        if days
        else (0, str(_("without an end")))
        for days in FREEZE_DAYS
    ]


class CheckForm(ReasonForm):
    """The check and its document, whose number is never stored in full."""

    field_order = ("what", "document", "ending", "valid_until", "reason")
    what = ChoiceField(
        label=_("Checked"), choices=Check.What.choices, widget=UnfoldAdminSelectWidget
    )
    document = ChoiceField(
        label=_("Document"), choices=Check.Document.choices, widget=UnfoldAdminSelectWidget
    )
    ending = CharField(
        label=_("End of its number"),
        required=False,
        max_length=ENDING_MAX,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("At most the last four characters. Never type the whole number."),
    )
    valid_until = DateField(
        label=_("Valid until"),
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "date"}),
    )


class FlagForm(ReasonForm):
    field_order = ("kind", "reason")
    kind = ChoiceField(label=_("Flag"), choices=Flag.Kind.choices, widget=UnfoldAdminSelectWidget)


class NoteForm(ReasonForm):
    """A note says itself why it was written."""

    field_order = ("text",)
    reason = None  # type: ignore[assignment]
    text = CharField(
        label=_("Note"),
        max_length=NOTE_MAX,
        widget=Textarea(attrs={"rows": 4, "class": _CLASS}),
        help_text=_("Notes cannot be changed or deleted. Do not write a document number into one."),
    )


class FreezeForm(ReasonForm):
    field_order = ("days", "reason", "text")
    days = TypedChoiceField(
        label=_("For how long"),
        coerce=int,
        choices=lazy(_days, list),
        widget=UnfoldAdminSelectWidget,
    )
    text = CharField(
        label=_("Note for colleagues"),
        required=False,
        max_length=NOTE_MAX,
        widget=Textarea(attrs={"rows": 3, "class": _CLASS}),
    )


class ComplaintForm(ReasonForm):
    """What a player complains about, the hand if it is about one, and the deadline."""

    field_order = ("text", "hand", "due_on")
    reason = None  # type: ignore[assignment]
    text = CharField(
        label=_("What is it about?"),
        max_length=NOTE_MAX,
        widget=Textarea(attrs={"rows": 4, "class": _CLASS}),
    )
    hand = CharField(
        label=_("Code of the hand"),
        required=False,
        max_length=40,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Leave it empty if it is about no hand."),
    )
    due_on = DateField(
        label=_("To be answered by"),
        initial=usual_deadline,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "date"}),
    )


class AnswerForm(ReasonForm):
    field_order = ("outcome", "text")
    reason = None  # type: ignore[assignment]
    outcome = ChoiceField(
        label=_("Outcome"), choices=Complaint.Outcome.choices, widget=UnfoldAdminSelectWidget
    )
    text = CharField(
        label=_("Answer to the player"),
        max_length=NOTE_MAX,
        widget=Textarea(attrs={"rows": 4, "class": _CLASS}),
    )


Values = dict[str, Any]


# Shown next to the button for closing, and in the documentation: there is no verb for it.
NO_MERGING: Final = _(
    "Accounts are never merged: one person has one account. Pay out the other one and close it."
)


@dataclass(frozen=True)
class Action:
    """One thing to do; `run` returns the proposal if a colleague must approve."""

    name: str
    address: str
    words: str | Promise
    done: str | Promise
    permission: str
    run: Callable[[Viewer, Player, Values, datetime], Proposal | None]
    form: type[ReasonForm] = ReasonForm
    notes: tuple[str | Promise, ...] = ()


def _check(member: Viewer, player: Player, form: Values, now: datetime) -> None:
    verbs.check(
        member,
        player.pk,
        form["what"],
        form["document"],
        ending=form["ending"],
        valid_until=form["valid_until"],
        reason=form["reason"],
        now=now,
    )


def _flag(member: Viewer, player: Player, form: Values, now: datetime) -> None:
    verbs.flag(member, player.pk, form["kind"], form["reason"], now)


def _unflag(member: Viewer, player: Player, form: Values, now: datetime) -> None:
    verbs.unflag(member, player.pk, form["kind"], form["reason"], now)


def _note(member: Viewer, player: Player, form: Values, now: datetime) -> None:
    verbs.note(member, player.pk, form["text"], now)


def _complain(member: Viewer, player: Player, form: Values, now: datetime) -> None:
    verbs.take_complaint(
        member, player.pk, form["text"], hand=form["hand"], due_on=form["due_on"], now=now
    )


def _freeze(member: Viewer, player: Player, form: Values, now: datetime) -> None:
    verbs.freeze(member, player.pk, form["reason"], days=form["days"], text=form["text"], now=now)


def _propose(verb: str) -> Callable[[Viewer, Player, Values, datetime], Proposal | None]:
    def run(member: Viewer, player: Player, form: Values, now: datetime) -> Proposal | None:
        return approvals.submit(
            member, verb, {"player": player.pk}, reason=form["reason"], key=form["key"], now=now
        ).proposal

    return run


_AT: Final = "players/<int:number>/file"
ACTIONS: Final[tuple[Action, ...]] = (
    Action(
        "player-check",
        f"{_AT}/check/",
        _("Note a check"),
        _("The check is noted."),
        permissions.CHECK,
        _check,
        CheckForm,
        (_("Look at the document yourself. No copy and no full number is kept."),),
    ),
    Action(
        "player-flag",
        f"{_AT}/flag/",
        _("Flag the player"),
        _("The player is flagged."),
        permissions.FLAG,
        _flag,
        FlagForm,
        (_("All readers of the file see it. It blocks nothing by itself."),),
    ),
    Action(
        "player-unflag",
        f"{_AT}/unflag/",
        _("Take a flag off"),
        _("The flag is off."),
        permissions.FLAG,
        _unflag,
        FlagForm,
    ),
    Action(
        "player-note",
        f"{_AT}/note/",
        _("Write a note"),
        _("The note is written."),
        permissions.NOTE,
        _note,
        NoteForm,
    ),
    Action(
        "player-complaint",
        f"{_AT}/complaint/",
        _("Take a complaint"),
        _("The complaint is in the register."),
        permissions.FLAG,
        _complain,
        ComplaintForm,
    ),
    Action(
        "player-freeze",
        f"{_AT}/freeze/",
        _("Freeze the player"),
        _("The player is frozen."),
        freezing.PERMISSION,
        _freeze,
        FreezeForm,
        (
            _("The player is signed out immediately, and cannot sign in until the freeze ends."),
            _("Money and seats stay as they are. Ending it earlier takes two members of staff."),
        ),
    ),
    Action(
        "player-unfreeze",
        f"{_AT}/unfreeze/",
        _("End the freeze"),
        _("The player may sign in."),
        freezing.PERMISSION,
        _propose(freezing.UNFREEZE),
        notes=(_("A colleague must approve it."),),
    ),
    Action(
        "player-close",
        f"{_AT}/close/",
        _("Close the account"),
        _("The account is closed."),
        freezing.PERMISSION,
        _propose(closing.CLOSE),
        FinalForm,
        (
            _("The account cannot be reopened. The final balance is paid out first."),
            _("A colleague must approve it."),
            NO_MERGING,
        ),
    ),
)
