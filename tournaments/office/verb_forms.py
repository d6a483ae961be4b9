"""Forms of the back office that do something about tournaments, and what becomes of them.

Each asks why. Verbs that move money use approvals, and may wait there for a colleague.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise

from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.office.journalled_admin import to_proposal
from wallets.staff import approvals
from wallets.values.errors import Refused

# Takes the form's values and the time; what it returns is where to go on, or None.
Do = Callable[[dict[str, Any], datetime], object]


class Done(NamedTuple):
    """The message after a verb, and the page that follows; it may depend on what was made."""

    words: str | Promise
    address: str | Callable[[Any], str]


def room_of(number: int) -> str:
    """The control room of an event."""
    return reverse("admin:tournaments_tournament_change", args=[number])


def carry_out(
    request: HttpRequest, form: Form, do: Do, done: Done, currency: Currency | None = None
) -> HttpResponse | None:
    """Do what a form asks for; None where the form is shown (again), with what was refused."""
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        result = do(form.cleaned_data, timezone.now())
    except Refused as refusal:
        form.add_error(None, sentence_of(refusal, currency))
        return None
    if isinstance(result, approvals.Submitted) and result.proposal:
        return to_proposal(request, result.proposal)
    messages.success(request, str(done.words))
    if callable(done.address):
        made = result.result if isinstance(result, approvals.Submitted) else result
        return HttpResponseRedirect(done.address(made))
    return HttpResponseRedirect(done.address)


def proposing(request: HttpRequest, verb: str, arguments: Mapping[str, object]) -> Do:
    """A verb that uses approvals, with these arguments."""

    def do(values: dict[str, Any], now: datetime) -> object:
        return approvals.submit(
            request.user, verb, arguments, reason=values["reason"], key=values["key"], now=now
        )

    return do
