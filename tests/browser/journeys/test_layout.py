"""At no table, in no position and no language, does a part lie on another, or is cut."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import cycle, islice
from typing import Final

import pytest

from casino.accounts.models import Player
from games.rules.catalogue import GAMES
from tests.browser.positions import VIEWER, Position, ended_evening, framed, positions
from tests.browser.printed_pages import SIZES, SMALL_ASIDE, Sheet
from tests.games.house import House
from tests.people import client_of

LANGUAGES: Final = ("en", "zh-hans", "zh-hant")
# So many deals of each game, because the layout must not depend on the cards. The first is shown in
# each language, each position of the others in one.
DRAWS: Final = 3
# Of a sample, one position of so many.
PART: Final = 4
# Of the sizes, so many.
SIZES_OF_A_SAMPLE: Final = 3

# All that moves has come to its end.
AFTER_A_WHILE: Final = "document.getAnimations().forEach((motion) => motion.finish())"

# In how many rows the tools of Dou Dizhu stand.
ROWS: Final = """() => new Set(
  [...document.querySelectorAll(".moves.doudizhu :is(.at-pass, #hint, #act-play, #clear)")]
    .filter((one) => one.offsetWidth)
    .map((one) => Math.round(one.getBoundingClientRect().top)),
).size"""

Looked = Callable[..., list[str]]


@pytest.fixture
def faults(house: House, sheet: Sheet) -> Looked:
    """The faults of a position in a language, each with where it was found."""
    # Draws repeat themselves, and so would the keys of further sessions.
    viewer = cache(lambda: client_of(house.person(VIEWER)))
    staff = cache(lambda: client_of(Player.objects.create_superuser("boss")))

    def look(position: Position, language: str, sizes: Iterable[str] = SIZES) -> list[str]:
        reader = staff() if position.by_staff else viewer()
        page = reader.get(position.address, headers={"Accept-Language": language})
        game = position.table.game
        where = f"{game}, {position.state}, {language}"
        # There no panel has room beside the rows of thirteen cards: it lies on the hand.
        is_high = GAMES[game].family == "thirteen"
        shown = [size for size in sizes if size != SMALL_ASIDE or not is_high]
        return [f"{where}, {fault}" for fault in sheet.faults(page.content, position.pose, shown)]

    return look


def faults_of(shown: Iterable[Position], faults: Looked, draw: int = 0) -> list[str]:
    sentences = []
    for number, position in enumerate(shown, draw):
        for language in [LANGUAGES[number % len(LANGUAGES)]] if draw else LANGUAGES:
            sentences += faults(position, language)
    return sentences


@pytest.mark.release
@pytest.mark.parametrize("draw", range(DRAWS))
@pytest.mark.parametrize("game", GAMES)
def test_nothing_overlaps(
    house: House, faults: Looked, monkeypatch: pytest.MonkeyPatch, game: str, draw: int
) -> None:
    assert faults_of(positions(house, game, monkeypatch, draw), faults, draw) == []


@pytest.mark.release
def test_nothing_overlaps_at_the_end_of_an_evening(
    house: House, faults: Looked, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert faults_of(ended_evening(house, monkeypatch), faults) == []


@pytest.mark.release
def test_nothing_overlaps_in_the_frame(house: House, faults: Looked) -> None:
    assert faults_of(framed(house), faults) == []


def test_a_notice_of_the_past_goes_by_itself(house: House, faults: Looked, sheet: Sheet) -> None:
    for position in framed(house):
        if position.state == "a lost seat":
            assert faults(position, "en", ["phone", "desk"]) == []
    with sheet.page.expect_request(re.compile(r"/running/lost/[0-9]+/")):
        sheet.page.evaluate(AFTER_A_WHILE)


def test_a_list_of_hands_says_time_and_game_on_a_phone(house: House, faults: Looked) -> None:
    table = house.dealt_in("baccarat_commission", VIEWER)
    house.act(table, VIEWER, {"do": "bet", "on": "tie", "amount": 1_000})
    house.until(table, lambda table: table.hands.exclude(ended_at=None).exists())
    assert (
        faults(Position("list", table, page="/admin/hands/", by_staff=True), "en", ["phone"]) == []
    )


@pytest.mark.always
def test_nothing_overlaps_in_a_sample(
    request: pytest.FixtureRequest,
    house: House,
    faults: Looked,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game a run, a part of its positions and of the sizes, and a deal: the seed says which."""
    seed = request.config.getoption("--sample") or 0
    game, language = list(GAMES)[seed % len(GAMES)], LANGUAGES[seed % len(LANGUAGES)]
    first = seed % len(SIZES)
    sizes = tuple(islice(cycle(SIZES), first, first + SIZES_OF_A_SAMPLE))
    overlaps = []
    for place, position in zip(
        cycle(range(PART)), positions(house, game, monkeypatch, seed % DRAWS)
    ):
        if place == seed % PART:
            overlaps += faults(position, language, sizes)
    assert overlaps == []


def test_the_tools_of_dou_dizhu_stand_in_one_row_on_a_phone(
    house: House, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = positions(house, "doudizhu", monkeypatch)
    position = next(position for position in shown if position.state == "decision")
    for language in LANGUAGES:
        page = client_of(house.person(VIEWER)).get(
            position.address, headers={"Accept-Language": language}
        )
        sheet.show(page.content)
        for width in (360, 390):
            sheet.page.set_viewport_size({"width": width, "height": 664})
            assert sheet.page.evaluate(ROWS) == 1, (language, width)
