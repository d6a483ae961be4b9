"""Hints, suggestions and explanations."""

from random import Random

import msgspec
import pytest

from games.__main__ import main
from games.rules.cards import composition, parse_cards
from games.rules.doudizhu.combinations import SHAPES, readings
from games.rules.doudizhu.explain import explain
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import BOMB_RESERVE, CARRIED_MAX, EVERYTHING, Outlook, Planner
from games.rules.doudizhu.plays import Splitter
from games.rules.doudizhu.ranks import count, holds, names, rank_set
from games.rules.doudizhu.suggest import suggest
from games.rules.errors import Unreadable
from tests.rules.cases import each, every, unreadable
from tests.rules.doudizhu_table import ranks

GAME = Doudizhu()


def planner(hand: str, unseen: str | None = None, largest_hand: int = 17) -> Planner:
    hidden = EVERYTHING - ranks(hand) if unseen is None else ranks(unseen)
    return Planner(Outlook(hidden, largest_hand))


def hints(hand: str, other: str = "", unseen: str | None = None) -> list[str]:
    reading = readings(ranks(other))[0] if other else None
    return [names(hint.ranks) for hint in planner(hand, unseen).hints(ranks(hand), reading)]


@each(
    ("3456789TJQK", ["3456789TJQK"]),
    ("334455667788", ["334455667788"]),
    ("3334445566", ["3334445566"]),
    ("33344457", ["33344457"]),
    ("345678456789", ["345678456789", "345678", "456789"]),
    ("33345678", ["33", "345678"]),
    ("5553", ["5553"]),
)
def test_a_hand_splits_into_few_turns(hand: str, expected: list[str]) -> None:
    split = Splitter(lambda copies, main, size: 1.0).split(ranks(hand))
    assert sum(group.ranks for group in split.groups) == ranks(hand)
    assert all(readings(group.ranks) for group in split.groups)
    assert split.cost == len(split.groups) <= len(expected)


TWO = parse_cards("2c")


@each(
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
)
def test_the_first_hint_is_what_a_good_player_thinks_of(hand: str, other: str, first: str) -> None:
    assert hints(hand, other)[0] == first


def test_every_hint_is_a_play_and_none_comes_twice() -> None:
    plays = hints("3334445566789TJ2BJ")
    assert len(plays) == len(set(plays)) > 3
    hand = ranks("3334445566789TJ2BJ")
    assert all(readings(ranks(hint)) and holds(hand, ranks(hint)) for hint in plays)
    assert {"3", "33"} <= set(plays)
    assert hints("3", "4") == []


def test_only_the_lowest_carried_cards_are_considered() -> None:
    plays = hints("444555667789TJQ", "33344478")
    assert len(plays) == CARRIED_MAX
    assert {"44455566", "44455567"} <= set(plays)
    assert "444555JQ" not in plays
    assert len(hints("44456789TJQKA2BJ", "3335")) == CARRIED_MAX


def test_a_bomb_must_bring_more_unless_it_ends_the_hand() -> None:
    for hint in planner("666634BJRJ").hints(ranks("666634BJRJ")):
        spent = names(hint.ranks) in ("6666", "BJRJ")
        assert hint.worth == pytest.approx(hint.cost + (BOMB_RESERVE if spent else 0))
    (last,) = (hint for hint in planner("6666").hints(ranks("6666")) if hint.ranks == ranks("6666"))
    assert last.worth == last.cost


def test_wings_are_those_of_the_table() -> None:
    hand = ranks("3333BJRJ")
    literal, strict = Planner(Outlook(0)), Planner(Outlook(0), "strict")
    assert literal.hints(hand)[0].ranks == hand
    assert hand not in [hint.ranks for hint in strict.hints(hand)]


@each(
    ("23", "456AK", "2"),  # A 2 cannot be beaten; then the last card goes.
    ("2234", "56789", None),
    ("AAA345672", "4455BJ", "AAA2"),
    ("RJ9", "BJ22", "RJ"),
    ("93", "22", None),
    ("23", "4444", None),
)
def test_a_certain_way_out_is_seen(hand: str, unseen: str, lead: str | None) -> None:
    play = planner(hand, unseen).certain_lead(ranks(hand))
    if lead is None:
        assert play is None
    else:
        assert play is not None
        assert planner(hand, unseen).is_sure(readings(play)[0])


def test_a_hand_too_small_cannot_answer() -> None:
    pair = readings(ranks("33"))[0]
    assert not planner("33", "4455", 2).is_sure(pair)
    assert planner("33", "4455", 1).is_sure(pair)


