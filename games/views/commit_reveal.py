"""The messages of a seat's browser that takes part in mixing a shoe; scripts read the answers."""

from collections.abc import Callable
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from games.models import Table
from games.tables import commit_reveal
from games.views.answers import refusal_of
from games.views.table import table_of
from games.words.refusals import REFUSALS
from wallets.database_time import house_now
from wallets.player import player_of

Verb = Callable[[HttpRequest, Table], dict[str, object]]


@require_POST
@login_required
def verb(request: HttpRequest, table_id: int, name: str) -> JsonResponse:
    table = table_of(request, table_id)
    try:
        return JsonResponse(VERBS[name](request, table))
    except REFUSALS as error:
        refusal = refusal_of(error, name)
        data = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(data, status=refusal.status)


def _sent(request: HttpRequest, name: str) -> tuple[str, str]:
    return request.POST.get("shoe", ""), request.POST.get(name, "")


def _commit(request: HttpRequest, table: Table) -> dict[str, object]:
    shoe, value = _sent(request, "commit")
    return {"commit": commit_reveal.commit(player_of(request), table.pk, shoe, value, house_now())}


def _withdraw(request: HttpRequest, table: Table) -> dict[str, object]:
    shoe, value = _sent(request, "commit")
    commit_reveal.withdraw(player_of(request), table.pk, shoe, value)
    return {}


def _reveal(request: HttpRequest, table: Table) -> dict[str, object]:
    shoe, value = _sent(request, "reveal")
    now = house_now()
    return {"receipt": commit_reveal.reveal(player_of(request), table.pk, shoe, value, now)}


VERBS: Final[dict[str, Verb]] = {"commit": _commit, "withdraw": _withdraw, "reveal": _reveal}
