"""What people call the games, in their language."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

GAME_NAMES: Final[dict[str, str | Promise]] = {
    "chinese_poker": _("Chinese poker"),
    "thirteen_hongkong": _("Hong Kong thirteen cards"),
    "thirteen_taiwan": _("Taiwan thirteen cards"),
    "thirteen_philippine": _("Philippine thirteen cards"),
    "thirteen_fujian": _("Fujian thirteen cards"),
    "doudizhu": _("Dou Dizhu"),
    "blackjack": _("Blackjack"),
    "russian_poker": _("Russian poker"),
    "casino_holdem": _("Casino hold'em"),
    "baccarat": _("Baccarat without commission"),
    "baccarat_commission": _("Baccarat with commission"),
}


def game_name(key: str) -> str | Promise:
    return GAME_NAMES[key]
