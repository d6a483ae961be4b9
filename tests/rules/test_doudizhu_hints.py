"""Hints, suggestions and explanations."""

from random import Random

import msgspec
import pytest

from games.rules.__main__ import main
from games.rules.cards import composition, parse_cards
from games.rules.doudizhu.combinations import readings
from games.rules.doudizhu.explain import explain
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import Planner
from games.rules.doudizhu.outlook import EVERYTHING, Outlook
from games.rules.doudizhu.ranks import holds, names, rank_set
from games.rules.doudizhu.splitting import Splitter
from games.rules.doudizhu.suggest import suggest
from games.rules.errors import Unreadable
from tests.rules.doudizhu_table import ranks

GAME = Doudizhu()


def planner(hand: str, unseen: str | None = None, largest_hand: int = 17) -> Planner:
    hidden = EVERYTHING - ranks(hand) if unseen is None else ranks(unseen)
    return Planner(Outlook(hidden, largest_hand))


def hints(hand: str, other: str = "", unseen: str | None = None) -> list[str]:
    reading = readings(ranks(other))[0] if other else None
    return [names(hint.ranks) for hint in planner(hand, unseen).hints(ranks(hand), reading)]


FEW_TURNS = [
    ("3456789TJQK", ["3456789TJQK"]),
    ("334455667788", ["334455667788"]),
    ("3334445566", ["3334445566"]),
    ("33344457", ["33344457"]),
    ("345678456789", ["345678456789", "345678", "456789"]),
    ("33345678", ["33", "345678"]),
    ("5553", ["5553"]),
]


@pytest.mark.parametrize(("hand", "expected"), FEW_TURNS)
def test_a_hand_splits_into_few_turns(hand: str, expected: list[str]) -> None:
    found = Splitter(lambda copies, main, size: 1.0).split(ranks(hand))
    assert sum(group.ranks for group in found.groups) == ranks(hand)
    assert all(readings(group.ranks) for group in found.groups)
    assert found.cost == len(found.groups) <= len(expected)


TWO = parse_cards("2c")
CHEAPEST = [
    # The lowest card that breaks nothing, and neither a pair nor a straight for a single.
    ("4699Q2", "3", "4"),
    ("3456789K", "8", "K"),
    ("7789TJQ", "5", "7"),
    ("5588KK", "44", "55"),
    # A trio carries the card that is hardest to play alone.
    ("4449KA", "3336", "4449"),
    # A bomb waits while something else will do, and is spent to end the hand.
    ("66665TK", "4", "5"),
    ("6666", "3", "6666"),
]


@pytest.mark.parametrize(("hand", "other", "first"), CHEAPEST)
def test_the_first_hint_is_what_a_good_player_thinks_of(hand: str, other: str, first: str) -> None:
    assert hints(hand, other)[0] == first


def test_every_hint_is_a_play_and_none_comes_twice() -> None:
    found = hints("3334445566789TJ2BJ")
    assert len(found) == len(set(found)) > 3
    hand = ranks("3334445566789TJ2BJ")
    assert all(readings(ranks(hint)) and holds(hand, ranks(hint)) for hint in found)
    assert hints("3", "4") == []


@pytest.mark.parametrize(
    ("hand", "unseen", "lead"),
    [
        ("23", "456AK", "2"),  # A 2 cannot be beaten; then the last card goes.
        ("2234", "56789", None),
        ("AAA345672", "4455BJ", "AAA2"),
        ("RJ9", "BJ22", "RJ"),
        ("93", "22", None),
        ("23", "4444", None),
    ],
)
def test_a_certain_way_out_is_seen(hand: str, unseen: str, lead: str | None) -> None:
    found = planner(hand, unseen).certain_lead(ranks(hand))
    if lead is None:
        assert found is None
    else:
        assert found is not None
        assert planner(hand, unseen).is_sure(readings(found)[0])


def test_a_hand_too_small_cannot_answer() -> None:
    pair = readings(ranks("33"))[0]
    assert not planner("33", "4455", 2).is_sure(pair)
    assert planner("33", "4455", 1).is_sure(pair)


