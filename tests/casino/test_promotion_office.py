"""Promotions in the back office: drafted, computed, published by two people, ended."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Sum
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.accounts.models import Player
from casino.community.promotions.books import preview
from casino.community.promotions.models import PointsMonth, Preview, PromotionVersion
from casino.community.promotions.office import drafts, publishing
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.declaration import AnyKind, Declaration
from casino.community.promotions.rules.exploiting import exploited
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.levels import A_POINT, month_before, month_of
from casino.community.promotions.rules.shares import CashBack, HappyHour, Mission, RakeBack
from games.models import HandSeat
from tests.casino.approvals_scene import person
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.games.house import House
from tests.people import client_of
from wallets.staff import approvals
from wallets.values.days import day_of
from wallets.values.errors import Refused

LIST = "/admin/promotions/"
NOW = timezone.now()


def terms(kind: AnyKind, house: House, **given: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "currency": house.currency.code,
        "starts": NOW,
        "ends": NOW + timedelta(days=7),
        "budget": 100_000,
    }
    return declaration.stored(Declaration(kind=kind, **(values | given)))


@pytest.fixture
def mona(house: House) -> Player:
    return person("mona", "managers")


@pytest.fixture
def max_(house: House) -> Player:
    return person("max", "managers")


def made(house: House, member: Player, kind: AnyKind, name: str = "Quiet Tuesday") -> Any:
    return drafts.make(member, name, terms(kind, house), reason="a test", now=NOW)


def published(house: House, mona: Player, max_: Player, kind: AnyKind, name: str = "One") -> Any:
    version = made(house, mona, kind, name)
    preview.run(preview.ask(version, NOW).pk)
    proposal = publishing.propose(mona, version.pk, 1, "on purpose", reason="go", key=uuid4())
    approvals.approve(max_, proposal.pk, reason="yes", now=timezone.now())
    version.refresh_from_db()
    return version


@pytest.mark.always
def test_a_promotion_is_published_by_two_people(house: House, mona: Player, max_: Player) -> None:
    version = published(house, mona, max_, Mission(pay=100))
    assert version.state == PromotionVersion.State.PUBLISHED
    draft = drafts.begin_draft(mona, version.pk, reason="more", now=NOW)
    saved = drafts.save(mona, draft.pk, 1, terms(Mission(pay=200), house), reason="more")
    with pytest.raises(Refused) as refusal:
        publishing.propose(mona, saved.pk, 2, "", reason="go", key=uuid4())
    assert refusal.value.code == "not_reckoned"
    preview.run(preview.ask(saved, NOW).pk)
    proposal = publishing.propose(mona, saved.pk, 2, "on purpose", reason="go", key=uuid4())
    with pytest.raises(Refused):
        approvals.approve(mona, proposal.pk, reason="yes", now=timezone.now())
    approvals.approve(max_, proposal.pk, reason="yes", now=timezone.now())
    version.refresh_from_db()
    # The new version has taken over.
    assert version.ended_at is not None
    ended = publishing.end(mona, saved.pk, reason="enough", now=timezone.now())
    assert ended.ended_at is not None


def test_what_is_rejected_stays_as_it_was(house: House, mona: Player, max_: Player) -> None:
    version = made(house, mona, Mission(pay=100))
    preview.run(preview.ask(version, NOW).pk)
    proposal = publishing.propose(mona, version.pk, 1, "on purpose", reason="go", key=uuid4())
    approvals.reject(max_, proposal.pk, reason="no", now=timezone.now())
    version.refresh_from_db()
    assert version.state == PromotionVersion.State.REJECTED


@pytest.mark.always
@pytest.mark.parametrize(
    ("kind", "given", "code"),
    [
        (Mission(), {"ends": NOW - timedelta(days=1)}, "ends_before_start"),
        (Mission(), {"budget": 0}, "no_budget"),
        (Mission(pay=500), {"budget": 400}, "budget_below_award"),
        (Mission(goal=0), {}, "nothing_to_do"),
        (Mission(what="feat"), {}, "no_feat"),
        (Mission(games=("baccarat",)), {}, "game_not_dealt"),
        (Mission(), {"player_max": 200_000}, "cap_above_budget"),
        (Race(prizes=(90_000, 20_000)), {}, "prizes_above_budget"),
        (Race(prizes=(1, 2)), {}, "prizes_out_of_order"),
        (CashBack(share_bp=20_000), {}, "share_out_of_bounds"),
        (HappyHour(first_hour=20, last_hour=18), {}, "hours_out_of_order"),
        (Mission(), {"currency": "NONE"}, "no_such_currency"),
    ],
)
def test_contradictions_are_refused(
    house: House, mona: Player, kind: AnyKind, given: dict[str, Any], code: str
) -> None:
    house.table("doudizhu")
    with pytest.raises(Refused) as refusal:
        drafts.make(mona, "One", terms(kind, house, **given), reason="a test", now=NOW)
    assert refusal.value.code == code
    assert not PromotionVersion.objects.exists()


def test_one_deposit_brings_one_bonus(house: House, mona: Player, max_: Player) -> None:
    published(house, mona, max_, Bonus(), "Welcome")
    with pytest.raises(Refused) as refusal:
        made(house, mona, Bonus(given_for="deposit"), "Reload")
    assert refusal.value.code == "overlapping_bonus"
    made(house, mona, Bonus(given_for="first_hand"), "First hand")


def test_what_a_player_can_exploit_needs_a_reason(house: House, mona: Player) -> None:
    version = made(house, mona, Bonus(most=10_000, times=1))
    preview.run(preview.ask(version, NOW).pk)
    with pytest.raises(Refused) as refusal:
        publishing.propose(mona, version.pk, 1, " ", reason="go", key=uuid4())
    assert refusal.value.code == "exploitable"
    fair = exploited(declaration.read(terms(Bonus(most=10_000, times=60), house)), 100_000)
    assert fair.gain < 0


@pytest.mark.always
def test_the_cost_is_that_of_the_last_hands(house: House, mona: Player) -> None:
    scene = Scene(house)
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    hands.play([{1: 2}, {2: 1}, {1: 1}])
    house.pass_time(2 * 86_400)
    kind = Mission(goal=1, pay=700, what="wins", window="day")
    version = drafts.make(mona, "One", terms(kind, house), reason="a test", now=NOW)
    row = preview.ask(version, NOW)
    assert preview.run(row.pk)
    assert not preview.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.percent) == (Preview.State.DONE, 100)
    assert row.result["cost"] == 1_400
    assert (row.result["players"], row.result["hands"]) == (2, 9)
    # Nothing of it is written down as progress.
    assert scene.findings() == []


def test_what_is_paid_is_what_was_computed(house: House, mona: Player) -> None:
    """The preview of a month, and the same month when it has been played under the promotion."""
    scene = Scene(house)
    kinds: list[AnyKind] = [
        Mission(goal=2, pay=70, what="wins"),
        Race(prizes=(90, 40), hands_min=1),
        CashBack(share_bp=1_000, loss_min=10),
        HighHand(),
        Bonus(given_for="first_hand", most=500, times=1),
        RakeBack(),
    ]
    lasts = {"starts": house.now - timedelta(seconds=1), "ends": house.now + timedelta(days=14)}
    versions = [scene.publish(kind, **lasts) for kind in kinds]
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    # The second account of a person earns nothing, and costs nothing.
    second = (hands.players[0].pk, hands.players[2].pk)
    Player.objects.filter(pk__in=second).update(signed_up_from="one address")
    for _day in range(14):
        hands.play([{1: 20}, {2: 1}, {3: 1}, {1: 1}])
        house.pass_time(86_400)
    house.pass_time(86_400)
    scene.take()
    assert scene.findings() == []
    for version in versions:
        row = preview.ask(version, house.now)
        preview.run(row.pk)
        row.refresh_from_db()
        paid = version.awards.exclude(state="expired").aggregate(sum=Sum("amount"))["sum"] or 0
        assert row.result["cost"] == paid, version


def test_a_draft_is_priced_with_the_points_that_players_have(house: House, mona: Player) -> None:
    """Rake back follows levels, and levels follow happy hours and the month before."""
    scene = Scene(house)
    lasts = {"starts": house.now - timedelta(seconds=1), "ends": house.now + timedelta(days=14)}
    scene.publish(HappyHour(first_hour=0, last_hour=24, points_times=2), **lasts)
    version = scene.publish(RakeBack(), **lasts)
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    played = hands.play([{1: 200}])
    HandSeat.objects.filter(hand=played[0], number=1).update(rake=600)
    house.pass_time(14 * 86_400)
    scene.take()
    row = preview.ask(version, house.now)
    preview.run(row.pk)
    row.refresh_from_db()
    # Sixty points are a hundred and twenty, which make bronze: 7.5 % of the rake, not 5 %.
    assert (row.result["cost"], scene.awards("alice")) == (45, [(45, "paid")])
    before = month_before(month_of(day_of(house.now) - timedelta(days=40)))
    assert not preview.points_before(before).months
    kept = {"player": hands.players[0], "currency": house.currency, "month": before}
    PointsMonth.objects.create(**kept, kept=600 * A_POINT)
    assert preview.points_before(before + timedelta(days=40)).months


def test_a_level_of_the_days_before_counts_in_the_price(house: House, mona: Player) -> None:
    scene = Scene(house)
    version = scene.publish(RakeBack(), ends=house.now + timedelta(days=40))
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    for days in (20, 16):
        played = hands.play([{1: 200}])
        HandSeat.objects.filter(hand=played[0], number=1).update(rake=600)
        house.pass_time(days * 86_400)
    # The first hand is older than the days over which a draft is priced, and of the same month.
    row = preview.ask(version, house.now)
    preview.run(row.pk)
    row.refresh_from_db()
    assert (row.result["hands"], row.result["cost"]) == (3, 45)


def test_pages_follow_the_draft_to_its_end(house: House, mona: Player, max_: Player) -> None:
    client = client_of(mona)
    kinds = ["race", "mission", "cash_back", "rake_back", "high_hand", "happy_hour", "bonus"]
    for kind in kinds:
        page = client.get(f"{LIST}new/?kind={kind}&currency=PLAY")
        assert page.status_code == 200, kind
    sent = {
        "name": "Tuesday",
        "goal": "3",
        "pay": "2.50",
        "what": "hands",
        "window": "day",
        "first_day": "2026-12-01",
        "last_day": "2026-12-31",
        "budget": "1000",
        "reason": "quiet",
    }
    answer = client.post(f"{LIST}new/?kind=mission&currency=PLAY", sent)
    version = PromotionVersion.objects.get()
    address = f"{LIST}{version.pk}/"
    assert answer.headers["location"] == address
    assert declaration.read(version.terms).kind == Mission(goal=3, pay=250)
    assert client.post(address, {"propose": "1", "reason": "go"}).status_code == 200
    preview.run(preview.ask(version, NOW).pk)
    assert b"2.50" in client.get(address).content
    assert client.get(f"{address}progress/").headers["HX-Refresh"] == "true"
    sent |= {"goal": "4", "revision": "1"}
    assert client.post(f"{address}edit/", sent).status_code == 302
    version.refresh_from_db()
    preview.run(preview.ask(version, NOW).pk)
    client.post(address, {"propose": "1", "reason": "go", "answer": "on purpose"})
    client_of(max_).post(address, {"approve": "1", "reason": "yes"})
    version.refresh_from_db()
    assert version.state == PromotionVersion.State.PUBLISHED
    assert client.get(LIST).status_code == client.get(address).status_code == 200
    client.post(address, {"end": "1", "reason": "enough"})
    version.refresh_from_db()
    assert version.ended_at is not None


@pytest.mark.parametrize("typed", ["inf", "nan", "1e9999", "ten", "5;6"])
def test_a_share_that_is_no_number_is_refused(mona: Player, house: House, typed: str) -> None:
    address = f"{LIST}new/?kind=cash_back&currency=PLAY"
    answer = client_of(mona).post(address, {"name": "Odd", "share_bp": typed, "reason": "quiet"})
    assert answer.status_code == 200
    assert not PromotionVersion.objects.exists()


def test_the_list_asks_no_more_for_more_promotions(house: House, mona: Player) -> None:
    client, statements = client_of(mona), []
    for name in ("One", "Two", "Three"):
        made(house, mona, Mission(pay=100), name)
        client.get(LIST)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(LIST).status_code == 200
        statements.append(len(queries))
    assert len(set(statements)) == 1


@pytest.mark.always
def test_only_managers_draft_and_auditors_read(house: House, mona: Player) -> None:
    version = made(house, mona, Mission())
    address = f"{LIST}{version.pk}/"
    auditor, floor = person("ada", "auditors"), person("flo", "floor")
    assert client_of(auditor).get(address).status_code == 200
    assert client_of(auditor).get(f"{address}edit/").status_code == 403
    assert client_of(floor).get(address).status_code == 403
    assert client_of(house.player("alice")).get(address).status_code in (302, 403, 404)
    assert Client().get(address).status_code == 302
    with pytest.raises(Refused):
        drafts.discard(auditor, version.pk, reason="no")
