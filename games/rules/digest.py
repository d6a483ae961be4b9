"""The digest of a hand's record, which the public chain has: it fixes the whole hand.

A record is cut into named parts: what the hand was opened with (`hand`), who sat in each seat
(`player/1`), what the mystery prize lacked (`mystery_left`), each move without the names of its
cards (`move/0`), the action with them where there are any (`cards/0`), and the settlement. Each
part has a leaf, the hash of its name, its value and a salt that follows from the shoe's secret; the
digest is the hash of all leaves. A reader who may see a part gets its salt, and makes the leaf
anew; of any other part the reader gets the leaf alone, and the salt prevents guessing the value. So
one digest serves every reader of a hand.

The part `hand` holds the mix of the shoe, and with it the lock, the seal and every card: a record
cannot be given another shoe of the same name.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from games.rules.cards import Card
from games.rules.shoe import Hex32, canonical, hmac_under

# The input of the hand, and its start; the shoe's part of it is added by `parts_of`.
OPENING: Final = ("id", "game", "rules_version", "options", "stakes", "started", "ended")
# A part of the context that stays closed for longer than the others.
MYSTERY_LEFT: Final = "mystery_left"
# The names of cards in a record's actions; nothing else in an action is written like one.
CARD_NAMES: Final = frozenset(card.text for card in Card)


class RecordDigest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The digest of a record, and for each part what its reader needs to make the digest anew."""

    value: Hex32
    # By the names of the parts: the salts of those that stand in the record, the leaves of others.
    salts: dict[str, Hex32] = {}
    leaves: dict[str, Hex32] = {}
    # The players by seat; in an auditor's record alone.
    players: dict[str, Annotated[int, Meta(ge=1)]] = {}


def without_cards(value: object) -> object:
    """An action with null in place of every card: as much of it as every reader may see."""
    if isinstance(value, dict):
        return {name: without_cards(part) for name, part in value.items()}
    if isinstance(value, list):
        return [without_cards(part) for part in value]
    return None if isinstance(value, str) and value in CARD_NAMES else value


def parts_of(record: Mapping[str, Any], players: Mapping[str, int]) -> dict[str, object]:
    """The parts of a record in its plain form, by name."""
    context, shoe = dict(record["context"]), record["shoe"]
    parts: dict[str, object] = {}
    if MYSTERY_LEFT in context:
        parts[MYSTERY_LEFT] = context.pop(MYSTERY_LEFT)
    parts["hand"] = {
        **{name: record.get(name) for name in OPENING},
        "context": context,
        "shoe": {
            **{name: shoe.get(name) for name in ("id", "from", "round", "mix")},
            "seats": [[seat["seat"], seat["who"]] for seat in shoe.get("seats", ())],
        },
        "cards": len(record["cards"]),
    }
    parts |= {f"player/{seat}": player for seat, player in players.items()}
    for number, move in enumerate(record["moves"]):
        shown = without_cards(move["action"])
        parts[f"move/{number}"] = {**move, "action": shown}
        if shown != move["action"]:
            parts[f"cards/{number}"] = move["action"]
    parts["settlement"] = record.get("settlement")
    return parts


def salt_of(secret: bytes, shoe: str, hand: str, name: str) -> bytes:
    return hmac.digest(secret, _salts_begin(shoe, hand) + name.encode(), "sha256")


def _salts_begin(shoe: str, hand: str) -> bytes:
    return f"CR1|{shoe}|part|{hand}|".encode()


def leaf_of(shoe: str, name: str, value: object, salt: bytes) -> bytes:
    """The leaf of a part: the hash of its salt and of the JSON of its name and value."""
    start = f"CR1|{shoe}|part".encode()
    return hashlib.sha256(start + salt + canonical([name, value])).digest()


def digest_over(shoe: str, leaves: Mapping[str, bytes]) -> bytes:
    """The digest of a record, from the leaves of all its parts."""
    text = canonical({name: leaf.hex() for name, leaf in leaves.items()})
    return hashlib.sha256(f"CR1|{shoe}|record".encode() + text).digest()


def digest_of(record: Mapping[str, Any], players: Mapping[str, int], secret: bytes) -> bytes:
    """The digest of a whole record, whose every part is known."""
    leaves = {name: leaf for name, (_, leaf, _) in _sealed(record, players, secret).items()}
    return digest_over(record["shoe"]["id"], leaves)


def digest_for_reader(
    whole: Mapping[str, Any],
    shown: Mapping[str, object],
    players: Mapping[str, int],
    secret: bytes,
    *,
    names_players: bool = False,
) -> dict[str, Any]:
    """The field `digest` of the record that one reader is shown, in its plain form.

    A part that `shown` has as the whole record has it gets its salt, any other part its
    leaf. Only auditors learn who the players are.
    """
    sealed = _sealed(whole, players, secret)
    open_to_reader = parts_of(shown, players if names_players else {})
    leaves = {name: leaf for name, (_, leaf, _) in sealed.items()}
    salts = {
        name: salt.hex()
        for name, (value, _, salt) in sealed.items()
        if name in open_to_reader and open_to_reader[name] == value
    }
    closed = {name: leaf.hex() for name, leaf in leaves.items() if name not in salts}
    return {
        "value": digest_over(whole["shoe"]["id"], leaves).hex(),
        "salts": salts,
        **({"leaves": closed} if closed else {}),
        **({"players": dict(players)} if names_players else {}),
    }


def _sealed(
    record: Mapping[str, Any], players: Mapping[str, int], secret: bytes
) -> dict[str, tuple[object, bytes, bytes]]:
    """Value, leaf and salt of every part of a whole record."""
    shoe, start = record["shoe"]["id"], _salts_begin(record["shoe"]["id"], record["id"])
    keyed = hmac_under(secret)
    sealed = {}
    for name, value in parts_of(record, players).items():
        salt = keyed(start + name.encode())
        sealed[name] = value, leaf_of(shoe, name, value, salt), salt
    return sealed
