"""The index of the cards of finished hands, and the language in which auditors ask for them.

`docs/ledger.md` describes the language. All that is asked of a player's cards one seat has to hold;
what is asked of the dealer, or of both sides at baccarat, the house has to.

A hand enters the index when its history is public, so no row has a live hand, or one whose deal is
still played at another table. The index stores hashes of tokens under a key of the house: a copy of
the database alone does not say what a hand held that it has not shown.
"""

import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext_noop as _n

from games.models import Hand, HeldCards, Move
from games.records.audit_rows import chunks
from games.records.record import every_state
from games.rules import search_words
from games.rules.cards import RANKS
from games.rules.contract import AnyGame
from games.rules.search_words import HOUSE, JOKER, all_words
from games.tables.formats import format_of
from games.tables.hand_rows import MoveRow
from wallets.storage.sealed_columns import SealBroken, key_name, newest_key
from wallets.values.errors import Refused

TEXT_MAX: Final = 120
TERMS_MAX: Final = 16
COUNT_MAX: Final = 8
_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_RANKS: Final = {
    "jokers": JOKER, "joker": JOKER, "aces": "A", "kings": "K", "queens": "Q", "jacks": "J",
    "tens": "T", "nines": "9", "eights": "8", "sevens": "7", "sixes": "6", "fives": "5",
    "fours": "4", "threes": "3", "twos": "2",
}  # fmt: skip
_CARD: Final = re.compile(r"([2-9tjqka]|10)([cdhs])")
_COUNT: Final = re.compile(r"([2-9tjqka]|10|joker)\*([0-9])")
_NAMED: Final = re.compile(r"(?P<what>[a-z]+):(?P<is>[a-z_0-9]+)")
_IN_ROW: Final = re.compile(r"(?:an? )?(?P<is>[a-z ]+?) in the (?P<what>[a-z]+)")
_SPOKEN: Final = re.compile(r"([a-z]+)(?:'s total)? ([0-9]{1,2}|blackjack)")


class CardTerms(NamedTuple):
    """The tokens that one player's cards must have, and those that the house's must."""

    player: tuple[str, ...] = ()
    house: tuple[str, ...] = ()


def read(text: str) -> CardTerms:
    """Read a search by cards, or raise `Refused` with the words that cannot be read."""
    if len(text) > TEXT_MAX:
        raise Refused("cards_unreadable", _n("This search is too long."))
    tokens = [token for part in text.lower().split(",") for token in _part(part.strip())]
    if len(tokens) > TERMS_MAX:
        raise Refused("cards_unreadable", _n("This search is too long."))
    of_house = all_words().house
    house = tuple(token for token in tokens if token.partition(":")[0] in of_house)
    return CardTerms(tuple(token for token in tokens if token not in house), house)


def _part(part: str) -> list[str]:
    """Return the terms between two commas: a phrase, or terms with spaces between them."""
    words = part.split()
    if len(words) == 2:
        for count, rank in (words, words[::-1]):
            number = _NUMBERS.get(count) or (int(count) if re.fullmatch("[1-8]", count) else 0)
            if rank in _RANKS and number:
                return [f"{_RANKS[rank]}*{number}"]
    if spoken := _SPOKEN.fullmatch(part):
        return [_named(spoken[1], spoken[2], part)]
    if in_row := _IN_ROW.fullmatch(part):
        return [_named(in_row["what"], in_row["is"].replace(" ", "_"), part)]
    return [_term(word) for word in words]


def _term(word: str) -> str:
    if word in ("bj", "rj"):
        return word.upper()
    if card := _CARD.fullmatch(word):
        return f"{_rank(card[1])}{card[2]}"
    if (count := _COUNT.fullmatch(word)) and 1 <= int(count[2]) <= COUNT_MAX:
        return f"{_rank(count[1])}*{count[2]}"
    if named := _NAMED.fullmatch(word):
        return _named(named["what"], named["is"], word)
    raise _unreadable(word)


def _rank(text: str) -> str:
    rank = JOKER if text == JOKER else "T" if text == "10" else text.upper()
    assert rank == JOKER or rank in RANKS
    return rank


def _named(what: str, value: str, word: str) -> str:
    """A row, a hand, a natural or a total by its name; unknown ones are refused."""
    words = all_words()
    value = str(int(value)) if value.isdecimal() else value
    if not any(value in known.get(what, ()) for known in words):
        raise _unreadable(word)
    return f"{what}:{value}"


def _unreadable(word: str) -> Refused:
    return Refused("cards_unreadable", _n("“{text}” cannot be searched."), text=word[:40])


# What a hand can be flagged with, by the keys of its settlement lines.
LINES: Final = {
    "pool_paid": "jackpot",
    "mystery": "mystery",
    "foul": "foul",
    "foul_row": "foul",
    "natural": "natural",
}


class Holder(NamedTuple):
    """A holder of cards, with words for what they held."""

    seat: int
    tokens: frozenset[str]


