"""What the API tells a program beside a table: legal plays, suggestions, whom the table waits for,
and the seats that a player could take.
"""

from itertools import combinations
from typing import Any

import msgspec
import pytest

from games.boards.family import family_of
from games.bots.simulate import strategies
from games.models import Table
from games.rules.contract import Action, AnyGame, Party, State
from games.rules.errors import Illegal
from games.tables.hand_state import game_of, read_action
from tests.games.families import suggestions
from tests.games.house import House
from tests.games.program import Program, best, bet
from tests.games.test_doudizhu_judgement import hands

NAMES = ("alice", "bob", "carol")
# From so many cards on, not every choice of them is tried in the rules.
TRIED_MAX = 7


def there(table: Table) -> str:
    return f"tables/{table.pk}/"


def actions(hints: list[dict[str, Any]]) -> list[Any]:
    assert all(hint["words"] for hint in hints)
    return [hint["action"] for hint in hints]


def as_ranks(action: Any) -> tuple[str, ...]:
    """A play without its suits."""
    jokers = ("BJ", "RJ")
    return tuple(sorted(card if card in jokers else card[0] for card in action.get("cards", ())))


def is_legal(game: AnyGame, state: State, seat: Party, action: Any) -> bool:
    try:
        game.apply(state, seat, read_action(game, action))
    except Illegal:
        return False
    return True


def test_every_legal_play_is_offered_and_nothing_else() -> None:
    """In a hand that is played well, whose small hands are tried in every choice of their cards."""
    offered, tried, passes = 0, 0, 0
    for path in hands(2):
        game = path.game
        for number, (seat, _move) in enumerate(path.moves):
            state, view = path.states[number], path.game.view(path.states[number], seat)
            family = family_of(game)
            plays = [msgspec.to_builtins(play.action) for play in family.plays(game, view)]
            advised = [msgspec.to_builtins(hint.action) for hint in family.advised(game, view)]
            assert all(is_legal(game, state, seat, action) for action in plays)
            assert all(action in plays for action in advised)
            assert {play["do"] for play in plays} <= {
                choice.do for choice in game.choices(state, seat)
            }
            if view.phase == "call":
                calls = [{"do": "call", "points": points} for points in range(4)]
                assert plays == [call for call in calls if is_legal(game, state, seat, call)]
                assert advised == []
                continue
            assert as_ranks(advised[0]) == as_ranks(msgspec.to_builtins(bots_choice(game, view)))
            known = {as_ranks(play) for play in plays}
            held = [card.text for card in view.hand]
            for cards in every_choice(held) if len(held) <= TRIED_MAX else ():
                action = {"do": "play", "cards": list(cards)}
                assert (as_ranks(action) in known) == is_legal(game, state, seat, action), action
                tried += 1
            passes += {"do": "pass"} in plays
            offered += len(plays)
    assert (offered > 200, tried > 200, passes > 10) == (True, True, True)


def bots_choice(game: AnyGame, view: Any) -> Action:
    return strategies(game)["best"](game, view)


def every_choice(cards: list[str]) -> list[tuple[str, ...]]:
    return [some for size in range(1, len(cards) + 1) for some in combinations(cards, size)]


@pytest.mark.always
@pytest.mark.slow
def test_what_is_offered_at_dou_dizhu_can_be_sent_as_it_is(house: House) -> None:
    table = house.dealt_in("doudizhu", *NAMES)
    programs = {number: Program(name) for number, name in enumerate(NAMES, 1)}
    suggestions_played = 0
    for _ in range(4):
        table.refresh_from_db()
        (seat,) = (int(number) for number in table.turns)
        view = programs[seat].get(there(table), help="true")
        suggested = actions(view["help"]["suggestions"])
        action = (suggested or actions(view["help"]["plays"])[-1:])[0]
        body = {"hand": view["hand"]["id"], "turn": view["turn"], "action": action}
        programs[seat].post(f"{there(table)}act/", body)
        assert programs[seat].status == 200, programs[seat].text
        suggestions_played += bool(suggested)
    assert suggestions_played == 3


