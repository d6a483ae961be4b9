"""Every posting says truly who made it and why: all kinds are played and held against a table.

The table is in `docs/ledger.md`, too. A posting whose kind is not in it, or whose actor is
another's, fails here; so does a kind that nothing in this file plays.
"""

import re
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.test import override_settings

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.community.promotions.books import paying
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.returning import rewards, weeks
from casino.community.returning.models import CountedHand
from casino.office.desk import requests
from casino.office.payments import advancing, asking
from casino.office.payments.models import Payment
from casino.office.players import closing
from games.models import Hand, HandSeat, Seat, Table
from games.records import reversals
from games.rules.catalogue import GAMES, game_type
from games.tables import buy_in, play_money, seating, settle
from tests.casino.desk_scene import Desk
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.games.house import House
from wallets.models import Account, Currency, Jackpot, Transaction
from wallets.money import cashier, jackpots
from wallets.payments import PROVIDERS, Declined, Outcome, State
from wallets.staff import approvals, cash_verbs
from wallets.tasks import fill_jackpots
from wallets.values.days import day_of
from wallets.values.errors import Refused

pytestmark = pytest.mark.usefixtures("paid_in")

# Who an actor is: the house, the player whose money it is, or a member of staff.
HOUSE, PLAYER, STAFF = "house", "the player", "staff"
TYPED = "as typed"


class Kind(NamedTuple):
    """One row of the table: who posts such a thing, for what reason, and in which books."""

    kind: str
    actor: str
    reason: str
    book: str


TABLE: Final = (
    Kind("deposit", STAFF, TYPED, "cashier"),
    Kind("deposit", HOUSE, advancing.BY_PROVIDER, "cashier"),
    Kind("withdrawal", STAFF, TYPED, "cashier"),
    Kind("withdrawal_request", PLAYER, requests.FOR_THE_DESK, "cashier"),
    Kind("withdrawal_request", STAFF, TYPED, "cashier"),
    Kind("withdrawal_return", PLAYER, requests.CANCELLED, "cashier"),
    Kind("withdrawal_return", HOUSE, cash_verbs.EXPIRED, "cashier"),
    Kind("withdrawal_return", STAFF, TYPED, "cashier"),
    Kind("correction", STAFF, TYPED, "cashier"),
    Kind("correction", HOUSE, advancing.SENT_BACK, "cashier"),
    Kind("till_transfer", STAFF, TYPED, "cashier"),
    Kind("till_variance", STAFF, TYPED, "cashier"),
    Kind("grant", HOUSE, play_money.WELCOME, "cashier"),
    Kind("grant", HOUSE, play_money.REFILL, "cashier"),
    Kind("grant", HOUSE, play_money.FOR_A_TASK, "cashier"),
    Kind("grant", HOUSE, play_money.FOR_A_BOT, "cashier"),
    Kind("grant_return", HOUSE, play_money.TAKEN_BACK, "cashier"),
    Kind("award", HOUSE, paying.AWARDED, "cashier"),
    Kind("award_release", HOUSE, paying.WAGERED, "cashier"),
    Kind("award_return", HOUSE, paying.GONE_BACK, "cashier"),
    Kind("buy_in", PLAYER, buy_in.SAT_DOWN, "table"),
    Kind("buy_in", PLAYER, buy_in.TOPPED_UP, "table"),
    Kind("buy_in", HOUSE, buy_in.BOT_SAT_DOWN, "table"),
    Kind("cash_out", PLAYER, buy_in.LEFT, "table"),
    Kind("cash_out", HOUSE, buy_in.BOT_LEFT, "table"),
    Kind("cash_out", HOUSE, buy_in.GIVEN_UP[Seat.LeftWhy.ABSENT], "table"),
    Kind("cash_out", HOUSE, buy_in.GIVEN_UP[Seat.LeftWhy.IDLE], "table"),
    Kind("cash_out", HOUSE, buy_in.GIVEN_UP[Seat.LeftWhy.CLOSED], "table"),
    Kind("hand", HOUSE, settle.SETTLED, "table"),
    Kind("hand_void", STAFF, TYPED, "table"),
    Kind("seed", STAFF, TYPED, "jackpots"),
    Kind("seed", HOUSE, jackpots.FILLED_UP, "jackpots"),
    Kind("drain", STAFF, TYPED, "jackpots"),
)


def row_of(posted: Transaction) -> Kind:
    """The row of the documented table that a posting belongs to."""
    assert posted.reason, posted.kind
    rows = [row for row in TABLE if row.kind == posted.kind]
    fits = [row for row in rows if row.reason == posted.reason]
    fits = fits or [row for row in rows if row.reason == TYPED]
    assert len(fits) == 1, (posted.kind, posted.actor, posted.reason)
    return fits[0]


