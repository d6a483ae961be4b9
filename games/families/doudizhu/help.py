"""Help at Dou Dizhu, from nothing but a player's own view: the names of plays, the plays that beat
the present one, the unseen cards, and the reasons for the points.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.utils.translation import pgettext_lazy as _p

from games.boards.help import Ticked
from games.bots.doudizhu_position import PassReason, considered, position, why_pass
from games.rules.cards import Card
from games.rules.doudizhu.combinations import (
    Kind,
    Reading,
    check_held,
    first_beating,
    no_combination,
    readings,
)
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import EVERYTHING
from games.rules.doudizhu.paying import worth
from games.rules.doudizhu.plays import follows
from games.rules.doudizhu.ranks import RANK_NAMES, RankSet, pick, rank_set
from games.rules.doudizhu.state import DoudizhuView
from games.rules.errors import Illegal
from games.words.naming import card_name
from games.words.refusals import sentence_of

# The name of each kind of play, with its highest deciding rank and its lowest.
WORDS: Final[dict[Kind, str | Promise]] = {
    Kind.SINGLE: _("a single {rank}"),
    Kind.PAIR: _("a pair of {ranks}"),
    Kind.TRIO: _("three {ranks}"),
    Kind.TRIO_SINGLE: _("three {ranks} with a single card"),
    Kind.TRIO_PAIR: _("three {ranks} with a pair"),
    Kind.STRAIGHT: _("a straight from {low} to {rank}"),
    Kind.PAIRS: _("consecutive pairs from {low} to {rank}"),
    Kind.AIRPLANE: _("an airplane from {low} to {rank}"),
    Kind.AIRPLANE_SINGLES: _("an airplane from {low} to {rank} with single cards"),
    Kind.AIRPLANE_PAIRS: _("an airplane from {low} to {rank} with pairs"),
    Kind.FOUR_SINGLES: _("four {ranks} with two single cards"),
    Kind.FOUR_PAIRS: _("four {ranks} with two pairs"),
    Kind.BOMB: _("a bomb of {ranks}"),
    Kind.ROCKET: _("the rocket"),
}
# A pass, with its reason in a word.
PASSES: Final[dict[PassReason, str | Promise]] = {
    "partner_leads": _("pass (your partner leads)"),
    "partner_next": _("pass (your partner can answer)"),
    "worth_more": _("pass (your cards are worth more later)"),
}
# Several cards of a rank. As digits with an ending they would look like single cards.
SEVERAL: Final = dict(
    zip(
        RANK_NAMES,
        (
            _p("several of a rank", "threes"),
            _p("several of a rank", "fours"),
            _p("several of a rank", "fives"),
            _p("several of a rank", "sixes"),
            _p("several of a rank", "sevens"),
            _p("several of a rank", "eights"),
            _p("several of a rank", "nines"),
            _p("several of a rank", "tens"),
            _p("several of a rank", "jacks"),
            _p("several of a rank", "queens"),
            _p("several of a rank", "kings"),
            _p("several of a rank", "aces"),
            _p("several of a rank", "twos"),
        ),
        strict=False,
    )
)
JOKERS: Final = {"BJ": _("the small joker"), "RJ": _("the big joker")}
# How many of the last turns are announced.
LAST_SAID: Final = 3


def words_of(reading: Reading) -> str:
    """A play in words: "a pair of nines"."""
    name = RANK_NAMES[reading.place]
    if reading.kind == Kind.SINGLE and name in JOKERS:
        return str(JOKERS[name])
    return str(WORDS[reading.kind]).format(
        rank=rank_sign(name),
        ranks=SEVERAL.get(name, ""),
        low=rank_sign(RANK_NAMES[reading.place + 1 - reading.length]),
    )


def rank_sign(name: str) -> str:
    return name.replace("T", "10")


# Hints


class Hinted(NamedTuple):
    """The cards to tick, and their name; a pass has no cards."""

    cards: frozenset[Card] = frozenset()
    words: str = ""
    passes: bool = False


def hint_of(game: Doudizhu, view: DoudizhuView, number: int) -> Hinted:
    """The next best choice each time one asks, and the first again after the last.

    The first is what the house itself would do: a play, or a pass with its reason.
    """
    if view.phase != "play" or view.seat not in view.to_act:
        return Hinted()
    now = position(view)
    suggestions = considered(now, game.wings)
    at = number % len(suggestions)
    ranks = suggestions[at][1]
    play = words_of_play(game, ranks, now.other) if ranks else str(PASSES[why_pass(now)])
    words = _t("Suggestion {number} of {count}: {play}").format(
        number=at + 1, count=len(suggestions), play=play
    )
    return Hinted(frozenset(pick(view.hand, ranks)), words, not ranks)


def words_of_play(game: Doudizhu, ranks: RankSet, other: Reading | None) -> str:
    """Return the name of cards that may be played, as an answer to the last play."""
    possible = readings(ranks, game.wings)
    reading = possible[0] if other is None else first_beating(possible, other)
    assert reading is not None, "these cards may not be played"
    return words_of(reading)


# The reading of ticked cards


def ticked(game: Doudizhu, view: DoudizhuView, cards: Sequence[Card]) -> Ticked:
    """Return what the player could do with some of their own cards."""
    if view.phase != "play":
        return Ticked()
    waits = view.seat not in view.to_act
    other = view.to_beat.reading if view.to_beat and not waits else None
    must = _t("You must beat {play}.").format(play=words_of(other)) if other else ""
    if not cards:
        return Ticked() if waits else Ticked(reason=must or _t("You lead: play what you like."))
    try:
        check_held(cards, view.hand)
    except Illegal as refused:
        return Ticked(reason=sentence_of(refused))
    ranks = rank_set(cards)
    meanings = readings(ranks, game.wings)
    if not meanings:
        return Ticked(reason=sentence_of(no_combination(ranks, game.wings)))
    best = meanings[0] if other is None else first_beating(meanings, other)
    if best is None:
        return Ticked(words_of(meanings[0]), reason=must)
    return Ticked(words_of(best), playable=not waits)


def nothing_beats(game: Doudizhu, view: DoudizhuView) -> bool:
    """Whether the player has to answer a play, and holds nothing that could."""
    if view.seat not in view.to_act or view.phase != "play" or view.to_beat is None:
        return False
    other = view.to_beat.reading
    return other is not None and not follows(rank_set(view.hand), other, game.wings)


class HelpView(NamedTuple):
    """The parts of a page except the view itself."""

    reading: Ticked
    # The player can only pass.
    only_pass: bool
    counter: list["Counted"]
    multiplier: "Multiplier | None"


def help_view(game: Doudizhu, view: DoudizhuView, cards: Iterable[Card] = ()) -> HelpView:
    """All help with a view that is not asked for; `cards` are those that are ticked in the page."""
    return HelpView(
        reading=ticked(game, view, tuple(cards)),
        only_pass=nothing_beats(game, view),
        counter=counter_of(view),
        multiplier=multiplier_of(game, view),
    )


# Public knowledge


class Counted(NamedTuple):
    """A rank, and how many of it others hold."""

    rank: str
    left: int


def counter_of(view: DoudizhuView) -> list[Counted]:
    """Return how many cards of each rank are out: neither in the player's hand nor played.

    Once open, the middle cards are in the landlord's hand, so they count until they are played.
    """
    seen = rank_set(view.hand) + sum(rank_set(turn.cards) for turn in view.turns)
    out = EVERYTHING - seen
    return [
        Counted(rank_sign(name), out >> 4 * at & 7)
        for at, name in reversed([*enumerate(RANK_NAMES)])
    ]


class Multiplier(NamedTuple):
    """The value of the hand so far in points, with the settlement lines that explain it."""

    points: int
    call: int
    doubled: tuple[dict[str, Any], ...]
    # The value of a point in money, and the viewer's win or loss: a landlord with each farmer.
    point: int = 0
    amount: int = 0


def multiplier_of(game: Doudizhu, view: DoudizhuView) -> Multiplier | None:
    """The call and what has doubled it, as far as the table knows; nothing without a landlord."""
    if view.landlord is None:
        return None
    value = worth(view, game.point, both_springs=game.both_springs)
    doubled = tuple(
        {
            "key": doubling.key,
            "source": "house",
            "target": "house",
            "values": {**doubling.values, "points": value.call << number},
        }
        for number, doubling in enumerate(value.doubled, 1)
    )
    farmers = 2 if view.seat == view.landlord else 1
    return Multiplier(value.points, value.call, doubled, game.point, value.amount * farmers)


def plays_said(view: DoudizhuView, names: Mapping[int, str]) -> tuple[str, ...]:
    """The last turns as announced: "Mei plays a pair of nines, 12 cards left".

    Before the first of them, who is the landlord and which cards came with it.
    """
    if view.landlord is not None and not view.turns:
        cards = _t(", ").join(card_name(card.text) for card in view.middle)
        landlord = names.get(view.landlord, str(view.landlord))
        return (_t("{name} is the landlord and takes {cards}").format(name=landlord, cards=cards),)
    return tuple(reversed([*_backwards(view, names)]))


def _backwards(view: DoudizhuView, names: Mapping[int, str]) -> Iterator[str]:
    left = dict(view.cards_left)
    for turn in reversed(view.turns[-LAST_SAID:]):
        name = names.get(turn.seat, str(turn.seat))
        if turn.reading is None:
            yield _t("{name} passes").format(name=name)
            continue
        held = left[turn.seat]
        left[turn.seat] = held + len(turn.cards)
        yield ngettext(
            "{name} plays {play}, {count} card left",
            "{name} plays {play}, {count} cards left",
            held,
        ).format(name=name, play=words_of(turn.reading), count=held)
