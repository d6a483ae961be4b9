"""How a page answers a request that is refused."""

from django.contrib import messages
from django.http import Http404, HttpRequest

from games.refusal import Hidden
from games.refusals import REFUSALS, sentence_of, status_of
from wallets.models import Currency


def tell(request: HttpRequest, error: Exception, currency: Currency | None = None) -> int:
    """Say a refusal where messages stand, and with which status the page is to be answered."""
    assert isinstance(error, REFUSALS)
    if isinstance(error, Hidden):
        raise Http404(sentence_of(error))
    messages.error(request, sentence_of(error, currency))
    return status_of(error)
