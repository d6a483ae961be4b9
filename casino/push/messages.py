"""What a message says: where the player is awaited, in their language, and nothing else.

No card, no amount and no name of another player can get into it: only the kind of a call and the
number of its place are looked at here.
"""

import json

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from casino.push.models import Call
from games.models import Table
from tournaments.models import Tournament


def message_of(call: Call) -> bytes:
    """The message as JSON: its words, and the page that it leads to, which names it as well."""
    device = call.subscription.device
    with translation.override(device.player.language or call.subscription.language):
        words, page = _turn(call.place) if call.kind == Call.Kind.TURN else _start(call.place)
    return json.dumps({"words": words, "page": page}, ensure_ascii=False).encode()


def _turn(table_id: int) -> tuple[str, str]:
    table = Table.objects.only("name").get(pk=table_id)
    return _("It is your turn at {table}").format(table=table.title), reverse(
        "table", args=[table_id]
    )


def _start(tournament_id: int) -> tuple[str, str]:
    tournament = Tournament.objects.only("name").get(pk=tournament_id)
    words = _("Your tournament starts: {tournament}").format(tournament=tournament.title)
    return words, reverse("tournament", args=[tournament_id])
