"""What the API offers in `choices` can be sent back, and a program may name what it answers."""

from random import Random
from typing import Any, Final

import pytest

from games.models import Hand, Table
from games.rules.catalogue import GAMES, game_type
from games.tables.hand_state import game_of
from tests.games.house import House
from tests.games.program import Program
from tests.rules.harness import cards_to_add

NAMES: Final = ("alice", "bob", "carol", "dave")
STEPS_MAX: Final = 300


def there(table: Table) -> str:
    return f"tables/{table.pk}/"


def seated(house: House, game: str) -> tuple[Table, list[Program]]:
    names = NAMES[: max(2, game_type(game).seats[0])]
    table = house.dealt_in(game, *names)
    return table, [Program(name) for name in names]


def sendable(house: House, table: Table, number: int, choices: list[Any]) -> list[Any]:
    """The choices, with cards where a choice names none; a play that beats nothing is left out."""
    _hand, state = house.state(table)
    game = game_of(_hand)
    offers = []
    for choice, offered in zip(game.choices(state, number), choices, strict=False):
        assert choice.do == offered["do"]
        cards = cards_to_add(choice, game.fallback(state, number))
        if cards is not None:
            offers.append(offered | cards)
    return offers


@pytest.mark.parametrize("game", GAMES)
def test_each_choice_can_be_sent_back_whole(house: House, game: str) -> None:
    """Programs that know nothing of the game play a hand to its end with choices alone."""
    table, programs = seated(house, game)
    random, hand = Random(game), table.hand_id
    for _ in range(STEPS_MAX):
        table.refresh_from_db()
        if table.hand_id != hand:
            break
        for number, program in enumerate(programs, 1):
            view = program.get(there(table))
            choices = sendable(house, table, number, view["choices"]) if view["choices"] else []
            if not choices:
                continue
            body = {
                "hand": view["hand"]["id"],
                "turn": view["turn"],
                "decision": view["decision"],
                "action": random.choice(choices),
            }
            program.post(f"{there(table)}act/", body)
            assert program.status == 200, (body, program.text)
            break
        else:
            house.until_due(table)
    assert Hand.objects.get(pk=hand).status == Hand.Status.FINISHED


@pytest.mark.always
def test_fields_of_an_action_go_before_those_of_a_choice(house: House) -> None:
    table, (alice, *_others) = seated(house, "blackjack")
    view = alice.get(there(table))
    choice = view["choices"][1]
    assert (choice["do"], choice["box"], choice["least"]) == ("bet", 2, 100)
    body = {"hand": view["hand"]["id"], "turn": view["turn"], "action": choice | {"amount": 700}}
    after = alice.post(f"{there(table)}act/", body)
    assert (alice.status, after["view"]["boxes"][0]["players"][0]["stake"]) == (200, 700)
    # The same request, sent again, is done already.
    assert alice.post(f"{there(table)}act/", body)["turn"] == after["turn"]


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"cost": 1}, (409, "other_decision")),
        ({"most": 10**9}, (409, "other_decision")),
        ({"least": "100"}, (400, "wrong_shape")),
        ({"odd": 1}, (400, "action")),
    ],
)
def test_a_choice_that_is_not_offered_is_refused(
    house: House, changed: dict[str, Any], refusal: tuple[int, str]
) -> None:
    table, (alice, *_others) = seated(house, "blackjack")
    view = alice.get(there(table))
    body = {
        "hand": view["hand"]["id"],
        "turn": view["turn"],
        "action": view["choices"][0] | changed,
    }
    assert alice.refused(alice.post(f"{there(table)}act/", body)) == refusal
    table.refresh_from_db()
    assert table.moves_made == 0
