"""The shoe protocol: a deal that one honest seat makes uniform and that cannot be changed.

Before anyone plays, the house shuffles a shoe from 32 secret bytes and seals it: each card gets a
leaf, the hash of its place, its name and a salt, and the seal is the hash of all leaves. Each seat
is committed to its own 32 bytes, a link of its device's chain (`links.py`); the lock ties seal and
commits together. Only then do the seats reveal their bytes. Lock and reveals are mixed into the key
that cuts the shoe: a second shuffle, over places, says which sealed card is dealt first, second and
so on. The house fixed its shuffle before it knew the cut, and the seats fix the cut without knowing
the shuffle.

A card is opened by showing its name and salt, which fit one leaf only. Draws other than cards (a
wild card, a wheel) follow from the mix and a link of a chain of hashes made at the seal: link m is
shown in round m, after its betting has ended, and hashing it gives the link before. A seat without
a browser is played by the house, with bytes that follow from the secret. The secret is never
published, as it would open every card; an auditor who is given it deals the whole shoe again
(`verifying.py`). `docs/fairness.md` gives every formula.
"""

import hashlib
import hmac
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.json import Encoder

from games.rules.cards import DECK, Card, composition
from games.rules.errors import Unreadable

DECKS_MAX: Final = 8
CARDS_MAX: Final = 54 * DECKS_MAX
ROUNDS_MAX: Final = 256
# The version by which new shoes are mixed. In the first, each commit was to bytes for one shoe.
VERSION: Final = 2
WORD_VALUES: Final = 65_536
# Draws whose size no option changes: a house free to choose the size could choose the result.
DRAW_SIZES: Final = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "lucky-card": 52}
CHAIN_START: Final = bytes(32)
# The place of each card of a shoe as two bytes, and each card's name as bytes.
PLACES: Final = tuple(place.to_bytes(2, "big") for place in range(CARDS_MAX))
NAMES: Final = {card: card.text.encode() for card in Card}
HEX_32: Final = re.compile("[0-9a-f]{64}")
# The pads of HMAC, as tables of translation.
INNER, OUTER = (bytes(octet ^ pad for octet in range(256)) for pad in (0x36, 0x5C))

# The one JSON text of a value that is hashed: sorted keys, no spaces, characters as they are.
# Nothing that is hashed holds a decimal fraction, which can be written in more than one way.
canonical: Final = Encoder(order="sorted").encode

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
    """The bytes of one seat for the shoe, and whether a player or the house gave them."""

    seat: Annotated[int, Meta(ge=1, le=255)]
    who: Literal["player", "house"]
    commit: Hex32
    reveal: Hex32 | None = None


class EntrantProof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The bytes of one entrant for an event's shoe, and whether a player or the house gave them."""

    entrant: Annotated[int, Meta(ge=1, le=WORD_VALUES - 1)]
    who: Literal["player", "house"]
    commit: Hex32
    reveal: Hex32 | None = None


class DealProof(Struct, frozen=True, forbid_unknown_fields=True):
    """The event's seal and mix of a deal that several tables play.

    The lock and the mix of the shoe are then those of the event.
    """

    # The name of the event's shoe; round and deal count from 1.
    event: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]+$(?!\n)", max_length=80)]
    round_number: Annotated[int, Meta(ge=1, le=WORD_VALUES - 1)] = field(name="round")
    deal: Annotated[int, Meta(ge=1, le=WORD_VALUES - 1)]
    deals_a_round: Annotated[int, Meta(ge=1, le=WORD_VALUES - 1)]
    # The event's own seal, those of all its deals, and the published one over them.
    sealed: Hex32
    deals: tuple[Hex32, ...]
    seal: Hex32
    entrants: tuple[EntrantProof, ...]

    @property
    def name(self) -> str:
        """By this name the deal's cards are sealed, cut and drawn."""
        return f"{self.event}-R{self.round_number}-D{self.deal}"

    @property
    def place(self) -> int:
        """The position of the deal among all deals of the event."""
        return (self.round_number - 1) * self.deals_a_round + self.deal - 1


