"""The rows in which a version's figures are reckoned, by a worker that does nothing else.

One content has one row, whichever versions have it, so going back to an old rule costs nothing. If
a worker falls silent, the next computes the row anew, from the same seed.
"""

import hashlib
import json
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import ProfileVersion, Reckoning, Table
from games.models.profiles import ERROR_MAX
from games.profiles import figures
from games.rules.catalogue import game_type
from games.rules.contract import AnyGame
from games.tables.hand_state import game_from
from games.tables.jackpots import pool_terms
from wallets.models import Jackpot
from wallets.staff.claimed_rows import WAITING, Lost, claim, is_left, send

log = logging.getLogger(__name__)

TASK: Final = "games.profiles.tasks.reckon"
# Raised whenever the same options would get other figures.
EDITION: Final = 1


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
    jackpots = Jackpot.objects.filter(active=True, tables__in=tables)
    return {jackpot.kind: jackpot for jackpot in jackpots.order_by("share_bp", "seed")}


def pool_shares(version: ProfileVersion) -> dict[str, int]:
    """Return the jackpots' largest share of each bonus bet at the profile's tables."""
    shares = {kind: jackpot.share_bp for kind, jackpot in _jackpots(version).items()}
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


def digest_of_version(version: ProfileVersion) -> str:
    return digest_of(game_of(version), version.table_settings["buy_in_max"])


def of_version(version: ProfileVersion) -> Reckoning | None:
    """The row of what a version says now, if it was requested."""
    return Reckoning.objects.filter(digest=digest_of_version(version)).first()


def ask(version: ProfileVersion, now: datetime) -> Reckoning:
    """Have the figures of a version reckoned, unless they are; a failed try begins anew."""
    return ask_for(game_of(version), version.table_settings["buy_in_max"], now)


def ask_for(game: AnyGame, stack: int, now: datetime) -> Reckoning:
    """The same for a game whose rules belong to no version."""
    digest = digest_of(game, stack)
    try:
        with transaction.atomic():
            row, made = Reckoning.objects.get_or_create(
                digest=digest, defaults=_columns(game, stack, digest, now)
            )
    except IntegrityError:
        row, made = Reckoning.objects.get(digest=digest), False
    again = Reckoning.objects.filter(pk=row.pk, state=Reckoning.State.FAILED)
    if again.update(state=WAITING, done=0, error="", requested_at=now) or made or is_left(row, now):
        transaction.on_commit(lambda: send(TASK, row.pk))
        row.refresh_from_db()
    return row


def _columns(game: AnyGame, stack: int, digest: str, now: datetime) -> dict[str, Any]:
    return {
        "game": game.key,
        "options": msgspec.to_builtins(game),
        "stack": stack,
        "seed": digest,
        "wanted": figures.wanted(game),
        "requested_at": now,
    }


def store(version: ProfileVersion, found: list[object], now: datetime) -> None:
    """Store the figures of a version that were reckoned elsewhere, from the same seed."""
    game, stack = game_of(version), version.table_settings["buy_in_max"]
    columns = _columns(game, stack, digest_of(game, stack), now)
    done = {"state": Reckoning.State.DONE, "done": columns["wanted"], "figures": found}
    Reckoning.objects.get_or_create(digest=columns["seed"], defaults=columns | done)


def run(row_id: int, clock: Callable[[], datetime] = timezone.now) -> bool:
    """Compute one row, unless another worker has claimed it."""
    claimed = claim(Reckoning, row_id, clock, done=0, error="")
    if claimed is None:
        return False
    row, mine = claimed
    try:
        game = msgspec.convert(row.options, game_type(row.game))
        results = figures.figures(game, row.stack, row.seed, lambda done: mine.note(done=done))
    except Lost:
        return False
    except Exception as problem:
        log.exception("reckoning %s failed", row_id)
        mine.end(state=Reckoning.State.FAILED, error=str(problem)[:ERROR_MAX])
        return False
    return mine.end(
        state=Reckoning.State.DONE, figures=msgspec.to_builtins(results), done=row.wanted
    )


def figures_of_version(version: ProfileVersion) -> dict[str, figures.Figure]:
    """The figures of a version, once they are reckoned.

    Bets that feed pools are computed now, with the seeds of the jackpots that its tables have.
    """
    by_key, jackpots = figures_of(of_version(version)), _jackpots(version)
    if by_key and jackpots:
        exact = figures.exact_bets(game_of(version), pool_terms(jackpots.values()))
        by_key |= {figure.key: figure for figure in exact}
    return by_key


def figures_of(row: Reckoning | None) -> dict[str, figures.Figure]:
    """The figures by key; nothing until they are reckoned."""
    if row is None or row.state != Reckoning.State.DONE:
        return {}
    results = msgspec.convert(row.figures, list[figures.Figure])
    return {figure.key: figure for figure in results}
