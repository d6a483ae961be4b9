"""Auditors search finished hands by cards, flags, options, profiles, the chain and addresses."""

from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.integrity.models import Trace
from casino.office.integrity.traces import keyed
from games.models import ChainEntry, Hand, HeldCards, Move, Table
from games.records import card_index
from games.records.card_index import CardTerms, read
from games.records.record import AUDITOR, every_state, record
from games.records.search import all_hands
from games.records.search_filters import Search
from games.rules.cards import Card
from games.shoes import chain
from games.tables.cash_game import CashGame
from games.tables.hand_state import cards_of
from games.views.history import FLAGS
from tests.games.evenings import played_once
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.values.days import day_of
from wallets.values.errors import Refused

# An evening is played before the first of them.
pytestmark = pytest.mark.slow

READ = {
    "": CardTerms(),
    "As": CardTerms(("As",)),
    "10h bj RJ": CardTerms(("Th", "BJ", "RJ")),
    "7*4": CardTerms(("7*4",)),
    "jokers 2, sevens 4": CardTerms(("joker*2", "7*4")),
    "two jokers, 4 sevens": CardTerms(("joker*2", "7*4")),
    "BJ RJ 7*4": CardTerms(("BJ", "RJ", "7*4")),
    "full house in the middle": CardTerms(("middle:full_house",)),
    "front:three back:straight_flush": CardTerms(("front:three", "back:straight_flush")),
    "natural:dragon": CardTerms(("natural:dragon",)),
    "dealer 17": CardTerms((), ("dealer:17",)),
    "dealer's total 17, aces 2": CardTerms(("A*2",), ("dealer:17",)),
    "banker:7 player:6": CardTerms((), ("banker:7", "player:6")),
    "dealer:blackjack": CardTerms((), ("dealer:blackjack",)),
    "hand:flush": CardTerms(("hand:flush",)),
}
UNREADABLE = (
    "1s", "7*0", "7*9", "Ax", "sideways:pair", "front:chair", "dealer:99", "natural:blue",
    "a chair in the middle", "flag:timeout", "%", "' OR 1=1", "As " * 40, "x" * 500,
)  # fmt: skip


@pytest.mark.always
def test_what_is_typed_is_read() -> None:
    for text, terms in READ.items():
        assert read(text) == terms, text
    for text in UNREADABLE:
        with pytest.raises(Refused):
            read(text)


def play(house: House) -> list[Table]:
    """One hand that ended and one live at a table of each kind of holders."""
    tables = []
    seats = {"chinese_poker": 2, "doudizhu": 3, "blackjack": 1, "baccarat": 1}
    for number, (game, count) in enumerate(seats.items()):
        table = house.dealt_in(game, *(f"p{number}{letter}" for letter in "abc"[:count]))
        house.until(table, lambda table: table.hands_dealt == 2 and table.hand_id is not None)
        tables.append(table)
    return tables


evening = played_once(play)


@pytest.fixture
def indexed(house: House, tables: list[Table]) -> list[Hand]:
    card_index.index_recent(house.now)
    return list(Hand.objects.filter(status=Hand.Status.FINISHED).order_by("pk"))


def found(text: str, **given: Any) -> set[int]:
    return set(all_hands(Search(cards=read(text), **given)).values_list("pk", flat=True))


def held_by_seats(hand: Hand) -> list[list[Card]]:
    """By another way: what each seat of a game with hands of its own was dealt or got."""
    path: Any = every_state(hand)[1]
    return [
        list({card for state in path for card in state.hands[place]})
        for place in range(len(path[-1].stakes))
    ]


def test_a_hand_is_found_by_what_a_seat_held(indexed: list[Hand]) -> None:
    hands = [hand for hand in indexed if hand.game in ("chinese_poker", "doudizhu")]
    for hand in hands:
        for cards in held_by_seats(hand):
            named = " ".join(card.text for card in cards[:5])
            assert hand.pk in found(named)
            ranks = Counter(card.text[0] for card in cards if not card.is_joker)
            for rank, count in ranks.items():
                assert hand.pk in found(f"{rank}*{count}")
                others = [
                    Counter(card.text[0] for card in other if not card.is_joker)[rank]
                    for other in held_by_seats(hand)
                ]
                assert (hand.pk in found(f"{rank}*{count + 1}")) == (max(others) > count)
    # Cards of two seats are no cards of one.
    first, second, *_ = held_by_seats(hands[0])
    alone = {card.text for card in first} - {card.text for card in second}
    theirs = {card.text for card in second} - {card.text for card in first}
    both = f"{sorted(alone)[0]} {sorted(theirs)[0]}"
    held_together = any(
        {*both.split()} <= {card.text for card in cards} for cards in held_by_seats(hands[0])
    )
    assert (hands[0].pk in found(both)) == held_together


