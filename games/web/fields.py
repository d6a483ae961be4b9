"""Form fields that several pages share."""

from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString


class Choices(forms.Select):
    """A list to choose from, in one template: Django's own renders one for each of its lines."""

    def render(
        self,
        name: str,
        value: object,
        attrs: dict[str, object] | None = None,
        renderer: object = None,
    ) -> SafeString:
        return render_to_string("frame/select.html", self.get_context(name, value, attrs))


def choice(label: Any, choices: Any = ()) -> forms.ChoiceField:
    """A field with one of several values, or none."""
    return forms.ChoiceField(choices=choices, required=False, label=label, widget=Choices)


def set_choices(form: forms.Form, **choices: object) -> None:
    """Set what some of a form's fields can be, where that is known only now."""
    for name, lines in choices.items():
        form.fields[name].choices = lines  # type: ignore[attr-defined]
