"""Every form that posts to the ledger posts once, however often it is sent."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client
from django.urls import reverse

from casino.accounts import freezing
from casino.accounts.models import Player
from casino.care import own_data
from casino.community.promotions.models import PromotionVersion
from casino.office.desk import requests
from casino.office.desk.cash import vault
from casino.office.desk.models import Receipt, Till, WithdrawalRequest
from casino.office.floor import closing
from casino.office.house import versions
from casino.office.models import HouseState
from casino.office.players.models import Check
from games.models import Hand, ProfileVersion, Table
from games.views import table as table_page
from tests.casino.message_scene import drafted as message
from tests.casino.promotion_scene import drafted
from tests.games import profiles
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.games.payment_rows import payment_of
from tests.games.tournament_cases import TOURNAMENT_CASES, Case, offering_a_ticket
from tests.people import client_of
from wallets.models import Currency, Jackpot, Transaction
from wallets.money import jackpots
from wallets.staff import approvals
from wallets.values.errors import Refused
from wallets.values.house import HouseContent

REASON = "the club has asked for it"
KEY = re.compile(r'name="key" value="([0-9a-f-]{36})"')
POT: dict[str, Any] = {
    "name": "Dragon",
    "kind": "progressive",
    "seed": 1_000,
    "reserve": 0,
    "share_bp": 500,
    "lowest": 100,
    "highest": 200,
    "active": True,
}
POT_FORM = POT | {
    "currency": "PLAY",
    "seed": "10",
    "share_bp": "5",
    "lowest": "1",
    "highest": "2",
    "active": "on",
}


def cash(house: House) -> Case:
    alice = house.player("alice")
    return Case({"player": f"player:{alice.pk}", "currency": "PLAY", "amount": 500})


def opening(_house: House) -> Case:
    return Case(POT | {"currency": "PLAY"}, reverse("admin:wallets_jackpot_add"), POT_FORM)


def changing(house: House) -> Case:
    pot = jackpots.create("Dragon", "progressive", house.currency, actor="o", seed=100)
    address = reverse("admin:wallets_jackpot_change", args=[pot.pk])
    return Case({"jackpot": pot.pk, "seed": 1_000}, address, POT_FORM)


def draining(house: House) -> Case:
    pot = jackpots.create("Dragon", "progressive", house.currency, actor="o", seed=1_000, active=0)
    address = reverse("admin:wallets_jackpot_drain", args=[pot.pk])
    return Case({"jackpot": pot.pk, "amount": 400}, address, {"amount": "4"})


def play(house: House) -> Player:
    """A hand of Dou Dizhu that was paid."""
    table = house.dealt_in("doudizhu", "rosa", "emil", "fred")
    paid = Hand.objects.filter(status=Hand.Status.FINISHED, posting__isnull=False)
    house.until(table, lambda table: paid.exists() and table.hand_id is None)
    return Player.objects.create_superuser("boss", password="a long way to the river")


evening = played_once(play)


@pytest.fixture
def boss(house: House, tonight: Evening[Player]) -> Player:
    return tonight.made


def reversing(house: House) -> Case:
    hand = Hand.objects.filter(posting__isnull=False).latest("pk")
    address = reverse("admin:games_hand_take_back", args=[hand.pk])
    return Case(
        {"hand": hand.pk, "house_pays": True}, address, {"house_pays": "on", "typed": "VOID"}
    )


def voiding(house: House) -> Case:
    table = Table.objects.get()
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    address = reverse("admin:games_hand_take_back", args=[table.hand_id])
    return Case({"hand": table.hand_id, "house_pays": False}, address, {"typed": "VOID"})


def unfreezing(house: House) -> Case:
    alice = house.player("alice")
    freezing.freeze(Player.objects.get(username="boss"), alice.pk, REASON)
    return Case({"player": alice.pk}, reverse("admin:players_player_unfreeze", args=[alice.pk]))


def closing_an_account(house: House) -> Case:
    dora = house.player("dora", money=0)
    return Case({"player": dora.pk}, reverse("player-close", args=[dora.pk]))


def erasing(house: House) -> Case:
    dora = house.player("dora", money=0)
    own_data.ask(dora, house.now)
    return Case({"player": dora.pk}, reverse("admin:players_player_erase", args=[dora.pk]))


def appointing(house: House) -> Case:
    dora = house.player("dora")
    wanted = {"player": dora.pk, "role": "floor"}
    return Case(wanted, reverse("staff"), {"name": "dora", "role": "floor"})


def dismissing(house: House) -> Case:
    dora = house.player("dora")
    dora.groups.add(Group.objects.get(name="floor"))
    Player.objects.filter(pk=dora.pk).update(is_staff=True)
    wanted = {"player": dora.pk, "role": "floor"}
    return Case(wanted, reverse("staff-dismiss", args=[dora.pk]), {"role": "floor"})


def limiting(_house: House) -> Case:
    wanted = {"limit": "deposit", "value": 10}
    return Case(wanted, reverse("limits"), wanted)


def halting(house: House) -> Case:
    halted_at = house.now.isoformat()
    HouseState.objects.create(pk=closing.ROW, halted_at=house.now)
    return Case({"halted_at": halted_at})


def publishing_one(house: House) -> Case:
    """What the service has marked as proposed; the page of a draft has the form."""
    boss = Player.objects.get(username="boss")
    version = profiles.draft(boss)
    profiles.reckoned(version)
    start = house.now.isoformat()
    answers = {f"tick:{code}": "on" for code in profiles.ANSWERS}
    answers |= {f"answer:{code}": text for code, text in profiles.ANSWERS.items()}
    form = {"propose": "1", "revision": "1", "day": "2026-03-01", "hour": "12:00"} | answers
    return Case({"version": version.pk, "from": start}, reverse("profile", args=[version.pk]), form)


def publishing_a_look(house: House) -> Case:
    boss = Player.objects.get(username="boss")
    content = HouseContent(felt="night")
    draft = versions.save_draft(boss, content, 0, reason=REASON, now=house.now)
    form = {"publish": "1", "revision": "1"}
    return Case({"version": draft.pk}, reverse("house"), form)


def publishing_a_promotion(_house: House) -> Case:
    version = drafted(Player.objects.get(username="boss"), "Tuesday")
    return Case(
        {"version": version.pk},
        reverse("promotion", args=[version.pk]),
        {"propose": "1", "answer": "on purpose"},
    )


def sending(house: House) -> Case:
    number = message(Player.objects.get(username="boss"), house.now).pk
    return Case({"message": number}, reverse("message", args=[number]), {"send": "1"})


def changing_rules(house: House) -> Case:
    """A table without a profile gets one."""
    boss, second = Player.objects.get(username="boss"), profiles.manager("second")
    version = profiles.published(boss, second, profiles.draft(boss))
    table, wanted = house.table("doudizhu"), {"profile": version.profile_id, "places": 3}
    address = reverse("office-table-rules", args=[table.pk])
    return Case({"table": table.pk, "jackpots": [], **wanted}, address, wanted)


def at_the_desk(house: House) -> tuple[Player, Till]:
    """A player with money, and the boss's shift at a till that holds 1,000."""
    boss, till = Player.objects.get(username="boss"), Till.objects.create(name="Till 1")
    arguments = {"till": till.pk, "counted": {"PLAY": 100_000}}
    approvals.submit(boss, "shift.open", arguments, reason=REASON, key=uuid4(), now=house.now)
    return house.player("alice"), till


