"""Quick phrases and emotes: a line stores the key, so everybody reads it in their own language."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

Words = dict[str, str | Promise]

PHRASES: Final[Words] = {
    "hello": _("Hello everybody!"),
    "luck": _("Good luck!"),
    "nice": _("Nicely played!"),
    "thanks": _("Thank you!"),
    "quick": _("A little quicker, please."),
    "moment": _("One moment, please."),
    "unlucky": _("What bad luck!"),
    "bye": _("I must go. Good-bye!"),
}
# What people say to each other over Dou Dizhu.
DOUDIZHU: Final[Words] = {
    "pleased": _("Hello all, glad to be playing with you!"),
    "flowers": _("Hurry up, the flowers have all wilted!"),
    "too_good": _("You play these cards far too well!"),
    "partners": _("What a pleasure to play with you!"),
    "till_dawn": _("Nobody leaves! We fight till dawn!"),
    "no_quarrel": _("Stop quarrelling and play!"),
    "offline": _("Offline again? What a connection!"),
    "away": _("Sorry, I have to leave you for a moment."),
    "miss_you": _("Good-bye, I will miss you all!"),
}
# The symbols of `static/games/emotes.svg`, and what is heard instead of each.
EMOTES: Final[Words] = {
    "laugh": _p("an emote", "laughs"),
    "cool": _p("an emote", "is pleased with it all"),
    "think": _p("an emote", "thinks"),
    "sweat": _p("an emote", "sweats"),
    "shock": _p("an emote", "is shocked"),
    "cry": _p("an emote", "cries"),
    "angry": _p("an emote", "is angry"),
    "sleepy": _p("an emote", "falls asleep waiting"),
    "thumb": _p("an emote", "thumbs up"),
    "flower": _p("an emote", "gives a flower"),
    "tea": _p("an emote", "offers tea"),
    "bomb": _p("an emote", "throws a bomb"),
}
# Whoever moved from another game may still say what is said there.
ALL: Final[Words] = PHRASES | DOUDIZHU | EMOTES


def phrases_of(game: str) -> Words:
    """The quick phrases that a table of a game offers."""
    return DOUDIZHU if game == "doudizhu" else PHRASES
