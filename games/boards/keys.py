"""The keys of a table: what presses which button (`keys.js`), and the list of them.

A letter triggers an action that has one button. Where an action has several, a key names the
answer: a bid or a prize its number, yes and no their letters. Bets are chips on spots, which have
numbers. A family adds the keys of its own cards.
"""

from typing import Final, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from games.boards.family import KeyOf, family_of
from games.boards.forms import Button, label_of
from games.rules.contract import AnyGame

LETTERS: Final = {
    "accept": "A",
    "bet": "B",
    "buy": "Y",
    "buy_dealer": "D",
    "call": "C",
    "check": "K",
    "decline": "N",
    "done": "N",
    "double": "D",
    "even_money": "E",
    "exchange": "X",
    "fold": "F",
    "give": "G",
    "hit": "H",
    "insure": "I",
    "pass": "P",
    "raise": "R",
    "split": "P",
    "stand": "S",
    "surrender": "R",
}
# The fields of actions whose buttons each have a key of their own, with the keys and their words.
ANSWERS: Final = {
    "points": ("0 1 2 3", _("Call so many points, or none")),
    "place": ("1 2 3", _("Pick this prize")),
    "yes": ("Y N", _("Follow, or do not")),
}
YES: Final = {"yes": "Y", "no": "N"}
# The chips and bets at every table against the house.
BETTING: Final = (
    ("+ −", _("A larger or a smaller chip")),
    ("B", _("Bet and deal")),
    ("U", _("Undo")),
    ("C", _("Clear")),
    ("R", _("Rebet")),
    ("D", _("Double")),
    ("A", _("Rebet and deal")),
    ("G", _("New bets")),
)
READY: Final = ("G", _("Ready"))


class Key(NamedTuple):
    """A key, or several that do alike, and what they do."""

    pressed: str
    words: str


def key_of_button(do: str, button: Button) -> str:
    """The key that presses a button of an action; none for what needs to be pressed twice."""
    if button.asks or button.name in ("on", "box"):
        return ""
    if button.name in ANSWERS:
        return YES.get(button.value, button.value)
    return LETTERS.get(do, "")


def keys_of(game: AnyGame) -> list[Key]:
    """The keys at this table: those of its cards and spots, and of each action of its game."""
    keys: list[KeyOf] = [*family_of(game).keys(game), *(BETTING if game.against_house else ())]
    for kind in game.actions:
        do = str(kind.__struct_config__.tag)
        several = next((ANSWERS[name] for name in kind.__struct_fields__ if name in ANSWERS), None)
        if several:
            keys.append(several)
        elif do in LETTERS and kind is not game.bet_action:
            keys.append((LETTERS[do], label_of(game, do)))
    if not game.against_house:
        keys.append(READY)
    # Chips and hands are doubled with one key.
    return list(dict.fromkeys(Key(str(pressed), capfirst(str(words))) for pressed, words in keys))
