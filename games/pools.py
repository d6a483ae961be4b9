"""The jackpots a table plays for: which account a pool is, and what the rules are told of it."""

from typing import Any

from games.models import Table
from games.rules.catalogue import game_type
from games.rules.house.bonus import BonusGame
from games.rules.settlement import PoolName
from wallets.models import Account, Jackpot


def jackpots_at(table: Table) -> dict[str, Jackpot]:
    """The jackpots that are played for at a table, by kind."""
    return {jackpot.kind: jackpot for jackpot in table.jackpots.filter(active=True)}


def options_with_pools(table: Table, jackpots: dict[str, Jackpot]) -> dict[str, Any]:
    """The table's options; a share of the bonus goes to a progressive jackpot only if there is one.

    The jackpot says how large its share is: several tables may fill one pool.
    """
    progressive = jackpots.get(Jackpot.Kind.PROGRESSIVE)
    options: dict[str, Any] = dict(table.options)
    if issubclass(game_type(table.game), BonusGame):
        options["jackpot_bp"] = progressive.share_bp if progressive else 0
    return options


def pool_of(table: Table, name: PoolName) -> Jackpot:
    """The jackpot of a kind at a table that has one."""
    return Jackpot.objects.get(tables=table, kind=name)


def pool_amount(table: Table, name: PoolName) -> int:
    """What a pool holds that has been hit; it stays so until the hit is paid."""
    pool = pool_of(table, name)
    balance = Account.objects.select_for_update().values_list("balance", flat=True)
    return max(0, balance.get(pk=pool.pool_id))


def mystery_left(table: Table) -> int | None:
    return None
