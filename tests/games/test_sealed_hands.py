"""The encrypted part of a hand: for how long, who may open it, how older rows migrate."""

import base64
import json
import pickle
from io import StringIO
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from msgspec import to_builtins

from games.models import Hand, Move, Table
from games.records.audit import differences
from games.records.record import AUDITOR, close_trigger, handed_out, record
from games.rules.cards import Card
from games.rules.record import digest_of, digest_over, leaf_of, parts_of, salt_of
from games.shoes.custody import secret_of
from games.tables.hand_rows import padded
from games.tables.hand_state import drawn, game_of, moves_of, whole_context
from tests.games.house import House
from tests.games.storage import Cell, found
from tests.games.test_jackpots import bonus_round, pot
from tests.people import by_staff
from wallets.models import Trigger
from wallets.storage import sealed_columns
from wallets.storage.sealed_columns import key_name, sealed_with
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Stale

NAMES = ("bob", "carol", "dave", "erin")
ANTE = {"do": "ante", "box": 1, "amount": 500, "bonus": 500}
HIDDEN = (Card.H9, Card.C4, Card.DT, Card.S2, Card.HA, Card.C7)
PLACES = [list(Card).index(card) for card in HIDDEN]


PLANTED: tuple[Any, ...] = (
    "9h",
    "9♥ 4♣",
    "9h4cTd",
    json.dumps({"a": ["9h"]}),
    {"a": ["9h"]},
    json.dumps(json.dumps(["9h"])),
    b'["9h","4c"]'.hex() + "2020",
    base64.b64encode(b'["9h", "4c", "Td"]').decode(),
    base64.urlsafe_b64encode(json.dumps({"cards": ["9h"]}).encode()).decode(),
    pickle.dumps({"cards": ["9h"]}),
    base64.b64encode(pickle.dumps({"cards": ["9h", "Td"]})).decode(),
    json.dumps(PLACES),
    bytes(PLACES),
    base64.b64encode(bytes([*PLACES, *PLACES])).decode(),
    (bytes(PLACES) * 2).hex(),
    731,
    "wheel: 731",
    json.dumps({"wheel": 731}),
)


def test_the_search_finds_what_is_planted() -> None:
    hidden = {card.text for card in HIDDEN}
    for value in PLANTED:
        assert found([Cell("here", value)], hidden, {731}, [HIDDEN]), value
        assert not found([Cell("here", value)], {"Ks"}, {732}, [HIDDEN[:4]]), value


@pytest.fixture
def arranging(house: House) -> Table:
    """Bob has arranged his cards, the others still do."""
    table = house.dealt_in("chinese_poker", *NAMES)
    house.act(table, "bob", laid_down(house, table, 1))
    return table


def laid_down(house: House, table: Table, seat: int) -> dict[str, Any]:
    """The arrangement that the house would make for a seat, as JSON."""
    table.refresh_from_db()
    hand, state = house.state(table)
    action: dict[str, Any] = to_builtins(game_of(hand).fallback(state, seat))
    return json.loads(json.dumps(action, default=str))


def test_a_sealed_move_that_comes_twice_is_known(house: House, arranging: Table) -> None:
    whole = moves_of(game_of(Hand.objects.get()), Move.objects.all())[0][1]
    action = to_builtins(whole)
    house.act(arranging, "bob", action, turn=0)
    assert Move.objects.count() == 1
    other = action | {"front": action["middle"][:3], "middle": [*action["front"], "2c", "3c"]}
    with pytest.raises(Stale):
        house.act(arranging, "bob", other, turn=0)


def test_the_end_of_a_hand_opens_what_it_shows(house: House, arranging: Table) -> None:
    hand = Hand.objects.get()
    whole = to_builtins(moves_of(game_of(hand), Move.objects.all())[0][1])
    assert Move.objects.get().action["front"] == [None] * 3
    house.until(arranging, lambda table: table.hand_id is None)
    moves = Move.objects.filter(hand=hand).order_by("number")
    assert {move.sealed_action for move in moves} == {""}
    assert moves[0].action == json.loads(json.dumps(whole))
    hand.refresh_from_db()
    assert list(differences(hand)) == []


def test_a_hand_that_is_taken_back_shows_nothing_more(house: House, arranging: Table) -> None:
    hand = house.void(arranging, "a spilt drink")
    move = Move.objects.get()
    assert sealed_with(move.sealed_action)
    assert move.action["front"] == [None] * 3
    own = record(hand, 1)["moves"][0]["action"]
    assert None not in [*own["front"], *own["middle"], *own["back"]]