class ShoeProof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The published values of a shoe, for one hand and one viewer: a hand record's `shoe`.

    It has no field for the secret, nor for the salt of a card that is not open. `first` is the k of
    the hand's first card. All that follows the seal is absent until it is published.
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
    # Proofs of the first version do not name it.
    version: Annotated[int, Meta(ge=1, le=VERSION)] = 1
    seats: tuple[SeatProof, ...] = ()
    lock: Hex32 | None = None
    mix: Hex32 | None = None
    deal: DealProof | None = None
    x_m: Hex32 | None = None
    draws: tuple[Draw, ...] = ()
    openings: tuple[Opening, ...] = ()

    @property
    def protocol(self) -> "ShoeProtocol":
        """The formulas under the name by which the cards are sealed."""
        return ShoeProtocol(self.deal.name if self.deal else self.id, self.version)

    def __post_init__(self) -> None:
        numbers = [seat.seat for seat in self.seats]
        if numbers != sorted(set(numbers)):
            raise Unreadable("seats", "The seats {seats} do not ascend", seats=numbers)


def from_hex(text: str) -> bytes:
    """Read 32 published bytes."""
    if not HEX_32.fullmatch(text):
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


def hmac_under(key: bytes) -> Callable[[bytes], bytes]:
    """HMAC-SHA256 under one key: half the time of `hmac.digest`, which prepares the key anew."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(padded.translate(INNER))
    outer = hashlib.sha256(padded.translate(OUTER))

    def digest(message: bytes) -> bytes:
        inner_hash, outer_hash = inner.copy(), outer.copy()
        inner_hash.update(message)
        outer_hash.update(inner_hash.digest())
        return outer_hash.digest()

    return digest


def _words(key: bytes, label: bytes) -> Iterator[int]:
    keyed = hmac_under(key)
    for block in count():
        yield from struct.unpack(">16H", keyed(label + block.to_bytes(4, "big")))


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


class ShoeProtocol(Struct, frozen=True):
    """The formulas of one shoe: each begins with its id, so that no hash serves two shoes.

    Only the commits do not, as a link is committed to before the shoe has a name: they begin with
    the name of the shoe's table.
    """

    id: str
    version: int = VERSION

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
        keyed, sha256 = hmac_under(_octets(secret)), hashlib.sha256
        start = self._name(b"salt")
        salts = tuple(keyed(start + place) for place in PLACES[:n])
        start = self._name(b"leaf")
        leaves = tuple(
            sha256(start + place + NAMES[card] + salt).digest()
            for place, card, salt in zip(PLACES, deck, salts, strict=False)
        )
        draws = self._links(keyed(self._name(b"draws")))
        key, hidden = self._hash(b"key", secret), Hidden(deck, salts, draws)
        whole = self._hash(b"seal", key, draws[0], *leaves)
        return Sealed(self.id, key, draws[0], leaves, whole, hidden)

    def _links(self, last: bytes) -> tuple[bytes, ...]:
        """The chain of draws, from x_0 to its last link."""
        start, sha256 = self._name(b"draw"), hashlib.sha256
        links = [last]
        for _ in range(ROUNDS_MAX):
            last = sha256(start + last).digest()
            links.append(last)
        return tuple(reversed(links))

    def seal_over(self, key: bytes, x_0: bytes, leaves: Sequence[bytes]) -> bytes:
        return self._hash(b"seal", *map(_octets, (key, x_0, *leaves)))

    def house_reveal(self, secret: bytes, seat: int) -> bytes:
        """The bytes of a seat that the house plays."""
        return hmac.digest(_octets(secret), self._name(b"seat") + _seat_byte(seat), "sha256")

    def commitment(self, seat: int, reveal: bytes) -> bytes:
        """The commit that these bytes are the reveal for."""
        if self.version == 1:
            return self._hash(b"seat", _seat_byte(seat), _octets(reveal))
        table = self.id.partition("-")[0].encode()
        return hashlib.sha256(
            b"CR2|" + table + b"|seat" + _seat_byte(seat) + _octets(reveal)
        ).digest()

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
        start, link = self._name(b"draw"), _octets(link)
        for _ in range(rounds):
            link = hashlib.sha256(start + link).digest()
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


def context_value(label: str, value: int) -> int | str:
    """Return the value of a draw in a hand's context: the name of a card, or else a number."""
    if DRAW_SIZES.get(label) == len(DECK) and value < len(DECK):
        return card_drawn(value).text
    return value


def chain_on(head: bytes, entry: object) -> bytes:
    """The head of the public chain behind one more entry; it begins at CHAIN_START."""
    return chain_on_hash(head, hashlib.sha256(canonical(entry)).digest())


def chain_on_hash(head: bytes, entry: bytes) -> bytes:
    """The same, from the hash of the entry's canonical JSON."""
    return hashlib.sha256(_octets(head) + _octets(entry)).digest()
