"""Template tags for hands and plays of Dou Dizhu, whole rows at once for speed; and short names."""

from collections.abc import Iterable
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from markupsafe import Markup

from games.boards.pieces.engine import joined, remembered
from games.boards.pieces.functions import card_back
from games.families.doudizhu.help import JOKERS, Counted, Multiplier, rank_sign
from games.rules.cards import Card
from games.rules.doudizhu.combinations import Kind, Reading
from games.rules.doudizhu.ranks import RANK_NAMES, digit_of, in_order
from games.rules.doudizhu.state import Turn
from games.rules.settlement import StoredLine

# Below a play: its kind, and the ranks that another play has to beat.
NAMES: Final[dict[Kind, str | Promise]] = {
    Kind.SINGLE: _("Single · {rank}"),
    Kind.PAIR: _("Pair · {rank}"),
    Kind.TRIO: _("Three · {rank}"),
    Kind.TRIO_SINGLE: _("Three with one · {rank}"),
    Kind.TRIO_PAIR: _("Three with a pair · {rank}"),
    Kind.STRAIGHT: _("Straight · {low} to {rank}"),
    Kind.PAIRS: _("Pairs in a row · {low} to {rank}"),
    Kind.AIRPLANE: _("Airplane · {low} to {rank}"),
    Kind.AIRPLANE_SINGLES: _("Airplane with single cards · {low} to {rank}"),
    Kind.AIRPLANE_PAIRS: _("Airplane with pairs · {low} to {rank}"),
    Kind.FOUR_SINGLES: _("Four with two · {rank}"),
    Kind.FOUR_PAIRS: _("Four with two pairs · {rank}"),
    Kind.BOMB: _("Bomb · {rank}"),
    Kind.ROCKET: _("Rocket"),
}
# Why a hand is worth twice as much, in this hand's arithmetic.
DOUBLINGS: Final[dict[str, str | Promise]] = {
    "bomb": _("Bomb ({rank})"),
    "rocket": _("Rocket"),
    "spring": _("Spring"),
    "anti_spring": _("Anti-spring"),
}


def short_name(reading: Reading) -> str:
    """Return the name of a play in as few words as players use: "Three with one · J"."""
    name = RANK_NAMES[reading.place]
    if reading.kind == Kind.SINGLE and name in JOKERS:
        return capfirst(str(JOKERS[name]))
    low = RANK_NAMES[reading.place + 1 - reading.length]
    return str(NAMES[reading.kind]).format(rank=rank_sign(name), low=rank_sign(low))


def reason_to_double(line: StoredLine) -> str:
    rank = rank_sign(str(line["values"].get("rank", "")))
    return str(DOUBLINGS[line["key"]]).format(rank=rank)


def doublings(multiplier: Multiplier) -> str:
    """The call, and what has doubled it so far, in one line beside the multiplier."""
    keys = [line["key"] for line in multiplier.doubled]
    parts = [_t("Call {points}").format(points=multiplier.call)]
    bombs = keys.count("bomb")
    if bombs:
        parts.append(ngettext("{bombs} bomb", "{bombs} bombs", bombs).format(bombs=bombs))
    parts += [str(DOUBLINGS[key]) for key in keys if key != "bomb"]
    return " · ".join(parts if keys else [*parts, _t("no bomb")])


# Three backs read as a hand of cards; more would only take room.
BACKS_MAX: Final = 3


def as_played(turn: Turn) -> list[Card]:
    """The cards of a play: those that decide before those that are carried."""
    main = turn.reading.main if turn.reading else 0
    return sorted(in_order(turn.cards), key=lambda card: not main & digit_of(card))


def play_name(turn: Turn) -> str:
    return short_name(turn.reading) if turn.reading else ""


def backs(left: int) -> Markup:
    """Some cards that are hidden from other viewers; how many they are is a number beside them."""
    return joined([card_back()] * min(left, BACKS_MAX))


def is_blast(turn: Turn) -> bool:
    """Whether a play doubles what the hand is worth."""
    return turn.reading is not None and turn.reading.kind in ("bomb", "rocket")


def counter_ranks(counter: Iterable[Counted]) -> Markup:
    """Each rank, and how many of it are out."""
    return joined(
        remembered("families/doudizhu/counter_rank.html", rank=counted.rank, left=counted.left)
        for counted in counter
    )


def cards_out(counter: Iterable[Counted]) -> int:
    """Return how many cards the others hold in all."""
    return sum(counted.left for counted in counter)


def out_of(counter: Iterable[Counted], *ranks: str) -> int:
    """Return how many cards of these ranks the others hold."""
    return sum(counted.left for counted in counter if counted.rank in ranks)


def held(hand: Any) -> list[Card]:
    """Cards in the order in which one holds them, the highest first."""
    return list(reversed(in_order(hand)))


# The filters and functions of templates, by name.
FILTERS: Final = {
    function.__name__: function
    for function in (
        *(reason_to_double, doublings, play_name, as_played, is_blast),
        *(cards_out, out_of, held),
    )
}
FUNCTIONS: Final = {"backs": backs, "counter_ranks": counter_ranks}
