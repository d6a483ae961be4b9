"""The cards held in a hand, as words for a search: `7*4` for four sevens, `total:21`.

A holder has its own cards: a seat, each hand of a box, or the house with the dealer's cards and the
board. A family's words for its holders are in its own module `search_words`: the function
`holders`, and `WORDS` with all words that it uses.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, cast

from games.rules.cards import Card
from games.rules.catalogue import GAMES, part_of
from games.rules.contract import AnyGame
from games.rules.house.antes import AnteState
from games.rules.poker import CATEGORY_NAMES

HOUSE: Final = 0
JOKER: Final = "joker"
TOTALS: Final = frozenset(map(str, range(32)))

# Seats, or the house, each with the words for what it held.
Holders = Iterator[tuple[int, frozenset[str]]]


class HeldWords(NamedTuple):
    """The words for more than cards: what is named, `natural`, with the values that it can have."""

    seat: Mapping[str, frozenset[str]] = {}
    house: Mapping[str, frozenset[str]] = {}


class FamilySearchWords(Protocol):
    WORDS: HeldWords

    def holders(self, game: object, path: Sequence[object], /) -> Holders:
        """All who held cards in a finished hand, by its states."""
        ...


def held_of(family: str) -> FamilySearchWords | None:
    """Return a family's words for its holders; none if its hands are not searched by cards."""
    return cast(FamilySearchWords | None, part_of(family, "search_words"))


def holders(game: AnyGame, path: Sequence[object]) -> Holders:
    """All who held cards in a finished hand."""
    held = held_of(GAMES[game.key].family)
    return held.holders(game, path) if held else iter(())


def all_words() -> HeldWords:
    """The words of all families; of a name that several use, the values of each."""
    seat: dict[str, frozenset[str]] = {}
    house: dict[str, frozenset[str]] = {}
    for family in {entry.family for entry in GAMES.values()}:
        held = held_of(family)
        words = held.WORDS if held else HeldWords()
        for target, of_family in ((seat, words.seat), (house, words.house)):
            for name, values in of_family.items():
                target[name] = target.get(name, frozenset()) | values
    return HeldWords(seat, house)


def cards_words(cards: Iterable[Card]) -> Iterator[str]:
    """Each card, and for each rank how many there are: `7*1` to `7*4` for four sevens."""
    held = list(cards)
    yield from (card.text for card in held)
    ranks = Counter(JOKER if card.is_joker else card.text[0] for card in held)
    for rank, count in ranks.items():
        yield from (f"{rank}*{number}" for number in range(1, count + 1))


def ever_held(path: Sequence[Any], place: int) -> list[Card]:
    """The cards that a seat has held at any time, in games with one deck."""
    return list(dict.fromkeys(card for state in path for card in state.hands[place]))


POKER_WORDS: Final = HeldWords(
    seat={"hand": frozenset(CATEGORY_NAMES)}, house={"dealer": frozenset(CATEGORY_NAMES)}
)


def poker_holders(
    state: AnteState, board: Sequence[Card], named: Callable[[Sequence[Card]], str]
) -> Holders:
    """The boxes and the dealer; `named` is the name of a whole hand, or nothing."""
    dealer = _hand("dealer", named(state.dealer))
    yield HOUSE, frozenset({*cards_words((*state.dealer, *board)), *dealer})
    for box in state.boxes:
        yield box.seat, frozenset({*cards_words(box.cards), *_hand("hand", named(box.cards))})


def _hand(name: str, hand: str) -> set[str]:
    return {f"{name}:{hand}"} if hand else set()
