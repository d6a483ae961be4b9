"""The way out of a mail in one press, which needs no sign-in.

Mail programs press the button themselves (RFC 8058): they post `List-Unsubscribe=One-Click` to the
same address, without a cookie. Following the link alone changes nothing, because some programs
follow every link.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from casino.community.messages import letters, wishes
from casino.community.messages.models import Kind
from games.words.refusals import sentence_of
from wallets.values.errors import Refused


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Ask, and after the press of the button send nothing more of a kind."""
    is_done, status = request.method == "POST", 200
    context: dict[str, object] = {"is_done": is_done}
    try:
        player, kind = letters.read_leave_token(code)
        if is_done:
            wishes.leave(player, kind)
        context["kind"] = Kind(kind).label
    except Refused as refusal:
        context["refusal"], status = sentence_of(refusal), 404
    return render(request, "messages/way_out.html", context, status=status)
