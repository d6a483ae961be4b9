"""How deals are proven: in words, with the head of the public chain and the verifier for home."""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import chain

VERIFIER = Path(settings.BASE_DIR) / "docs" / "verify.py"


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    return render(request, "games/fairness.html", {"entries": chain.latest()})


@require_safe
def verifier(_request: HttpRequest) -> FileResponse:
    """The stand-alone verifier: one page of standard Python."""
    return FileResponse(VERIFIER.open("rb"), as_attachment=True, filename="verify.py")
