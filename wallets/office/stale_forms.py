"""Two members of staff in one form: the second reads what the first has changed.

A form of the back office carries what its row was when it was opened. It is compared under the lock
of the row, so no change is undone by a form that was older than it.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.forms import CharField, Field, HiddenInput
from django.forms.models import ModelChoiceIterator
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.values.days import in_house_zone

AS_OPENED: Final = "as_opened"
SALT: Final = "wallets.office.stale_forms"
# The entries of a row in which the author of a change is looked for, the latest first.
ENTRIES_READ: Final = 20


@runtime_checkable
class InLines(Protocol):
    """A field whose value is several values, each with a label."""

    def lines_of(self, value: object) -> dict[str, str]: ...


class AsOpenedField(CharField):
    """The row as it was, signed, so that the browser cannot change it."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=HiddenInput)

    def has_changed(self, initial: object, data: object) -> bool:
        return False


class Difference(NamedTuple):
    """A change that a colleague has made since the form was opened."""

    field: str
    label: str
    before: str
    after: str


class RefusesStale:
    """A form of a row that refuses to undo what it does not know of; it declares `AS_OPENED`."""

    fields: dict[str, Field]
    initial: dict[str, Any]
    data: Mapping[str, object]
    instance: Any
    changed_data: list[str]

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self.initial[AS_OPENED] = signing.dumps(self._now(), salt=self._salt, compress=True)

    def clean(self) -> object:
        values = super().clean() or self.cleaned_data  # type: ignore[misc,attr-defined]
        opened = values.pop(AS_OPENED, "")
        if opened and (differences := self._differences(opened)):
            raise ValidationError([*_sentences(self.instance, differences)], code="stale_form")
        return values

    @property
    def _salt(self) -> str:
        """What one form was opened with is read by no form of another row."""
        return f"{SALT}|{self.instance._meta.label}|{self.instance.pk}"

    def _now(self) -> dict[str, dict[str, str]]:
        """By field the values of the row by their labels, as people read them."""
        values = {}
        for name, field in self.fields.items():
            if name in self.initial and name != AS_OPENED:
                values[name] = _lines(field, self.initial[name])
        return values

    def _differences(self, opened: str) -> list[Difference]:
        """Return what this form would change back; what it leaves as it is now does no harm."""
        try:
            then: dict[str, dict[str, str]] = signing.loads(opened, salt=self._salt)
        except signing.BadSignature:
            unreadable = _("This form cannot be read. Open it again.")
            raise ValidationError(unreadable, code="stale_form") from None
        now = self._now()
        return [
            Difference(name, label, then[name].get(label, ""), now[name].get(label, ""))
            for name in self.changed_data
            if name in now and name in then
            for label in dict.fromkeys((*then[name], *now[name]))
            if then[name].get(label) != now[name].get(label)
        ]


def _lines(field: Field, value: object) -> dict[str, str]:
    if isinstance(field, InLines):
        return field.lines_of(value)
    return {str(field.label): _shown(field, value)}


def _shown(field: Any, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return ", ".join(sorted(str(item_value) for item_value in value))
    choices = getattr(field, "choices", None)
    if isinstance(choices, ModelChoiceIterator):
        return _name_of_row(choices, value)
    return str(dict(choices or ()).get(value) or field.prepare_value(value))


def _name_of_row(choices: "ModelChoiceIterator[Model]", key: object) -> str:
    row: Model | None = choices.queryset.filter(pk=key).first()
    return str(row or key)


def _sentences(row: Model, differences: list[Difference]) -> list[str]:
    """Return who changed what from what to what; the house made those that are in no entry."""
    subject = journal.reference_of(row)
    latest = JournalEntry.objects.filter(subject=subject).order_by("-position")[:ENTRIES_READ]
    entries = list(latest)
    sentences = []
    for difference in differences:
        entry = next((entry for entry in entries if difference.field in entry.after), None)
        facts = {
            "label": difference.label,
            "before": difference.before or "–",
            "after": difference.after or "–",
        }
        if entry is None:
            words = _("{label} has changed from {before} to {after} since you opened this form.")
        else:
            facts |= {"who": entry.actor_name, "time": date_format(in_house_zone(entry.at), "H:i")}
            words = _("{who} changed {label} from {before} to {after} at {time}.")
        sentences.append(words.format(**facts))
    return [*sentences, _("Nothing has been stored. Open the form again and go on from there.")]
