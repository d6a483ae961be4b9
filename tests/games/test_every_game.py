"""What holds in every game: what its pages show to whom, what they offer, and how a hand ends."""

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from django.test import Client

from casino.accounts.models import Player
from games.boards.replay import Replay
from games.models import Hand, Move, SharedHand, Table
from games.records.audit import audit, differences
from games.records.ledger_lines import ledger_lines
from games.records.record import AUDITOR, every_state, record
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.shoes import custody
from games.tables.hand_state import cards_of, game_of, state_of
from games.tables.settle import settlement_payload
from games.views.shared_hand import as_text, results_of, svg
from games.words.naming import card_sign
from tests.games.hidden_cards import PARTS, Answer, answers, forget_everything, look
from tests.games.house import MONEY, House
from tests.games.markup import Page, cards_in
from tests.games.page_forms import fill, offered, said
from tests.games.program import Program
from tests.games.secret_hands import PLAYED, TableCache, leaks, opened, refused_action, steps
from tests.games.viewers import cards_named, people_of, shown_to, staffed
from tests.people import client_of
from tests.valkey import Valkey

# Of each game; `bench/hands.py` plays hundreds.
HANDS = 4
# Moves made before a process ends; a hand that is over by then is looked at where it is.
MOVES = 3
SENTENCE = "your seat is ready in a moment"

every_game = pytest.mark.parametrize("game", GAMES)


class Finished(NamedTuple):
    """A hand that people have played to its end."""

    hand: Hand
    names: tuple[str, ...]
    first: Client

    @property
    def address(self) -> str:
        return f"/history/{self.hand.pk}/"


@pytest.fixture
def finished(house: House, game: str) -> Finished:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    dealt = table.hand_id
    house.until(table, lambda table: table.hand_id != dealt)
    hand = Hand.objects.select_related("shoe", "table__currency").get(pk=dealt)
    return Finished(hand, names, client_of(house.person("alice")))


# Cards that are hidden from a reader


@pytest.mark.always
@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@every_game
def test_no_response_names_a_card_hidden_from_its_reader(
    house: House, game: str, part: int
) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    clients = staffed(house) | {name: client_of(house.person(name)) for name in names}
    seats = {name: number for number, name in enumerate(names, 1)}
    for step in range(200):
        table.refresh_from_db()
        over = table.hand_id is None
        if step < 5 or step % 11 == 0 or over:
            look(table, clients, seats, part, everywhere=over or step == 4)
        if over:
            break
        if not house.let_people_act(table):
            house.until_due(table)
    assert table.hand_id is None, "the hand has not ended"


@pytest.fixture
def copies(redis: Valkey, caplog: pytest.LogCaptureFixture) -> Iterator[TableCache]:
    copies = TableCache(redis, caplog)
    yield copies
    copies.close()


