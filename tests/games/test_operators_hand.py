"""A finished hand in the back office: what managers and auditors see of it, and its reversal."""

import re
from uuid import uuid4

import pytest
from django.test import Client, override_settings

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from games.models import Hand, Table
from games.records.record import every_state
from games.records.reversals import preview
from games.tables import seating
from games.tables.cash_game import CashGame
from games.tables.hand_state import cards_of
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.test_reversals import paid, play_paid_hand
from tests.people import BY_TEST, client_of
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post

READERS = ("managers", "auditors")
WHY = "the dealing stopped"
CARD = re.compile(r'data-card="([^"]+)"')


evening = played_once(play_paid_hand)


@pytest.fixture
def hand(house: House, table: Table) -> Hand:
    Currency.objects.filter(pk=house.currency.pk).update(kind=Currency.Kind.MONEY)
    return Hand.objects.get(pk=paid().get().pk)


def member(house: House, name: str, group: str) -> Player:
    player = house.player(name, 0)
    appoint(player, group)
    return Player.objects.get(pk=player.pk)


def client(house: House, name: str, group: str) -> Client:
    return client_of(member(house, name, group))


def address(hand: Hand) -> str:
    return f"/admin/hands/{hand.code}/"


def test_whoever_may_reverse_or_audit_opens_it(house: House, hand: Hand) -> None:
    for group in PERMISSIONS:
        browser, status = client(house, group, group), 200 if group in READERS else 403
        assert browser.get(address(hand)).status_code == status, group
        assert browser.get(f"{address(hand)}step/1/").status_code == status, group
    for other in (client_of(house.person("alice")), Client()):
        assert other.get(address(hand)).status_code == 302


def test_no_other_code_is_a_hand(house: House, hand: Hand) -> None:
    browser = client(house, "olga", "managers")
    for code in ("T1-H999", "T1", "t1-h1", "hand:1", "x", "T9" * 40):
        assert browser.get(f"/admin/hands/{code}/").status_code == 404, code


def test_a_live_hand_has_no_page(house: House, table: Table) -> None:
    house.until(table, lambda table: table.hand_id is not None)
    live = Hand.objects.get(status=Hand.Status.LIVE)
    for group in READERS:
        assert client(house, f"one-{group}", group).get(address(live)).status_code == 404


def test_what_an_organiser_keeps_closed_is_missing(
    house: House, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CashGame, "history_open", lambda _table, _hand: False)
    assert client(house, "olga", "managers").get(address(hand)).status_code == 404


def cards_on(page: str) -> set[str]:
    return set(CARD.findall(page))


@pytest.mark.always
def test_a_manager_sees_what_a_spectator_saw_and_never_a_hidden_card(
    house: House, hand: Hand
) -> None:
    browser = client(house, "olga", "managers")
    game, path = every_state(hand)
    cards = [card.text for card in cards_of(hand)]
    # Only auditors open them; other roles are refused for every form.
    assert browser.post(address(hand), {"open": "", "reason": WHY}).status_code == 302
    assert not JournalEntry.objects.exists()
    hidden = 0
    for number in (*range(0, len(path), 6), len(path) - 1):
        state = path[number]
        step = browser.get(f"{address(hand)}step/{number}/")
        public = {cards[place] for place in game.shown(state, None)}
        assert cards_on(step.text) <= public, number
        assert not step.context["held"]
        hidden += len(cards) - len(public)
    assert hidden
    page = browser.get(address(hand)).text
    assert "unfold/css/styles.css" in page
    for words in ("Replay", "Moves", "Settlement", "Stacks, before and after", "Reverse this hand"):
        assert words in page, words
    assert "Open all cards" not in page


def test_managers_and_auditors_search_the_hands_of_all_players(house: House, hand: Hand) -> None:
    name = hand.seats.earliest("pk").player.username
    house.player("nina", 0)
    for group in READERS:
        browser = client(house, group, group)
        for query in ({"code": hand.code}, {"player": name}, {"table": str(hand.table_id)}, {}):
            page = browser.get("/admin/hands/", query)
            assert f'href="{address(hand)}"' in page.text, (group, query)
        assert address(hand) not in browser.get("/admin/hands/", {"player": "nina"}).text
        assert 'name="cards"' in page.text
    assert client(house, "flo", "floor").get("/admin/hands/").status_code == 403
    manager = client_of(house.person("managers"))
    Currency.objects.filter(pk=house.currency.pk).update(kind=Currency.Kind.CHIPS)
    assert address(hand) not in manager.get("/admin/hands/").text
    assert address(hand) in client_of(house.person("auditors")).get("/admin/hands/").text


def test_an_auditor_opens_the_cards_and_the_journal_has_it(house: House, hand: Hand) -> None:
    browser = client(house, "ada", "auditors")
    before = browser.get(f"{address(hand)}?step=0")
    assert not before.context["held"]
    assert "Reverse this hand" not in before.text
    refused = browser.post(address(hand), {"open": "", "reason": " "}, follow=True)
    assert "Say why" in refused.text
    assert not refused.context["held"]
    assert not JournalEntry.objects.exists()
    for _ in range(2):
        assert browser.post(address(hand), {"open": "", "reason": WHY}).status_code == 302
    opened = browser.get(f"{address(hand)}?step=0")
    page = opened.text
    assert sum(len(holding.cards) for holding in opened.context["held"]) == 54
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.actor_name, entry.subject, entry.reason) == (
        "hand.open_cards", "ada", hand.reference, WHY,
    )  # fmt: skip
    assert "Opened all cards" in page
    assert "Opened all cards" in client(house, "olga", "managers").get(address(hand)).text