@each(
    # A single, a pair, a trio: by the ranks above, not by equal or lower ones.
    ("A", "AAKKQQ", 17, True),
    ("A", "2", 17, False),
    ("22", "AABJ", 17, True),
    ("KK", "2", 17, True),
    ("KK", "22", 17, False),
    ("KKK", "222", 17, False),
    ("KKK6", "222", 17, False),
    # A chain: only a higher one of the same length, with every rank in it.
    ("34567", "34567", 17, True),
    ("34567", "45678", 17, False),
    ("34567", "4568", 17, True),
    ("TJQKA", "3456789", 17, True),
    ("334455", "445566", 17, False),
    ("333444", "444555", 17, False),
    # Bombs beat all that is no bomb; four cards make one, in a hand that holds so many.
    ("2", "3333", 17, False),
    ("2", "3333", 4, False),
    ("2", "3333", 3, True),
    ("222234", "3333", 17, False),
    ("2222", "3333", 17, True),
    ("7777", "8888", 17, False),
    ("7777", "6666", 17, True),
    ("7777", "8888", 4, False),
    ("7777", "8888", 3, True),
    # The rocket beats everything, and is two cards.
    ("2222", "BJRJ", 17, False),
    ("2222", "BJ", 17, True),
    ("22", "BJRJ", 2, False),
    ("22", "BJRJ", 1, True),
    ("BJRJ", "3333", 17, True),
    # A hand that has not so many cards cannot answer, but with a bomb.
    ("33344", "55566", 4, True),
    ("33344", "55566", 5, False),
    ("33344", "BJRJ", 4, False),
)
def test_unbeatable_plays_are_certain(
    cards: str, unseen: str, largest_hand: int, expected: bool
) -> None:
    plan = planner("", unseen, largest_hand)
    reading = readings(ranks(cards))[0]
    assert plan.is_sure(reading) is expected
    assert (plan.standing(reading) == 1) is expected


def test_unless_it_is_said_no_opponent_has_more_than_a_farmer_is_dealt() -> None:
    eighteen = readings(ranks("333444555666777888"))[0]
    assert Planner(Outlook(ranks("444555666777888999"))).is_sure(eighteen)
    fifteen = readings(ranks("333444555666777"))[0]
    assert not Planner(Outlook(ranks("444555666777888"))).is_sure(fifteen)


def standing(cards: str, unseen: str, share: float = 1.0) -> float:
    reading = readings(ranks(cards))[0]
    return Planner(Outlook(ranks(unseen), share=share)).standing(reading)


@each(
    # Every higher card may beat a single; of a pair or trio every higher rank.
    (("K", "A"), ("K", "AA")),
    (("K", "AA"), ("K", "A2BJ")),
    (("33", "4455"), ("33", "445566")),
    # There are fewer trios than pairs and singles, and fewer chains.
    (("333", "444"), ("33", "44")),
    (("34567", "45678"), ("33", "44")),
    (("34567", "45678"), ("34567", "456789")),
    # Each bomb that may lie there, and the rocket, takes something from every chance.
    (("2", "3"), ("2", "3333")),
    (("2", "3333"), ("2", "33334444")),
    (("22", "3"), ("22", "BJRJ")),
    (("22", "3333"), ("22", "BJRJ")),
    (("2222", "3"), ("2222", "BJRJ")),
    (("7777", "8888"), ("7777", "88889999")),
    (("7777", "8888"), ("7777", "8888BJRJ")),
    # What lies with a partner is not feared.
    (("K", "A", 0.5), ("K", "A", 1.0)),
    (("22", "3333", 0.5), ("22", "3333", 1.0)),
    (("22", "BJRJ", 0.5), ("22", "BJRJ", 1.0)),
)
def test_the_chance_to_stand(better: tuple[str, str], worse: tuple[str, str]) -> None:
    assert 0 < standing(*worse) < standing(*better) <= 1


def test_the_chance_of_a_pair_goes_by_ranks_and_not_by_cards() -> None:
    assert standing("33", "44") == standing("33", "444") < 1


def price(cards: str, unseen: str | None = None) -> float:
    reading = readings(ranks(cards))[0]
    hidden = EVERYTHING - ranks(cards) if unseen is None else ranks(unseen)
    copies, _ = SHAPES[reading.kind]
    return Outlook(hidden).price(copies, reading.main, reading.size)


@every(cards=["3", "4", "33"])
def test_a_low_card_costs_a_whole_lead(cards: str) -> None:
    assert price(cards) == pytest.approx(1, abs=0.05)


def test_a_rocket_brings_a_lead_and_a_bomb_nearly() -> None:
    assert price("BJRJ") == -1
    assert -1 < price("3333") == price("2222") < 0


@every(
    rising=[
        ("3", "7", "J", "A", "2", "BJ", "RJ"),
        ("33", "77", "JJ", "AA", "22"),
        ("333", "777", "JJJ", "AAA", "222"),
        ("34567", "6789T", "TJQKA"),
    ]
)
def test_a_higher_combination_costs_less(rising: tuple[str, ...]) -> None:
    prices = [price(cards, "33445566778899TTJJQQKKAA22BJ") for cards in rising]
    assert prices == sorted(prices, reverse=True)
    assert len(set(prices)) == len(prices)


@each(("3", 0), ("33", 0), ("333", 0), ("34567", -0.1), ("333444", -0.1), ("222234", 0))
def test_unbeatable_plays_cost_only_the_cards_they_cannot_clear(
    cards: str, expected: float
) -> None:
    """Nothing is unseen: a lead comes back at once. The 3 never goes out on another's lead."""
    assert price(cards, "") == pytest.approx(expected)


