"""The adapter of RLCard's rule agent: what it is shown, and what it answers, in its own words."""

import hashlib

from bench.bots import GAME, dealt
from bench.bots_agent import PASS, letters, observed, ranks_of
from games.bots.doudizhu import STRATEGIES
from games.rules.doudizhu.plays import leads
from games.rules.doudizhu.ranks import rank_set
from tests.rules.cases import every

SORTED = "3456789TJQKA2BR"


@every(number=range(3))
def test_every_play_of_a_deal_is_put_into_words_and_back(number: int) -> None:
    state = dealt("words", number)
    for hand in state.hands:
        plays = leads(rank_set(hand), GAME.wings)
        words = [letters(ranks) for ranks in plays]
        assert len(set(words)) == len(plays) > 20
        assert [ranks_of(text) for text in words] == plays
        assert all(list(text) == sorted(text, key=SORTED.index) for text in words)
    assert ranks_of(PASS) == 0
    assert letters(0) == PASS


def test_the_agent_sees_the_table_with_the_landlord_as_number_nought() -> None:
    state = dealt("seen", 1)
    for expected in (0, 1, 2):
        seen = observed(GAME, GAME.view(state, state.turn))
        assert (seen["self"], seen["landlord"]) == (expected, 0)
        assert [number for number, _ in seen["trace"]] == list(range(expected))  # type: ignore[attr-defined]
        assert (PASS in seen["actions"]) is (expected > 0)  # type: ignore[operator]
        # The middle cards are the landlord's.
        assert len(str(seen["current_hand"])) == (17 if expected else 20)
        state = GAME.apply(
            state, state.turn, STRATEGIES["legal"](GAME, GAME.view(state, state.turn))
        )


def test_a_deal_is_the_same_for_the_same_seed() -> None:
    assert dealt("a", 1) == dealt("a", 1)
    assert len({hashlib.sha256(repr(dealt(seed, 1)).encode()).digest() for seed in "abc"}) == 3
