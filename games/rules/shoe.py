"""The shoe protocol: a deal that one honest seat makes uniform and that nobody can change.

Before anyone plays, the house shuffles a shoe from 32 secret bytes and seals it: each card gets a
leaf, the hash of its place, its name and a salt, and the seal is the hash of all leaves. Each seat
commits to 32 bytes of its own; the lock ties seal and commits together. Only then do the seats
reveal their bytes. Lock and reveals are mixed into the key that cuts the shoe: a second shuffle,
over places, says which sealed card is dealt first, second and so on. The house fixed its shuffle
before it knew the cut, and the seats fix the cut without knowing the shuffle.

A card is opened by showing its name and salt, which fit one leaf only. What is drawn beside the
cards (a wild card, a wheel) comes from the mix and a link of a chain of hashes made at the seal:
link m is shown in round m, when nobody can bet on it any more, and hashing it gives the link
before. A seat without a browser is played by the house, with bytes that follow from the secret. The
secret is never published, as it would open every card; an auditor who is given it deals the whole
shoe again (`verifying.py`). `docs/fairness.md` gives every formula.
"""

import hashlib
import hmac
import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field, to_builtins

from games.rules.cards import DECK, Card, composition
from games.rules.errors import Unreadable

DECKS_MAX: Final = 8
CARDS_MAX: Final = 54 * DECKS_MAX
ROUNDS_MAX: Final = 256
WORD_VALUES: Final = 65_536
# Draws whose size no option changes: a house free to choose the size could choose the result.
DRAW_SIZES: Final = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "lucky-card": 52}
CHAIN_START: Final = bytes(32)

# Python's `$` alone would let a line break pass at the end of a pattern.
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """One card made visible: the k-th dealt from the shoe, counted from 0."""

    k: Annotated[int, Meta(ge=0, lt=CARDS_MAX)]
    card: Card
    salt: Hex32


class Hidden(Struct, frozen=True):
    """The house's side of a sealed shoe: it must not leave the house, not even in a log."""

    deck: tuple[Card, ...]
    salts: tuple[bytes, ...]
    draws: tuple[bytes, ...]  # x_0 to x_256

    def __repr__(self) -> str:
        return "Hidden(...)"


class Sealed(Struct, frozen=True):
    """A shoe as the house holds it; all but `hidden` is published at once."""

    id: str
    key: bytes
    x_0: bytes
    leaves: tuple[bytes, ...]
    seal: bytes
    hidden: Hidden

    def deal(self, order: Sequence[int]) -> tuple[Card, ...]:
        """All cards in dealing order; `order` is the cut."""
        return tuple(self.hidden.deck[place] for place in order)

    def open(self, order: Sequence[int], k: int) -> Opening:
        if not 0 <= k < len(order):
            raise Unreadable("position", "The shoe has no card {k}", k=k)
        return Opening(k, self.hidden.deck[order[k]], self.hidden.salts[order[k]].hex())


class Draw(Struct, frozen=True, forbid_unknown_fields=True):
    """A number from 0 to n-1 that was drawn beside the cards."""

    label: Annotated[str, Meta(pattern=r"^[a-z0-9-]+$(?!\n)", max_length=40)]
    n: Annotated[int, Meta(ge=1, le=WORD_VALUES)]
    value: Annotated[int, Meta(ge=0, lt=WORD_VALUES)]


class SeatProof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one seat gave to the shoe, and whether a player or the house gave it."""

    seat: Annotated[int, Meta(ge=1, le=255)]
    who: Literal["player", "house"]
    commit: Hex32
    reveal: Hex32 | None = None


class ShoeProof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What has been published of a shoe, for one hand and one viewer: a hand record's `shoe`.

    It has no field for the secret, nor for the salt of a card that is not open. `first` is the k of
    the hand's first card. Whatever follows the seal is absent until it is published.
    """

    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]+$(?!\n)", max_length=100)]
    seal: Hex32
    decks: Annotated[int, Meta(ge=1, le=DECKS_MAX)]
    jokers: bool
    key: Hex32
    x_0: Hex32
    leaves: Annotated[tuple[Hex32, ...], Meta(min_length=len(DECK), max_length=CARDS_MAX)]
    first: Annotated[int, Meta(ge=0, lt=CARDS_MAX)] = field(name="from")
    round_number: Annotated[int, Meta(ge=1, le=ROUNDS_MAX)] = field(name="round")
    seats: tuple[SeatProof, ...] = ()
    lock: Hex32 | None = None
    mix: Hex32 | None = None
    x_m: Hex32 | None = None
    draws: tuple[Draw, ...] = ()
    openings: tuple[Opening, ...] = ()

    def __post_init__(self) -> None:
        numbers = [seat.seat for seat in self.seats]
        if numbers != sorted(set(numbers)):
            raise Unreadable("seats", "The seats {seats} do not ascend", seats=numbers)


def from_hex(text: str) -> bytes:
    """Read 32 published bytes."""
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise Unreadable("hex", "{text} is not 64 hexadecimal digits", text=text[:80])
    return bytes.fromhex(text)


def _octets(value: bytes) -> bytes:
    if len(value) != 32:
        # The value stays out of the message: it may be a secret.
        raise Unreadable("length", "{length} bytes were given instead of 32", length=len(value))
    return value


def _seat_byte(seat: int) -> bytes:
    if not 1 <= seat <= 255:
        raise Unreadable("seat", "{seat} is not a seat: seats are 1 to 255", seat=seat)
    return bytes([seat])


def _ascending(entries: Mapping[int, bytes]) -> list[tuple[bytes, bytes]]:
    if not entries:
        raise Unreadable("seats", "A shoe needs at least one seat")
    return [(_seat_byte(seat), _octets(entries[seat])) for seat in sorted(entries)]