@each(("2", "22"), ("22", "222"), ("222", "TJQKA"))
def test_single_cards_go_out_on_anothers_lead_more_often_than_more(first: str, then: str) -> None:
    assert price(first, "") < price(then, "") < 0


def test_the_longest_carries_the_dearest() -> None:
    groups = {
        names(group.ranks)
        for group in planner("333444777589Q").split(ranks("333444777589Q")).groups
    }
    assert len(groups) == 3
    assert "33344458" in groups


def test_a_trio_carries_the_dearest_pair() -> None:
    groups = planner("33344KK").split(ranks("33344KK")).groups
    assert {names(group.ranks) for group in groups} == {"33344", "KK"}


def test_a_trio_does_not_carry_what_stands_alone() -> None:
    for hand, unseen in (("AAA2", "4455"), ("3332", "444555666777")):
        groups = planner(hand, unseen).split(ranks(hand)).groups
        assert {names(group.ranks) for group in groups} == {hand[:3], "2"}


def test_a_trio_with_nothing_to_carry_counts_as_three_cards() -> None:
    plan = planner("333", "444", 3)
    (group,) = plan.split(ranks("333")).groups
    assert (group.size, group.price) == (3, plan.outlook.price(3, ranks("3"), 3))
    assert plan.outlook.price(3, ranks("3"), 4) < group.price


def test_suggestions_are_leads_of_the_hand_best_first() -> None:
    cards = parse_cards("3c3d3h4c4d4h5c6c7d8h9hTsJhQdKd2c2d")
    suggestions = suggest(GAME, cards)
    assert [suggestion.leads_needed for suggestion in suggestions] == sorted(
        suggestion.leads_needed for suggestion in suggestions
    )
    assert all(
        set(suggestion.cards) <= set(cards) and 0 <= suggestion.standing <= 1
        for suggestion in suggestions
    )
    assert {suggestion.kind for suggestion in suggestions} >= {"straight", "airplane"}


def test_a_suggestion_tells_how_many_leads_are_needed() -> None:
    (last,) = suggest(GAME, parse_cards("3c"))
    assert last.leads_needed == 0
    # Two low singles: each takes a lead of its own, and the other may beat something sooner.
    suggestions = suggest(GAME, parse_cards("3c4c"))
    assert all(1.5 < suggestion.leads_needed <= 2 for suggestion in suggestions)
    assert [suggestion.leads_needed for suggestion in suggestions] == [
        round(suggestion.leads_needed, 3) for suggestion in suggestions
    ]
    assert [suggestion.standing for suggestion in suggestions] == [
        round(suggestion.standing, 3) for suggestion in suggestions
    ]


def test_the_chance_to_stand_saves_its_part_of_a_lead() -> None:
    suggestions = suggest(GAME, parse_cards("2c3c"))
    two = next(suggestion for suggestion in suggestions if suggestion.cards == TWO)
    assert two.leads_needed == pytest.approx(2 - two.standing, abs=0.01)
    assert 0 < two.standing == round(two.standing, 3) < 1


def test_a_landlord_gets_suggestions_for_twenty_cards() -> None:
    cards = GAME.composition()[:20]
    assert suggest(GAME, cards)[0].cards


def test_own_cards_are_not_feared() -> None:
    """With both jokers in hand, no opponent has a higher single than a 2."""
    alone, safer = (
        next(
            suggestion.standing
            for suggestion in suggest(GAME, parse_cards(hand))
            if suggestion.cards == TWO
        )
        for hand in ("2c3c", "2c3cBJRJ")
    )
    assert safer > alone


@every(cards=["", "3c3c", "3c4c5c6c7c8c9cTcJcQcKcAc2c3d4d5d6d7d8d9dTd"])
def test_impossible_hands_get_no_suggestion(cards: str) -> None:
    with pytest.raises(Unreadable):
        suggest(GAME, parse_cards(cards))


def test_an_explanation_gives_every_reading() -> None:
    answer = explain(GAME, "6h 3c3d3h 4c4d4h 5c5d5h 6c6d")
    assert answer["cards"][0] == "3c"
    assert [
        (reading["kind"], reading["rank"], reading["length"], reading["carries"])
        for reading in answer["readings"]
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


@every(text=["", "3c3c", "3x", "3"])
def test_impossible_sets_are_not_explained(text: str) -> None:
    unreadable("cards" if text in ("", "3c3c") else "card", explain, GAME, text)


def test_every_split_covers_the_hand() -> None:
    random = Random(0)
    for _ in range(100):
        hand = rank_set(random.sample(composition(jokers=True), random.randint(1, 20)))
        split = Planner(Outlook(EVERYTHING - hand)).split(hand)
        assert sum(group.ranks for group in split.groups) == hand
        assert all(readings(group.ranks) for group in split.groups)
        assert split.cost == pytest.approx(sum(group.price for group in split.groups))
        assert all(group.size == count(group.ranks) for group in split.groups)


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
