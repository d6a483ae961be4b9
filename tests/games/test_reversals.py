"""Paid hands reversed: the money, the daily results, and the messages to everybody."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.boards.table_view import table_view
from games.models import ChainEntry, DayResult, Hand, HandSeat, Table
from games.records import closed_days, reversals
from games.records.audit import differences
from games.records.day_index import profit
from games.records.record import AUDITOR, record
from games.records.search import sums_of
from games.records.search_filters import Search
from games.shoes import chain
from games.tables import hand_verbs
from tests.games.evenings import played_once
from tests.games.house import MONEY, House
from tests.games.program import Program
from tests.people import BY_TEST, client_of
from wallets.audit.reconciliation import reconcile
from wallets.models import Account, Entry, Jackpot, Transaction
from wallets.models.staff_models import JournalEntry
from wallets.money import jackpots
from wallets.money.accounts import account
from wallets.money.cashier import withdraw
from wallets.money.ledger import Leg, post
from wallets.staff import approvals
from wallets.values.errors import Hidden, Refused

pytestmark = pytest.mark.usefixtures("versions_watched")

NAMES = ("alice", "bob", "carol")
REASON = "a card was seen"


@pytest.fixture
def operator(house: House) -> Player:
    olga: Player = house.player("olga", 0)
    appoint(olga, "managers")
    return Player.objects.get(pk=olga.pk)


def play_paid_hand(house: House) -> Table:
    """Dou Dizhu: a hand in which money moved has just ended, and the pause has begun."""
    table = house.dealt_in("doudizhu", *NAMES)
    house.until(table, lambda table: paid().exists() and table.hand_id is None)
    return table


evening = played_once(play_paid_hand)


def paid() -> Any:
    return Hand.objects.filter(status=Hand.Status.FINISHED, posting__isnull=False)


def winner_of(hand: Hand) -> HandSeat:
    return hand.seats.filter(net__gt=0).select_related("player", "seat").order_by("-net")[0]


def void(house: House, operator: Player, hand: Hand, **options: Any) -> Hand:
    return reversals.void(operator, hand.pk, REASON, house.now, **options)


def sound() -> bool:
    return not list(reconcile(everything=True))


def test_reversal_moves_every_chip_back(house: House, table: Table, operator: Player) -> None:
    hand = paid().get()
    rake = account("rake", table.reference, house.currency)
    assert hand.rake == rake.balance > 0
    void(house, operator, hand)
    hand.refresh_from_db()
    assert [house.stack(table, name) for name in NAMES] == [50_000] * 3
    assert account("rake", table.reference, house.currency).balance == 0
    back = Transaction.objects.get(key=hand.reversal)
    assert (back.kind, back.reference, back.book_id) == (
        "hand_void",
        hand.reference,
        table.reference,
    )
    assert (back.reason, back.actor) == (REASON, f"player:{operator.pk}")
    assert Transaction.objects.filter(key=hand.posting).exists()
    assert hand.status == Hand.Status.VOID
    assert hand.void_reason == f"operator: {REASON}"
    assert hand.ended_at is not None
    assert hand.ended_at <= hand.reversed_at
    assert list(differences(hand)) == []
    assert sound()
    assert ChainEntry.objects.filter(kind="hand_void", body__hand=hand.code).exists()
    chain.link()
    assert chain.differences() == []
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)


def test_it_is_done_once_and_noted_once(house: House, table: Table, operator: Player) -> None:
    hand = paid().get()
    for _ in range(2):
        void(house, operator, hand)
    assert Transaction.objects.filter(kind="hand_void").count() == 1
    noted = JournalEntry.objects.get()
    assert (noted.verb, noted.subject) == ("hand.reverse", hand.reference)
    assert (noted.actor, noted.reason) == (f"player:{operator.pk}", REASON)
    assert (noted.before["status"], noted.after["status"]) == ("finished", "void")


def test_reversal_uses_the_wallet_of_a_player_who_has_left(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    for name in NAMES:
        house.leave(house.person(name), table)
    void(house, operator, hand)
    assert [house.wallet(house.person(name)).balance for name in NAMES] == [MONEY] * 3
    assert list(differences(Hand.objects.get(pk=hand.pk))) == []
    assert house.total() == 0


def test_money_is_taken_from_the_stack_and_then_from_the_wallet(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    won = winner_of(hand)
    house.leave(won.player, table)
    # Back with the least that one can sit down with, which is less than was won or more.
    house.sit(won.player, table, won.number, 10_000)
    void(house, operator, hand)
    left = house.stack(table, won.player.username) + house.wallet(won.player).balance
    assert left == MONEY
    assert house.stack(table, won.player.username) == max(0, 10_000 - won.net)
    assert list(differences(Hand.objects.get(pk=hand.pk))) == []


def spend(house: House, table: Table, won: HandSeat) -> None:
    """The winner cashes out and pays everything out of the house."""
    house.leave(won.player, table)
    withdraw(
        f"player:{won.player_id}",
        house.currency,
        house.wallet(won.player).balance,
        key=uuid4(),
        actor="cashier",
        reason="at the desk",
    )


def test_reversing_spent_winnings_requires_the_house_to_pay(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    won = winner_of(hand)
    spend(house, table, won)
    before = dict(Account.objects.values_list("pk", "balance"))
    with pytest.raises(Refused) as refused:
        void(house, operator, hand)
    assert refused.value.code == "not_covered"
    assert refused.value.values["amount"] == won.net
    hand.refresh_from_db()
    assert hand.status == Hand.Status.FINISHED
    assert dict(Account.objects.filter(pk__in=before).values_list("pk", "balance")) == before
    promotion = account("promotion", "house", house.currency).balance
    void(house, operator, hand, house_pays=True)
    hand.refresh_from_db()
    assert account("promotion", "house", house.currency).balance == promotion - won.net
    assert house.wallet(won.player).balance == 0
    assert list(differences(hand)) == []
    assert sound()


def test_not_while_another_hand_runs_with_the_same_stacks(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    with pytest.raises(Refused) as refused:
        void(house, operator, hand)
    assert refused.value.code == "hand_running"
    house.until(table, lambda table: table.hand_id is None)
    assert void(house, operator, hand).status == Hand.Status.VOID


def test_the_floor_takes_back_what_is_played_and_moves_no_money(house: House, table: Table) -> None:
    member = house.player("flo", 0)
    appoint(member, "floor")
    floor = Player.objects.get(pk=member.pk)
    browser = client_of(floor)
    ended = paid().get()
    address = f"/admin/games/hand/{ended.pk}/take-back/"
    assert browser.post(address, {"reason": REASON}).status_code == 403
    with pytest.raises(Refused) as refused:
        void(house, floor, ended)
    assert refused.value.code == "hand_paid"
    for verb, code in ((reversals.VERB, "not_proposer"), (reversals.VERB_LIVE, "hand_paid")):
        arguments = {"hand": ended.pk, "house_pays": True}
        with pytest.raises(Refused) as refused_verb:
            approvals.submit(floor, verb, arguments, reason=REASON, key=uuid4(), now=timezone.now())
        assert refused_verb.value.code == code
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    address = f"/admin/games/hand/{table.hand_id}/take-back/"
    before = Transaction.objects.count()
    assert browser.post(address, {"reason": REASON, "typed": "VOID"}).status_code == 302
    assert Hand.objects.get(pk=table.hand_id).status == Hand.Status.VOID
    assert Transaction.objects.count() == before


@pytest.mark.always
def test_a_hand_that_runs_is_taken_back_by_the_same_service(
    house: House, table: Table, operator: Player
) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert table.hand_id is not None
    hand = reversals.void(operator, table.hand_id, REASON, house.now)
    assert (hand.status, hand.reversed_at) == (Hand.Status.VOID, None)
    assert hand.void_reason == f"operator: {REASON}"
    assert JournalEntry.objects.filter(actor_name="olga", verb="hand.void").exists()


def test_a_reason_is_required(house: House, table: Table, operator: Player) -> None:
    for reason in ("", "  \n ", "x" * 161):
        with pytest.raises(Refused) as refused:
            reversals.void(operator, paid().get().pk, reason, house.now)
        assert refused.value.code == "void_reason"


def test_only_an_operator_may(house: House, table: Table, operator: Player) -> None:
    hand = paid().get()
    for name in ("alice", "ada"):
        player = house.person(name) if name == "alice" else house.player(name, 0)
        if name == "ada":
            appoint(player, "auditors")
        with pytest.raises(Refused) as refused:
            void(house, Player.objects.get(pk=player.pk), hand)
        assert refused.value.code == "not_operator"
    with pytest.raises(Hidden):
        reversals.void(operator, 999_999, REASON, house.now)


@pytest.mark.always
def test_correction_of_a_closed_day_counts_on_its_own_day(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    house.pass_time(24 * 3600)
    (first,) = closed_days.close_days(house.now)
    rake = hand.rake
    assert first.sums == {"PLAY": {"rake": rake, "bank": 0}}
    player = winner_of(hand).player
    void(house, operator, hand)
    for closing in (False, True):
        if closing:
            house.pass_time(24 * 3600)
            (second,) = closed_days.close_days(house.now)
            assert (second.hands, second.reversed, second.differences) == (0, 1, [])
            assert second.sums == {"PLAY": {"rake": -rake, "bank": 0}}
            results = DayResult.objects.filter(day=second, player=player)
            assert [(result.hands, result.net) for result in results] == [
                (0, -winner_net(hand, player))
            ]
        result = profit(player.pk, house.currency, None, house.now)
        assert result.whole.net == 0
        assert result.running[-1][1] == 0
        assert sum(currency_sum.net for currency_sum in sums_of(player.pk, Search())) == 0
        assert sum(currency_sum.hands for currency_sum in sums_of(player.pk, Search())) == standing(
            player
        )
        by_day = Search(first_day=first.day, last_day=first.day)
        assert sum(currency_sum.net for currency_sum in sums_of(player.pk, by_day)) == 0
    assert not any(day.differences for day in (first, second))


def winner_net(hand: Hand, player: Player) -> int:
    return hand.seats.get(player=player).net


def standing(player: Player) -> int:
    return HandSeat.objects.filter(player=player, status=Hand.Status.FINISHED).count()


def test_within_one_day_a_hand_has_no_part_in_it(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    player = winner_of(hand).player
    void(house, operator, hand)
    assert profit(player.pk, house.currency, None, house.now).whole.net == 0
    house.pass_time(24 * 3600)
    (day,) = closed_days.close_days(house.now)
    assert (day.reversed, day.sums.get("PLAY", {}).get("rake", 0), day.differences) == (0, 0, [])


def test_the_audit_finds_what_was_given_back_wrongly(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    void(house, operator, hand)
    Hand.objects.filter(pk=hand.pk).update(status=Hand.Status.FINISHED, reversed_at=None)
    HandSeat.objects.filter(hand=hand).update(status=Hand.Status.FINISHED)
    problems = list(differences(Hand.objects.get(pk=hand.pk)))
    assert "it was paid back, and is stored as finished" in problems
    Hand.objects.filter(pk=hand.pk).update(status=Hand.Status.VOID, reversed_at=house.now)
    HandSeat.objects.filter(hand=hand).update(status=Hand.Status.VOID)
    assert list(differences(Hand.objects.get(pk=hand.pk))) == []


@pytest.mark.always
def test_the_audit_finds_what_was_not_given_back(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    Hand.objects.filter(pk=hand.pk).update(status=Hand.Status.VOID, reversed_at=house.now)
    HandSeat.objects.filter(hand=hand).update(status=Hand.Status.VOID)
    problems = list(differences(Hand.objects.get(pk=hand.pk)))
    lost = hand.seats.filter(net__lt=0)
    assert {f"seat {row.number} got 0 back for {row.net}" for row in lost} <= set(problems)
    assert any(problem.startswith("account") for problem in problems)


def test_every_page_tells_players_of_a_reversed_hand(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    void(house, operator, hand)
    won = winner_of(hand)
    player = client_of(won.player)
    assert f"Hand {hand.code} was reversed" in player.get(f"/tables/{table.pk}/").text
    page = player.get(f"/history/{hand.pk}/").text
    assert "was reversed, and all winnings and losses were returned" in page
    assert f"returned: {REASON}" in page
    assert "Returned" in page
    assert "My seat" in page
    assert "reversed" in player.get("/history/").text
    stay = player.get(f"/history/seats/{won.seat.code}/").text
    assert "Hand reversed" in stay
    assert REASON in stay
    for viewer in (won.number, AUDITOR):
        assert record(Hand.objects.get(pk=hand.pk), viewer)["void"] == f"operator: {REASON}"
    shown = Program(won.player.username).get(f"hands/{hand.pk}/")
    assert (shown["status"], shown["void_reason"]) == ("void", f"operator: {REASON}")
    assert shown["reversed_at"]
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert "was reversed" not in player.get(f"/tables/{table.pk}/").text


def test_the_pause_shows_that_an_earlier_hand_was_reversed(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    house.until(table, lambda table: table.hands_dealt > hand.number and table.hand_id is None)
    void(house, operator, hand)
    table.refresh_from_db()
    alice = house.person("alice")
    given_back = table_view(alice, table, house.now).given_back
    assert given_back is not None
    assert given_back.code == hand.code
    assert table_view(alice, table, house.now + timedelta(minutes=2)).given_back is None


@pytest.mark.always
def test_an_operator_reverses_a_hand_in_the_back_office(
    house: House, table: Table, operator: Player
) -> None:
    hand = paid().get()
    won = winner_of(hand)
    spend(house, table, won)
    client, address = client_of(operator), f"/admin/games/hand/{hand.pk}/take-back/"
    assert address in client.get(f"/admin/games/hand/{hand.pk}/change/").text
    form = client.get(address)
    assert form.status_code == 200
    assert won.player.username in form.text
    assert "This field is required" in client.post(address, {"reason": " "}).text
    assert (
        "The house can pay the difference."
        in client.post(address, {"reason": REASON, "typed": "VOID"}).text
    )
    assert not Transaction.objects.filter(kind="hand_void").exists()
    answer = client.post(address, {"reason": REASON, "house_pays": "on", "typed": "VOID"})
    assert answer.status_code == 302
    assert Hand.objects.get(pk=hand.pk).status == Hand.Status.VOID
    # There is nothing more to be done then; and the winner reads that they lost nothing by it.
    assert address not in client.get(f"/admin/games/hand/{hand.pk}/change/").text
    assert "Nothing was taken from you." in client_of(won.player).get(f"/history/{hand.pk}/").text
    assert JournalEntry.objects.get(verb="hand.reverse").reason == REASON


def test_nobody_else_does(house: House, table: Table) -> None:
    hand = paid().get()
    # Nor does the verb for hands that run.
    with pytest.raises(Refused):
        hand_verbs.void(hand.pk, REASON, "operator", house.now)
    address = f"/admin/games/hand/{hand.pk}/take-back/"
    ada = house.player("ada", 0)
    appoint(ada, "auditors")
    assert client_of(ada).post(address, {"reason": REASON}).status_code == 403
    assert client_of(house.person("alice")).post(address, {"reason": REASON}).status_code == 302
    assert Client().post(address, {"reason": REASON}).status_code == 302
    assert Hand.objects.get(pk=hand.pk).status == Hand.Status.FINISHED


def test_operators_cannot_reverse_their_own_hands(house: House, table: Table) -> None:
    hand = paid().latest("pk")
    house.until(table, lambda table: table.hand_id is not None)
    alice = house.person("alice")
    appoint(alice, "managers")
    alice = Player.objects.get(pk=alice.pk)
    running = Hand.objects.get(pk=table.hand_id or 0)
    for own_hand in (hand, running):
        with pytest.raises(Refused) as refused:
            void(house, alice, own_hand)
        assert refused.value.code == "own_hand"
    assert not Hand.objects.filter(status=Hand.Status.VOID).exists()


def test_a_bots_winnings_are_made_good_without_asking(house: House, operator: Player) -> None:
    table = house.among_bots("chinese_poker", "alice")
    lost = HandSeat.objects.filter(player__username="alice", net__lt=0)
    house.until(table, lambda table: lost.exists() and table.hand_id is None)
    hand = lost[0].hand
    house.leave(house.person("alice"), table)
    house.until(table, lambda table: not table.seats.filter(left_at__isnull=True).exists())
    for row in hand.seats.filter(player__is_bot=True):
        wallet = house.wallet(row.player)
        sink = account("house", "house", house.currency)
        legs = [Leg(wallet.pk, -wallet.balance), Leg(sink.pk, wallet.balance)]
        post(row.seat.code, "test", legs, book="cashier", **BY_TEST)
    void(house, operator, hand)
    assert list(differences(Hand.objects.get(pk=hand.pk))) == []


def test_a_jackpots_share_leaves_the_pool_again(house: House, operator: Player) -> None:
    pot = jackpots.create(
        "pot", "progressive", house.currency, actor="o", seed=1_000, reserve=0, share_bp=1_500
    )
    table = house.table("casino_holdem")
    table.jackpots.add(pot)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.act(table, "alice", {"do": "ante", "box": 1, "amount": 1_000, "bonus": 1_000})
    house.act(table, "alice", {"do": "done"})
    table.refresh_from_db()
    if table.turns:
        house.act(table, "alice", {"do": "fold", "box": 1})
    hand = paid().get()
    held = Account.objects.get(pk=pot.pool_id).balance
    moved = Entry.objects.get(transaction__key=hand.posting, account=pot.pool_id).amount
    void(house, operator, hand)
    assert Account.objects.get(pk=pot.pool_id).balance == held - moved
    assert house.stack(table, "alice") == 50_000
    assert list(differences(Hand.objects.get(pk=hand.pk))) == []
    assert Jackpot.objects.get() == pot