def paying(kind: str) -> Callable[[House], Case]:
    def case(house: House) -> Case:
        alice, till = at_the_desk(house)
        payment = {"player": f"player:{alice.pk}", "currency": "PLAY", "amount": 500}
        address = f"{reverse(f'desk-{kind}')}?player={alice.pk}"
        form = {"currency": "PLAY", "amount": "5"}
        return Case(payment | {"till": till.pk}, address, form)

    return case


def paying_a_request(house: House) -> Case:
    alice, till = at_the_desk(house)
    made = requests.ask(alice, house.currency, 700, key=uuid4(), now=house.now)
    address = reverse("desk-request", args=[made.pk])
    return Case({"request": made.pk, "till": till.pk}, address)


def correcting(house: House) -> Case:
    case, key = paying("deposit")(house), uuid4()
    boss = Player.objects.get(username="boss")
    approvals.submit(boss, "desk.deposit", case.arguments, reason=REASON, key=key, now=house.now)
    receipt = Receipt.objects.get(key=key)
    address = reverse("desk-correct", args=[receipt.number])
    return Case({"receipt": receipt.pk, "right": 300}, address, {"amount": "3"})


def moving_cash(house: House) -> Case:
    _alice, till = at_the_desk(house)
    ends = {"source": till.pk, "target": vault().pk, "currency": "PLAY"}
    return Case(ends | {"amount": 500}, reverse("desk-transfer"), ends | {"amount": "5"})


