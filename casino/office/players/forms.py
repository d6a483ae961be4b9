"""The forms of a player's file."""

from typing import Any, Final

from django.forms import CharField, ChoiceField, DateField, DateInput, Textarea, TypedChoiceField
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.office.players.complaints import usual_deadline
from casino.office.players.models import ENDING_MAX, NOTE_MAX, Check, Complaint, Flag
from casino.office.players.verbs import FREEZE_DAYS
from wallets.office.journalled_admin import ReasonForm

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
        widget=DateInput(attrs={"type": "date", "class": _CLASS}),
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
        widget=DateInput(attrs={"type": "date", "class": _CLASS}, format="%Y-%m-%d"),
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
