"""Dou Dizhu has one judge: hint, coach, auto-play and bot say the same of every position."""

from collections.abc import Iterator
from random import Random

import pytest
from django.utils import translation

from games.boards.help import Path
from games.bots.doudizhu import STRATEGIES
from games.bots.simulate import strategies
from games.families.doudizhu.family import advise
from games.families.doudizhu.help import PASSES, hint_of
from games.rules.contract import Action, PlayedMove, SeatStack
from games.rules.doudizhu.combinations import Kind, Wings, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import rank_set
from games.rules.doudizhu.state import DoudizhuContext, DoudizhuState, DoudizhuView, Pass, Play
from tests.bots.test_doudizhu_bot import ending
from tests.rules.doudizhu_table import after
from wallets.models import Currency

CURRENCY = Currency(code="PLAY", name="play money", exponent=2)
STAKES = tuple(SeatStack(seat, 1_000_000) for seat in (1, 2, 3))
WAYS = ("best", "best", "greedy", "legal")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Whatever language an earlier request has left behind."""
    with translation.override("en"):
        yield


def hands(count: int, wings: Wings = "literal") -> Iterator[Path]:
    """Hands of random cards in which everybody plays now well and now anyhow."""
    random = Random(f"judged {count} {wings}")
    game = Doudizhu(wings=wings, tournament=True)
    for _ in range(count):
        cards = list(game.composition())
        random.shuffle(cards)
        context = DoudizhuContext(button=3, wild=random.randrange(51), redeals=2)
        states = [game.open(STAKES, cards, context)]
        moves: list[PlayedMove] = []
        while waiting := game.to_act(states[-1]):
            (seat,) = waiting
            assert isinstance(seat, int)
            play = STRATEGIES[random.choice(WAYS)]
            moves.append((seat, play(game, game.view(states[-1], seat))))
            states.append(game.apply(states[-1], *moves[-1]))
        yield Path(game, states, moves, 1, CURRENCY)


def plays_of(path: Path) -> Iterator[tuple[int, DoudizhuState, DoudizhuView]]:
    """The decisions about plays: the number of the move, and how it stood for whom."""
    for number, (seat, action) in enumerate(path.moves):
        state = path.states[number]
        assert isinstance(state, DoudizhuState)
        if isinstance(action, Play | Pass) and isinstance(seat, int):
            view = path.game.view(state, seat)
            assert isinstance(view, DoudizhuView)
            yield number, state, view


def cards_of_hint(game: Doudizhu, view: DoudizhuView) -> frozenset[str]:
    first = hint_of(game, view, 0)
    assert first.words
    assert first.passes is (not first.cards)
    return frozenset(card.text for card in first.cards)


def cards_of(action: Action) -> frozenset[str]:
    return (
        frozenset(card.text for card in action.cards) if isinstance(action, Play) else frozenset()
    )


@pytest.mark.parametrize("count", [4, pytest.param(12, marks=pytest.mark.release)])
@pytest.mark.parametrize("wings", ["literal", "strict"])
def test_the_first_hint_is_what_bot_and_auto_play_do_and_the_coach_praises(
    wings: Wings, count: int
) -> None:
    positions = passes = compared = 0
    for path in hands(count, wings):
        game = path.game
        assert isinstance(game, Doudizhu)
        by_step = {moment.step: moment for moment in advise(path).moments}
        for number, state, view in plays_of(path):
            assert view.seat is not None
            best, hint = strategies(game)["best"](game, view), cards_of_hint(game, view)
            assert hint == cards_of(best)
            # What the house would do in that place is what the coach finds no fault with.
            made = [(view.seat, best)]
            said = advise(Path(game, path.states[number:], made, view.seat, path.currency)).moments
            assert [moment for moment in said if moment.better] == []
            assert game.apply(state, view.seat, best)
            positions += 1
            passes += isinstance(best, Pass)
            moment = by_step.get(number + 1)
            if moment and view.seat == path.seat and moment.better:
                assert hint == {card.text for cards in moment.better.cards for card in cards}
                compared += 1
    assert (positions > 25 * count, passes > 4 * count, compared > 0) == (True, True, True)


# The three fours and a pair of twos lie there; each of these hands holds a bomb, or the rocket.
BOMBERS = ("6c6d6h6s3d8d9dTd", "BJRJ3d4d9d", "7c7d7h7sJdQdKdAd3d", "9c9d9h9sBJRJ3d5d7d")


@pytest.mark.parametrize("hand", BOMBERS)
def test_no_bomb_on_a_partners_pair_of_twos(hand: str) -> None:
    for holds, hands_left in (
        (3, ("3c5c8cThTcJc", "2c2d4h5h8h", hand)),
        (2, ("3c5c8cThTcJc", hand, "2c2d4h5h8h")),
    ):
        partner = 5 - holds
        state = ending(hands_left, partner, f"{partner} play 2c2d")
        if holds == 2:
            state = after(state, "1 pass")
        game = Doudizhu()
        first = hint_of(game, game.view(state, holds), 0)
        assert first.passes
        assert first.words.endswith(str(PASSES["partner_leads"]))
        assert STRATEGIES["best"](game, game.view(state, holds)) == Pass()
        offered = [hint_of(game, game.view(state, holds), number) for number in range(9)]
        bombs = [
            hinted
            for hinted in offered
            if hinted.cards and readings(rank_set(hinted.cards))[0].kind in (Kind.BOMB, Kind.ROCKET)
        ]
        assert bombs == []


def test_a_bomb_that_wins_for_certain_beats_even_the_partner() -> None:
    game = Doudizhu()
    state = ending(("3c5c8cThTcJc", "2c2d4h5h8h", "6c6d6h6s"), 2, "2 play 2c2d")
    assert hint_of(game, game.view(state, 3), 0).cards == frozenset(game.view(state, 3).hand)


def test_a_pass_says_why_in_a_word() -> None:
    game = Doudizhu()
    # Seat 2 is a farmer whose partner comes next; seat 3 is one who answers for itself.
    state = ending(("3c5c7c9cTcJcQc8c4c", "6c6d6h6s3dKd8d9dTd", "4h5h7h8h9hJhQh3h"), 1, "1 play Qc")
    words = {
        hint_of(game, game.view(state, 2), number).words.split(": ", 1)[1] for number in range(9)
    }
    assert str(PASSES["partner_next"]) in words
