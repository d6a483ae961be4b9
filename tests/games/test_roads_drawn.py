"""The road maps in the page: each drawn entry is the one that the rules put there."""

import re
from random import Random
from xml.etree import ElementTree

import pytest
from django.utils.translation import override

from games.families.baccarat.road_maps import UNIT, draw
from games.families.baccarat.roads import patterns
from games.rules.baccarat.coup import Winner
from games.rules.baccarat.roads import Result, roads

WINNERS: dict[str, Winner] = {"P": "player", "B": "banker", "T": "tie"}
ENTRY = re.compile(r"translate\((\d+) (\d+)\)")
Entry = tuple[int, int, str]


def shoe(text: str) -> list[Result]:
    return [Result(WINNERS[letter]) for letter in text]


def random_shoe(seed: int) -> list[Result]:
    random = Random(seed)
    return [
        Result(
            random.choices(("player", "banker", "tie"), (45, 46, 9))[0],
            player_pair=random.random() < 0.1,
            banker_pair=random.random() < 0.1,
            natural=random.random() < 0.3,
        )
        for _ in range(random.randrange(0, 90))
    ]


def groups(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg))


def entry(group: ElementTree.Element) -> Entry:
    place = ENTRY.fullmatch(group.attrib["transform"])
    assert place
    return int(place[1]) // UNIT, int(place[2]) // UNIT, group.attrib["class"].split()[0]


def entries(svg: str) -> list[Entry]:
    return [entry(group) for group in groups(svg)]


def marked(group: ElementTree.Element, kind: str) -> bool:
    return any(mark.get("class") == kind for mark in group)


@pytest.mark.parametrize("seed", range(12))
def test_every_entry_stands_where_the_rules_put_it(seed: int) -> None:
    results = random_shoe(seed)
    scoreboard, drawn = roads(results), draw(results)
    assert entries(drawn.bead_plate) == [
        (bead.column, bead.row, bead.result.winner) for bead in scoreboard.bead_plate
    ]
    assert entries(drawn.big_road) == [
        (cell.column, cell.row, cell.result.winner if cell.result else "tie")
        for cell in scoreboard.big_road
    ]
    for road in ("big_eye_boy", "small_road", "cockroach_road"):
        assert entries(getattr(drawn, road)) == [
            (cell.column, cell.row, cell.colour) for cell in getattr(scoreboard, road)
        ]
    for forecast, answer in (
        (drawn.if_player, scoreboard.if_player),
        (drawn.if_banker, scoreboard.if_banker),
    ):
        colours = (answer.big_eye_boy, answer.small_road, answer.cockroach_road)
        assert entries(forecast) == [
            (place, 0, colour) for place, colour in enumerate(colours) if colour
        ]


@pytest.mark.parametrize("seed", range(12))
def test_pairs_naturals_and_ties_are_marked(seed: int) -> None:
    results = random_shoe(seed)
    drawn = draw(results)
    for group, result in zip(groups(drawn.bead_plate), results, strict=True):
        assert marked(group, "pair banker") == result.banker_pair
        assert marked(group, "pair player") == result.player_pair
    for group, cell in zip(groups(drawn.big_road), roads(results).big_road, strict=True):
        assert marked(group, "tied") == bool(cell.ties)
        number = "".join(text.text or "" for text in group.iter("text"))
        assert number == (str(cell.ties) if cell.ties > 1 else "")
        assert marked(group, "natural") == bool(cell.result and cell.result.natural)


def test_a_map_is_wide_enough_for_its_dragon_tail_and_one_more() -> None:
    results = shoe("B" * 20)
    svg = ElementTree.fromstring(draw(results).big_road)
    assert entries(draw(results).big_road)[-1] == (14, 5, "banker")
    assert int(svg.attrib["width"]) == 16 * UNIT


def test_no_entry_relies_on_colour_alone() -> None:
    results = random_shoe(3)
    drawn = draw(results)
    for road in (drawn.big_road, drawn.big_eye_boy, drawn.small_road, drawn.cockroach_road):
        shapes: dict[str, set[str]] = {}
        for group in groups(road):
            mark = group[0]
            shapes.setdefault(group.attrib["class"], set()).add(mark.tag + mark.get("d", ""))
        first, second = shapes.values()
        assert first.isdisjoint(second)


@pytest.mark.parametrize(
    ("language", "letters"), [("en", "BPT"), ("zh-hans", "庄闲和"), ("zh-hant", "莊閒和")]
)
def test_beads_carry_their_letter_in_the_language_of_the_page(language: str, letters: str) -> None:
    with override(language):
        beads = groups(draw(shoe("BPT")).bead_plate)
    assert "".join(text.text or "" for bead in beads for text in bead.iter("text")) == letters


def test_maps_are_summarised_in_words() -> None:
    with override("en"):
        drawn, none = draw(shoe("BTPBBTB")), draw(())
    assert drawn.summary == "7 rounds: Banker 4, Player 1, Tie 2. Banker 3 times in a row"
    label = ElementTree.fromstring(drawn.bead_plate).attrib["aria-label"]
    assert label.endswith("Banker, Tie, Player, Banker, Banker, Tie, Banker")
    assert none.summary == "No round of this shoe has been played."


@pytest.mark.parametrize(
    ("results", "named"),
    [
        ("", []),
        ("TTT", []),
        ("PBBB", []),
        ("PBBTBB", ["long_banker"]),
        ("BPPPPP", ["long_player"]),
        ("BBPBP", []),
        ("BBPBPB", ["single_chop"]),
        ("PBBPPB", []),
        ("PBBPPBB", ["double_chop"]),
        ("BBPPBBP", ["double_chop"]),
        ("BBBPPBPP", []),
        ("PPBPPBP", ["one_banker_two_players"]),
        ("PBBPBB", ["one_player_two_bankers"]),
        ("BBPBBBPPPBBBB", ["long_banker"]),
        ("PPPBPPBPPPB", ["player_runs"]),
        ("PPPBPPBPPPBPP", ["player_runs", "banker_chops"]),
        ("PBBBPBBPBBBPBBB", ["player_chops", "banker_runs"]),
    ],
)
def test_good_roads_have_their_names(results: str, named: list[str]) -> None:
    assert patterns(shoe(results)) == named
