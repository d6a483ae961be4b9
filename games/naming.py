"""What people call the games, and the words of the rules, in their language."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

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

# The words that rules use in views, choices and settlement lines. What is not here is said as it
# is written there.
TERMS: Final[dict[str, str | Promise]] = {
    # Rows.
    "front": _("front"),
    "middle": _("middle"),
    "back": _("back"),
    # What cards make.
    "high_card": _("high card"),
    "ace_king": _("ace-king"),
    "pair": _("pair"),
    "two_pair": _("two pairs"),
    "three": _("three of a kind"),
    "straight": _("straight"),
    "flush": _("flush"),
    "full_house": _("full house"),
    "four": _("four of a kind"),
    "straight_flush": _("straight flush"),
    "royal_flush": _("royal flush"),
    "five": _("five of a kind"),
    # Naturals.
    "thirteen_suited": _("thirteen of one suit"),
    "dragon": _("dragon"),
    "pure_dragon": _("dragon in one suit"),
    "twelve_one": _("twelve and one"),
    "trips_five_pairs": _("five pairs and a three"),
    "three_straights": _("three straights"),
    "three_flushes": _("three flushes"),
    "six_pairs": _("six pairs"),
    "four_trips": _("four threes"),
    "three_fours": _("three fours"),
    "three_straight_flushes": _("three straight flushes"),
    "twelve_royals": _("twelve court cards"),
    "all_big": _("all big"),
    "all_small": _("all small"),
    "one_colour": _("all of one colour"),
    "double_full_house": _("two full houses"),
    # Spots and bets.
    "player": _p("a spot at baccarat", "Player"),
    "banker": _p("a spot at baccarat", "Banker"),
    "tie": _("Tie"),
    "player_pair": _("Player pair"),
    "banker_pair": _("Banker pair"),
    "ante": _("ante"),
    "bet": _("bet"),
    "bonus": _("bonus"),
    "insurance": _("insurance"),
    # Directions of an exchange.
    "clockwise": _("to the left"),
    "anticlockwise": _("to the right"),
    "opposite": _("across"),
    # How a hand at blackjack has ended.
    "stood": _("stands"),
    "bust": _("bust"),
    "surrendered": _("surrendered"),
    "blackjack": _("blackjack"),
    # What the plays of Dou Dizhu are.
    "single": _("single card"),
    "trio": _("three"),
    "bomb": _("bomb"),
    "rocket": _("rocket"),
    "progressive": _("progressive"),
    "mystery": _("mystery"),
}


def game_name(key: str) -> str | Promise:
    return GAME_NAMES[key]


def term(word: object) -> str:
    """A word of the rules in the reader's language."""
    text = str(word)
    return str(TERMS.get(text, text.replace("_", " ")))