def players_in(posted: Transaction) -> set[str]:
    """Whose wallets a posting moves."""
    entries = posted.entries.filter(account__kind=Account.Kind.PLAYER)
    return set(entries.values_list("account__owner", flat=True))


def check(posted: Transaction, staff: set[str], bots: set[str]) -> Kind:
    row = row_of(posted)
    if row.actor == PLAYER:
        assert {posted.actor} == players_in(posted), posted.reason
        assert posted.actor not in bots
    elif row.actor == STAFF:
        assert posted.actor in staff, (posted.kind, posted.actor)
    else:
        assert posted.actor == HOUSE, (posted.kind, posted.actor, posted.reason)
    assert posted.book_id.partition(":")[0] == row.book
    return row


# What posts, each as it comes about in a house.


def visitors(house: House) -> None:
    """A top-up and a departure, an absent player, one who sits out too long, a closed table."""
    table = house.table("chinese_poker", grace_seconds=5)
    alice, bob, carol = (house.player(name) for name in ("alice", "bob", "carol"))
    for number, player in enumerate((alice, bob, carol), 1):
        house.sit(player, table, number)
    seating.top_up(alice, table.pk, 10_000, "first", house.now)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    seating.top_up(alice, table.pk, 5_000, "later", house.now)
    house.until(table, lambda table: table.hands_dealt == 2)
    house.away.add("bob")
    house.change(table, "carol", sits_out=True)
    gone = Seat.objects.filter(table=table, left_at__isnull=False)
    house.until(table, lambda _table: gone.count() == 2)
    assert set(gone.values_list("left_why", flat=True)) == {"absent", "idle"}
    house.leave(alice, table)
    closing = house.table("baccarat")
    house.sit(alice, closing, 1)
    Table.objects.filter(pk=closing.pk).update(status=Table.Status.CLOSING)
    house.until(closing, lambda table: table.status == Table.Status.CLOSED)


def bots(house: House) -> None:
    """Bots come for a newcomer, one makes room for another person, and the rest go at the end."""
    house.bots(4)
    table = house.table("chinese_poker", places=3, bots_max=2)
    newcomer = house.player("newcomer", 0)
    house.sit(newcomer, table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.sit(house.player("heiress"), table, 2)
    house.until(table, lambda table: table.hands_dealt == 2)
    for name in ("newcomer", "heiress"):
        house.leave(house.person(name), table)
    house.until(table, lambda table: not table.seats.filter(left_at__isnull=True).exists())


def a_day_later(house: House) -> None:
    """A newcomer has lost the welcome, and sits down again."""
    table, newcomer = house.table("baccarat"), house.player("gambler", 0)
    house.sit(newcomer, table, 1)
    house.leave(newcomer, table)
    house.give(newcomer, 1_000 - house.wallet(newcomer).balance)
    house.sit(newcomer, table, 1, 20_000)
    house.leave(newcomer, table)


def every_game(house: House) -> None:
    """A hand of one game of each family that moves money."""
    for number, game in enumerate({GAMES[game].family: game for game in GAMES}.values()):
        table = house.table(game)
        for seat in range(1, game_type(game).seats[0] + 1):
            house.sit(house.player(f"{number} {seat}"), table, seat)
        posted = Hand.objects.filter(table=table, posting__isnull=False)
        house.until(table, lambda _table, posted=posted: posted.exists())


def staff_at_work(house: House) -> None:
    """Staff pay in and out and reverse a hand; a jackpot is opened, filled up and drained."""
    olga, dora = house.player("olga", 0), house.person("alice")
    appoint(olga, "managers", "cashiers")
    for verb in (cashier.deposit, cashier.withdraw):
        verb(
            f"player:{dora.pk}",
            house.currency,
            500,
            key=uuid4(),
            actor=f"player:{olga.pk}",
            reason="at the desk",
        )
    paid = Hand.objects.filter(posting__isnull=False, table__hand=None).latest("pk")
    reversals.void(olga, paid.pk, "a misdeal", house.now, house_pays=True)
    grand = jackpots.create(
        "Grand",
        Jackpot.Kind.PROGRESSIVE,
        house.currency,
        actor=f"player:{olga.pk}",
        reason="for the summer",
        seed=5_000,
        reserve=100,
    )
    Jackpot.objects.update(seed=6_000)
    fill_jackpots()
    Jackpot.objects.update(active=False)
    jackpots.drain(
        grand, 1_000, key=uuid4(), actor=f"player:{olga.pk}", reason="the summer is over"
    )


def at_the_desk(house: House) -> None:
    """A shift with a payment that is corrected and a till that has too much; two requests."""
    desk = Desk()
    desk.with_float()
    receipt = desk.pay("deposit", 9_000)
    assert receipt is not None
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=8_000))
    for end in (
        lambda number: requests.cancel(desk.mei, number, desk.now),
        lambda number: requests.refuse(desk.tom, number, reason="not today", now=desk.now),
    ):
        end(requests.ask(desk.mei, desk.euro, 700, key=uuid4(), now=desk.now).pk)
    with override_settings(APPROVAL_WITHDRAWAL=10):
        desk.pay("withdrawal", 1_000)
    approvals.expire_due(desk.now + timedelta(days=365))
    counted = {"EUR": desk.held(desk.first) + 100}
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted=counted)


