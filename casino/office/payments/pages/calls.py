"""The address that providers call: a signed message has a payment asked about at once."""

import logging
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from casino.office.payments import advancing, disputes, offered
from wallets.payments import PROVIDERS, Away, Calling, Disputing, NotSigned

BYTES_MAX: Final = 256_000

log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def called(request: HttpRequest, provider: str) -> HttpResponse:
    """Nothing of a message is believed but whom to ask about; without a signature not even that."""
    service = PROVIDERS.get(provider) if provider in {p.name for p in offered.providers()} else None
    if service is None or not isinstance(service, Calling):
        raise Http404
    if int(request.META.get("CONTENT_LENGTH") or 0) > BYTES_MAX:
        return HttpResponse(status=413)
    try:
        call = service.read(request.body, request.headers)
    except NotSigned as problem:
        log.warning("a message that says it is from %s: %s", provider, type(problem).__name__)
        return HttpResponse("The signature is wrong.", status=400, content_type="text/plain")
    if call is not None and call.is_dispute and isinstance(service, Disputing):
        try:
            disputes.hear(provider, service, call.reference, timezone.now())
        except Away:
            # The provider sends the message again later.
            return HttpResponse(status=503)
    elif call is not None:
        advancing.call(provider, call, timezone.now())
    return HttpResponse(status=204)
