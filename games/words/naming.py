"""The names of games and the terms of the rules, in the reader's language."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from string import Formatter
from typing import Final, NamedTuple

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.utils.translation import pgettext_lazy as _p

from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame
from games.words.plain import one_line

# A declaration has the name in English, and its marks let gettext find it.
GAME_NAMES: Final[Mapping[str, str | Promise]] = {key: _(game.name) for key, game in GAMES.items()}

# Translators: The name that others see of a player without an account; 20 characters.
GUEST_NAME: Final = _n("Guest %(number)s")
# A name that a player can choose has no space.
GUEST: Final = re.compile(GUEST_NAME % {"number": "([0-9]+)"})

# The words that rules use in views, choices and settlement lines. A word that is not here is shown
# unchanged.
TERMS: Final[Mapping[str, str | Promise]] = {
    # Rows.
    "front": _("front"),
    "middle": _("middle"),
    "back": _("back"),
    # Combinations of cards.
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
    # Combinations that win bonus bets.
    "pair_of_aces": _("pair of aces"),
    "suited_blackjack": _("blackjack in one suit"),
    "mixed_blackjack": _("blackjack in two suits"),
    "suited_678": _("6-7-8 in one suit"),
    "mixed_678": _("6-7-8 in several suits"),
    "spade_777": _("7-7-7 of spades"),
    "suited_777": _("7-7-7 in one suit"),
    "mixed_777": _("7-7-7 in several suits"),
    # Spots and bets.
    "player": _p("a spot at baccarat", "Player"),
    "banker": _p("a spot at baccarat", "Banker"),
    "tie": _("Tie"),
    "player_pair": _("Player pair"),
    "banker_pair": _("Banker pair"),
    "ante": _("ante"),
    "bet": _("bet"),
    "call": _("call"),
    "even_money": _("even money"),
    "bonus": _("bonus"),
    "insurance": _("insurance"),
    "hand_1": _("first hand"),
    "hand_2": _("second hand"),
    "hand_3": _("third hand"),
    "hand_4": _("fourth hand"),
    "surrendered_half": _("half of the stake, surrendered"),
    # Directions of an exchange.
    "clockwise": _("to the left"),
    "anticlockwise": _("to the right"),
    "opposite": _("across"),
    # Results of a hand at blackjack.
    "stood": _("stands"),
    "bust": _("bust"),
    "surrendered": _("surrendered"),
    "blackjack": _("blackjack"),
    # Plays of Dou Dizhu.
    "single": _("single card"),
    "trio": _("three"),
    "trio_single": _("three and a single card"),
    "trio_pair": _("three and a pair"),
    "pairs": _("consecutive pairs"),
    "airplane": _("airplane"),
    "airplane_singles": _("airplane with single cards"),
    "airplane_pairs": _("airplane with pairs"),
    "four_singles": _("four and two single cards"),
    "four_pairs": _("four and two pairs"),
    "bomb": _("bomb"),
    "rocket": _("rocket"),
    # The moves that a guest may follow.
    "double": _("double"),
    "split": _("split"),
    # Pools.
    "progressive": _("progressive"),
    "mystery": _("mystery"),
    # Entries of the public chain.
    "seal": _("seal"),
    "lock": _("lock"),
    "reveal": _("reveal"),
    "void": _("void"),
    "hand_void": _("hand reversed"),
    "hand": _("hand"),
    "trigger": _("mystery prize committed"),
    "trigger_opened": _("mystery prize opened"),
} | {word: _(said) for game in GAMES.values() for word, said in game.terms.items()}

# The names of phases in the replayer.
PHASES: Final[dict[str, str | Promise]] = {
    "bet": _("Betting"),
    "exchange": _("Exchanges"),
    "give": _("Passing cards on"),
    "arrange": _("Arranging"),
    "call": _("Calling"),
    "double": _("Guests on doubling"),
    "split": _("Guests on splitting"),
    "insurance": _("Insurance offered"),
    "offer": _("Insurance offered"),
    "play": _("Playing"),
    "decide": _("Decisions"),
    "dealer": _("The dealer's turn"),
    "pool": _("Jackpots"),
    "over": _("Result"),
}

# The number after the name of an overflow table, or of an event's: "Pagoda 2", "Monday cup 12-3".
NUMBER: Final = re.compile(r" [0-9]+(-[0-9]+)?\Z")
SUIT_NAMES: Final = {"c": _("clubs"), "d": _("diamonds"), "h": _("hearts"), "s": _("spades")}
RANK_NAMES: Final = {"A": _("ace"), "K": _("king"), "Q": _("queen"), "J": _("jack"), "T": "10"}
SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def stakes_in_words(game: AnyGame, show: Callable[[int], str]) -> str:
    """The stakes of a game that are called otherwise than points; empty for the usual ones."""
    words = GAMES[game.key].stakes_words
    if not words:
        return ""
    names = [name for _text, name, *_format in Formatter().parse(words) if name]
    amounts = {name: show(getattr(game, name)) for name in names}
    return translation.gettext(words).format(**amounts)


def game_name(key: str) -> str | Promise:
    return GAME_NAMES[key]


def table_title(name: str) -> str:
    """The title of a table; an overflow table keeps its number.

    Names are the operators' own words. Those that the catalogues know as names of tables, as they
    know those of the demonstration house, are said in the reader's language.
    """
    return _title_of(name, translation.get_language())


@lru_cache(maxsize=1024)
def _title_of(name: str, _language: str | None) -> str:
    name = one_line(name)
    words = NUMBER.sub("", name)
    said = translation.pgettext("a table", words)
    if said == words:
        # A table of an event has the event's name.
        said = translation.pgettext("a tournament", words)
    return said + name[len(words) :]


def player_title(name: str, is_bot: bool) -> str:
    """Return a player's name: bots and guests have one in each language, others have chosen it."""
    if is_bot:
        return translation.pgettext("a bot", name)
    if guest := GUEST.fullmatch(name):
        return translation.gettext(GUEST_NAME) % {"number": guest[1]}
    return name