def _words(key: bytes, label: bytes) -> Iterator[int]:
    for block in count():
        octets = hmac.digest(key, label + block.to_bytes(4, "big"), "sha256")
        yield from struct.unpack(">16H", octets)


def perm(key: bytes, label: bytes, n: int) -> tuple[int, ...]:
    """Shuffle 0 to n-1 as key and label say."""
    if not 1 <= n <= WORD_VALUES:
        raise Unreadable("size", "{n} things cannot be shuffled", n=n)
    words = _words(_octets(key), label)
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        # Words past the last full multiple would favour the low places.
        limit = WORD_VALUES - WORD_VALUES % (last + 1)
        word = next(words)
        while word >= limit:
            word = next(words)
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


class Ceremony(Struct, frozen=True):
    """The formulas of one shoe: each begins with its id, so that no hash serves two shoes."""

    id: str

    def __post_init__(self) -> None:
        if not re.fullmatch("[A-Za-z0-9-]{1,100}", self.id):
            raise Unreadable("shoe_id", "{id} is not the name of a shoe", id=self.id[:80])

    def _name(self, what: bytes) -> bytes:
        return b"CR1|" + self.id.encode() + b"|" + what

    def _hash(self, what: bytes, *parts: bytes) -> bytes:
        return hashlib.sha256(self._name(what) + b"".join(parts)).digest()

    def _leaf(self, place: int, card: Card, salt: bytes) -> bytes:
        return self._hash(b"leaf", place.to_bytes(2, "big"), card.text.encode(), salt)

    def seal(self, secret: bytes, cards: tuple[Card, ...]) -> Sealed:
        """Shuffle a composition with the house's secret and seal every card."""
        n, decks, jokers = len(cards), cards.count(DECK[0]), Card.RED_JOKER in cards
        if not 1 <= decks <= DECKS_MAX or cards != composition(decks, jokers):
            raise Unreadable("composition", "These {n} cards are not one to eight decks", n=n)
        deck = tuple(cards[place] for place in perm(secret, self._name(b"deck"), n))
        salt = self._name(b"salt")
        salts = tuple(hmac.digest(secret, salt + j.to_bytes(2, "big"), "sha256") for j in range(n))
        leaves = tuple(map(self._leaf, range(n), deck, salts))
        draws = [hmac.digest(secret, self._name(b"draws"), "sha256")]
        for _ in range(ROUNDS_MAX):
            draws.append(self.link_back(draws[-1]))
        draws.reverse()
        key, hidden = self._hash(b"key", secret), Hidden(deck, salts, tuple(draws))
        whole = self.seal_over(key, draws[0], leaves)
        return Sealed(self.id, key, draws[0], leaves, whole, hidden)

    def seal_over(self, key: bytes, x_0: bytes, leaves: Sequence[bytes]) -> bytes:
        return self._hash(b"seal", *map(_octets, (key, x_0, *leaves)))

    def house_reveal(self, secret: bytes, seat: int) -> bytes:
        """The bytes of a seat that the house plays."""
        return hmac.digest(_octets(secret), self._name(b"seat") + _seat_byte(seat), "sha256")

    def commitment(self, seat: int, reveal: bytes) -> bytes:
        return self._hash(b"seat", _seat_byte(seat), _octets(reveal))

    def lock(self, seal: bytes, commits: Mapping[int, bytes]) -> bytes:
        return self._hash(b"lock", _octets(seal), *chain.from_iterable(_ascending(commits)))

    def mix(self, lock: bytes, reveals: Mapping[int, bytes]) -> bytes:
        """The key of the cut and of the draws."""
        return self._hash(b"mix", _octets(lock), *(value for _, value in _ascending(reveals)))

    def cut(self, mix: bytes, n: int) -> tuple[int, ...]:
        """For each k the place in the sealed deck that the k-th card is dealt from."""
        return perm(mix, self._name(b"cut"), n)

    def opens(self, leaves: Sequence[bytes], order: Sequence[int], opening: Opening) -> bool:
        """Whether an opening fits the leaf that `order`, the cut, deals k-th."""
        if not 0 <= opening.k < len(order) == len(leaves):
            return False
        place = order[opening.k]
        return self._leaf(place, opening.card, from_hex(opening.salt)) == leaves[place]

    def link_back(self, link: bytes, rounds: int = 1) -> bytes:
        """The link of so many rounds before: x_m leads back to x_{m-1}, and in m rounds to x_0."""
        for _ in range(rounds):
            link = self._hash(b"draw", _octets(link))
        return link

    def draw(self, mix: bytes, x_m: bytes, label: str, n: int) -> Draw:
        """Draw a number from 0 to n-1 in the round that opens x_m."""
        if not re.fullmatch("[a-z0-9-]{1,40}", label):
            raise Unreadable("label", "{label} is not the name of a draw", label=label[:80])
        key = self._hash(b"draw-mix", _octets(mix), _octets(x_m))
        return Draw(label, n, perm(key, self._name(label.encode()), n)[0])


def card_drawn(value: int) -> Card:
    """The card that a draw of 52 names."""
    if not 0 <= value < len(DECK):
        raise Unreadable("draw", "{value} does not name a card", value=value)
    return DECK[value]


def told(label: str, value: int) -> int | str:
    """What a hand's context tells of a draw: a card by its name, anything else by its number."""
    if DRAW_SIZES.get(label) == len(DECK) and value < len(DECK):
        return card_drawn(value).text
    return value


def chain_on(head: bytes, entry: object) -> bytes:
    """The head of the public chain behind one more entry; it begins at CHAIN_START."""
    plain = to_builtins(entry, str_keys=True)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(_octets(head) + hashlib.sha256(text.encode()).digest()).digest()
