"""Quick phrases and emotes: a line stores the key, so each reader sees it in their own language."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from games.boards.family import families, family_of

Words = Mapping[str, str | Promise]

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
# The symbols of `static/games/emotes.svg`, and what is heard instead of each.
EMOTES: Final[Words] = {
    "laugh": _p("an emote", "laughs"),
    "cool": _p("an emote", "is pleased"),
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
# What their buttons say: pressing one does it.
EMOTE_BUTTONS: Final[Words] = {
    "laugh": _p("an emote's button", "Laugh"),
    "cool": _p("an emote's button", "Be pleased"),
    "think": _p("an emote's button", "Think"),
    "sweat": _p("an emote's button", "Sweat"),
    "shock": _p("an emote's button", "Be shocked"),
    "cry": _p("an emote's button", "Cry"),
    "angry": _p("an emote's button", "Be angry"),
    "sleepy": _p("an emote's button", "Fall asleep waiting"),
    "thumb": _p("an emote's button", "Thumbs up"),
    "flower": _p("an emote's button", "Give a flower"),
    "tea": _p("an emote's button", "Offer tea"),
    "bomb": _p("an emote's button", "Throw a bomb"),
}


def phrases_of(game: str) -> Words:
    """The quick phrases that a table of a game offers."""
    return family_of(game).phrases or PHRASES


def all_phrases() -> Words:
    """All phrases: a player who moved from another game may still use those of that game."""
    phrases = {**PHRASES, **EMOTES}
    for family in families():
        phrases.update(family.phrases)
    return phrases