@pytest.mark.always
def test_help_is_given_when_it_is_requested_for_and_to_whom_it_is_due(house: House) -> None:
    table = house.dealt_in("doudizhu", *NAMES)
    (mover,) = (int(number) for number in table.turns)
    waiting = Program(NAMES[mover % 3])
    assert Program(NAMES[mover - 1]).get(there(table))["help"] is None
    nothing: dict[str, list[Any]] = {"plays": [], "suggestions": []}
    assert waiting.get(there(table), help="true")["help"] == nothing
    assert Program().get(there(table), help="true")["help"] == nothing


def test_arrangements_are_suggested_as_actions(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    alice = Program("alice")
    view = alice.get(there(table), help="true")
    assert view["help"]["plays"] == []
    hand, state = house.state(table)
    game = game_of(hand)
    shown = suggestions(game, game.view(state, 1))
    words = [hint["words"] for hint in view["help"]["suggestions"]]
    assert words == [f"{suggested.label}: {suggested.makes}" for suggested in shown]
    for action in actions(view["help"]["suggestions"]):
        assert is_legal(game, state, 1, action)


@pytest.mark.always
@pytest.mark.parametrize("allowed", [True, False])
def test_the_strategy_is_said_where_the_table_allows_it(house: House, *, allowed: bool) -> None:
    table = house.dealt_in("casino_holdem", "alice", hints_allowed=allowed)
    alice = Program("alice")
    # While bets are placed the strategy has nothing to say.
    view = alice.get(there(table), help="true")
    assert view["help"]["suggestions"] == []
    for action in (best(view), {"do": "done"}):
        body = {"hand": view["hand"]["id"], "turn": view["turn"], "action": action}
        view = alice.post(f"{there(table)}act/", body)
    view = alice.get(there(table), help="true")
    assert view["turn"] is not None
    expected = [best(view)] if allowed else []
    assert actions(view["help"]["suggestions"]) == expected


def test_a_bots_seat_is_free_as_long_as_nobody_waits_for_it(house: House) -> None:
    table = house.among_bots("doudizhu", "alice")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.player("bob")
    bob, alice = Program("bob"), Program("alice")

    def free() -> tuple[Any, Any, int]:
        (listed,) = bob.get("tables/")["tables"]
        return alice.get(there(table))["free"], listed["free"], len(found(bob, free="true"))

    assert free() == ([2, 3], 2, 1)
    view = bob.post(f"{there(table)}sit/", {"seat": 2, "amount": 20_000})
    assert view["kept"] == 2
    assert free() == ([3], 1, 1)
    table.status = Table.Status.CLOSING
    table.save()
    assert found(bob, free="true") == []
    assert len(found(bob, free="false")) == 1


def found(program: Program, **query: str) -> list[Any]:
    tables: list[Any] = program.get("tables/", **query)["tables"]
    return tables


def test_a_table_says_whom_it_waits_for_and_who_is_done(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    alice, bob = Program("alice"), Program("bob")

    def waiting() -> tuple[list[int], bool, bool]:
        shown = alice.get(there(table))
        assert bob.get(there(table))["waits_for"] == shown["waits_for"]
        return shown["waits_for"], shown["done"], bob.get(there(table))["done"]

    # The table does not wait for players who have not bet.
    assert waiting() == ([], False, False)
    for program in (alice, bob):
        program.post(f"{there(table)}act/", bet(program, table))
    assert waiting() == ([1, 2], False, False)
    done = bet(alice, table) | {"action": {"do": "done"}}
    alice.post(f"{there(table)}act/", done)
    assert waiting() == ([2], True, False)
    bob.post(f"{there(table)}act/", bet(bob, table) | {"action": {"do": "done"}})

    # The coup is over: the result is shown until both have read it.
    between = alice.get(there(table))["between"]
    assert between == {"after": 1, "ready": False, "again": True}
    assert waiting() == ([1, 2], False, False)
    assert alice.post(f"{there(table)}ready/", {"after": 1})["between"]["ready"]
    assert waiting() == ([2], True, False)
    assert bob.get(there(table))["between"]["again"]
    # Bob bets as before and is done; the table does not wait for alice, who has not bet.
    view = bob.post(f"{there(table)}again/", {"after": 1})
    assert view["between"] == {"after": 2, "ready": False, "again": True}
    assert house.total() == 0