def an_idle_guest(house: House) -> None:
    """A guest has left with the welcome, and never comes back."""
    table = house.table("baccarat")
    guest = Player.objects.create_user(
        "Guest 1000", is_guest=True, date_joined=house.now - timedelta(days=31)
    )
    house.sit(guest, table, 1)
    house.leave(guest, table)
    assert closing.close_idle(house.now) == 1


def a_task(house: House) -> None:
    """A player has finished enough hands for today's first task, and takes what it brings."""
    alice, today = house.person("alice"), day_of(house.now)
    for hand in range(5):
        CountedHand.objects.create(
            player=alice, hand=hand, table=1, game="doudizhu", day=today, week=today, won=False
        )
    rewards.take(alice, today, weeks.tasks_of(today)[0].name, house.now)


def promotions(house: House) -> None:
    """A first hand brings a bonus, of which one player wagers all and the others nothing."""
    scene = Scene(house)
    hands = FinishedHands(house, "doudizhu", "dora", "emil", "fay")
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=2, days=3))
    hands.play([{1: 1}])
    scene.take()
    later = hands.play([{1: 10}])
    HandSeat.objects.filter(hand=later[0], number=1).update(rake=100)
    scene.take()
    scene.pass_days(4)


def from_outside(house: House) -> None:
    """A deposit through a provider, of which a part goes back, and comes back again."""
    mei = Player.objects.get(username="mei")
    euro = Currency.objects.get(code="EUR")
    given = {"provider": "stripe", "player": mei, "currency": euro, "amount": 900}
    paid_in = Payment.objects.create(
        **given, way="in", made_at=house.now, key=uuid4(), next_at=house.now,
        provider_reference="cs_1",
    )  # fmt: skip
    outcome = Outcome(State.PAID, 900, "EUR")
    with (
        override_settings(PAYMENTS=["stripe"], PAYMENTS_NEED_IDENTITY=False),
        patch.object(PROVIDERS["stripe"], "confirm", lambda _reference: outcome),
        patch.object(PROVIDERS["stripe"], "refund", side_effect=Declined("the card is closed")),
    ):
        advancing.advance(paid_in, house.now)
        back = asking.ask(mei, "stripe", "EUR", 400, source=paid_in.pk, key=uuid4(), now=house.now)
        tom = Player.objects.get(username="tom")
        approvals.submit(
            tom, "payment.pay", {"payment": back.pk}, reason="as asked", key=uuid4(),
            now=house.now,
        )  # fmt: skip
        advancing.advance_due(house.now)
    assert Payment.objects.get(pk=back.pk).status == "returned"


ALL: Final = (
    *(visitors, bots, a_day_later, every_game, staff_at_work, at_the_desk, from_outside),
    *(an_idle_guest, a_task, promotions),
)


def test_everything_that_posts_says_who_and_why(house: House) -> None:
    for played in ALL:
        played(house)
    staff = {f"player:{player.pk}" for player in Player.objects.filter(is_staff=True)}
    are_bots = {f"player:{player.pk}" for player in Player.objects.filter(is_bot=True)}
    # What the tests pay in to begin with is not a posting of the house.
    ours = Transaction.objects.exclude(actor="test").select_related("book").order_by("pk")
    seen = {check(posted, staff, are_bots) for posted in ours}
    assert seen == set(TABLE)
    assert house.total() == 0


def test_the_page_has_the_same_table(repository: Path) -> None:
    page = (repository / "docs" / "ledger.md").read_text()
    section = page.partition("## Who and why")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE)
    assert {Kind(*(cell.strip() for cell in row)) for row in rows} == set(TABLE)


@pytest.mark.always
def test_grant_needs_an_actor_and_a_reason(house: House) -> None:
    alice = house.player("alice")
    for missing, text in product(("actor", "reason"), ("", "  ")):
        texts = {"actor": "house", "reason": "a test"} | {missing: text}
        with pytest.raises(Refused) as refused:
            cashier.grant(f"player:{alice.pk}", house.currency, 5, key=uuid4(), **texts)
        assert refused.value.code == "text"
    assert not Transaction.objects.filter(kind="grant").exists()
