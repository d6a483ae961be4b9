"""What a deal depends on: the sealed secret and what the seats revealed, and nothing else.

The formulas of the protocol take no stake, no player and no history. Here two tables that differ in
all three are dealt from the same secret, and every card and draw comes out as the formulas say.
"""

import secrets
from inspect import signature
from typing import Any

import pytest

from games.models import Hand, Table
from games.rules.cards import Card, composition
from games.rules.shoe import Draw, ShoeProtocol, from_hex
from games.shoes import custody
from games.tables.hand_state import cards_of, game_of
from tests.games.house import House

SECRET = bytes(range(32))
# Those who are dealt in, the stake, and how many hands they have played before.
SMALL = ("alice", "bob", "carol"), 100, 0
LARGE = ("dave", "erin", "frank"), 1_000, 2


@pytest.fixture
def same_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shoes are sealed with the same secret, under names that lack their random part."""
    monkeypatch.setattr(secrets, "token_bytes", lambda count: SECRET[:count])
    monkeypatch.setattr(secrets, "randbelow", lambda _below: 0)


def expected(hand: Hand) -> tuple[tuple[Card, ...], list[Draw]]:
    """The whole shoe and the draws of a hand, from the name, the secret and the reveals alone."""
    shoe = hand.shoe
    protocol, whole = ShoeProtocol(shoe.code), composition(shoe.decks, shoe.jokers)
    sealed = protocol.seal(SECRET, whole)
    seats = range(1, shoe.seats.count() + 1)
    reveals = {seat: protocol.house_reveal(SECRET, seat) for seat in seats}
    commits = {seat: protocol.commitment(seat, reveals[seat]) for seat in seats}
    mix = protocol.mix(protocol.lock(sealed.seal, commits), reveals)
    link = sealed.hidden.draws[hand.round_number]
    draws = [protocol.draw(mix, link, label, size) for label, size in game_of(hand).draws().items()]
    return sealed.deal(protocol.cut(mix, len(whole))), draws


def dealt(house: House, game: str, scene: Any) -> Hand:
    names, stake, before = scene
    table = house.dealt_in(game, *names, options={"point": stake})
    house.until(table, lambda table: table.hands_dealt > before and table.hand_id is not None)
    return Hand.objects.select_related("shoe").get(pk=table.hand_id)


@pytest.mark.usefixtures("same_secret")
@pytest.mark.parametrize("game", ["chinese_poker", "doudizhu"])
@pytest.mark.parametrize("scene", [SMALL, LARGE], ids=["small", "large"])
def test_cards_and_draws_follow_from_secret_and_reveals_alone(
    house: House, game: str, scene: Any
) -> None:
    hand = dealt(house, game, scene)
    cards, draws = expected(hand)
    assert cards_of(hand) == cards[hand.first_card :]
    assert [
        custody.draw(hand.shoe, hand.round_number, draw.label, draw.n) for draw in draws
    ] == draws
    assert bool(draws) == (game == "doudizhu")


def test_the_formulas_take_nothing_else() -> None:
    taken = {
        name: set(signature(getattr(ShoeProtocol, name)).parameters) - {"self"}
        for name in ("seal", "lock", "mix", "cut", "draw")
    }
    assert taken == {
        "seal": {"secret", "cards"},
        "lock": {"seal", "commits"},
        "mix": {"lock", "reveals"},
        "cut": {"mix", "n"},
        "draw": {"mix", "x_m", "label", "n"},
    }


def test_bets_change_nothing_that_is_still_to_be_dealt(house: House) -> None:
    """The cards of a round at which everybody bets are fixed when the betting opens."""
    table = house.dealt_in("baccarat", "alice", "bob")
    assert table.shoe is not None
    before = custody.cards(table.shoe)
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 5_000})
    house.act(table, "bob", {"do": "bet", "on": "banker", "amount": 10_000})
    custody.forget_opened()
    shoe = Table.objects.get(pk=table.pk).shoe
    assert shoe is not None
    assert (custody.cards(shoe), from_hex(shoe.seal)) == (before, from_hex(table.shoe.seal))
