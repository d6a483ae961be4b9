"""The guided hands by game."""

from collections.abc import Mapping
from typing import Final

from games.families.baccarat import lessons as baccarat
from games.families.blackjack import lesson as blackjack
from games.families.doudizhu.lesson import DoudizhuLesson
from games.families.lesson import Lesson
from games.families.poker import lessons as poker
from games.families.thirteen import lesson as thirteen

LESSONS: Final[Mapping[str, Lesson]] = {
    "doudizhu": DoudizhuLesson(),
    "chinese_poker": thirteen.CHINESE_POKER,
    "thirteen_hongkong": thirteen.HONGKONG,
    "thirteen_taiwan": thirteen.TAIWAN,
    "thirteen_philippine": thirteen.PHILIPPINE,
    "thirteen_fujian": thirteen.FUJIAN,
    "blackjack": blackjack.LESSON,
    "russian_poker": poker.RUSSIAN_POKER,
    "casino_holdem": poker.CASINO_HOLDEM,
    "baccarat": baccarat.WITHOUT_COMMISSION,
    "baccarat_commission": baccarat.WITH_COMMISSION,
}