def jackpot_title(name: str) -> str:
    """Return a jackpot's name, by the same rule."""
    return translation.pgettext("a jackpot", one_line(name))


def phase_name(key: str) -> str:
    """The name of a phase; those of an installed family are among its terms."""
    return str(PHASES.get(key) or TERMS.get(key, key))


def term(word: object) -> str:
    """A word of the rules in the reader's language."""
    text = str(word)
    return str(TERMS.get(text, text.replace("_", " ")))


def row_term(category: str) -> str:
    """Return the name of a row; in Chinese one without a combination has its own name."""
    if category == "high_card":
        return str(_p("a row of thirteen cards", "high card"))
    return term(category)


def card_sign(text: str) -> str:
    """A card in a sentence: its rank and suit, or which joker it is."""
    if text == "BJ":
        return str(_("small joker"))
    if text == "RJ":
        return str(_("big joker"))
    return f"{text[:-1].replace('T', '10')}{SUITS[text[-1]]}"


def card_name(text: str) -> str:
    """A card in words, for those who hear the page."""
    if text in ("BJ", "RJ"):
        return card_sign(text)
    rank = RANK_NAMES.get(text[0], text[0])
    return str(_("{rank} of {suit}")).format(rank=rank, suit=SUIT_NAMES[text[1]])


def high_card(cards: Iterable[Card]) -> str:
    """What cards without a combination are called: by the highest of them."""
    text = max(cards, key=lambda card: card.rank).text
    return str(_p("a poker hand", "{rank} high")).format(rank=RANK_NAMES.get(text[0], text[0]))


class Family(NamedTuple):
    """Games that stand together; the key is that of no game, so that addresses may name either."""

    key: str
    name: str | Promise
    games: tuple[str, ...]
    # The cards of its picture: see `games.rules.declaration.Group`.
    picture: tuple[str, ...] = ()


FAMILIES: Final = tuple(
    Family(
        group.key,
        _(group.name),
        tuple(key for key, game in GAMES.items() if game.group == group),
        group.picture,
    )
    for group in dict.fromkeys(game.group for game in GAMES.values())
)

BAR_LETTERS_MAX: Final = 16

# The games whose first hand is guided: `games.views.guided`.
GUIDED: Final = tuple(key for key, game in GAMES.items() if game.is_guided)


def games_of(key: str) -> tuple[str, ...]:
    """The games of a family, or one game; none for a word that is neither."""
    if key in GAMES:
        return (key,)
    return next((family.games for family in FAMILIES if family.key == key), ())


def short_name(key: str) -> str:
    """A game after the name of its family: "Hong Kong" among thirteen cards."""
    game = GAMES[key]
    return str(_(game.short or game.name))


def name_in_a_bar(key: str) -> str:
    """A game where there is little room: a long name by its family, or after that of its family."""
    game = GAMES[key]
    name = str(_(game.name))
    if len(name) <= BAR_LETTERS_MAX:
        return name
    return str(_(game.group.name)) if game.name.startswith(game.group.name) else short_name(key)