def test_rows_and_totals_are_found(indexed: list[Hand]) -> None:
    from games.rules.blackjack.totals import points_of
    from games.rules.poker import CATEGORY_NAMES

    by_game = {hand.game: hand for hand in indexed}
    path: Any
    game: Any
    game, path = every_state(by_game["chinese_poker"])
    arranged = next(
        arrangement for arrangement in path[-1].arranged if arrangement and all(arrangement.rows)
    )
    for name, row in zip(("front", "middle", "back"), arranged.rows, strict=True):
        category = CATEGORY_NAMES[game.rank_row(row).category]
        assert by_game["chinese_poker"].pk in found(f"{name}:{category}")
    _game, path = every_state(by_game["blackjack"])
    total = points_of(path[-1].dealer)
    assert found(f"dealer {total}") == {by_game["blackjack"].pk}
    assert found(f"dealer {(total + 1) % 32}") == set()
    _game, path = every_state(by_game["baccarat"])
    coup = path[-1].coup
    terms = f"banker:{coup.banker_total} player:{coup.player_total}"
    assert by_game["baccarat"].pk in found(terms)


def test_a_live_hand_is_never_matched(house: House, tables: list[Table]) -> None:
    """Not by a card that it holds, nor by anything else, however often the index is written."""
    live = list(Hand.objects.filter(status=Hand.Status.LIVE))
    assert len(live) == 4
    for _ in range(2):
        card_index.index_recent(house.now)
        call_command("index_cards", stdout=StringIO())
    assert not HeldCards.objects.filter(hand__in=live).exists()
    numbers = {hand.pk for hand in live}
    for card in Card:
        assert not found(card.text) & numbers, card
    for text in ("joker*1", "7*1", "dealer 17", "banker:7", "front:pair"):
        assert not found(text) & numbers
    for flag in ("timeout", "bot"):
        assert not set(all_hands(Search(flag=flag)).values_list("pk", flat=True)) & numbers


@pytest.mark.always
def test_a_deal_that_is_still_played_elsewhere_waits(
    house: House, tables: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CashGame, "history_open", lambda _table, _hand: False)
    assert card_index.index_recent(house.now) == 0
    assert not HeldCards.objects.exists()
    monkeypatch.undo()
    assert card_index.index(card_index.waiting()) == 4


def test_the_index_says_no_card_in_words(indexed: list[Hand]) -> None:
    for row in HeldCards.objects.all():
        assert all(len(token) == 8 and int(token, 16) >= 0 for token in row.tokens.split())
        assert row.tokens.split() == sorted(row.tokens.split())


def test_rows_are_found_under_old_keys_and_written_anew_under_new_ones(
    house: House, indexed: list[Hand]
) -> None:
    from django.conf import settings

    dealt = cards_of(indexed[0])[0].text
    before = found(dealt)
    assert before
    with override_settings(SEALING_KEYS=["A" * 43 + "=", *settings.SEALING_KEYS]):
        assert found(dealt) == before
        assert card_index.waiting().count() == len(indexed)
        assert card_index.index(card_index.waiting()) == len(indexed)
        assert found(dealt) == before
        assert card_index.waiting().count() == 0
    assert found(dealt) == set()


def test_a_hand_that_cannot_be_read_is_tried_once(house: House, tables: list[Table]) -> None:
    hand = Hand.objects.filter(status=Hand.Status.FINISHED).earliest("pk")
    hand.shoe.secret = "broken"
    hand.shoe.save()
    card_index.index_recent(house.now)
    assert HeldCards.objects.get(hand=hand).tokens.strip() == ""
    assert card_index.waiting().count() == 0


@pytest.mark.always
def test_a_page_takes_no_more_statements_with_more_terms(
    indexed: list[Hand], django_assert_num_queries: Any
) -> None:
    for text in ("7*1", "BJ RJ 7*4, aces 2, dealer 17, full house in the middle"):
        with django_assert_num_queries(1):
            found(text)


def test_the_database_has_an_index_of_the_terms(indexed: list[Hand]) -> None:
    """PostgreSQL finds a term in its index; SQLite has none, and reads all rows."""
    rows = HeldCards.objects.filter(tokens__has_tokens=["0a1b2c3d", "4e5f6a7b"])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = rows.explain()
    expected = "held_cards_tokens" if connection.vendor == "postgresql" else "games_heldcards"
    assert expected in plan


# The page


@pytest.fixture
def ada(house: House, indexed: list[Hand]) -> Client:
    member = house.player("ada", 0)
    appoint(member, "auditors")
    return client_of(Player.objects.get(pk=member.pk))


def codes(client: Client, **filters: str) -> list[str]:
    page = client.get("/history/", filters, follow=True)
    assert page.status_code == 200
    return [row.code for row in page.context["rows"]]


