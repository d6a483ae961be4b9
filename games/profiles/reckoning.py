"""The rows in which a version's figures are reckoned, by a worker that does nothing else.

One content has one row, whichever versions have it, so going back to an old rule costs nothing. A
worker claims a row by compare-and-set and says every second how far it is. One that fell silent
loses its claim: the next reckons anew, from the same seed.
"""

import hashlib
import json
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.models import ProfileVersion, Reckoning, Table
from games.models.profiles import ERROR_MAX
from games.profiles import figures
from games.rules.catalogue import game_type
from games.rules.contract import AnyGame
from games.tables.jackpots import pool_terms
from games.tables.replay import game_from
from wallets.models import Jackpot

log = logging.getLogger(__name__)

TASK: Final = "games.profiles.tasks.reckon"
# A worker of its own takes these, so that no act at a table waits for them.
QUEUE: Final = "simulations"
SILENT: Final = timedelta(seconds=60)
NOTED_EVERY: Final = 1.0
# Raised whenever the same options would get other figures.
EDITION: Final = 1
WAITING, RUNNING = Reckoning.State.WAITING, Reckoning.State.RUNNING


class Lost(Exception):
    """Another worker has taken the row over."""


def game_of(version: ProfileVersion) -> AnyGame:
    """The rules of a version, with the largest shares that its tables' jackpots get."""
    profile = version.profile
    options = dict(version.options)
    if game_type(profile.game).feeds_pools:
        options |= pool_shares(version)
    return game_from(profile.game, options)


def _jackpots(version: ProfileVersion) -> dict[str, Jackpot]:
    """Of each kind the jackpot at the profile's tables that takes most, with the largest seed."""
    tables = Table.objects.filter(profile=version.profile_id).exclude(status=Table.Status.CLOSED)
    found = Jackpot.objects.filter(active=True, tables__in=tables)
    return {one.kind: one for one in found.order_by("share_bp", "seed")}


def pool_shares(version: ProfileVersion) -> dict[str, int]:
    """Return the jackpots' largest share of each bonus bet at the profile's tables."""
    shares = {kind: one.share_bp for kind, one in _jackpots(version).items()}
    return {
        "jackpot_bp": shares.get(Jackpot.Kind.PROGRESSIVE, 0),
        "mystery_bp": shares.get(Jackpot.Kind.MYSTERY, 0),
    }


def digest_of(game: AnyGame, stack: int) -> str:
    content = {
        "edition": EDITION,
        "game": game.key,
        "rules": game.rules_version,
        "options": msgspec.to_builtins(game),
        "stack": stack,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def of_version(version: ProfileVersion) -> Reckoning | None:
    """The row of what a version says now, if it was requested."""
    digest = digest_of(game_of(version), version.table_settings["buy_in_max"])
    return Reckoning.objects.filter(digest=digest).first()


def ask(version: ProfileVersion, now: datetime) -> Reckoning:
    """Have the figures of a version reckoned, unless they are; a failed try begins anew."""
    return ask_for(game_of(version), version.table_settings["buy_in_max"], now)


def ask_for(game: AnyGame, stack: int, now: datetime) -> Reckoning:
    """The same for a game whose rules belong to no version."""
    digest = digest_of(game, stack)
    try:
        with transaction.atomic():
            row, made = Reckoning.objects.get_or_create(
                digest=digest,
                defaults={
                    "game": game.key,
                    "options": msgspec.to_builtins(game),
                    "stack": stack,
                    "seed": digest,
                    "wanted": figures.wanted(game),
                    "requested_at": now,
                },
            )
    except IntegrityError:
        row, made = Reckoning.objects.get(digest=digest), False
    again = Reckoning.objects.filter(pk=row.pk, state=Reckoning.State.FAILED)
    if (
        again.update(state=WAITING, done=0, error="", requested_at=now)
        or made
        or _is_left(row, now)
    ):
        transaction.on_commit(lambda: send(row.pk))
        row.refresh_from_db()
    return row


def _is_left(row: Reckoning, now: datetime) -> bool:
    """Whether no worker seems to be computing it, though it was requested a while ago."""
    waits = row.state in (WAITING, RUNNING)
    return waits and now - (row.seen_at or row.requested_at) > SILENT


def send(row_id: int) -> None:
    """Tell the worker; without a broker the row waits for the next request."""
    try:
        current_app.send_task(TASK, (row_id,), queue=QUEUE)
    except (OperationalError, OSError) as problem:
        log.warning("no broker, reckoning %s waits: %s", row_id, problem)


def run(row_id: int, clock: Callable[[], datetime] = timezone.now) -> bool:
    """Compute one row, unless another worker has claimed it."""
    now = clock()
    free = Q(state=WAITING) | Q(state=RUNNING, seen_at__lt=now - SILENT)
    taken = Reckoning.objects.filter(free, pk=row_id)
    if not taken.update(state=RUNNING, seen_at=now, done=0, error=""):
        return False
    row = Reckoning.objects.get(pk=row_id)
    teller = Teller(row, clock)
    try:
        game = msgspec.convert(row.options, game_type(row.game))
        found = figures.figures(game, row.stack, row.seed, teller)
    except Lost:
        return False
    except Exception as problem:
        log.exception("reckoning %s failed", row_id)
        teller.end(state=Reckoning.State.FAILED, error=str(problem)[:ERROR_MAX])
        return False
    return teller.end(
        state=Reckoning.State.DONE, figures=msgspec.to_builtins(found), done=row.wanted
    )


class Teller:
    """Stores how far a worker is, at most once a second, and holds its claim by that."""

    def __init__(self, row: Reckoning, clock: Callable[[], datetime]) -> None:
        self._row, self._clock = row, clock
        self._seen_at, self._next = row.seen_at, 0.0

    def __call__(self, done: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + NOTED_EVERY
        now = self._clock()
        if not self._mine().update(done=done, seen_at=now):
            raise Lost
        self._seen_at = now

    def end(self, **columns: object) -> bool:
        return bool(self._mine().update(ended_at=self._clock(), **columns))

    def _mine(self) -> Any:
        claimed = Reckoning.objects.filter(pk=self._row.pk, state=RUNNING)
        return claimed.filter(seen_at=self._seen_at)


def figures_of_version(version: ProfileVersion) -> dict[str, figures.Figure]:
    """The figures of a version, once they are reckoned.

    Bets that feed pools are computed now, with the seeds of the jackpots that its tables have.
    """
    found, jackpots = figures_of(of_version(version)), _jackpots(version)
    if found and jackpots:
        exact = figures.exact_bets(game_of(version), pool_terms(jackpots.values()))
        found |= {one.key: one for one in exact}
    return found


def figures_of(row: Reckoning | None) -> dict[str, figures.Figure]:
    """The figures by key; nothing until they are reckoned."""
    if row is None or row.state != Reckoning.State.DONE:
        return {}
    found = msgspec.convert(row.figures, list[figures.Figure])
    return {figure.key: figure for figure in found}
