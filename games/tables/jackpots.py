"""The jackpots a table plays for: which pool is meant, what the rules get, what follows a hit.

A progressive jackpot may be played for at many tables; each hit is paid from what it shows. A
mystery prize belongs to one table: its trigger is drawn and its hash published when the pool
starts, and opened when the prize has fallen.
"""

import secrets
from collections.abc import Iterable
from functools import partial
from typing import Final, NamedTuple

from django.db import models, transaction
from django.db.models import Prefetch
from django.db.models.signals import m2m_changed, post_save
from django.utils import timezone
from msgspec import json

from games.models import Hand, Table
from games.models.prepared import Query
from games.rules.analysis.edges import PoolTerms
from games.rules.catalogue import game_type
from games.rules.contract import AnyGame
from games.rules.house import pools
from games.rules.house.pools import SECRET_BYTES, Trigger
from games.rules.settlement import PoolName
from games.shoes import chain
from games.tables.hand_state import game_from
from games.tables.lock import lock_tables, store_table
from games.words.naming import jackpot_title
from wallets.models import Account, Jackpot
from wallets.models import Trigger as Committed
from wallets.money import jackpots

MYSTERY: PoolName = "mystery"
# Entries of the public chain.
COMMITTED: Final = "trigger"
OPENED: Final = "trigger_opened"


# With it the jackpots of any number of tables are read in one question.
ACTIVE_JACKPOTS: Final = Prefetch(
    "jackpots",
    Jackpot.objects.filter(active=True).select_related("pool"),
    to_attr="active_jackpots",
)
ACTIVE_AT: Final = Query(
    lambda table: Jackpot.objects.filter(tables=table, active=True).select_related("pool")
)


class JackpotView(NamedTuple):
    """A jackpot as every page shows it: by its name, with what it shows now."""

    id: int
    kind: str
    name: str
    amount: int


def jackpot_view(jackpot: Jackpot) -> JackpotView:
    """The name and the figure of a jackpot whose pool was read with it."""
    return JackpotView(
        jackpot.pk, jackpot.kind, jackpot_title(jackpot.name), jackpots.amount_read(jackpot)
    )


def jackpots_at(table: Table) -> dict[str, Jackpot]:
    """The jackpots that are played for at a table, by kind."""
    if not has_pools(table):
        return {}
    rows = getattr(table, "active_jackpots", None)
    if rows is None:
        rows = ACTIVE_AT(table.pk)
    return {jackpot.kind: jackpot for jackpot in rows}


def read_jackpots(table: Table) -> None:
    """Read what `jackpots_at` returns of this row, for a caller who writes before it is asked."""
    # The attribute is what the prefetch sets.
    vars(table)["active_jackpots"] = ACTIVE_AT(table.pk) if has_pools(table) else []


def game_at(table: Table) -> AnyGame:
    """The rules by which the next hand of a table is played, with the pools it is played for.

    The facts that players read of a table are taken from this; its options alone do not say which
    pools it has.
    """
    return game_from(table.game, options_with_pools(table, jackpots_at(table)))


def watch() -> None:
    """Give tables a new version when what they are played for has changed.

    The public part of a table states the share of a bonus bet that goes into its pools.
    """
    post_save.connect(_jackpot_saved, Jackpot, dispatch_uid="games.tables.jackpots.saved")
    m2m_changed.connect(
        _jackpots_chosen, Table.jackpots.through, dispatch_uid="games.tables.jackpots.chosen"
    )


def _jackpot_saved(instance: Jackpot, **_signal: object) -> None:
    _renew(instance.tables.values_list("pk", flat=True))


def _jackpots_chosen(instance: models.Model, action: str, **_signal: object) -> None:
    if isinstance(instance, Table) and action.startswith("post_"):
        _renew([instance.pk])


def _renew(tables: Iterable[int]) -> None:
    """Raise versions after the commit: verbs that change a jackpot may hold its account's lock."""
    numbers = sorted(tables)
    if numbers:
        transaction.on_commit(partial(_raise_versions, numbers))


def _raise_versions(numbers: Iterable[int]) -> None:
    with transaction.atomic():
        for table in lock_tables(numbers):
            store_table(table)


def has_pools(table: Table) -> bool:
    """Whether the game of a table has bonus bets, which alone feed pools."""
    return game_type(table.game).feeds_pools


def jackpots_of(hand: Hand) -> dict[str, Jackpot]:
    """The jackpots that a hand is played for, by kind, even if its table has others now."""
    if not hand.jackpots:
        return {}
    rows = Jackpot.objects.filter(pk__in=hand.jackpots.values()).select_related("pool")
    return {jackpot.kind: jackpot for jackpot in rows}


