"""A finished hand step by step: what each step shows to whom, and where it ends."""

from typing import Any

import pytest
from django.test import Client

from casino.accounts import staff
from games.boards.replay import Replay
from games.models import Hand, Shoe, Table
from games.records.ledger_lines import ledger_lines
from games.records.record import AUDITOR, every_state
from games.tables.hand_state import cards_of, game_of
from games.tables.hand_verbs import void
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.markup import cards_in
from tests.games.viewers import NAMES, people_of
from tests.people import client_of
from wallets.models.staff_models import JournalEntry


@pytest.fixture
def auditor(house: House) -> Client:
    staff.appoint(house.player("ann", 0), "auditors")
    return client_of(house.person("ann"))


def played(house: House, game: str) -> Hand:
    """A hand that people have played to its end."""
    table = house.dealt_in(game, *people_of(game))
    hand_id = table.hand_id
    house.until(table, lambda table: table.hand_id != hand_id)
    return Hand.objects.select_related("shoe", "table__currency").get(pk=hand_id)


def nobody_calls(house: House) -> Hand:
    """Dou Dizhu in which all pass: no card has been shown."""
    table = house.dealt_in("doudizhu", *NAMES[:3])
    for _ in range(3):
        table.refresh_from_db()
        (number,) = table.turns
        house.act(table, NAMES[int(number) - 1], {"do": "call", "points": 0})
    return Hand.objects.select_related("shoe", "table__currency").get()


evening = played_once(nobody_calls)


def test_steps_have_addresses_and_stay_within_the_hand(house: House, hand: Hand) -> None:
    client = client_of(house.person("alice"))
    page = client.get(f"/history/{hand.pk}/", {"step": "0"})
    assert "The hand begins." in page.text
    assert 'href="?step=1"' in page.text
    last = page.context["last"]
    for step in ("", "nonsense", "-1", "99999", "9" * 40, "²"):
        assert client.get(f"/history/{hand.pk}/", {"step": step}).context["number"] == last
    assert client.get(f"/history/{hand.pk}/step/{last}/").status_code == 200
    beyond = client.get(f"/history/{hand.pk}/step/{last + 1}/")
    assert beyond.status_code == 404
    assert "no such step" in beyond.text
    assert client.post(f"/history/{hand.pk}/step/0/").status_code == 405


def test_a_step_is_for_those_who_may_see_the_hand(house: House, hand: Hand) -> None:
    """And only auditors open cards."""
    eve, alice = client_of(house.player("eve")), client_of(house.person("alice"))
    there, step = f"/history/{hand.pk}/open/", f"/history/{hand.pk}/step/0/"
    assert eve.get(step).status_code == 404
    assert "/players/sign-in/" in Client().get(step)["Location"]
    before = cards_in(alice.get(step).text)
    alice.post(there)
    assert cards_in(alice.get(step).text) == before
    assert eve.post(there).status_code == 404
    assert JournalEntry.objects.count() == 0


# Auditors


def test_an_auditor_sees_what_was_public_and_opens_the_cards_once(
    house: House, hand: Hand, auditor: Client
) -> None:
    rules, path = every_state(hand)
    public = {cards_of(hand)[place].text for place in rules.shown(path[0], None)}
    address = f"/history/{hand.pk}/"
    assert cards_in(auditor.get(f"{address}step/0/").text) == public == set()
    assert JournalEntry.objects.count() == 0
    assert auditor.get(f"{address}open/").status_code == 405
    for _ in range(2):
        auditor.post(f"{address}open/", {"reason": "a complaint"})
    assert len(cards_in(auditor.get(f"{address}step/0/").text)) == 54
    page = auditor.get(address)
    assert len(page.context["shoe_again"].cards) == 54
    assert all(check.fits for check in page.context["shoe_again"].checks)
    assert all(row.fits for row in page.context["settled"].rows)
    assert "everything adds up" in page.text
    assert len(auditor.get(f"{address}record/").json()["cards"]) == 54
    assert JournalEntry.objects.count() == 1


@pytest.mark.always
def test_altered_values_are_marked_beside_the_computed_ones(
    house: House, hand: Hand, auditor: Client
) -> None:
    settlement: dict[str, Any] = hand.settlement or {}
    settlement["net"]["1"] += 7
    Hand.objects.filter(pk=hand.pk).update(settlement=settlement)
    Shoe.objects.filter(pk=hand.shoe_id).update(lock="ab" * 32)
    auditor.post(f"/history/{hand.pk}/open/", {"reason": "a complaint"})
    page = auditor.get(f"/history/{hand.pk}/")
    assert page.context["differences"]
    assert [row.party for row in page.context["settled"].rows if not row.fits] == ["1"]
    wrong = [check.stored for check in page.context["shoe_again"].checks if not check.fits]
    assert "ab" * 32 in wrong
    assert '<tr class="bad">' in page.text


