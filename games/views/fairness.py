"""How deals are proven: in words, with the head of the public chain and the verifier for home."""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import chain
from games.books import proof

BEFORE_THE_FIRST = -1
VERIFIER = Path(settings.BASE_DIR) / "docs" / "verify.py"


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    context = {
        "entries": chain.latest(),
        "closings": proof.latest_closings(),
        "most": chain.TOLD_MAX,
    }
    return render(request, "games/fairness.html", context)


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Where anybody checks a record; the page's script does it, and nothing is sent here."""
    return render(request, "games/verify.html")


@require_safe
def public_chain(request: HttpRequest) -> StreamingHttpResponse:
    """Entries of the chain from its beginning, or behind a position, to keep and to hash.

    An answer holds so many at most; where there are more, it names the address of the next.
    """
    told = request.GET.get("after", "")
    after = int(told) if told.isdecimal() and len(told) < 18 else BEFORE_THE_FIRST
    answer = StreamingHttpResponse(chain.lines(after), content_type="application/x-ndjson")
    if (last := chain.ends_after(after)) is not None:
        answer["Link"] = f'<{request.path}?after={last}>; rel="next"'
    return answer


@require_safe
def verifier(_request: HttpRequest) -> FileResponse:
    """The stand-alone verifier: one page of standard Python."""
    return FileResponse(VERIFIER.open("rb"), as_attachment=True, filename="verify.py")