@pytest.mark.always
def test_the_preview_says_what_each_player_gains_or_loses(house: House, hand: Hand) -> None:
    reversal = preview(hand, {})
    nets = dict(hand.seats.values_list("player__username", "net"))
    assert {change.player: change.won for change in reversal.changes} == nets
    assert {change.player: change.change for change in reversal.changes} == {
        name: -net for name, net in nets.items()
    }
    assert sum(change.change for change in reversal.changes) + reversal.house == 0
    assert (reversal.missing, reversal.not_now) == (0, "")
    winner = max(nets, key=lambda name: nets[name])
    answer = client(house, "olga", "managers").get(address(hand))
    lines, page = answer.context["ledger"], answer.text
    assert {line.party for line in lines} >= {"1", "2", "3"}
    assert all(line.fits for line in lines)
    assert sum(line.amount for line in lines) == 0
    # A statement of a seat is for auditors.
    assert not any(line.address for line in lines)
    # In whole units: 100 minor units are one.
    shown = f"−{abs(nets[winner]) // 100}"
    assert shown in page
    assert f">−{nets[winner]}<" not in page.replace(",", "")


@pytest.mark.always
def test_a_reversal_below_the_threshold_is_done_at_once(house: House, hand: Hand) -> None:
    browser = client(house, "olga", "managers")
    assert "without approval" in browser.get(address(hand)).text
    assert browser.post(address(hand), {"reason": WHY, "typed": "VOID"}).status_code == 302
    hand.refresh_from_db()
    assert hand.status == Hand.Status.VOID
    page = browser.get(address(hand)).text
    assert WHY in page
    assert 'id="reversal"' not in page
    assert JournalEntry.objects.get(verb="hand.reverse").reason == WHY


@override_settings(APPROVAL_REVERSAL=0)
def test_above_the_threshold_a_colleague_approves(house: House, hand: Hand) -> None:
    browser = client(house, "olga", "managers")
    assert "A colleague must approve this." in browser.get(address(hand)).text
    fields = {"reason": WHY, "typed": "VOID", "key": str(uuid4())}
    answers = [browser.post(address(hand), fields) for _ in range(2)]
    proposal = Proposal.objects.get()
    assert {answer["Location"] for answer in answers} == {f"/admin/approvals/{proposal.pk}/"}
    assert f"#{proposal.pk}" in browser.get(address(hand)).text
    colleague = client(house, "mona", "managers")
    sent = {"approve": "1", "reason": "seen"}
    assert colleague.post(f"/admin/approvals/{proposal.pk}/", sent).status_code == 302
    hand.refresh_from_db()
    assert hand.status == Hand.Status.VOID


def test_a_wrong_form_and_an_auditor_reverse_nothing(house: House, hand: Hand) -> None:
    operator, auditor = client(house, "olga", "managers"), client(house, "ada", "auditors")
    for browser, reason, said in (
        (operator, "", "This field is required."),
        (operator, "x" * 161, "at most 160 characters"),
        (auditor, WHY, ""),
    ):
        answer = browser.post(address(hand), {"reason": reason})
        assert (answer.status_code, said in answer.text) == (200, True), reason
        hand.refresh_from_db()
        assert hand.status == Hand.Status.FINISHED
    assert f'href="{address(hand)}"' in operator.get("/admin/games/hand/").text


def test_while_a_hand_runs_the_page_says_to_wait(house: House, table: Table, hand: Hand) -> None:
    house.until(table, lambda table: table.hand_id is not None)
    browser = client(house, "olga", "managers")
    assert "A hand is live at this table." in browser.get(address(hand)).text
    assert (
        "A hand is live at this table."
        in browser.post(address(hand), {"reason": WHY, "typed": "VOID"}).text
    )


def test_whoever_played_the_hand_does_not_reverse_it(house: House, hand: Hand) -> None:
    alice = house.person("alice")
    appoint(alice, "managers")
    page = client_of(Player.objects.get(pk=alice.pk)).get(address(hand)).text
    assert "You played this hand" in page
    assert 'name="reverse"' not in page


def test_what_a_winner_no_longer_has_is_named(house: House, table: Table, hand: Hand) -> None:
    won = hand.seats.order_by("-net")[0]
    seating.leave(won.player, table.pk, house.now)
    wallet = house.wallet(won.player)
    legs = [
        Leg(wallet.pk, -wallet.balance),
        Leg(account("issue", "house", house.currency).pk, wallet.balance),
    ]
    post(uuid4(), "withdrawal", legs, book="cashier", **BY_TEST)
    reversal = preview(hand, {})
    assert reversal.missing == won.net
    browser = client(house, "olga", "managers")
    assert "missing" in browser.get(address(hand)).text
    sent = {"reason": WHY, "typed": "VOID"}
    assert "would have to return" in browser.post(address(hand), sent).text
    sent["house_pays"] = "on"
    assert browser.post(address(hand), sent).status_code == 302
