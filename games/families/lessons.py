"""The guided hands by game."""

from collections.abc import Mapping
from typing import Final

from games.families.doudizhu.lesson import DoudizhuLesson
from games.families.lesson import Lesson
from games.families.thirteen.lesson import ThirteenLesson

LESSONS: Final[Mapping[str, Lesson]] = {
    "doudizhu": DoudizhuLesson(),
    "chinese_poker": ThirteenLesson(),
}
