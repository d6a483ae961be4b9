"""The journal in place of Django's log: what the back office's forms add, change and delete.

A form is journalled with the values of each changed field before and after. Where a change
matters, which is everywhere unless a list says otherwise, the form asks for a reason.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Final
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.admin.utils import flatten_fieldsets, unquote
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.validators import MaxLengthValidator
from django.db import connection, transaction
from django.db.models import Model, QuerySet
from django.forms import CharField, Form, HiddenInput, ModelForm, UUIDField
from django.http import HttpRequest
from django.http.response import HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from wallets.models.staff_models import REASON_MAX, Proposal
from wallets.of_record.verbs import under
from wallets.office.stale_forms import AS_OPENED, AsOpenedField, RefusesStale
from wallets.staff import approvals, journal
from wallets.values.player import player_of


def reason_field(help_text: Any = "") -> CharField:
    """The field in which staff say why."""
    return CharField(
        label=_("Reason"),
        max_length=REASON_MAX,
        widget=UnfoldAdminTextInputWidget,
        help_text=help_text or _("The journal stores it."),
    )


def key_field() -> UUIDField:
    """The key of a form: what is sent twice with one key is proposed, or moves money, once."""
    return UUIDField(widget=HiddenInput, required=False, initial=uuid4)


class Keyed:
    """A form whose key is its own where the sender gave none."""

    cleaned_data: dict[str, Any]

    def clean_key(self) -> UUID:
        return self.cleaned_data["key"] or uuid4()


class ReasonForm(Keyed, Form):
    """The reason, and the key of what is proposed."""

    reason = reason_field()
    key = key_field()


DONE: Final = {"add": _("Added"), "change": _("Changed"), "delete": _("Deleted")}


class Journalled:
    """A list of the back office that writes the journal instead of Django's log."""

    model: Any
    # The field of the form with the reason; the form is given one if it has none of this name.
    reason_name: ClassVar[str] = "reason"
    reason_required: ClassVar[bool] = True
    # The fields of the form, besides the reason, that are no columns: readers of a row see none.
    unstored: ClassVar[tuple[str, ...]] = ("key",)
    # Whether these are changes of money or rights, which a member of staff confirms after idle
    # minutes.
    confirmed: ClassVar[bool] = False
    # The permitted actions: any of `add`, `change` and `delete`.
    writes: ClassVar[tuple[str, ...]] = ("add", "change")

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        for what in self.writes:
            needs_reason = self.reason_required and what != "delete"
            words = format_lazy("{}: {}", DONE[what], self.model._meta.verbose_name)
            journal.register(
                self._verb(what),
                words,
                needs_reason=needs_reason,
                confirmed=self.confirmed,
                permission=self.permission_for(what),
            )

    def permission_for(self, what: str) -> str:
        meta = self.model._meta
        return f"{meta.app_label}.{what}_{meta.model_name}"

    def _verb(self, what: str) -> str:
        return f"{self.model._meta.model_name}.{what}"

    def verb_of(self, request: HttpRequest, what: str) -> str:
        """The verb of the journal under which a request adds, changes or deletes."""
        return self._verb(what)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *rest: Any, **options: Any
    ) -> HttpResponseBase:
        with under(self.verb_of(request, "add" if object_id is None else "change")):
            answer: HttpResponseBase = super().changeform_view(  # type: ignore[misc]
                request, object_id, *rest, **options
            )
        return answer

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, **options: Any
    ) -> "type[ModelForm[Any]]":
        """The form asks for a reason, unless it has such a field itself."""
        base: type[ModelForm[Any]] = options.pop("form", None) or self.form  # type: ignore[attr-defined]
        if self._asks(base):
            base = type(f"Reasoned{base.__name__}", (base,), {self.reason_name: reason_field()})
        if obj is not None:
            declared = {AS_OPENED: AsOpenedField()}
            base = type(f"Fresh{base.__name__}", (RefusesStale, base), declared)
        form: type[ModelForm[Any]] = super().get_form(request, obj, form=base, **options)  # type: ignore[misc]
        field = form.base_fields.get(self.reason_name)
        if field is not None and self.reason_required:
            field.required = True
            field.validators = [*field.validators, MaxLengthValidator(REASON_MAX)]
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> object:
        sets = list(super().get_fieldsets(request, obj))  # type: ignore[misc]
        here: Any = self
        if obj is None:
            writes = here.has_add_permission(request)
        else:
            writes = here.has_change_permission(request, obj)
        if not writes:
            # Readers need no reason.
            return [(title, self._without_reason(parts)) for title, parts in sets]
        named = flatten_fieldsets(sets)
        added = [] if self.reason_name in named or not self._asks(here.form) else [self.reason_name]
        if obj is not None and AS_OPENED not in named:
            added.append(AS_OPENED)
        return [*sets, (None, {"fields": added})] if added else sets

    def _without_reason(self, parts: dict[str, Any]) -> dict[str, object]:
        if not self._asks(self.form, declared=True):  # type: ignore[attr-defined]
            return parts
        fields = [
            name for name in parts["fields"] if name not in (self.reason_name, *self.unstored)
        ]
        return {**parts, "fields": fields}

    def _asks(self, form: Any, *, declared: bool = False) -> bool:
        """Whether the reason is no column of the row, and the form has to be given a field."""
        if not self.reason_required or (self.reason_name in form.declared_fields and not declared):
            return False
        try:
            self.model._meta.get_field(self.reason_name)
        except FieldDoesNotExist:
            return True
        return False

    def get_object(self, request: HttpRequest, object_id: str, from_field: object = None) -> object:
        """Lock the row before it is changed, so that what it was before is what is replaced."""
        if request.method == "POST" and connection.in_atomic_block:
            rows = self.model._default_manager.select_for_update(no_key=True)
            with suppress(ValueError, ValidationError):
                rows.filter(pk=unquote(object_id)).values_list("pk").first()
        return super().get_object(request, object_id, from_field)  # type: ignore[misc]

    def construct_change_message(
        self, request: HttpRequest, form: "ModelForm[Any]", formsets: object, add: bool = False
    ) -> object:
        """The changed fields before and after, and the reason; `log_change` writes them."""
        apart = self.reason_name if self._asks(form, declared=True) else ""
        names = [name for name in form.changed_data if name != apart]
        return {
            "before": {} if add else {name: _plain(form.initial.get(name)) for name in names},
            "after": {name: _plain(form.cleaned_data.get(name)) for name in names},
            "reason": form.cleaned_data.get(self.reason_name, ""),
        }

    def log_addition(self, request: HttpRequest, obj: Model, message: object) -> None:
        self.note(request, "add", obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: object) -> None:
        self.note(request, "change", obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> None:
        """Django says what it is about to delete; the entry of a row follows its deletion."""
        request.rows_to_delete = {  # type: ignore[attr-defined]
            row.pk: (journal.reference_of(row), self.deleted_values(row)) for row in queryset
        }

    def delete_queryset(self, request: HttpRequest, queryset: Iterable[Model]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        subject, values = request.rows_to_delete[obj.pk]  # type: ignore[attr-defined]
        with under(self.verb_of(request, "delete")), transaction.atomic():
            super().delete_model(request, obj)  # type: ignore[misc]
            self._write(request, "delete", subject, {"before": values, "after": {}, "reason": ""})

    def deleted_values(self, row: Any) -> dict[str, object]:
        """Return what the journal keeps of a deleted row."""
        raise NotImplementedError

    def note(self, request: HttpRequest, what: str, obj: Model, message: Any) -> None:
        self._write(request, what, journal.reference_of(obj), message)

    def _write(self, request: HttpRequest, what: str, subject: str, message: Any) -> None:
        journal.write(
            journal.by(request.user),
            self.verb_of(request, what),
            subject,
            before=message["before"],
            after=message["after"],
            reason=message["reason"],
        )

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: object = None
    ) -> HttpResponseBase:
        """The history of a row is the journal of it."""
        subject = f"{self.model._meta.model_name}:{object_id}"
        return redirect(f"{reverse('journal')}?subject={subject}")


def _plain(value: object) -> object:
    """A value of a form as a reader reads it: rows by their names."""
    if isinstance(value, Model):
        return str(value)
    if isinstance(value, QuerySet | list | tuple):
        return [_plain(item_value) for item_value in value]
    return value


def submit_form(
    request: HttpRequest, form: Any, verb: str, arguments: Mapping[str, Any]
) -> approvals.Submitted:
    """Submit a verb with the reason of a valid `ReasonForm`, under its key."""
    member, values = player_of(request), form.cleaned_data
    reason, key = values["reason"], values["key"]
    return approvals.submit(member, verb, arguments, reason=reason, key=key, now=timezone.now())


def to_proposal(request: HttpRequest, proposal: Proposal) -> HttpResponseRedirect:
    """Say that a colleague must approve, and show the proposal."""
    messages.info(request, _("A colleague must approve this. Nothing has changed yet."))
    return redirect("proposal", proposal.pk)


def decide(request: HttpRequest, proposal: Proposal | None, reason: str, approved: object) -> None:
    """Approve or reject, as the pressed button says, and say what follows."""
    approves = "approve" in request.POST
    act = approvals.approve if approves else approvals.reject
    number = proposal.pk if proposal else 0
    act(player_of(request), number, reason=reason, now=timezone.now())
    messages.success(request, str(approved if approves else _("Rejected.")))
