"""The proof of deals: in words, with the head of the public chain and the verifier."""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from games.models import Shoe
from games.records import proof
from games.shoes import anchors, chain, custody, witnesses
from games.words.refusals import refusal_payload
from wallets.pages.views import read_id
from wallets.storage.signing import public_keys
from wallets.values.errors import Hidden

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
