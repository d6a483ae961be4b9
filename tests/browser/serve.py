"""A whole house in one process for a browser to visit: pages, live push, and the clock's sweep.

Its bots think quickly, so that a hand takes seconds; people have all the time that a slow machine
may need. A test begins by having the room made fresh, and says when the
tables go on: `table_timing.py`.
"""

import json
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import django
import uvicorn
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.core.management import call_command

from casino.ops.server import web
from tests.browser.extra_addresses import ANNOUNCE, BEGIN, FRESH, GO_ON, HOLD, REST

if TYPE_CHECKING:
    from casino.accounts.models import Player
    from tests.browser.table_timing import HeldTables

SWEEP_SECONDS = 0.1
# What is due this soon is done before people are to act: they are never waited for so briefly.
MOMENT = timedelta(milliseconds=500)
# More than any table does by itself before people are to act.
STEPS_MAX = 2_000
# During a test no player's time runs out, and no page counts as left.
PATIENCE_SECONDS = 900
# How long the house waits for links.
SHOE_TIMES = ("REVEAL_TIME", "REVEAL_TIME_MAX", "REVEAL_TIME_MAX_OF_LASTING")
# The longest that a structure allows.
DECISION_SECONDS = 600
# Of a sit-and-go that is always open; the first level costs as much a point, or less.
CHIPS = 100
# How long a result stays if the test does not say when the table goes on.
PAUSE_SECONDS = 5
ERRANDS = (FRESH, REST, HOLD, GO_ON, ANNOUNCE, BEGIN)
# Nothing begins at a table while the room is made fresh.
AT_THE_TABLES = threading.Lock()
# Whether the house looks by itself for what is due; otherwise a test asks for it.
SWEEPS = threading.Event()


def sweep_for_ever(held: "HeldTables | None") -> None:
    from django.db import close_old_connections
    from django.utils import timezone

    from games.tables import clock, presence
    from tournaments.running import announcing

    while SWEEPS.wait():
        try:
            close_old_connections()
            with AT_THE_TABLES:
                if held is not None:
                    held.hurry(timezone.now())
                clock.sweep(timezone.now())
                presence.show_changes(timezone.now())
                announcing.sweep(timezone.now())
        except Exception:
            # As in a real house, a database that is slow for once does not end the sweep for good.
            logging.exception("the sweep failed")
        time.sleep(SWEEP_SECONDS)


def reckon_for_ever() -> None:
    """What the worker of the simulations does in a real house."""
    from django.db import close_old_connections

    from games.models import Reckoning
    from games.profiles import reckoning

    while SWEEPS.wait():
        close_old_connections()
        waiting = Reckoning.objects.filter(state=Reckoning.State.WAITING)
        for number in waiting.values_list("pk", flat=True):
            reckoning.run(number)
        time.sleep(SWEEP_SECONDS)


def rest(held: "HeldTables", table_id: int) -> dict[str, int | bool]:
    """Do all that the house does at a table before people are to act there."""
    from django.utils import timezone

    from games.models import Table
    from games.tables import clock
    from tournaments.running import announcing

    with AT_THE_TABLES:
        for _step in range(STEPS_MAX):
            now = timezone.now()
            table = Table.objects.get(pk=table_id)
            if table.organiser:
                announcing.sweep(now)
            held.hurry(now, pk=table_id)
            table.refresh_from_db()
            if table.due_at is None or table.due_at > now + MOMENT:
                return {"version": table.version, "waits": held.is_about_to_go_on(table)}
            clock.tick(table_id, max(now, table.due_at))
    raise AssertionError(f"table {table_id} never waits for people")


def forget_codes() -> None:
    """Staff who have set up codes sign in with their passwords again."""
    from casino.accounts import codes
    from casino.accounts.models import Player

    for player in Player.objects.exclude(authenticators=None):
        codes.forget(player)


def forget_counts() -> None:
    """Failures and requests of earlier tests do not count in the next one."""
    from django.core.cache import caches

    from casino.web.rate_limits import PREFIX
    from games.live.announcing import client

    caches["default"].clear()
    for name in client().scan_iter(f"{PREFIX}*"):
        client().delete(name)


