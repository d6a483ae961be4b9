"""What a cheat would try with promotions, and what comes of it."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from casino.accounts.models import Player
from casino.care import exclusions
from casino.community.promotions.books import inviting
from casino.community.promotions.models import PromotionAward, PromotionVersion
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.declaration import AnyKind, Declaration
from casino.community.promotions.rules.exploiting import exploited
from casino.community.promotions.rules.ladders import Race
from casino.community.promotions.rules.shares import CashBack, Friend, Mission
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.casino.test_returning import limit_time
from tests.games.house import House
from tests.people import client_of
from wallets.models import Transaction
from wallets.money import cashier
from wallets.values.errors import Overdrawn, Refused

# The largest bet that a table takes.
LARGEST: int = 100_000
STATED: Any = {"actor": "test", "reason": "a test"}


@pytest.fixture
def scene(house: House) -> Scene:
    return Scene(house)


@pytest.fixture
def hands(scene: Scene) -> FinishedHands:
    return FinishedHands(scene.house, "doudizhu", "alice", "bob", "carol")


@pytest.mark.parametrize("way", [cashier.withdraw, cashier.set_aside])
def test_a_deposit_is_not_sent_back_before_its_bonus_is_entered(
    scene: Scene, hands: FinishedHands, way: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid_at = Transaction.objects.latest("time").time
    lasts = {"starts": paid_at - timedelta(days=1), "ends": paid_at + timedelta(days=1)}
    scene.publish(Bonus(most=1_000, deposit_min=100, times=2), **lasts)
    scene.publish(Mission(), **lasts)
    owners = [f"player:{player.pk}" for player in hands.players]
    scene.house.now = paid_at + timedelta(seconds=30)
    scene.take()
    for owner, amount in zip(owners, (400, 50), strict=False):
        cashier.deposit(owner, scene.house.currency, amount, key=uuid4(), **STATED)
    with pytest.raises(Refused) as refusal:
        way(owners[0], scene.house.currency, 400, key=uuid4(), **STATED)
    assert refusal.value.code == "bonus_coming"
    # What brings no bonus is free at once.
    way(owners[1], scene.house.currency, 50, key=uuid4(), **STATED)
    scene.house.now = paid_at + timedelta(minutes=10)
    scene.take()
    with pytest.raises(Refused) as refusal:
        way(owners[0], scene.house.currency, 400, key=uuid4(), **STATED)
    assert refusal.value.code == "bonus_held"
    assert scene.findings() == []


@pytest.mark.parametrize("change", ["limits their time", "stays away", "no promotions"])
def test_own_money_is_never_locked_up(
    scene: Scene, hands: FinishedHands, settings: Any, change: str
) -> None:
    """Also where the page "Rewards" is closed to the reader, a bonus can be given up."""
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=50))
    hands.play([{1: 1}])
    scene.take()
    alice = hands.players[0]
    number, owner = PromotionAward.objects.get(player=alice).pk, f"player:{alice.pk}"
    if change == "no promotions":
        settings.PROMOTIONS = False
    elif change == "stays away":
        exclusions.begin(alice, "time_out", 7, scene.now)
        # They cannot be asked: the withdrawal ends the bonus, and one that is refused does not.
        with pytest.raises(Overdrawn):
            cashier.withdraw(owner, scene.house.currency, 10**9, key=uuid4(), **STATED)
        assert PromotionAward.objects.get(pk=number).forfeited_at is None
    else:
        limit_time(alice, scene.now)
        client = client_of(Player.objects.get(pk=alice.pk))
        page = client.get(reverse("rewards")).text
        give_up = reverse("rewards-give-up", args=[number])
        assert give_up in page
        assert "What counts now" not in page
        client.post(give_up)
    cashier.withdraw(owner, scene.house.currency, 100, key=uuid4(), **STATED)
    is_given_up = PromotionAward.objects.get(pk=number).forfeited_at is not None
    assert is_given_up == (change != "no promotions")


def close(player: Player, scene: Scene) -> None:
    Player.objects.filter(pk=player.pk).update(is_active=False, closed_at=scene.now)


def _second_account(player: Player, scene: Scene) -> None:
    Player.objects.filter(username__in=("alice", player.username)).update(signed_up_from="one")


@pytest.mark.parametrize("change", [close, _second_account])
def test_who_may_no_longer_earn_wins_no_prize(
    scene: Scene, hands: FinishedHands, change: Any
) -> None:
    """The place goes to the next: an award to a closed account would be lost."""
    scene.publish(Race(by="wins", prizes=(900, 400), hands_min=1))
    hands.play([{2: 2}, {2: 2}, {3: 1}, {1: 1}])
    scene.take()
    change(hands.players[1], scene)
    scene.pass_days(8)
    assert scene.awards("bob") == []
    assert (scene.awards("carol"), scene.awards("alice")) == ([(900, "paid")], [(400, "paid")])
    assert scene.findings() == []


def test_a_break_costs_nothing_that_was_earned_before(scene: Scene, hands: FinishedHands) -> None:
    """No player has a reason to put a break off."""
    scene.publish(Race(by="wins", prizes=(900,), hands_min=1))
    hands.play([{2: 2}])
    scene.take()
    exclusions.begin(hands.players[1], "time_out", 30, scene.now)
    scene.house.pass_time(60)
    hands.play([{1: 2}, {1: 1}, {2: 1}, {2: 1}, {2: 1}])
    scene.pass_days(8)
    assert scene.progress("bob") == 1
    assert (scene.awards("alice"), scene.awards("bob")) == ([(900, "paid")], [])
    assert scene.findings() == []


def test_a_break_leaves_a_prize_that_was_won(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Race(by="wins", prizes=(900,), hands_min=1))
    hands.play([{2: 2}])
    scene.take()
    exclusions.begin(hands.players[1], "time_out", 30, scene.now)
    scene.pass_days(8)
    assert scene.awards("bob") == [(900, "paid")]
    assert scene.findings() == []


def next_version(version: PromotionVersion, scene: Scene) -> PromotionVersion:
    """The same terms, published again by staff."""
    version.ended_at = scene.now
    version.save(update_fields=["ended_at"])
    scene.house.pass_time(1)
    return PromotionVersion.objects.create(
        promotion=version.promotion,
        number=version.number + 1,
        state=PromotionVersion.State.PUBLISHED,
        terms=version.terms,
        made_by=scene.boss,
        made_at=scene.now,
        published_from=scene.now,
    )


@pytest.mark.parametrize(
    ("kind", "due"),
    [
        (Mission(goal=1, pay=700, window="all"), [700]),
        (Mission(goal=1, pay=700, window="week"), [700]),
        (Bonus(given_for="first_hand", most=700, times=50), [700]),
        (Friend(goal=1, pay=300, pay_inviter=400), [300, 400]),
    ],
)
def test_a_new_version_pays_nothing_twice(
    scene: Scene, hands: FinishedHands, kind: AnyKind, due: list[int]
) -> None:
    version = scene.publish(kind)
    alice, bob, carol = hands.players
    Player.objects.exclude(pk=bob.pk).update(date_joined=scene.now - timedelta(days=40))
    Player.objects.filter(pk=bob.pk).update(date_joined=scene.now)
    bob.refresh_from_db()
    inviting.accept(bob, inviting.code_of(alice), scene.now)
    Player.objects.filter(pk=carol.pk).update(is_staff=True)
    if not isinstance(kind, Friend):
        Player.objects.filter(pk=alice.pk).update(is_staff=True)
    hands.play([{2: 1}])
    scene.take()
    next_version(version, scene)
    hands.play([{2: 1}])
    scene.take()
    amounts = PromotionAward.objects.order_by("amount").values_list("amount", flat=True)
    assert list(amounts) == due
    assert scene.findings() == []


def test_hands_that_nobody_called_count_nothing(scene: Scene, hands: FinishedHands) -> None:
    """Three friends who pass every auction would play a hundred hands for nothing."""
    scene.publish(Race(by="hands", prizes=(900,), hands_min=1))
    scene.publish(Mission(goal=2, pay=700))
    hands.play([{}, {}, {}])
    scene.take()
    assert not PromotionAward.objects.exists()
    hands.play([{1: 1}, {1: 1}])
    scene.take()
    assert scene.awards("alice") == scene.awards("bob") == [(700, "paid")]
    scene.pass_days(8)
    assert scene.awards("alice") == [(700, "paid"), (900, "paid")]
    assert scene.findings() == []


@pytest.mark.parametrize(
    "kind",
    [
        # One large bet a week brings back more than the edge costs.
        CashBack(share_bp=1_000, loss_min=50_000, most=100_000),
        # Two friends at a card table pay the rake alone: a twentieth of what they wager.
        Bonus(most=10_000, times=10, games=("doudizhu",)),
        Mission(pay=1_000, games=("doudizhu",)),
        Race(prizes=(1_000,), games=("doudizhu",)),
        Friend(games=("doudizhu",)),
    ],
)
def test_what_friends_or_one_large_bet_can_exploit_needs_a_reason(
    scene: Scene, kind: AnyKind
) -> None:
    lasts: Any = {"starts": scene.now, "ends": scene.now + timedelta(days=7)}
    declared = Declaration(kind=kind, currency="PLAY", budget=1_000_000, **lasts)
    assert exploited(declared, LARGEST).gain > 0


@pytest.mark.parametrize(
    "kind",
    [
        CashBack(share_bp=10, loss_min=50_000, most=100_000),
        Bonus(most=10_000, times=30, games=("doudizhu",)),
        Bonus(most=10_000, times=70),
    ],
)
def test_what_costs_more_than_it_brings_needs_none(scene: Scene, kind: AnyKind) -> None:
    lasts: Any = {"starts": scene.now, "ends": scene.now + timedelta(days=7)}
    declared = Declaration(kind=kind, currency="PLAY", budget=1_000_000, **lasts)
    assert exploited(declared, LARGEST).gain <= 0
