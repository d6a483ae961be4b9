"""The field by which players prove who they are before they change how they sign in."""

from typing import Any

from django.forms import Form
from django.http import HttpRequest

from casino.accounts import codes
from casino.accounts.code_pages import (
    CodeForm,
    check,
    is_password,
    password_field,
    wrong_code,
    wrong_password,
)
from casino.accounts.models import Player


class PasswordForm(Form):
    password = password_field()


def proof_form(player: Player, data: Any = None) -> Form:
    """A code for those who have codes, otherwise the password."""
    form: Form = (CodeForm if codes.has_codes(player) else PasswordForm)(data)
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)
    return form


def is_proved(request: HttpRequest, player: Player, form: Form) -> bool:
    """Whether the answer is right; a wrong one counts as a failed sign-in."""
    if not form.is_valid():
        return False
    if "code" in form.fields:
        right, name, wrong = check(request, player, form.cleaned_data["code"]), "code", wrong_code()
    else:
        right = is_password(request, player, form.cleaned_data["password"])
        name, wrong = "password", wrong_password()
    if not right:
        form.add_error(name, wrong)
    return right