def make_fresh(held: "HeldTables | None", *, sweeps: bool) -> None:
    """Hands that run are taken back and everybody gets up, so that no test waits for another's."""
    from django.utils import timezone

    from casino.accounts.models import Player
    from games.lobby import private_tables
    from games.models import Seat, Table
    from games.records import reversals
    from games.tables import clock, seating
    from wallets.values.errors import Refused

    def at_once(verb: Callable[..., object], *arguments: object) -> None:
        # A hand may end or be voided during this, and bots stand up by themselves.
        with suppress(Refused, ObjectDoesNotExist):
            verb(*arguments)

    now, operator = timezone.now(), Player.objects.get(username="operator")
    if sweeps:
        SWEEPS.set()
    elif held is not None:
        SWEEPS.clear()
    with AT_THE_TABLES:
        if held is not None:
            held.forget()
        cancel_events(now)
        for hand in Table.objects.filter(hand__isnull=False).values_list("hand", flat=True):
            at_once(reversals.void, operator, hand, "another test begins", now)
        for seat in Seat.objects.filter(left_at__isnull=True).select_related("player"):
            at_once(seating.leave, seat.player, seat.table_id, now)
        for table in Table.objects.filter(private=True).exclude(status=Table.Status.CLOSED):
            at_once(private_tables.close_table, table.opened_by, table.pk, now)
        # A reveal ends with a pause, and a pause at a table that all have left with waiting.
        empty = Table.objects.exclude(seats__left_at=None).filter(phase=Table.Phase.PAUSE)
        for tables in (Table.objects.filter(phase=Table.Phase.REVEAL), empty):
            for table in tables:
                Table.objects.filter(pk=table.pk).update(due_at=now)
                clock.tick(table.pk, now)
        void_locked_shoes(now)
        reopen_tables(operator, now)
        forget_codes()
        forget_counts()
        # A table that an earlier test closed is not announced on the pages of the next, and what
        # a browser has withheld there, it has not withheld in this one.
        Seat.objects.update(loss_seen=True, reveals="", house_shoes=0, reply_ms=0)
        Table.objects.update(locked_ahead="", late_locks=0)
        Player.objects.exclude(language="").update(language="")


def void_locked_shoes(now: datetime) -> None:
    """A newcomer must not wait for a hand because a shoe was locked for earlier players.

    After a hand that shoe lies on the table: the same player in the same seat has another browser.
    """
    from games.models import Shoe, Table
    from games.shoes import custody

    locked = Shoe.objects.filter(status=Shoe.Status.LOCKED)
    for place, shoes in (("next_shoe", Shoe.objects.all()), ("shoe", locked)):
        for shoe in shoes.filter(pk__in=Table.objects.values(place)):
            Table.objects.filter(**{place: shoe}).update(**{place: None})
            custody.void(shoe, "another test begins", now)


def reopen_tables(operator: "Player", now: datetime) -> None:
    """Open what a test has closed on the floor."""
    from casino.office.floor import closing
    from casino.office.models import Closure

    for table in closing.to_open(Closure.Scope.TABLE):
        closing.open_table(operator, table.pk, "another test begins", now)


def cancel_events(now: datetime) -> None:
    """Tournaments that players entered or a test announced are cancelled."""
    from django.db import transaction
    from django.db.models import Q

    from tournaments.event import closing as event_closing
    from tournaments.event.organiser import locked
    from tournaments.models import Tournament
    from tournaments.running import progress

    alive = Tournament.objects.filter(state__in=Tournament.ALIVE)
    for number in alive.filter(Q(entrants__gt=0) | Q(schedule=None)).values_list("pk", flat=True):
        with transaction.atomic():
            event = locked(number)
            if event.state in Tournament.ALIVE:
                event_closing.begin(event, "house", "another test begins", now)
        progress.step(number, now)


def announce(text: str) -> None:
    """An event that begins when it is full, or else when `begin` says so."""
    import msgspec
    from django.utils import timezone

    from tournaments.mathematics.structure import Structure
    from tournaments.running import announcing

    structure, now = msgspec.json.decode(text, type=Structure), timezone.now()
    structure = msgspec.structs.replace(structure, decision_seconds=DECISION_SECONDS)
    template = announcing.store_template(structure, "house", now)
    starts_at = None if structure.kind == "sit_and_go" else now + timedelta(hours=1)
    announcing.announce(template, now, by="house", starts_at=starts_at)


