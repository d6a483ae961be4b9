"""The address of a table's stream with a new ticket, for a page whose ticket is too old."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.views.table import stream_of, table_of


@never_cache
@require_safe
def address(request: HttpRequest, table_id: int) -> JsonResponse:
    return JsonResponse({"stream": stream_of(request, table_of(request, table_id))})