# Other hands


def test_a_hand_that_runs_has_no_page(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    for address in ("", "step/0/", "record/"):
        answer = client_of(house.person("alice")).get(f"/history/{table.hand_id}/{address}")
        assert answer.status_code == 404


@pytest.mark.always
def test_a_voided_hand_is_replayed_as_far_as_it_came(house: House, auditor: Client) -> None:
    table = house.dealt_in("chinese_poker", *NAMES)
    house.act(table, "alice", house.best_action(table, "alice"))
    table.refresh_from_db()
    assert table.hand_id
    hand = void(table.hand_id, "a test", "operator", house.now)
    page = client_of(house.person("bob")).get(f"/history/{hand.pk}/")
    assert "was voided" in page.text
    assert page.context["last"] == 1
    assert page.context["results"] == {}
    auditor.post(f"/history/{hand.pk}/open/", {"reason": "a complaint"})
    opened = auditor.get(f"/history/{hand.pk}/")
    assert len(opened.context["shoe_again"].cards) == 52


def test_cards_that_are_still_to_be_dealt_stay_closed_to_auditors(
    house: House, auditor: Client
) -> None:
    hand = played(house, "blackjack")
    assert hand.shoe.status == Shoe.Status.OPEN
    table = Table.objects.get(pk=hand.table_id)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    auditor.post(f"/history/{hand.pk}/open/", {"reason": "a complaint"})
    again = auditor.get(f"/history/{hand.pk}/").context["shoe_again"]
    assert len(again.cards) == hand.cards_dealt
    assert again.left == len(game_of(hand).composition()) - hand.cards_dealt
    assert [card.here for card in again.cards] == [True] * hand.cards_dealt
    # A wheel that no player spun is not shown.
    assert hand.settlement is not None
    assert not [line for line in hand.settlement["lines"] if "bonus" in line["key"]]
    page = client_of(house.person("alice")).get(f"/history/{hand.pk}/").text
    assert "Wheel card" in page
    assert "×" not in page.split('id="sides"')[1].split("</p>")[0]
    assert 'id="wheel"' not in page


@pytest.mark.always
def test_a_player_to_whom_nothing_was_paid_has_a_line_in_the_ledger(house: House) -> None:
    """A stake that comes back moves nothing, and the page says of what nothing is made."""
    hand = played(house, "thirteen_taiwan")
    assert hand.settlement is not None
    line = {"amount": 300, "reason": "bet", "source": "1", "target": "house", "facts": {}}
    hand.settlement["lines"] = [line, line | {"source": "house", "target": "1"}]
    hand.posting = None
    for viewer in (1, AUDITOR):
        (entry,) = ledger_lines(hand, viewer, {1: "alice"})
        assert (entry.party, entry.amount, entry.fits) == ("1", 0, True)
        assert [reason.amount for reason in entry.reasons] == [-300, 300]
    assert ledger_lines(hand, 2, {1: "alice"}) == []


def test_a_hand_says_all_that_its_player_may_ask(house: House) -> None:
    """When it was, what each brought, did and won, each step, and the balance after it."""
    hand = played(house, "thirteen_taiwan")
    text = client_of(house.person("alice")).get(f"/history/{hand.pk}/", {"step": "1"}).text
    page = " ".join(text.split())
    assert hand.ended_at is not None
    assert f'<time datetime="{hand.ended_at.isoformat()}">' in page
    assert page.count("with 500") == hand.seats.count()
    for move in hand.moves.exclude(seat=0):
        assert f'<time datetime="{move.at.isoformat()}">' in page
    assert page.count('class="moves-list"') == 1
    mine = hand.seats.get(number=1)
    (entry,) = [line for line in ledger_lines(hand, 1, {}) if line.party == "1"]
    assert (entry.amount, entry.balance) == (mine.net, mine.starting_stack + mine.net)
    assert entry.balance is not None
    assert f"balance {entry.balance / 100:,.2f}".removesuffix(".00") in page
    # Each step between the deal and the end is a page of its own.
    assert all(f"?step={number}" in page for number in range(hand.moves.count() + 1) if number != 1)


def test_a_move_says_which_cards_it_drew_as_far_as_the_viewer_sees_them(house: House) -> None:
    hand = played(house, "blackjack")
    rules, path = every_state(hand)
    cards = cards_of(hand)
    for viewer in (None, AUDITOR):
        marks = Replay(hand, viewer, {}, hand.table.currency).marks()
        drawn = [card for mark in marks for card in mark.drew]
        first, dealt = rules.dealt(path[0]), rules.dealt(path[-1])
        assert len(drawn) == dealt - first > 0
        for place, card in enumerate(drawn, first):
            assert card in (None, cards[place])
        assert viewer is None or None not in drawn