def begin(name: str) -> None:
    from django.utils import timezone

    from tournaments.models import Tournament

    now = timezone.now()
    waiting = Tournament.objects.filter(name=name, state=Tournament.State.ANNOUNCED)
    assert waiting.update(starts_at=now, due_at=now) == 1


def open_quick_sit_and_gos() -> None:
    """Those that are always open get bots at once, and few hands decide them."""
    from django.utils import timezone
    from msgspec.structs import replace

    from tournaments.running import demo

    at_home = demo.structure_of
    demo.BOTS_AFTER_SECONDS = 0
    demo.structure_of = lambda game: replace(
        at_home(game), starting_chips=CHIPS, decision_seconds=DECISION_SECONDS
    )
    demo.seed(timezone.now())


class TestSite:
    """The site, and beside it what only tests ask for."""

    def __init__(self, held: "HeldTables | None") -> None:
        self.held = held

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        from casino.asgi import application

        if scope["type"] != "http" or scope["path"] not in ERRANDS:
            await application(scope, receive, send)
            return
        query = parse_qs(scope["query_string"].decode())
        answer = await sync_to_async(self.do)(scope["path"], query)
        body = json.dumps(answer).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [], "trailers": False})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def do(self, what: str, query: dict[str, list[str]]) -> object:
        given = {name: values[0] for name, values in query.items()}
        errands: dict[str, Callable[[], object]] = {
            FRESH: lambda: make_fresh(self.held, sweeps="sweeps" in given),
            ANNOUNCE: lambda: announce(given["structure"]),
            BEGIN: lambda: begin(given["name"]),
        }
        if self.held is not None:
            held = self.held
            errands |= {
                REST: lambda: rest(held, int(given["table"])),
                HOLD: held.hold,
                GO_ON: lambda: held.go_on(int(given["table"]), int(given["hand"])),
            }
        return errands[what]()


def main(listening: int, *, stands: bool) -> None:
    django.setup()
    # People of the demonstration sign in with passwords that cost nothing to check.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    from casino.web.static_files import collect_if_changed
    from games.models import Table
    from games.tables import autoplay, buy_in, next_shoe, presence, squeeze
    from tests.browser.table_timing import HeldTables

    autoplay.PAUSE_LEAST = timedelta(milliseconds=0 if stands else 100)
    autoplay.PAUSE_SPAN_MILLISECONDS = 1 if stands else 100
    settings.STATIC_ROOT.mkdir(exist_ok=True)
    collect_if_changed()
    call_command("demo", verbosity=0)
    open_quick_sit_and_gos()
    Table.objects.update(
        pause_seconds=PATIENCE_SECONDS if stands else PAUSE_SECONDS,
        betting_seconds=PATIENCE_SECONDS,
        decision_seconds=PATIENCE_SECONDS,
        grace_seconds=PATIENCE_SECONDS,
    )
    if not stands:
        # Cards are turned one by one there: the result must stand for a while after that, too.
        Table.objects.filter(game__startswith="baccarat").update(pause_seconds=3 * PAUSE_SECONDS)
    else:
        squeeze.SQUEEZE_TIME = timedelta(seconds=PATIENCE_SECONDS)
    for name in SHOE_TIMES:
        setattr(next_shoe, name, timedelta(seconds=PATIENCE_SECONDS))
    for name in ("CLOSED_AFTER", "REQUEST_COUNTS", "STREAM_COUNTS"):
        for module in (autoplay, buy_in, presence):
            if hasattr(module, name):
                setattr(module, name, timedelta(seconds=PATIENCE_SECONDS))
    held = HeldTables() if stands else None
    if held is None:
        SWEEPS.set()
    threading.Thread(target=sweep_for_ever, args=[held], daemon=True).start()
    threading.Thread(target=reckon_for_ever, daemon=True).start()
    config = uvicorn.Config(TestSite(held), timeout_graceful_shutdown=1, **web.options())
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=listening)])


if __name__ == "__main__":
    main(int(sys.argv[1]), stands="--results-stand" in sys.argv)
