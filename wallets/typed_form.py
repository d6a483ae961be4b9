"""Forms for what cannot be undone: they ask for a word to type, or a second person decides."""

from typing import Any

from django.core.exceptions import ValidationError
from django.forms import CharField, Form
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from wallets.office.journalled_admin import ReasonForm


class Typed(Form):
    """A word to type, which prevents a slip of the hand."""

    word = ""
    is_final = True
    typed = CharField(
        max_length=20, widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"})
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["typed"].label = _("Type {word}").format(word=self.word)

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"].strip()
        if typed.upper() != self.word:
            raise ValidationError(_("Type the word exactly as shown."), code="typed")
        return typed


class TypedForm(Typed, ReasonForm):
    """The reason, and the word."""

    field_order: tuple[str, ...] = ("reason", "typed")


class FinalForm(ReasonForm):
    """The reason for what a second person must approve, and what cannot be undone then."""

    is_final = True
