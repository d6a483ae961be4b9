"""The page that searches the journal of staff; it is read-only."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from django.forms import CharField, ChoiceField, DateField, Form, ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminSingleDateWidget,
    UnfoldAdminTextInputWidget,
)

from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.office.frame.journal_words import Change, Reader, links
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry
from wallets.money.references import Link
from wallets.office.staff_pages import DEEDS, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.staff.journal import Search, search

READ = "wallets.read_journal"


class ShownEntry(NamedTuple):
    entry: JournalEntry
    verb: str
    subject: Link | None
    cause: Link | None
    changes: list[Change]


class Filters(Form):
    """The search's fields; each may be empty."""

    person = CharField(
        label=_("Person"), required=False, max_length=150, widget=UnfoldAdminTextInputWidget
    )
    verb = ChoiceField(label=_("What"), required=False, widget=UnfoldAdminSelectWidget)
    subject = CharField(
        label=_("Object"),
        required=False,
        max_length=64,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("A reference such as table:7, in full."),
    )
    since = DateField(label=_("From"), required=False, widget=UnfoldAdminSingleDateWidget)
    until = DateField(label=_("To"), required=False, widget=UnfoldAdminSingleDateWidget)

    def __init__(self, data: Mapping[str, object]) -> None:
        super().__init__(data)
        verbs = [(name, str(verb.words)) for name, verb in journal.verbs().items()]
        self.fields["verb"].choices = [("", _("everything")), *verbs]  # type: ignore[attr-defined]
        for name in ("since", "until"):
            self.fields[name].widget = UnfoldAdminTextInputWidget(attrs={"type": "date"})

    def clean_person(self) -> str:
        """The reference of a person, by the name as it is typed; `house` is the house itself."""
        name: str = self.cleaned_data["person"].strip()
        if not name or name == journal.HOUSE.name:
            return name
        player = Player.objects.filter(username_key=name_key(name)).first()
        if player is None:
            raise ValidationError(_("No player has this name."), code="no_such_player")
        return player_reference(player.pk)

    def search(self, before: int | None) -> Search:
        values = self.cleaned_data
        return Search(
            values["person"],
            values["verb"],
            values["subject"].strip(),
            self._day("since"),
            self._day("until"),
            before,
        )

    def _day(self, name: str) -> date | None:
        day: date | None = self.cleaned_data[name]
        # The last day of the calendar has none after it.
        return day if day is None or day.year < date.max.year else date(date.max.year - 1, 12, 31)


@staff_page("journal", "journal/", _("Journal"), READ, menu=Menu(DEEDS, "history_edu", 10))
@require_safe
def journal_page(request: HttpRequest) -> HttpResponse:
    form = Filters(request.GET)
    rows, older = [], None
    if form.is_valid():
        before = request.GET.get("before", "")
        results = search(
            form.search(int(before) if before.isdecimal() and len(before) < 19 else None)
        )
        rows, older = rows_of(results.entries), results.older
    kept = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    return office_page(
        request,
        "journal.html",
        _("Journal"),
        form=form,
        rows=rows,
        older=older and f"?{urlencode({**kept, 'before': older})}",
    )


def rows_of(entries: list[JournalEntry]) -> list[ShownEntry]:
    """Entries with their words and links, all looked up together."""
    known = links({entry.subject for entry in entries} | {entry.cause for entry in entries})
    reader = Reader(entries)
    return [
        ShownEntry(
            entry,
            journal.words_of(entry.verb),
            known.get(entry.subject),
            known.get(entry.cause),
            reader.changes_of(entry),
        )
        for entry in entries
    ]
