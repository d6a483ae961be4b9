"""A whole house in one process for a browser to visit: pages, live push, and the clock's sweep.

Its bots think quickly and its pauses are short, so that a hand takes seconds; people have all the
time that a slow machine may need. A test begins by having the room made fresh.
"""

import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import django
import uvicorn
from asgiref.sync import sync_to_async
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.core.management import call_command

from casino import web

SWEEP_SECONDS = 0.1
FRESH = "/fresh/"
# Nothing begins at a table while the room is made fresh.
AT_THE_TABLES = threading.Lock()


def sweep_for_ever() -> None:
    from django.db import close_old_connections
    from django.utils import timezone

    from games.tables import clock

    while True:
        try:
            close_old_connections()
            with AT_THE_TABLES:
                clock.sweep(timezone.now())
        except Exception:
            # As in a real house, a database that is slow for once does not end the sweep for good.
            logging.exception("the sweep failed")
        time.sleep(SWEEP_SECONDS)


def make_fresh() -> None:
    """Void the live hands and empty all seats, so that no test waits for another's."""
    from django.utils import timezone

    from casino.players.models import Player
    from games.models import Seat, Table
    from games.records import reversals
    from games.tables import seating
    from games.words.refusal import Refused

    def at_once(verb: Callable[..., object], *arguments: object) -> None:
        # A hand may end meanwhile, and bots get up by themselves.
        with suppress(Refused):
            verb(*arguments)

    now, operator = timezone.now(), Player.objects.get(username="operator")
    with AT_THE_TABLES:
        for hand in Table.objects.filter(hand__isnull=False).values_list("hand", flat=True):
            at_once(reversals.void, operator, hand, "another test begins", now)
        for seat in Seat.objects.filter(left_at__isnull=True).select_related("player"):
            at_once(seating.leave, seat.player, seat.table_id, now)
        # A table that an earlier test closed is not announced on the pages of the next.
        Seat.objects.update(loss_seen=True)


async def serve(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    from casino.asgi import application

    if scope["type"] != "http" or scope["path"] != FRESH:
        await application(scope, receive, send)
        return
    await sync_to_async(make_fresh)()
    await send({"type": "http.response.start", "status": 204, "headers": [], "trailers": False})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def main(listening: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    django.setup()
    from games.models import Table
    from games.tables import autoplay

    autoplay.PAUSE_LEAST = timedelta(milliseconds=100)  # type: ignore[misc]
    autoplay.PAUSE_SPAN_MILLISECONDS = 100  # type: ignore[misc]
    call_command("migrate", verbosity=0)
    call_command("demo", verbosity=0)
    Table.objects.update(pause_seconds=5, betting_seconds=600, decision_seconds=600)
    # Cards are turned one by one there: the result must stand for a while after that, too.
    Table.objects.filter(game__startswith="baccarat").update(pause_seconds=15)
    threading.Thread(target=sweep_for_ever, daemon=True).start()
    config = uvicorn.Config(serve, timeout_graceful_shutdown=1, **web.options())
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=listening)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
