"""What is true of the house after every step and every failure."""

import re
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, F, Q, Sum

from games.models import Hand, HandSeat, Move, Seat, Table
from games.tables.hand_rows import action_of
from games.tables.hand_state import game_of, state_of
from wallets.models import Account, Entry, Transaction

if TYPE_CHECKING:
    from tests.simulation.world import World

MONEY, STACKS, ONCE, KEPT, OVERDUE = "money", "stacks", "once", "kept", "overdue"
LEAK, REDIS, ERROR, AUDIT = "leak", "redis", "error", "audit"
DESK, RULES = "desk", "rules"
# How many of the last moves are looked up after each step; at the end all of them are.
LATELY: Final = 12
# A table, or a channel of the house, and a version.
# Versions, who is offline, and whom processes are to forget: players, or hashes of keys.
SENT: Final = re.compile(
    r"-?\d+:\d+|\d+:presence:[\d.]*|player:\d+|everybody:|(session|saved|token):[0-9a-f]{32,64}"
)


class Violated(AssertionError):
    """Something that must always hold does not."""

    def __init__(self, what: str, words: object) -> None:
        super().__init__(f"{what}: {words}")
        self.what = what


def require(holds: object, what: str, words: object) -> None:
    if not holds:
        raise Violated(what, words)


def money(world: "World") -> None:
    world.looked_at = ledger(world.looked_at)


def ledger(since: int = 0) -> int:
    """The ledger sums to zero, and no account is below zero that must not be.

    What was posted since a transaction is looked at one by one; the answer is the last of it.
    """
    total = Account.objects.aggregate(sum=Sum("balance"))["sum"] or 0
    require(total == 0, MONEY, f"all accounts together hold {total}")
    owing = Account.objects.filter(kind__in=Account.NEVER_OWING, balance__lt=0).count()
    require(owing == 0, MONEY, f"{owing} accounts are below zero")
    new = Transaction.objects.filter(pk__gt=since)
    odd = list(new.annotate(left=Sum("entries__amount")).exclude(left=0).values_list("pk", "left"))
    require(not odd, MONEY, f"transactions that do not balance: {odd}")
    touched = Account.objects.filter(entries__transaction__pk__gt=since).distinct()
    wrong = [
        account.pk
        for account in touched.annotate(sum=Sum("entries__amount"))
        if account.balance != Entry.objects.filter(account=account).aggregate(s=Sum("amount"))["s"]
    ]
    require(not wrong, MONEY, f"accounts whose balance is not the sum of entries: {wrong}")
    return new.order_by("-pk").values_list("pk", flat=True).first() or since


def stacks(table: int) -> None:
    """What the hands say a seat won is what its account got; live hands move no stake."""
    for seat in Seat.objects.filter(table=table, left_at=None).select_related("stack"):
        paid = Transaction.objects.filter(kind="hand", entries__account=seat.stack_id)
        got = paid.aggregate(sum=Sum("entries__amount", filter=Q(entries__account=seat.stack_id)))
        won = HandSeat.objects.filter(seat=seat, hand__posting__isnull=False)
        said = won.aggregate(sum=Sum("net"))["sum"] or 0
        require((got["sum"] or 0) == said, STACKS, f"{seat}: hands say {said}, ledger {got['sum']}")
    moved = HandSeat.objects.filter(
        table=table, hand__status=Hand.Status.LIVE, seat__left_at=None
    ).exclude(seat__stack__balance=F("starting_stack"))
    staked = [
        str(seat) for seat in moved.select_related("hand__shoe", "seat__stack") if _lost(seat)
    ]
    require(not staked, STACKS, f"chips moved in a live hand: {staked}")


def _lost(row: HandSeat) -> bool:
    """Whether a seat with a stake has another stack than its hand knows, with what was brought."""
    game = game_of(row.hand)
    state = state_of(row.hand, game, row.hand.moves.order_by("number"))
    known = {stake.seat: stake.stack for stake in state.stakes}
    return game.at_stake(state, row.number) and row.seat.stack.balance != known[row.number]


def once(world: "World", table: int) -> None:
    """A turn is played once, and a key brings chips once."""
    turns = Move.objects.filter(hand__table=table, hand__status=Hand.Status.LIVE, seat__gt=0)
    twice = turns.values("hand", "seat", "turn").annotate(times=Count("pk")).filter(times__gt=1)
    require(not twice.exists(), ONCE, f"turns played twice: {list(twice)}")
    visits: dict[int, list[str]] = {}
    for seat in Seat.objects.filter(table=table, table__organiser="", player__is_bot=False):
        visits.setdefault(seat.player_id, []).append(seat.reference)
    for player, references in visits.items():
        brought = Transaction.objects.filter(kind="buy_in", reference__in=references).count()
        most = len(references) + len(world.keys.get((table, player), ()))
        require(brought <= most, ONCE, f"table {table}: chips came {brought} times, not {most}")


def kept(world: "World", count: int | None = LATELY) -> None:
    """Every move that the house said yes to is stored as it was sent."""
    for acted in world.acknowledged[-count:] if count else world.acknowledged:
        if acted.hand in world.called_off:
            continue
        made = Move.objects.filter(
            hand=acted.hand, seat=acted.seat, turn=acted.turn, by=Move.By.PLAYER
        ).first()
        require(made is not None, KEPT, f"a move is gone: {acted}")
        assert made is not None
        require(
            same(action_of(made), acted.action), KEPT, f"{acted} is stored as {action_of(made)}"
        )


def same(stored: dict[str, Any], sent: str) -> bool:
    """Whether a stored action has all that was sent; what has a default is added to it."""
    made: dict[str, Any] = eval(sent, {"__builtins__": {}})  # written by `repr` of plain JSON
    return made["do"] == stored["do"] and all(
        _plain(stored.get(name)) == _plain(value) for name, value in made.items()
    )


def _plain(value: Any) -> Any:
    return list(map(_plain, value)) if isinstance(value, list | tuple) else value


def overdue(world: "World") -> None:
    """After a sweep that nothing disturbed no turn is over its time."""
    late = Table.objects.filter(phase=Table.Phase.PLAY, deadline__lte=world.now)
    require(not late, OVERDUE, f"turns left lying: {[(t.name, t.deadline) for t in late]}")
    asleep = Table.objects.filter(phase=Table.Phase.PLAY, due_at=None).exclude(turns={})
    require(not asleep, OVERDUE, f"tables that no task will wake: {[t.name for t in asleep]}")


def announced(world: "World") -> None:
    """What travels over Redis is numbers and hashes, and nothing else."""
    odd = [message for message in world.wire.sent if not SENT.fullmatch(message)]
    require(not odd, LEAK, f"sent over Redis: {odd[:3]}")
    world.wire.sent.clear()
