"""Behind the tables: who works there, a till, real money, rules in versions, pools and breaks."""

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.db.models import Count, F, Q, Sum

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.desk import cash
from casino.office.desk.models import Till, WithdrawalRequest
from games.models import Hand, HandSeat, Table
from games.tables.jackpots import has_pools
from games.tables.table_rules import settings_of, version_in_force
from tests.games import profiles
from tests.people import journal_staff
from tests.simulation.invariants import DESK, LATELY, RULES, require
from wallets.models import Account, Currency, Jackpot, Transaction, Trigger
from wallets.models.holders import player_reference
from wallets.money import jackpots
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.staff import approvals

if TYPE_CHECKING:
    from tests.simulation.world import World

WHY: Final = "as the seed has it"
MONEY: Final = 10_000_000
FLOAT: Final = 50_000_000
# So that the least bonus bets bring a mystery prize down several times a day.
PRIZE: Final[dict[str, Any]] = {"seed": 100, "share_bp": 5_000, "lowest": 500, "highest": 2_000}
POOL: Final[dict[str, Any]] = {"seed": 20_000, "reserve": 5_000, "share_bp": 1_500}


class Office:
    """The staff, and what they look after."""

    def __init__(self) -> None:
        self.euro, _new = Currency.objects.get_or_create(code="EUR", defaults={"name": "euro"})
        self.manager = _staff("manager", "managers")
        self.second = _staff("second manager", "managers")
        self.cashier = _staff("cashier", "cashiers")
        journal_staff()

    def open(self, world: "World") -> None:
        """With people and tables there, but before any player sits down."""
        for player in world.people:
            # A gift: a deposit would need its receipt.
            wallet = account("player", player_reference(player.pk), self.euro)
            legs = [
                Leg(account("promotion", "house", self.euro).pk, -MONEY),
                Leg(wallet.pk, MONEY),
            ]
            post(uuid4(), "grant", legs, book="cashier", actor="house", reason=WHY)
        self._open_till(world)
        self._open_pools(world.tables())
        self._publish_rules(world.tables()[0])

    def _open_till(self, world: "World") -> None:
        cash.vault()
        self.till = Till.objects.create(name="Till")
        self._submit(world, self.cashier, "shift.open", {"till": self.till.pk, "counted": {}})
        ends = {"source": 0, "target": self.till.pk, "currency": "EUR", "amount": FLOAT}
        moved = self._submit(world, self.manager, "desk.transfer", ends).proposal
        assert moved is not None
        approvals.approve(self.second, moved.pk, reason=WHY, now=world.now)

    def _submit(
        self, world: "World", member: Player, verb: str, arguments: approvals.Arguments
    ) -> approvals.Submitted:
        return approvals.submit(member, verb, arguments, reason=WHY, key=uuid4(), now=world.now)

    def _open_pools(self, tables: list[Table]) -> None:
        """Each table with bonus bets has a mystery prize; those of a currency share a jackpot."""
        kinds, actor = Jackpot.Kind, player_reference(self.manager.pk)
        shared: dict[str, Jackpot] = {}
        for table in filter(has_pools, tables):
            money, code = table.currency, table.currency_id
            prize = jackpots.create(
                f"prize of {table.name}", kinds.MYSTERY, money, actor=actor, **PRIZE
            )
            if code not in shared:
                shared[code] = jackpots.create(
                    f"jackpot in {code}", kinds.PROGRESSIVE, money, actor=actor, **POOL
                )
            table.jackpots.add(prize, shared[code])

    def _publish_rules(self, table: Table) -> None:
        draft = profiles.draft(self.manager, table.game, f"rules of {table.name}")
        draft = profiles.change(self.manager, draft, **settings_of(table))
        self.profile = profiles.published(self.manager, self.second, draft).profile
        profiles.following(table, self.profile)
        self.ruled = table.pk


def _staff(name: str, group: str) -> Player:
    appoint(Player.objects.create_user(name), group)
    return Player.objects.get(username=name)


def check(world: "World") -> None:
    """Money set aside has an open request, payments are made once, and rules and breaks hold."""
    _desk(world)
    _rules(world)
    _breaks(world)
    _prizes()


def _desk(world: "World") -> None:
    waiting = Q(status=WithdrawalRequest.Status.WAITING)
    paid = Q(status=WithdrawalRequest.Status.PAID)
    totals = WithdrawalRequest.objects.aggregate(
        waiting=Sum("amount", filter=waiting, default=0), paid=Count("pk", filter=paid),
        receipts=Count("receipt"),
    )  # fmt: skip
    aside = Account.objects.filter(kind=Account.Kind.ESCROW, owner__startswith="player:")
    held = aside.aggregate(sum=Sum("balance", default=0))["sum"]
    require(held == totals["waiting"], DESK, f"{held} is set aside, and asked for {totals}")
    posted = Transaction.objects.filter(kind="withdrawal").count()
    require(posted == totals["paid"] == totals["receipts"], DESK, f"paid {posted} times, {totals}")
    drawer = cash.cash_in(world.office.till, world.office.euro)
    require(drawer >= 0, DESK, f"the till holds {drawer}")


def _rules(world: "World") -> None:
    """A hand was dealt by the version that was in force when it began."""
    hand = Hand.objects.filter(table=world.office.ruled).order_by("-pk").first()
    if hand is None or hand.status != Hand.Status.LIVE:
        return
    due = version_in_force(world.office.profile.pk, hand.started_at)
    ours = due.pk if due else None
    require(
        hand.profile_version_id == ours, RULES, f"{hand} has {hand.profile_version_id}, not {ours}"
    )


def _prizes() -> None:
    """A mystery prize falls at the trigger whose hash was published before."""
    for fallen in Trigger.objects.exclude(opened_at=None).order_by("-opened_at")[:LATELY]:
        opened = sha256(fallen.opened.encode()).hexdigest()
        require(opened == fallen.published, RULES, f"trigger {fallen.pk} is not the published one")


def _breaks(world: "World") -> None:
    """No player is dealt in at a cash table during a break."""
    dealt = HandSeat.objects.filter(
        hand__status=Hand.Status.LIVE,
        table__organiser="",
        player__exclusions__begins_at__lt=F("hand__started_at"),
        player__exclusions__until__gt=F("hand__started_at"),
    )
    require(not dealt.exists(), RULES, f"dealt in during a break: {[str(seat) for seat in dealt]}")
