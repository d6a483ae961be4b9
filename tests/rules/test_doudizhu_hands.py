"""Random hands of Dou Dizhu through the shared harness, with stacks of every size."""

from random import Random
from typing import Any

import pytest

from games.rules.cards import Card
from games.rules.contract import Action, Party, SeatStack
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import count, pick, rank_set
from games.rules.doudizhu.state import Call, DoudizhuState, Pass, Play, to_beat
from tests.rules.conftest import Share
from tests.rules.harness import Table, played_hands

HANDS = 600
OPTIONS: dict[str, tuple[object, ...]] = {
    "point": (1, 50, 333),
    "wings": ("literal", "strict"),
    "both_springs": (False, True),
    "rake_bp": (0, 500, 10_000),
    "tournament": (False, False, True),
}
STACKS = (1, 2, 99, 250, 1_001, 2_519, 40_000, 10**15)


def context(random: Random, seated: list[SeatStack]) -> dict[str, Any]:
    fields = {
        "button": random.choice(seated).seat,
        "wild": random.randrange(51),
        "redeals": random.randrange(4),
    }
    return {name: value for name, value in fields.items() if random.random() < 0.9}


def choose(random: Random, game: Doudizhu, state: DoudizhuState, seat: Party) -> Action:
    """A random legal action, of random suits; large leads are liked, so that hands end early."""
    if state.phase == "call":
        calls = game.choices(state, seat)[0].among
        return Call(0 if random.random() < 0.3 else int(random.choice(calls)))
    hand = list(state.hands[state.place(seat)])
    other = to_beat(state.turns)
    if other is None or other.reading is None:
        plays = leads(rank_set(hand), game.wings)
        ranks = max(plays, key=count) if random.random() < 0.3 else random.choice(plays)
    else:
        plays = follows(rank_set(hand), other.reading, game.wings)
        if not plays or random.random() < 0.2:
            return Pass()
        ranks = random.choice(plays)
    random.shuffle(hand)
    return Play(pick(hand, ranks))


def cards_in_play(state: DoudizhuState) -> list[Card]:
    held = [card for hand in state.hands for card in hand]
    played = [card for turn in state.turns for card in turn.cards]
    return [*held, *played, *(state.middle if state.landlord is None else ())]


def open_to(state: DoudizhuState, seat: int | None) -> set[Card]:
    """One's own cards, what was played, the middle once there is a landlord, all at the end."""
    if state.landlord is not None and state.phase == "over":
        return set(cards_in_play(state))
    played = {card for turn in state.turns for card in turn.cards}
    own = set() if seat is None else set(state.hands[state.place(seat)])
    return played | own | (set(state.middle) if state.landlord is not None else set())


TABLE = Table(OPTIONS, STACKS, context, choose, cards_in_play, open_to)


@pytest.mark.long
def test_random_hands_keep_the_contract(share: Share[int]) -> None:
    hands = played_hands("doudizhu", TABLE, share(range(HANDS)))
    assert len(hands) < HANDS or any(hand.states[-1].landlord is None for hand in hands)
