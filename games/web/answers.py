"""The answers of pages to requests that are refused."""

from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.values.errors import Hidden, Refused

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
