"""How a hand was settled, as one of its players reads it."""

from string import Formatter
from typing import Any

import pytest
from django.utils.translation import override

from games.boards.settlement_view import settlement_view
from games.rules.messages import SECOND_PERSON, sentence_of
from wallets.models import Currency

POINTS = Currency(code="PTS", exponent=0)
NAMES = {1: "alice", 2: "ben"}


def fields(template: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(template) if name}


@pytest.mark.parametrize("key", sorted(SECOND_PERSON))
def test_a_sentence_to_the_player_needs_no_value_that_its_line_lacks(key: str) -> None:
    assert fields(SECOND_PERSON[key]) <= fields(sentence_of(key.partition(".")[0]))


def of_house(key: str, source: str, target: str, amount: int, box: int, **values: object) -> Any:
    return {
        "key": key,
        "source": source,
        "target": target,
        "amount": amount,
        "values": {"box": box, "bet": "bet", **values},
    }


ROUND: list[Any] = [
    of_house("box_lost", "1", "house", 10, 2),
    of_house("box_won", "house", "1", 15, 5, stake=10, pays=3, to=2),
    of_house("box_lost", "2", "house", 40, 3),
    of_house("pool_share", "house", "progressive", 4, 2, share_bp=100, seat=1, stake=5),
    {
        "key": "rake",
        "source": "1",
        "target": "rake",
        "amount": 1,
        "values": {"won": 5, "rake_bp": 500},
    },
]


def test_a_player_reads_each_box_signed_and_a_total_and_nothing_of_the_pools() -> None:
    with override("en"):
        settled = settlement_view(ROUND, 1, NAMES, POINTS)
    assert [(group.title, group.total) for group in settled.groups] == [
        ("Box 2", -10),
        ("Box 5", 15),
        ("", -1),
    ]
    assert settled.total == 4
    assert settled.groups[0].reasons[0].words.startswith("You lose")
    assert settled.groups[1].reasons[0].words.startswith("You are paid 3:2")
    assert [reason.amount for reason in settled.others] == [40]
    assert "ben" in settled.others[0].words


def test_a_spectator_reads_what_every_seat_won_and_lost_in_the_third_person() -> None:
    with override("en"):
        settled = settlement_view(ROUND, None, NAMES, POINTS)
    assert (settled.groups, settled.total) == ((), None)
    assert [reason.amount for reason in settled.others] == [10, 15, 40, 1]
    assert not any("you" in reason.words.lower().split() for reason in settled.others)


def test_lines_among_players_stand_by_opponent_and_speak_to_the_reader() -> None:
    bomb: Any = {
        "key": "bomb",
        "source": "2",
        "target": "1",
        "amount": 3,
        "values": {"rank": "7", "points": 6, "seat": 2},
    }
    gun: Any = {"key": "gun", "source": "1", "target": "2", "amount": 5, "values": {"points": 3}}
    with override("en"):
        ben, alice = (settlement_view([bomb, gun], seat, NAMES, POINTS) for seat in (2, 1))
    assert [(group.title, group.total) for group in alice.groups] == [("ben", -2)]
    assert [reason.words for reason in ben.groups[0].reasons] == [
        "You played a bomb of 7: doubled to 6",
        "You win all three rows from alice: 3 more",
    ]
    assert alice.groups[0].reasons[1].words == "ben wins all three rows from you: 3 more"