def test_encrypted_values_have_a_constant_length(house: House) -> None:
    """A declared natural needs no rows: the length of its cipher must not tell."""
    rows = {"do": "arrange", "front": ["2c"] * 3, "middle": ["2c"] * 5, "back": ["2c"] * 5}
    natural = {"do": "arrange", "declare": "three_straight_flushes"}
    assert len(padded(rows)) == len(padded(natural))
    assert len(padded({"mystery_left": 1})) == len(padded({"mystery_left": AMOUNT_MAX}))


def test_draws_are_written_when_the_hand_has_ended(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice")
    hand = Hand.objects.get()
    assert (hand.draws, "wheel" in hand.context) == ([], False)
    made = drawn(hand.shoe, 1, game_of(hand))
    assert whole_context(hand, game_of(hand)).items() >= dict(made.fields).items()
    house.act(table, "alice", ANTE)
    house.act(table, "alice", {"do": "done"})
    house.until(table, lambda table: table.hand_id is None)
    hand.refresh_from_db()
    assert [draw["value"] for draw in hand.draws] == [draw.value for draw in made.draws]
    assert list(differences(hand)) == []


def test_a_void_hand_shows_its_draws(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice")
    hand = house.void(table, "a spilt drink")
    hand.refresh_from_db()
    assert record(hand, None)["context"].keys() >= {"wheel", "wheel_card"}


@pytest.fixture
def lucky(house: House) -> Table:
    table = house.table("casino_holdem")
    table.jackpots.add(
        pot(house, "mystery", seed=20_000, share_bp=100, lowest=20_015, highest=20_015)
    )
    house.sit(house.player("alice"), table, 1)
    return table


def exported() -> list[dict[str, Any]]:
    out = StringIO()
    call_command("export", *by_staff(), stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.always
def test_distance_to_a_closed_trigger_is_never_exposed(house: House, lucky: Table) -> None:
    first = bonus_round(house, lucky)
    assert "mystery_left" not in first.context
    assert sealed_with(first.sealed_context)
    assert record(first, AUDITOR)["context"]["mystery_left"] == 15
    for recorded in (handed_out(first, AUDITOR), *exported()):
        assert recorded["context"]["mystery_left"] == AMOUNT_MAX
    # The second bet brings the prize down: its trigger is public, and so is what the pool lacked.
    second = bonus_round(house, lucky)
    assert Trigger.objects.exclude(opened="").count() == 1
    assert (second.context["mystery_left"], second.sealed_context) == (5, "")
    assert [recorded["context"]["mystery_left"] for recorded in exported()] == [15, 5]
    assert record(first, 1)["context"]["mystery_left"] == AMOUNT_MAX
    for hand in (first, second):
        assert list(differences(hand)) == []


def test_a_digest_holds_where_the_trigger_is_closed(house: House, lucky: Table) -> None:
    """Of what is taken out its reader gets the leaf, with which the digest comes out the same."""
    hand = bonus_round(house, lucky)
    recorded, secret = record(hand, AUDITOR), secret_of(hand.shoe)
    shoe, parts = recorded["shoe"]["id"], parts_of(recorded, {"1": 7})
    salts = {name: salt_of(secret, shoe, hand.code, name) for name in parts}
    whole = digest_of(recorded, {"1": 7}, secret)
    recorded["digest"] = {"salts": {name: salt.hex() for name, salt in salts.items()}}
    close_trigger(recorded)
    assert recorded["context"]["mystery_left"] == AMOUNT_MAX
    assert "mystery_left" not in recorded["digest"]["salts"]
    leaves = {
        name: leaf_of(shoe, name, value, salts[name])
        for name, value in parts_of(recorded, {"1": 7}).items()
    }
    leaves["mystery_left"] = bytes.fromhex(recorded["digest"]["leaves"]["mystery_left"])
    assert digest_over(shoe, leaves) == whole


def test_a_hand_that_runs_is_not_exported(house: House, lucky: Table) -> None:
    house.until(lucky, lambda table: table.phase == Table.Phase.PLAY)
    assert exported() == []


def test_a_new_key_seals_what_is_hidden_of_hands(
    house: House, arranging: Table, lucky: Table, settings: Any
) -> None:
    bonus_round(house, lucky)
    new = Fernet.generate_key().decode()
    settings.SEALING_KEYS = [new, *settings.SEALING_KEYS]
    sealed_columns.reseal(lambda _done: None)
    assert sealed_columns.left() == 0
    settings.SEALING_KEYS = [new]
    move, hand = Move.objects.get(hand__table=arranging), Hand.objects.get(table=lucky)
    assert {sealed_with(move.sealed_action), sealed_with(hand.sealed_context)} == {key_name(new)}
    assert len(moves_of(game_of(move.hand), [move])) == 1
    assert whole_context(hand, game_of(hand))["mystery_left"] == 15
