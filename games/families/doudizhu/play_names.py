"""Short names of Dou Dizhu: those below a play on the felt, and why a hand is worth more."""

from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.families.doudizhu.help import JOKERS, Multiplier, rank_sign
from games.rules.doudizhu.combinations import Kind, Reading
from games.rules.doudizhu.ranks import RANK_NAMES
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


def play_name(reading: Reading) -> str:
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