@every_game
def test_no_stored_value_reveals_hidden_cards(
    house: House, copies: TableCache, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    assert PLAYED.keys() == GAMES.keys()
    table = opened(house, game, monkeypatch)
    page, program = client_of(house.person("alice")), Program("alice")
    hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
    rules = game_of(hand)
    for step in steps(house, table):
        # People look at the table, and a program sends what is refused: cards it does not hold.
        assert page.get(f"/tables/{table.pk}/").status_code == 200
        view = program.get(f"tables/{table.pk}/")
        sent = {"hand": hand.pk, "turn": view["turn"] or 0, "action": refused_action(rules)}
        program.post(f"tables/{table.pk}/act/", sent, key=step)
        hand.refresh_from_db()
        state = state_of(hand, rules, hand.moves.order_by("number"))
        assert leaks(copies, hand, rules, state) == set(), step
    assert hand.status == Hand.Status.FINISHED
    assert hand.context.keys() >= rules.draws().keys()
    assert list(differences(hand)) == []


@every_game
def test_answers_do_not_depend_on_hidden_cards(
    house: House, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Two hidden cards change places, and neither bytes nor questions to the database differ."""
    table = house.dealt_in(game, *people_of(game))
    hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
    cards = custody.cards(hand.shoe)

    def answers_with(one: int, other: int, client: Client) -> list[Answer]:
        order = list(cards)
        order[one], order[other] = order[other], order[one]
        assert tuple(order) != cards
        with monkeypatch.context() as dealt:
            dealt.setattr(custody, "cards", lambda _shoe: tuple(order))
            return answers(table, client)

    for client, seat in ((client_of(house.person("alice")), 1), (Client(), None)):
        shown = shown_to(hand, seat)
        hidden = [place for place, card in enumerate(cards) if card.text not in shown]
        # The first visit notes that a player is there; from then on all are alike.
        answers(table, client)
        before = answers(table, client)
        # A shoe of several decks has each card more than once.
        other = next(place for place in hidden if cards[place] != cards[hidden[0]])
        assert answers_with(hidden[0], other, client) == before
        if shown:
            # An exchange that the reader can see is seen here, too.
            seen = next(place for place, card in enumerate(cards) if card.text in shown)
            assert answers_with(seen, hidden[0], client) != before


def secrets_of(hand: Hand) -> set[str]:
    """What would open cards that were not shown: the shoe's secret, and the salts of others."""
    whole = record(hand, AUDITOR)["shoe"]["openings"]
    public = {opening["k"] for opening in record(hand, None)["shoe"].get("openings", ())}
    return {opening["salt"] for opening in whole if opening["k"] not in public} | {hand.shoe.secret}


@every_game
def test_shared_hand_shows_only_what_was_public(finished: Finished, game: str) -> None:
    """Whole answers are searched, for strangers and for those who played, in two languages."""
    hand = finished.hand
    finished.first.post(f"{finished.address}share/")
    address = f"/shared/{SharedHand.objects.get().token}/"
    public, closed = shown_to(hand, None), secrets_of(hand)
    moves = hand.moves.count()
    # The longest hands are stepped through in strides: each step is a page of its own.
    numbers = sorted({*range(0, moves + 1, 1 + moves // 12), moves})
    readers = [
        (client, said) for client in (Client(), finished.first) for said in ("en", "zh-hans")
    ]
    requested = [(reader, part) for reader in readers for part in ("", "record/")]
    parts = ("?step=0", *(f"step/{number}/" for number in numbers))
    requested += [(readers[place % len(readers)], part) for place, part in enumerate(parts)]
    for (client, language), part in requested:
        answer = client.get(address + part, headers={"Accept-Language": language})
        assert answer.status_code == 200
        assert cards_named(answer, language) <= public, part
        assert not any(secret in answer.text for secret in closed), part
        # Whole words: a random token may hold the letters of a name.
        words = set(re.findall(r"\w+", answer.text))
        if client is finished.first:
            words.discard("alice")
        assert not words & set(finished.names), part
    replay = Replay(hand, None, {}, hand.table.currency)
    drawn = set(re.findall(r'href="#card-(\w+)"', svg(results_of(replay), replay.currency)))
    text = as_text(replay, "")
    assert drawn == {card.text for card in Card if card_sign(card.text) in text}
    assert drawn <= public
    assert bool(drawn) == bool(public)


# A hand as it is read again


@pytest.mark.always
@every_game
def test_a_replay_ends_where_the_hand_was_settled(finished: Finished, game: str) -> None:
    hand = finished.hand
    rules, path = every_state(hand)
    assert settlement_payload(rules.settle(path[-1])) == hand.settlement
    nets = dict(hand.seats.values_list("number", "net"))
    names = dict(hand.seats.values_list("number", "player__username"))
    for seat in [None, *nets]:
        replay = Replay(hand, seat, names, hand.table.currency)
        assert replay.last == hand.moves.count()
        assert replay.view(replay.last) == rules.view(path[-1], seat)
        assert replay.results(replay.last) == nets
        assert not any(replay.results(number) for number in range(replay.last))
    marks = Replay(hand, None, names, hand.table.currency).marks()
    assert marks[0].move is None
    assert all(mark.move for mark in marks[1:])
    # A phase is said where it begins, in words.
    assert all(mark.phase not in ("bet", "over", "play", "arrange") for mark in marks)
    assert marks[0].phase


@every_game
def test_no_step_shows_a_card_before_its_time(finished: Finished, game: str) -> None:
    hand, seat = finished.hand, 1
    rules, path = every_state(hand)
    cards = cards_of(hand)
    assert finished.first.get(finished.address).context["last"] == len(path) - 1
    for number, state in enumerate(path):
        step = finished.first.get(f"{finished.address}step/{number}/")
        named = {cards[place].text for place in rules.shown(state, seat)}
        drawn = getattr(rules.view(state, seat), "sides", None)
        extra = (getattr(drawn, f"{name}_card", None) for name in ("bonus", "wheel", "lucky"))
        named |= {card.text for card in extra if card}
        assert cards_in(step.text) <= named, number
        assert "<html" not in step.text


@every_game
def test_the_lines_of_a_party_add_up_to_its_entry(finished: Finished, game: str) -> None:
    hand = finished.hand
    names = dict(hand.seats.values_list("number", "player__username"))
    whole = ledger_lines(hand, AUDITOR, names)
    assert sum(entry.amount for entry in whole) == 0
    assert all(entry.fits for entry in whole), whole
    moved = {seat.number: seat.net for seat in hand.seats.all() if seat.net}
    assert {int(e.party): e.amount for e in whole if e.party.isdecimal() and e.amount} == moved
    own = ledger_lines(hand, 1, names)
    assert {entry.party for entry in own if entry.party.isdecimal()} <= {"1"}
    assert all(entry.balance is None for entry in own if entry.party != "1")


@every_game
def test_a_finished_hand_can_be_read_by_its_players_and_auditors(
    house: House, finished: Finished, game: str
) -> None:
    hand, address = finished.hand, finished.address
    for number, name in enumerate(finished.names, 1):
        client, allowed = client_of(house.person(name)), shown_to(hand, number)
        page, file = client.get(address), client.get(f"{address}record/")
        assert page.status_code == 200
        assert cards_in(page.text) <= allowed
        assert file["Content-Disposition"] == f'attachment; filename="{hand.code}.json"'
        assert cards_in(file.text) <= allowed
        assert hand.code in client.get("/history/").text
    hand_filters = {"game": game, "code": hand.code}
    for filters in (hand_filters, {"code": "T999999-H1"}, {"before": str(hand.pk)}):
        listed = finished.first.get("/history/", filters).text
        assert (hand.code in listed) == (filters is hand_filters)
    clients = staffed(house)
    assert clients["auditors"].get(address).status_code == 200
    assert hand.code in clients["auditors"].get("/history/", follow=True).text
    for name in ("eve", "managers"):
        assert clients[name].get(address).status_code == 404
        assert clients[name].get(f"{address}record/").status_code == 404
        assert hand.code not in clients[name].get("/history/").text
    for path in ("/history/", address, f"{address}record/"):
        assert "/players/sign-in/" in clients["anonymous"].get(path)["Location"]
        assert clients["eve"].post(path).status_code == 405


@pytest.mark.always
@every_game
def test_tables_keep_the_policy_of_pages(house: House, game: str) -> None:
    table = house.dealt_in(game, *people_of(game))
    client = client_of(house.person("alice"))
    hand = table.hand_id
    texts = [client.get(f"/tables/{table.pk}/").text]
    house.until(table, lambda table: table.hand_id != hand)
    addresses = [f"/tables/{table.pk}/{name}" for name in ("", "chat/", "shoes/", "rules/")]
    addresses += [f"/history/{hand}/", f"/history/{hand}/coach/", "/history/profit/"]
    addresses += [f"/play/{game}/", "/", "/lobby/", "/private/"]
    for text in [*texts, *(client.get(address).text for address in addresses)]:
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


# Playing


@pytest.mark.long
@every_game
def test_every_form_that_a_page_offers_is_accepted(house: House, game: str) -> None:
    """Random forms of the page, sent as they stand: none is refused, and the hand can end."""
    rng = random.Random(game)
    names = people_of(game)
    table = house.dealt_in(game, *names)
    first, address = table.hand_id, f"/tables/{table.pk}/"
    clients = {str(place): client_of(house.person(name)) for place, name in enumerate(names, 1)}
    for step in range(24):
        table.refresh_from_db()
        if table.hand_id != first:
            return
        for place in sorted(table.turns.keys() & clients.keys()):

            @cache
            def page(help_: str, client: Client = clients[place]) -> Page:
                return Page(client.get(address, {"help": help_} if help_ else {}).text)

            # The hand must come to an end.
            forms = offered(page, ending=step > 16)
            if not forms:
                continue
            form = rng.choice(forms)
            values = fill(form, page, rng)
            moves = Move.objects.filter(hand=first).count()
            answer = clients[place].post(form.address, values)
            assert answer.status_code == 302, (said(answer.text), values)
            # A round that ends without a bet is no hand, and leaves no move.
            there = Hand.objects.filter(pk=first).exists()
            assert not there or Move.objects.filter(hand=first).count() > moves
            break
        else:
            house.until_due(table)
    house.until(table, lambda table: table.hand_id != first)


@pytest.mark.long
@every_game
def test_a_person_and_bots_play_hands_one_after_another(house: House, game: str) -> None:
    house.bots(3)
    table = house.table(game, bots_max=3, buy_in_max=MONEY)
    house.sit(house.player("alice"), table, 1, MONEY)
    house.until(table, lambda table: table.hands_dealt > HANDS, steps=100 * HANDS)
    finished = Hand.objects.filter(table=table, status=Hand.Status.FINISHED)
    assert [hand.number for hand in finished.order_by("number")] == [*range(1, HANDS + 1)]
    assert house.total() == 0
    assert [sentences for _hand, sentences in audit(finished)] == [[]] * HANDS


@every_game
def test_play_now_leads_to_a_place_while_bots_play(house: House, game: str) -> None:
    """In every state of a game's only table, a player is there in two clicks."""
    table = house.table(game, bots_max=20)
    house.bots(table.places)
    house.sit(house.player("bob"), table, 1)
    for number, bot in enumerate(Player.objects.filter(is_bot=True)[: table.places - 1], 2):
        house.give(bot, 100_000)
        house.sit(bot, table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    client = client_of(house.player("alice"))
    assert client.get(f"/play/{game}/").status_code == 200
    for _ in range(2):
        answer = client.post(f"/play/{game}/")
        assert answer["Location"] == f"/tables/{table.pk}/"
    assert SENTENCE in client.get(answer["Location"]).text
    house.until(table, lambda table: table.hand_id is None)
    house.until_due(table)
    assert house.seat(table, "alice").stack.balance == table.buy_in_min
    assert house.total() == 0


# A process that starts anew


def seen(table: Table, names: tuple[str, ...]) -> dict[str, Any]:
    """What each player and a visitor are answered about the table.

    The ticket of a stream is left out: each sign-in gets another.
    """
    programs = {name: Program(name) for name in names} | {"": Program()}
    answers = {name: program.get(f"tables/{table.pk}/") for name, program in programs.items()}
    return {name: answer | {"stream": ""} for name, answer in answers.items()}


@every_game
def test_the_exact_turn_is_there_again(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    for _ in range(MOVES):
        if table.hand_id is not None and house.let_people_act(table):
            table.refresh_from_db()
    before, due = seen(table, names), table.due_at
    forget_everything(table)
    assert seen(table, names) == before
    assert any(answer["turn"] is not None for answer in before.values()) or due is not None