def payment(verb: str, way: str, status: str) -> Callable[[House], Case]:
    """What is decided about a transfer, on its page."""

    def case(house: House) -> Case:
        alice = house.player("alice")
        euro = Currency.objects.create(code="EUR", name="Euro")
        signed = {"by": "player:1", "by_name": "tom", "at": house.now}
        Check.objects.create(player=alice, what="identity", document="passport", **signed)
        made = payment_of(alice, euro, way, status)
        address = reverse("office-payment", args=[made.pk])
        return Case({"payment": made.pk}, address, {f"payment.{verb}": "1"})

    return case


def adding_a_hook(_house: House) -> Case:
    given = {"name": "lobby", "address": "https://hooks.example/x", "kinds": ["alarm.raised"]}
    return Case(given, reverse("hook-new"), given)


def opening_a_shift(_house: House) -> Case:
    till = Till.objects.create(name="Till 1")
    address = reverse("desk-shift-open", args=[till.pk])
    return Case({"till": till.pk, "counted": {"PLAY": 500}}, address, {"sum-PLAY": "5"})


def closing_a_shift(house: House) -> Case:
    _alice, till = at_the_desk(house)
    address = reverse("desk-shift-close", args=[till.pk])
    return Case({"till": till.pk, "counted": {"PLAY": 90_000}}, address, {"sum-PLAY": "900"}, True)


CASES: dict[str, Callable[[House], Case]] = {
    "deposit": cash,
    "withdrawal": cash,
    "desk.deposit": paying("deposit"),
    "desk.withdrawal": paying("withdrawal"),
    "desk.pay": paying_a_request,
    "payment.receive": payment("receive", "in", "started"),
    "payment.pay": payment("pay", "out", "asked"),
    "payment.book": payment("book", "in", "differs"),
    "payment.refund": payment("refund", "in", "differs"),
    "payment.take_back": payment("take_back", "cb", "disputed"),
    "payment.bear": payment("bear", "cb", "disputed"),
    "payment.give_back": payment("give_back", "cb", "won"),
    "hook.subscribe": adding_a_hook,
    "desk.correct": correcting,
    "desk.transfer": moving_cash,
    "shift.open": opening_a_shift,
    "shift.close": closing_a_shift,
    "jackpot.open": opening,
    "jackpot.change": changing,
    "jackpot.drain": draining,
    "hand.reverse": reversing,
    "hand.void": voiding,
    "player.unfreeze": unfreezing,
    "player.close": closing_an_account,
    "player.erase": erasing,
    "staff.appoint": appointing,
    "staff.dismiss": dismissing,
    "limit.change": limiting,
    **TOURNAMENT_CASES,
    "house.confirm_halt": halting,
    "profile.publish": publishing_one,
    "house.publish": publishing_a_look,
    "promotion.publish": publishing_a_promotion,
    "shop.offer": offering_a_ticket,
    "message.send": sending,
    "table.rules": changing_rules,
}
MOVE_NOTHING = {
    "desk.correct",
    "desk.transfer",
    *("payment.refund", "payment.take_back", "payment.bear", "payment.give_back"),
    "hook.subscribe",
    "player.unfreeze",
    "player.close",
    "player.erase",
    "staff.appoint",
    "staff.dismiss",
    "limit.change",
    "hand.void",
    "tournament.schedule",
    "tournament.unschedule",
    "tournament.cancel",
    *("series.begin", "ticket.give"),
    "house.confirm_halt",
    "profile.publish",
    "house.publish",
    "promotion.publish",
    "shop.offer",
    "message.send",
    "table.rules",
}
# These are in no form: programs of the cashier submit them, and the kill switch.
WITHOUT_FORM = {"deposit", "withdrawal", "house.confirm_halt"}


def postings() -> int:
    return Transaction.objects.count()


def test_every_verb_has_a_case() -> None:
    assert set(CASES) == set(approvals.registered())


