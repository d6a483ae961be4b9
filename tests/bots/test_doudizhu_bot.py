"""The players of Dou Dizhu: what they see, what they do, and how they fare."""

import msgspec
import pytest

from games.bots.doudizhu import STRATEGIES
from games.bots.doudizhu_match import match
from games.bots.simulate import simulate
from games.rules.cards import parse_cards
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import in_order
from games.rules.doudizhu.state import Call, DoudizhuState, Pass, Play
from tests.rules.doudizhu_table import after, dealt

GAME = Doudizhu()


def ending(hands: tuple[str, str, str], turn: int, *moves: str) -> DoudizhuState:
    """The end of a hand in which seat 1 is landlord: only these cards are left."""
    left = tuple(in_order(parse_cards(hand)) for hand in hands)
    state = after(dealt(hands), "1 call 3")
    return after(msgspec.structs.replace(state, hands=left, turn=turn), *moves)


def chosen(name: str, state: DoudizhuState, seat: int) -> str:
    action = STRATEGIES[name](GAME, GAME.view(state, seat))
    return "".join(card.text for card in action.cards) if isinstance(action, Play) else "pass"


def test_a_strong_hand_is_called_high_and_a_weak_one_is_not() -> None:
    strong = dealt(("RJBJ2c2d2hAcAdAhKcKdKhQcQdQhJcJdJh", "", ""))
    assert STRATEGIES["best"](GAME, GAME.view(strong, 1)) == Call(3)
    weak = dealt(("3c3d3h4c4d6c6d7h7s9c9dTdTsQcQdKhKs", "", ""))
    assert STRATEGIES["best"](GAME, GAME.view(weak, 1)) == Call(0)


def test_it_goes_out_when_it_can() -> None:
    state = ending(("3c4c5c6c7c", "8d9d", "ThJh"), 1)
    assert chosen("best", state, 1) == "3c4c5c6c7c"


def test_it_leads_what_cannot_be_beaten_before_its_last_card() -> None:
    assert chosen("best", ending(("3cRJ", "8d9d", "ThJh"), 1), 1) == "RJ"


def test_a_farmer_leaves_the_lead_to_its_partner() -> None:
    state = ending(("3c5c7c9c", "AdKd4d4h8d", "6h9h9sJs"), 2, "2 play Ad")
    assert chosen("best", state, 3) == "pass"


def test_a_farmer_feeds_a_partner_who_holds_one_card() -> None:
    state = ending(("5c6cTcJc8c9c", "3dKd2d", "9h"), 2)
    assert chosen("best", state, 2) == "3d"


def test_a_farmer_stands_in_the_way_of_a_landlord_who_holds_one_card() -> None:
    state = ending(("5cTc", "6dKd2dQdQh", "7h8hJh4h"), 1, "1 play 5c")
    assert chosen("best", state, 2) in ("Kd", "2d")


def test_nobody_leads_a_low_single_to_an_opponent_with_one_card() -> None:
    state = ending(("Tc", "3d3h6dKd", "7h8hJh4h"), 2)
    assert chosen("best", state, 2) == "3d3h"


def test_a_bomb_is_kept_while_little_is_at_stake() -> None:
    state = ending(("3c5c7c9cTcJcQc8c4c", "6c6d6h6s3dKd8d9dTd", "4h5h7h8h9hJhQh3h"), 1, "1 play 3c")
    assert chosen("best", state, 2) != "6c6d6h6s"


def test_greedy_never_passes_when_it_can_beat() -> None:
    state = ending(("3c5c7c9c", "AdKd4d4h8d", "6h9h9sJs"), 1, "1 play 3c")
    assert chosen("greedy", state, 2) == "4d"
    state = after(state, "2 pass", "3 play 6h", "1 pass")
    assert chosen("greedy", state, 2) == "8d"


def test_the_house_plays_as_for_the_absent() -> None:
    state = ending(("3c5c7c9c", "AdKd", "6h9h"), 1)
    assert STRATEGIES["house"](GAME, GAME.view(state, 1)) == GAME.fallback(state, 1)
    state = after(state, "1 play 3c")
    assert STRATEGIES["house"](GAME, GAME.view(state, 2)) == Pass()
    assert STRATEGIES["house"](GAME, GAME.view(dealt(), 1)) == Call(0)


# The thinker plays out many deals.
THINKER = pytest.param("thinker", marks=pytest.mark.release)
NAMES = [THINKER if name == "thinker" else name for name in STRATEGIES]


@pytest.mark.always
@pytest.mark.parametrize("name", NAMES)
def test_the_same_view_gives_the_same_action(name: str) -> None:
    state = ending(("3c5c", "AdQd4d", "6h9h"), 1, "1 play 3c")
    first, again = (STRATEGIES[name](GAME, GAME.view(state, 2)) for _ in range(2))
    assert first == again


@pytest.mark.always
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_action_is_legal(name: str) -> None:
    deals = 1 if name == "thinker" else 8
    assert match(name, "legal", deals, "legal").games == 2 * deals


@pytest.mark.always
@pytest.mark.slow
@pytest.mark.parametrize("deals", [8, pytest.param(60, marks=pytest.mark.release)])
def test_best_beats_players_of_random_and_of_greedy_moves(deals: int) -> None:
    result = match("best", "legal", deals, "suite")
    assert result.as_landlord > 0.9
    assert result.as_farmers > 0.9
    assert match("best", "greedy", deals, "suite").overall > 0.75


def test_equal_players_win_half_of_swapped_games() -> None:
    assert match("greedy", "greedy", 20, "suite").overall == 0.5


def test_a_match_is_the_same_for_the_same_seed() -> None:
    assert match("best", "greedy", 3, "a") == match("best", "greedy", 3, "a")


def test_bots_play_whole_tables() -> None:
    report = simulate(Doudizhu(rake_bp=0), 10, "suite", None)
    assert sum(net["mean"] for net in report["net"].values()) == pytest.approx(0)
