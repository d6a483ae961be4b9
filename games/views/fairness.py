"""The proof of deals in words, the road maps of a table, and its last shoes with their proofs."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from games.boards.pieces.engine import rendered
from games.families.baccarat.roads import GAMES_WITH_ROADS, shoe_maps, shoe_shown
from games.models import Hand, Shoe, Table
from games.records import proof, record
from games.shoes import anchors, chain, custody, witnesses
from games.tables import device_links
from games.views.table import known_at_seat, table_of
from games.web.pages import refusal_of
from games.words.naming import game_name
from games.words.refusals import refusal_payload
from wallets.pages.views import read_id
from wallets.storage.database_time import house_now
from wallets.storage.signing import public_keys
from wallets.values.errors import Hidden, Refused
from wallets.values.player import player_of

# The number of newest entries shown.
ANCHORS_SHOWN = 14
BEFORE_THE_FIRST = -1
DOCS = Path(settings.BASE_DIR) / "docs"


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    context = {
        "entries": chain.latest(),
        "closings": proof.latest_closings(),
        "most": chain.LINES_MAX,
        "anchors": [shown_anchor(anchor["statement"]) for anchor in anchors.newest(ANCHORS_SHOWN)],
        "keys": public_keys(),
        "witnessed": witnesses.latest(),
    }
    return render(request, "games/fairness.html", context)


@require_safe
def voided(request: HttpRequest) -> HttpResponse:
    """Shoes and hands that were given up after the lock, as the public chain has them."""
    page = proof.page_before(read_id(request.GET.get("before", "")))
    return render(request, "games/voided.html", page._asdict())


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """The page that checks a record; its script does it, and the record is not uploaded."""
    return render(request, "games/verify.html")


@require_safe
def public_chain(request: HttpRequest) -> StreamingHttpResponse:
    """Entries of the chain from its beginning, or behind a position, to keep and to hash.

    An answer holds so many at most; where there are more, it names the address of the next.
    """
    text = request.GET.get("after", "")
    after = int(text) if text.isdecimal() and len(text) < 18 else BEFORE_THE_FIRST
    answer = StreamingHttpResponse(chain.lines(after), content_type="application/x-ndjson")
    if (last := chain.ends_after(after)) is not None:
        answer["Link"] = f'<{request.path}?after={last}>; rel="next"'
    return answer


def shown_anchor(statement: anchors.Statement) -> dict[str, object]:
    at = parse_datetime(str(statement.get("at")))
    return {**statement, "at": at, "count": len(statement.get("books", ()))}


@require_safe
def anchors_file(_request: HttpRequest) -> HttpResponseBase:
    """All anchors, to download; before there is one, an empty file."""
    try:
        opened = anchors.file().open("rb")
    except OSError:
        return HttpResponse(b"", content_type="application/x-ndjson")
    return FileResponse(opened, content_type="application/x-ndjson", filename="anchors.jsonl")


@require_safe
def witness_signatures(_request: HttpRequest) -> JsonResponse:
    """What each outside witness has signed last, to be held against the anchors."""
    return JsonResponse({"witnesses": [signed.as_json() for signed in witnesses.latest()]})


@require_safe
def hand_entry(_request: HttpRequest, code: str) -> JsonResponse:
    """The entry of one hand in the chain, for its record to be held against; it is public."""
    try:
        return JsonResponse(proof.entry_file(code))
    except Hidden as error:
        return JsonResponse(refusal_payload(error), status=error.status)


@require_safe
def verifier(_request: HttpRequest, name: str) -> FileResponse:
    """The stand-alone verifiers: for records, and for the signatures of receipts."""
    return FileResponse((DOCS / name).open("rb"), as_attachment=True, filename=name)


@require_safe
def keys(_request: HttpRequest) -> JsonResponse:
    """The public keys of the house's signatures, the newest first."""
    return JsonResponse({"keys": public_keys()})


@require_safe
def shoe(_request: HttpRequest, code: str) -> JsonResponse:
    """Send what has been published of a shoe so far."""
    return JsonResponse(custody.published(get_object_or_404(Shoe, pk=code)))


SHOES: Final = 12
HANDS_NAMED: Final = 100


@require_safe
def roads(request: HttpRequest, table_id: int) -> HttpResponse:
    """The maps of the shoe that is shown: a part of the table's page, asked for once a round."""
    table = _with_roads(request, table_id)
    return HttpResponse(rendered("families/baccarat/roads.html", {"mapped": shoe_shown(table)}))


@require_safe
def shoes(request: HttpRequest, table_id: int) -> HttpResponse:
    table = _with_roads(request, table_id)
    shoes = list(Shoe.objects.filter(table=table).order_by("-sealed_at", "-pk")[:SHOES])
    own = _hands_of(request, shoes)
    rows = [
        {"mapped": mapped, "hands": own[mapped.shoe.code]} for mapped in shoe_maps(table, shoes)
    ]
    context = {"table": table, "game_name": game_name(table.game), "rows": rows}
    return render(request, "games/families/baccarat/shoes.html", context)


def _with_roads(request: HttpRequest, table_id: int) -> Table:
    table = table_of(request, table_id)
    if table.game not in GAMES_WITH_ROADS:
        raise Http404
    return table


def _hands_of(request: HttpRequest, found: list[Shoe]) -> dict[str, list[Hand]]:
    """The hands of these shoes that the reader may open, by shoe, in their order."""
    own: dict[str, list[Hand]] = defaultdict(list)
    if request.user.is_authenticated:
        hands = record.hands_of(request.user).filter(shoe__in=found, cards_dealt__gt=0)
        for hand in reversed(hands[: SHOES * HANDS_NAMED]):
            own[hand.shoe_id].append(hand)
    return own


Verb = Callable[[HttpRequest, Table], dict[str, object]]


@require_POST
@login_required
def verb(request: HttpRequest, table_id: int, name: str) -> JsonResponse:
    table = known_at_seat(request, table_id) or table_of(request, table_id)
    try:
        return JsonResponse(VERBS[name](request, table))
    except Refused as error:
        refusal = refusal_of(error, name)
        data = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(data, status=refusal.status)


def _mix(request: HttpRequest, table: Table) -> dict[str, object]:
    """A new chain of the player's device, or a link that comes without an act."""
    sent = request.POST.get("mix", "")
    return {"receipt": device_links.take(player_of(request), table.pk, sent, house_now())}


VERBS: Final[dict[str, Verb]] = {"mix": _mix}
