"""How deals are proven: in words, with the head of the public chain and the verifier for home."""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import chain

BEFORE_THE_FIRST = -1
VERIFIER = Path(settings.BASE_DIR) / "docs" / "verify.py"


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    return render(request, "games/fairness.html", {"entries": chain.latest()})


@require_safe
def public_chain(request: HttpRequest) -> StreamingHttpResponse:
    """Every entry of the chain, or those behind a position, to keep and to hash."""
    told = request.GET.get("after", "")
    after = int(told) if told.isdecimal() and len(told) < 18 else BEFORE_THE_FIRST
    return StreamingHttpResponse(chain.lines(after), content_type="application/x-ndjson")


@require_safe
def verifier(_request: HttpRequest) -> FileResponse:
    """The stand-alone verifier: one page of standard Python."""
    return FileResponse(VERIFIER.open("rb"), as_attachment=True, filename="verify.py")
