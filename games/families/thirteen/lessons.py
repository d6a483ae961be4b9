"""The guided hands of the five games of thirteen cards: one deal, in each manner of play."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.families.lesson import Words
from games.families.thirteen.lesson import FOUR, ThirteenLesson
from games.rules.thirteen.banking import ThirteenHongkong, ThirteenPhilippine
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.taiwan import ThirteenTaiwan

BANKER: Final = 2
OTHER_WAY: Final = _(
    "These rows are allowed, too. A flush behind a straight, with the pair of kings in front, was "
    "better."
)
# Against a banker, and among four players.
AGAINST_MEI: Final[tuple[tuple[Words, str], ...]] = (
    (
        _(
            "Now everybody shows, and your rows are compared with Mei's alone. Front: your pair of "
            "kings beats her ace. One row won."
        ),
        "front",
    ),
    (_("Middle: your straight beats Mei's pair of jacks. Another one."), "middle"),
    (_("Back: Mei's full house beats your flush. Two rows won, one lost."), "back"),
)
BET_PAYS: Final = _(
    "A row won is one bet, and some rows earn more, such as three of a kind in front. Below is "
    "every line of it; the house takes its share of what you win."
)
AMONG_FOUR: Final[tuple[tuple[Words, str], ...]] = (
    (
        _(
            "Now everybody shows, and each row is compared with the same row of each other player. "
            "Front: your pair of kings beats Old Wu's pair of fours, and the aces of Mei and Chun. "
            "Three rows won."
        ),
        "front",
    ),
    (
        _(
            "Middle: your straight beats Mei's pair of jacks, and the two pairs of Old Wu and "
            "Chun. Three more."
        ),
        "middle",
    ),
    (
        _(
            "Back: your flush beats the straights of Old Wu and Chun, but Mei has a full house, "
            "which is higher. Two rows won, one lost."
        ),
        "back",
    ),
)
SCOOPS: Final = _(
    "You have won all three rows from Old Wu, and from Chun: each is a scoop, and they pay double. "
    "Below is every line of it; the house takes its share of what you win."
)

CHINESE_POKER: Final = ThirteenLesson()
HONGKONG: Final = ThirteenLesson(
    ThirteenHongkong(),
    banker=BANKER,
    manner=_("Mei is the banker, and you have bet 10 against her."),
    read=AGAINST_MEI,
    end=BET_PAYS,
    other_way=OTHER_WAY,
)
PHILIPPINE: Final = ThirteenLesson(
    ThirteenPhilippine(),
    FOUR,
    banker=BANKER,
    manner=_(
        "Mei is the banker, and you have bet 10 against her. She may have all players exchange "
        "cards before they arrange them; this time she does not."
    ),
    read=AGAINST_MEI,
    end=BET_PAYS,
    other_way=OTHER_WAY,
)
TAIWAN: Final = ThirteenLesson(
    ThirteenTaiwan(),
    FOUR,
    manner=_("Four players sit here, each against each."),
    read=AMONG_FOUR,
    end=SCOOPS,
    other_way=OTHER_WAY,
)
FUJIAN: Final = ThirteenLesson(
    ThirteenFujian(jokers=0),
    FOUR,
    manner=_("Four players sit here, each against each, and this time without jokers."),
    read=AMONG_FOUR,
    end=SCOOPS,
    other_way=OTHER_WAY,
)