def options_with_pools(table: Table, played: dict[str, Jackpot]) -> dict[str, object]:
    """The table's options; a bonus bet feeds a pool only where there is one.

    The jackpot says how large its share is, as several tables may fill one pool.
    """
    options: dict[str, object] = dict(table.options)
    if has_pools(table):
        for kind, option in (("progressive", "jackpot_bp"), (MYSTERY, "mystery_bp")):
            options[option] = played[kind].share_bp if kind in played else 0
    return options


def pool_terms(played: Iterable[Jackpot]) -> PoolTerms:
    """Return how the house starts these pools, one of each kind, for the figures of their bets."""
    terms: dict[str, int] = {}
    for jackpot in played:
        if jackpot.kind == MYSTERY:
            terms |= {"lowest": jackpot.lowest, "highest": jackpot.highest}
            terms["mystery_seed"] = jackpot.seed + jackpot.reserve
        else:
            terms["seed"] = jackpot.seed
    return PoolTerms(**terms)


def pool_of(hand: Hand, name: PoolName) -> Jackpot:
    """The jackpot of a kind that a hand is played for, even if its table has another one now."""
    return Jackpot.objects.get(pk=hand.jackpots[name])


def pool_amount(hand: Hand, name: PoolName) -> int:
    """The amount that the house names for a hit; it is fixed until the hit is paid."""
    jackpot = pool_of(hand, name)
    locked = Account.objects.select_for_update().values_list("balance", flat=True)
    balance: int = locked.get(pk=jackpot.pool_id)
    if name == MYSTERY:
        return pools.mystery_prize(_trigger(_committed(jackpot)), balance)
    return pools.jackpot_shown(balance, jackpot.reserve)


def mystery_left(table: Table, played: dict[str, Jackpot]) -> int | None:
    """Return the amount that bonus bets must bring until the mystery prize falls."""
    jackpot = played.get(MYSTERY)
    if jackpot is None:
        return None
    balance: int = Account.objects.values_list("balance", flat=True).get(pk=jackpot.pool_id)
    return pools.mystery_left(_trigger(_committed(jackpot)), balance)


def trigger_is_open(hand: Hand) -> bool:
    """Whether the mystery prize that a hand was played for has fallen, in it or in a later one."""
    if MYSTERY not in hand.jackpots:
        return True
    fallen = Committed.objects.filter(jackpot=hand.jackpots[MYSTERY]).exclude(opened_at=None)
    won_in = fallen.values_list("reference", flat=True)
    hands = (reference.partition("hand:")[2] for reference in won_in)
    return any(number.isdecimal() and int(number) >= hand.pk for number in hands)


def _committed(jackpot: Jackpot) -> Committed:
    """The committed trigger; the first one is drawn when the pool is first played for."""
    waiting = jackpots.trigger(jackpot)
    return waiting if waiting is not None else _commit_next(jackpot)


def trigger_id(jackpot: int, number: int) -> str:
    """The name of a trigger in its text and in the public chain."""
    return f"J{jackpot}-{number}"


def _commit_next(jackpot: Jackpot) -> Committed:
    number = Committed.objects.filter(jackpot=jackpot).count() + 1
    drawn = pools.draw_trigger(
        trigger_id(jackpot.pk, number),
        jackpot.lowest,
        jackpot.highest,
        secrets.token_bytes(SECRET_BYTES),
    )
    committed = jackpots.commit(jackpot, published=drawn.published, secret=json.encode(drawn))
    # In the public chain it cannot be exchanged, not even by this function.
    body: dict[str, object] = {"trigger": drawn.id, "published": drawn.published}
    chain.add(COMMITTED, body, committed.committed_at)
    return committed


def _trigger(committed: Committed) -> Trigger:
    return json.decode(jackpots.secret_of(committed), type=Trigger)


def after_hits(hand: Hand, hit: list[PoolName]) -> None:
    """A fallen prize's trigger is opened and the next committed; hit pools are filled up later."""
    for name in hit:
        jackpot = pool_of(hand, name)
        if name == MYSTERY:
            fallen = _committed(jackpot)
            trigger = _trigger(fallen)
            jackpots.open_trigger(fallen, opened=trigger.text, reference=hand.reference)
            chain.add(
                OPENED,
                {"trigger": trigger.id, "text": trigger.text, "hand": hand.code},
                timezone.now(),
            )
            _commit_next(jackpot)
        _fill_up_after_commit(jackpot)


def _fill_up_after_commit(jackpot: Jackpot) -> None:
    """The hand is paid; where this fails, a task fills the pool up within a minute."""
    transaction.on_commit(lambda: jackpots.fill_up(jackpot), robust=True)