def test_the_page_finds_by_every_further_filter(
    house: House, ada: Client, indexed: list[Hand]
) -> None:
    chain.link()
    hand = next(hand for hand in indexed if hand.game == "doudizhu")
    card = held_by_seats(hand)[0][0].text
    position = ChainEntry.objects.get(kind="hand", body__hand=hand.code).position
    player = hand.seats.earliest("pk").player
    # Another hand of the same player, from elsewhere.
    other = next(candidate for candidate in indexed if candidate != hand)
    for traced_hand, address in ((hand, "192.0.2.77"), (other, "192.0.2.79")):
        Trace.objects.create(
            kind=Trace.Kind.ACTED,
            player_id=player.pk,
            table_id=traced_hand.table_id,
            hand_id=traced_hand.pk,
            line=keyed("line", address),
            at=house.now,
        )
    assert hand.code in codes(ada, cards=card)
    assert codes(ada, cards=card, game="doudizhu") == [hand.code]
    assert codes(ada, cards=card, player=player.username) == [hand.code]
    assert codes(ada, chain=str(position)) == [hand.code]
    assert codes(ada, chain="999999") == []
    assert codes(ada, address="192.0.2.77") == [hand.code]
    assert codes(ada, address="192.0.2.78") == []
    options = record(hand, AUDITOR)["options"]
    name, value = next((n, v) for n, v in options.items() if isinstance(v, int))
    assert hand.code in codes(ada, option=f"{name}={value}", game="doudizhu")
    assert codes(ada, option="point=987654321") == []
    late = {move.hand.code for move in Move.objects.filter(by="timeout", hand__in=indexed)}
    assert set(codes(ada, flag="timeout")) == late
    assert codes(ada, cards=card, last_day="2020-01-01") == []


def test_unreadable_filters_are_reported(ada: Client) -> None:
    for query in (
        {"cards": "sevens of nowhere"},
        {"option": "point"},
        {"option": "contains=1"},
        {"option": "point__gt=1"},
        {"chain": "-1"},
        {"chain": "9" * 40},
        {"address": "nowhere"},
        {"flag": "pirate"},
        {"profile": "99"},
    ):
        page = ada.get("/history/", query, follow=True)
        assert page.status_code == 200, query
        assert 'class="wrong"' in page.text, query


def test_nobody_but_auditors_searches_by_cards(house: House, indexed: list[Hand]) -> None:
    """For a player the filters are not there: what is typed into the address changes nothing."""
    browser = client_of(house.person("p1a"))
    everything = codes(browser)
    assert everything
    for query in ({"cards": "2c"}, {"cards": "dealer 3"}, {"flag": "bot"}, {"chain": "1"},
                  {"address": "192.0.2.1"}, {"option": "point=7"}):  # fmt: skip
        assert codes(browser, **query) == everything, query
        assert 'name="cards"' not in browser.get("/history/", query).text


def searches() -> list[tuple[str, Any]]:
    """What the journal has of searches: who, and what was asked."""
    entries = JournalEntry.objects.filter(verb="hands.search_cards").order_by("position")
    return [(entry.actor_name, entry.after) for entry in entries]


def test_a_search_that_tells_hidden_cards_is_in_the_journal_once_a_day(
    house: House, ada: Client, indexed: list[Hand]
) -> None:
    hand = next(hand for hand in indexed if hand.game == "doudizhu")
    card = held_by_seats(hand)[0][0].text
    requested = {"cards": [card], "code": hand.code}
    day = str(day_of(house.now))
    for further in ({}, {}, {"before": str(hand.pk)}, {"cards": card.lower()}):
        codes(ada, **{"code": hand.code, "cards": card, **further})
    assert searches() == [("ada", {"day": day, **requested})]
    # What finds nothing tells something, too, and so does the past of a page.
    codes(ada, cards="front:straight_flush", before="1")
    codes(ada, cards=card, address="192.0.2.77")
    assert [after["cards"] for _, after in searches()[1:]] == [["front:straight_flush"], [card]]
    assert "192.0.2" not in str(searches())
    house.pass_time(24 * 3600)
    codes(ada, code=hand.code, cards=card)
    assert searches()[3:] == [("ada", {"day": str(day_of(house.now)), **requested})]


def test_what_every_spectator_has_read_is_searched_without_an_entry(
    house: House, ada: Client, indexed: list[Hand]
) -> None:
    for query in ({}, {"cards": "banker:7 player:6"}, {"cards": "no such words"}, {"chain": "1"},
                  *({"flag": flag} for flag, _words in FLAGS), {"option": "point=7"}):  # fmt: skip
        codes(ada, **query)
    codes(client_of(house.person("p1a")), cards="As")
    assert searches() == []