def holders_of(
    hand: Hand, moves: Iterable[MoveRow], game: AnyGame, path: Sequence[object]
) -> list[Holder]:
    """All holders of a finished hand, the house first."""
    holders = list(search_words.holders(game, path))
    house = frozenset[str]().union(*(tokens for seat, tokens in holders if seat == HOUSE))
    flags = {f"flag:{flag}" for flag in flags_of(hand, moves)}
    players = [Holder(seat, tokens) for seat, tokens in holders if seat != HOUSE]
    return [Holder(HOUSE, house | flags), *players]


def flags_of(hand: Hand, moves: Iterable[MoveRow]) -> set[str]:
    flags = {str(move.by) for move in moves if move.by in (Move.By.TIMEOUT, Move.By.BOT)}
    lines = (hand.settlement or {}).get("lines", ())
    return flags | {LINES[line["key"]] for line in lines if line["key"] in LINES}


# How many hands are read at once, and how far back the clock's job looks.
HANDS: Final = 200
BEHIND: Final = timedelta(days=2)
TOKEN_LENGTH: Final = 8


# There are some hundred tokens, and each hand has dozens of them.
@lru_cache(maxsize=4_096)
def hashed(token: str, key: str) -> str:
    """A token as it is stored under one of the keys that encrypt."""
    text = b"cards of hands|" + token.encode()
    return hmac.digest(key.encode(), text, "sha256").hex()[:TOKEN_LENGTH]


def waiting(since: datetime | None = None) -> QuerySet[Hand]:
    """Hands that are over and not in the index, or under a key that is no longer the newest."""
    there = HeldCards.objects.filter(hand=OuterRef("pk"), number=HOUSE, key=newest_key())
    over = Hand.objects.filter(Q(status=Hand.Status.FINISHED) | Q(reversed_at__isnull=False))
    if since is not None:
        over = over.filter(ended_at__gte=since)
    return over.filter(~Exists(there)).order_by("pk")


def index(hands: QuerySet[Hand]) -> int:
    """Write the rows of these hands; those that are closed or cannot be read wait or stay out."""
    done = 0
    numbers = list(hands.values_list("pk", flat=True))
    for some in chunks(numbers, HANDS):
        batch = (
            Hand.objects.select_related("shoe", "table__currency")
            .prefetch_related(Prefetch("moves", Move.objects.order_by("number")))
            .filter(pk__in=some)
        )
        rows = [row for hand in batch for row in _rows(hand)]
        indexed = {row.hand_id for row in rows}
        with transaction.atomic():
            HeldCards.objects.filter(hand__in=indexed).delete()
            HeldCards.objects.bulk_create(rows, batch_size=HANDS)
        done += len(indexed)
    return done


def waiting_recently(now: datetime) -> QuerySet[Hand]:
    """The hands that the clock's job indexes."""
    return waiting(now - BEHIND)


def index_recent(now: datetime) -> int:
    """Index the hands that have just ended; the clock calls this each minute."""
    return index(waiting_recently(now))


def matching(terms: CardTerms, flag: str = "") -> Q:
    """Hands in which one player held all of this, and the house all of that."""
    condition = Q()
    if terms.player:
        condition &= _has(terms.player, Q(seat__gt=HOUSE))
    house = (*terms.house, *((f"flag:{flag}",) if flag else ()))
    if house:
        condition &= _has(house, Q(number=HOUSE))
    return condition


def _has(tokens: Sequence[str], holder: Q) -> Q:
    """Under whichever key the rows were written, so that none is missing while keys change."""
    rows = Q(pk__in=())
    for key in settings.SEALING_KEYS:
        rows |= Q(key=key_name(key), tokens__has_tokens=[hashed(token, key) for token in tokens])
    return Q(pk__in=HeldCards.objects.filter(rows, holder).values("hand"))


def _rows(hand: Hand) -> list[HeldCards]:
    if not format_of(hand.table).history_open(hand):
        return []
    try:
        moves = list(hand.moves.all())
        game, path = every_state(hand, moves)
        return rows_of(hand, holders_of(hand, moves, game, path))
    except (Refused, msgspec.ValidationError, SealBroken):
        # The audit reports it. A row without tokens keeps it from being tried again and again.
        return rows_of(hand, [Holder(HOUSE, frozenset())])


def rows_of(hand: Hand, holders: Iterable[Holder]) -> list[HeldCards]:
    """The rows of a hand, the house first; not stored yet."""
    return [HeldCards(hand_id=hand.pk, **row._asdict()) for row in held_by(holders)]


class HeldRow(NamedTuple):
    """One holder's part of a row; the columns bear these names."""

    number: int
    seat: int
    key: str
    tokens: str


def under_every_key(holders: Sequence[Holder]) -> Iterator[list[HeldRow]]:
    """The rows of a hand as each of the house's keys gives them."""
    return (held_by(holders, key) for key in settings.SEALING_KEYS)


def held_by(holders: Iterable[Holder], key: str = "") -> list[HeldRow]:
    key = key or settings.SEALING_KEYS[0]
    name = key_name(key)
    return [
        HeldRow(number, holder.seat, name, _written(holder.tokens, key))
        for number, holder in enumerate(holders)
    ]


def _written(tokens: Iterable[str], key: str) -> str:
    """Sorted by their hashes, so that the order says nothing."""
    return f" {' '.join(sorted(hashed(token, key) for token in tokens))} "
