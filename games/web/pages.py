"""What pages share: form fields, QR codes, and the answers to requests that are refused."""

from typing import Any, Final, NamedTuple

import segno
from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.values.errors import Hidden, Refused


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


BORDER = 4


class QrCode(NamedTuple):
    """The width of a code with its quiet zone, and the path of its dark squares for an SVG."""

    width: int
    path: str


def qr_code(text: str) -> QrCode:
    matrix = segno.make_qr(text, error="m").matrix
    squares = [
        f"M{column + BORDER} {line + BORDER}h1v1h-1z"
        for line, cells in enumerate(matrix)
        for column, dark in enumerate(cells)
        if dark
    ]
    return QrCode(len(matrix) + 2 * BORDER, "".join(squares))


# The requests that come from the bar of moves.
AT_MOVES: Final = frozenset(("act", "again", "ready", "next-bets"))


class Refusal(NamedTuple):
    """A refusal as a page shows it: next to its cause, with its status."""

    cause: str
    status: int
    code: str
    sentence: str

    @property
    def at_moves(self) -> bool:
        """Whether it is shown next to the actions in the hand, rather than next to the seat."""
        return self.cause in AT_MOVES


def refused_page(request: HttpRequest, refusal: Refused, title: str) -> HttpResponse:
    """A page with nothing but a refusal: its sentence, status and code."""
    context = {
        "status": refusal.status,
        "code": refusal.code,
        "title": title,
        "sentence": sentence_of(refusal),
    }
    return render(request, "errors/page.html", context, status=refusal.status)


def refusal_of(error: Refused, cause: str, currency: Currency | None = None) -> Refusal:
    """The refusal as a page shows it; a hidden object answers 404."""
    if isinstance(error, Hidden):
        raise Http404(sentence_of(error))
    return Refusal(cause, error.status, error.code, sentence_of(error, currency))