@pytest.mark.parametrize("verb", CASES)
def test_a_verb_posts_once_however_often_it_is_sent(house: House, boss: Player, verb: str) -> None:
    case, key, before = CASES[verb](house), uuid4(), postings()
    moved = before + (verb not in MOVE_NOTHING)
    with transaction.atomic():
        # As its service leaves it, which proposes nothing else.
        drafts = ProfileVersion.objects.filter(state=ProfileVersion.State.DRAFT)
        drafts.update(state=ProfileVersion.State.PROPOSED)
        promotions = PromotionVersion.objects.filter(state=PromotionVersion.State.DRAFT)
        promotions.update(state=PromotionVersion.State.PROPOSED)
        given: dict[str, Any] = {"reason": REASON, "key": key, "now": house.now}
        approvals.submit(boss, verb, case.arguments, **given)
        assert postings() == moved
        # A jackpot of this name is there by now, and what was stopped cannot be stopped.
        with suppress(Refused):
            approvals.submit(boss, verb, case.arguments, **given)
        assert postings() == moved
        transaction.set_rollback(True)
    if verb not in WITHOUT_FORM:
        send_form_twice(case, client_of(boss))
        assert postings() == moved


def send_form_twice(case: Case, client: Client) -> None:
    (key,) = KEY.findall(client.get(case.address).text)
    form = {**case.form, "reason": REASON, "key": key}
    first, second = (client.post(case.address, form) for _twice in range(2))
    # A shift is counted with the first form, and closed with the second.
    done = second if case.is_counted_first else first
    assert done.status_code == 302, done.text
    assert first.status_code < 400
    assert second.status_code < 500


@pytest.mark.always
def test_draining_twice_on_purpose_moves_twice(house: House, boss: Player) -> None:
    case, client = draining(house), client_of(boss)
    for _twice in range(2):
        (key,) = KEY.findall(client.get(case.address).text)
        form = {**case.form, "reason": REASON, "key": key}
        for _double_click in range(2):
            assert client.post(case.address, form).status_code == 302
    assert Transaction.objects.filter(kind="drain").count() == 2
    assert jackpots.amount(Jackpot.objects.get()) == 200


def test_a_key_with_another_amount_is_refused(house: House, boss: Player) -> None:
    case, client = draining(house), client_of(boss)
    form = {**case.form, "reason": REASON, "key": str(uuid4())}
    assert client.post(case.address, form).status_code == 302
    answer = client.post(case.address, form | {"amount": "5"})
    assert "has been used for another posting" in answer.text
    case = opening(house)
    form |= {**case.form, "name": "Tiger"}
    said = client.post(case.address, form, follow=True).text
    assert "has been used for another posting" in said
    assert Jackpot.objects.count() == 1


# What players send

PLAYERS: dict[str, dict[str, Any]] = {
    "sit": {"seat": 2, "amount": "200"},
    "top-up": {"amount": "50"},
    "leave": {},
    "act": {},
    "sit-out": {},
    "sit-in": {},
    "trustee": {},
    "take-over": {},
    "ready": {"after": 1},
    "again": {"after": 1},
    "next-bets": {"after": 1, "spots": '{"box-1": 500}'},
}


def test_every_verb_of_a_table_has_a_case() -> None:
    assert set(PLAYERS) == set(table_page.VERBS)


@pytest.mark.always
@pytest.mark.parametrize("verb", PLAYERS)
def test_what_a_player_sends_twice_moves_chips_once(house: House, verb: str) -> None:
    table = house.table("doudizhu", status=Table.Status.OPEN)
    alice = house.player("alice")
    client = client_of(alice)
    page = reverse("table", args=[table.pk])
    if verb != "sit":
        house.sit(alice, table, 1)
    form = dict(PLAYERS[verb])
    if verb == "top-up":
        (form["key"],) = KEY.findall(client.get(page).text)
    before = postings()
    for _twice in range(2):
        client.post(reverse(f"table-{verb}", args=[table.pk]), form)
    assert postings() - before == (verb in ("sit", "top-up", "leave"))


def test_play_now_sent_twice_takes_one_seat(house: House) -> None:
    for _each in range(2):
        house.table("doudizhu")
    client = client_of(house.player("alice"))
    before = postings()
    for _twice in range(2):
        assert client.post(reverse("play-now", args=["doudizhu"])).status_code == 302
    assert postings() - before == 1


def test_a_request_that_is_sent_twice_sets_money_aside_once(house: House) -> None:
    client, page = client_of(house.player("alice")), reverse("withdrawals")
    (key,) = KEY.findall(client.get(page).text)
    before = postings()
    for _twice in range(2):
        form = {"currency": "PLAY", "amount": "5", "key": key}
        assert client.post(page, form).status_code == 302
    assert postings() - before == 1
    cancel = reverse("withdrawal-cancel", args=[WithdrawalRequest.objects.get().pk])
    for _twice in range(2):
        assert client.post(cancel).status_code == 302
    assert postings() - before == 2