def test_suggestions_are_leads_of_the_hand_best_first() -> None:
    cards = parse_cards("3c3d3h4c4d4h5c6c7d8h9hTsJhQdKd2c2d")
    found = suggest(GAME, cards)
    assert [one.leads_needed for one in found] == sorted(one.leads_needed for one in found)
    assert all(set(one.cards) <= set(cards) and 0 <= one.standing <= 1 for one in found)
    assert {one.kind for one in found} >= {"straight", "airplane"}


def test_a_suggestion_tells_how_many_leads_are_needed() -> None:
    (last,) = suggest(GAME, parse_cards("3c"))
    assert last.leads_needed == 0
    # Two low singles: each takes a lead of its own, and the other may beat something sooner.
    found = suggest(GAME, parse_cards("3c4c"))
    assert all(1.5 < one.leads_needed <= 2 for one in found)
    assert [one.leads_needed for one in found] == [round(one.leads_needed, 3) for one in found]
    assert [one.standing for one in found] == [round(one.standing, 3) for one in found]


def test_a_landlord_gets_suggestions_for_twenty_cards() -> None:
    cards = GAME.composition()[:20]
    assert suggest(GAME, cards)[0].cards


def test_own_cards_are_not_feared() -> None:
    """Who holds both jokers has no higher single against a 2."""
    alone, safer = (
        next(one.standing for one in suggest(GAME, parse_cards(hand)) if one.cards == TWO)
        for hand in ("2c3c", "2c3cBJRJ")
    )
    assert safer > alone


@pytest.mark.parametrize("cards", ["", "3c3c", "3c4c5c6c7c8c9cTcJcQcKcAc2c3d4d5d6d7d8d9dTd"])
def test_what_is_no_hand_gets_no_suggestion(cards: str) -> None:
    with pytest.raises(Unreadable):
        suggest(GAME, parse_cards(cards))


def test_an_explanation_gives_every_reading() -> None:
    answer = explain(GAME, "6h 3c3d3h 4c4d4h 5c5d5h 6c6d")
    assert answer["cards"][0] == "3c"
    assert [
        (one["kind"], one["rank"], one["length"], one["carries"]) for one in answer["readings"]
    ] == [
        ("airplane", "6", 4, ""),
        ("airplane_singles", "6", 3, "333"),
        ("airplane_singles", "5", 3, "666"),
    ]
    assert "refused" not in answer
    assert explain(GAME, "BJRJ")["readings"][0]["carries"] == ""


def test_an_explanation_gives_the_reason_when_there_is_no_reading() -> None:
    assert explain(GAME, "TcJcQcKcAc2c")["refused"] == {
        "code": "straight_two",
        "message": "A straight cannot hold a 2.",
    }
    strict = explain(Doudizhu(wings="strict"), "3c3d3h3sBJRJ")
    assert strict["refused"]["code"] == "both_jokers"


@pytest.mark.parametrize("text", ["", "3c3c", "3x", "3"])
def test_what_is_no_set_of_cards_is_not_explained(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        explain(GAME, text)
    assert refused.value.code == ("cards" if text in ("", "3c3c") else "card")


def test_every_split_covers_the_hand() -> None:
    random = Random(0)
    for _ in range(100):
        hand = rank_set(random.sample(composition(jokers=True), random.randint(1, 20)))
        found = Planner(Outlook(EVERYTHING - hand)).split(hand)
        assert sum(group.ranks for group in found.groups) == hand
        assert all(readings(group.ranks) for group in found.groups)
        assert found.cost == pytest.approx(sum(group.price for group in found.groups))


def test_the_command_line_shows_and_suggests(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["show", "doudizhu", "BJRJ"]) == 0
    assert main(["show", "doudizhu", "3c4c"]) == 0
    assert main(["suggest", "doudizhu", "3c3d3h4c4d4h"]) == 0
    assert main(["suggest", "doudizhu", "3c3c"]) == 1
    shown, refused, suggested, unreadable = map(
        msgspec.json.decode, capsysbinary.readouterr().out.splitlines()
    )
    assert shown["readings"] == [{"kind": "rocket", "rank": "RJ", "length": 2, "carries": ""}]
    assert refused["refused"]["code"] == "no_combination"
    assert suggested["suggestions"][0]["kind"] == "airplane"
    assert (unreadable["ok"], unreadable["code"]) == (False, "card_count")
