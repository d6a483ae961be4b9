"""The hand record: one portable JSON object that is the whole of a hand.

It names the game, its options, the stakes, what the world outside decided, the cards in dealing
order and the moves. Replaying it gives every state, every view and the settlement again. What was
settled and what the shoe published may accompany them, so that they can be checked.
"""

import hashlib
import hmac
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, cast

import msgspec
from msgspec import Meta

from games.rules.cards import Card
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import Action, AnyGame, Context, Party, SeatStack, State, action_type
from games.rules.errors import Unreadable
from games.rules.reading import read_json
from games.rules.settlement import Settlement
from games.rules.shoe import Hex32, ShoeProof, canonical, hmac_under
from wallets.values.errors import Refused

# A record is cut into named parts: what the hand was opened with (`hand`), who sat in each seat
# (`player/1`), what the mystery prize lacked (`mystery_left`), each move without the names of its
# cards (`move/0`), the action with them where there are any (`cards/0`), and the settlement. Each
# part has a leaf, the hash of its name, its value and a salt that follows from the shoe's secret;
# the digest is the hash of all leaves. A reader who may see a part gets its salt, and makes the
# leaf anew; of any other part the reader gets the leaf alone, and the salt prevents guessing the
# value. So one digest serves every reader of a hand.
#
# The part `hand` holds the mix of the shoe, and with it the lock, the seal and every card: a
# record cannot be given another shoe of the same name.

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


STRICT: Final[dict[str, Any]] = {
    "frozen": True,
    "kw_only": True,
    "omit_defaults": True,
    "forbid_unknown_fields": True,
}
# Types that the published schema knows by another name than the code.
PUBLISHED_NAMES: Final = {"SeatStack": "Stake"}


class RecordedMove(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One move; `at` and `by` tell when and how it came, and change nothing."""

    seat: Party
    action: Action
    at: str | None = None
    by: Literal["player", "timeout", "bot", "house"] | None = None


class RecordedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a settlement."""

    key: str
    source: str
    target: str
    amount: int
    values: dict[str, int | str] = {}


class RecordedSettlement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A settlement with its parties as text, as JSON needs them for keys."""

    net: dict[str, int]
    rake: dict[str, int]
    transfers: tuple[tuple[str, str, int, str], ...]
    lines: tuple[RecordedLine, ...] = ()
    pools: dict[str, int] | msgspec.UnsetType = msgspec.UNSET


class HandRecord(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """The part that every record holds; `record_type` adds each game's options and moves."""

    format: Literal["hand-record/1"] = "hand-record/1"
    id: str | None = None
    started: str | None = None
    ended: str | None = None
    game: str
    rules_version: int = 1
    options: AnyGame
    stakes: tuple[SeatStack, ...]
    context: Context
    cards: tuple[Card, ...]
    moves: tuple[RecordedMove, ...] = ()
    settlement: RecordedSettlement | None = None
    void: str | None = None
    shoe: ShoeProof | None = None
    digest: RecordDigest | None = None


class _Peek(msgspec.Struct, frozen=True):
    """The one field that must be read before the rest can be."""

    game: str


_peek = msgspec.json.Decoder(_Peek)


@cache
def record_type(key: str) -> type[HandRecord]:
    """The type of this game's records; options and context left out are the game's defaults."""
    game = game_type(key)
    move = msgspec.defstruct(
        f"{game.__name__}Move",
        [("action", action_type(game))],
        bases=(RecordedMove,),
        namespace={"__doc__": f"One move of {game.name}."},
        **STRICT,
    )
    record = msgspec.defstruct(
        f"{game.__name__}Record",
        [
            ("game", Literal[key]),
            ("options", game, msgspec.field(default_factory=game)),
            ("context", game.context_type, msgspec.field(default_factory=game.context_type)),
            ("moves", tuple[move, ...], ()),  # type: ignore[valid-type]
        ],
        bases=(HandRecord,),
        namespace={"__doc__": f"A hand of {game.name}."},
        **STRICT,
    )
    return cast(type[HandRecord], record)


@cache
def record_decoder(key: str) -> msgspec.json.Decoder[HandRecord]:
    return msgspec.json.Decoder(record_type(key))


def read_record(text: bytes | str) -> HandRecord:
    """A record from its JSON text, or `Unreadable` with the path of what is wrong."""
    key = read_json(text, _peek).game
    game = game_type(key)
    record = read_json(text, record_decoder(key))
    if record.rules_version != game.rules_version:
        raise Unreadable(
            "rules_version",
            "This server knows versions {known} of {name}'s rules, not {version}.",
            known=game.rules_version,
            name=game.name,
            version=record.rules_version,
        ).at("$.rules_version")
    return record


class MoveRefused(Exception):
    """A move in a record that is illegal or cannot be played; `number` counts moves from 0."""

    def __init__(self, number: int, reason: Refused) -> None:
        super().__init__(number, reason)
        self.number = number
        self.reason = reason


def replay_record(record: HandRecord) -> State:
    """The state after the record's moves; `MoveRefused` at the first that is refused."""
    game: AnyGame = record.options
    state: State = game.open(record.stakes, record.cards, record.context)
    for number, move in enumerate(record.moves):
        try:
            state = game.apply(state, move.seat, move.action)
        except Refused as reason:
            raise MoveRefused(number, reason) from None
    return state


def recorded(settlement: Settlement) -> RecordedSettlement:
    """A settlement in the form that records keep."""
    return RecordedSettlement(
        net={str(seat): amount for seat, amount in settlement.net.items()},
        rake={str(seat): amount for seat, amount in settlement.rake.items()},
        transfers=tuple(
            (str(transfer.source), str(transfer.target), transfer.amount, transfer.reason)
            for transfer in settlement.transfers
        ),
        lines=tuple(
            RecordedLine(line.key, str(line.source), str(line.target), line.amount, line.values)
            for line in settlement.lines
        ),
        pools={str(name): change for name, change in settlement.pools.items()} or msgspec.UNSET,
    )


def record_schema() -> dict[str, object]:
    """The JSON Schema of every game's records."""
    types = tuple(record_type(key) for key in GAMES)
    (schemas, definitions) = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hand-record/1",
        "anyOf": list(schemas),
        "$defs": definitions,
    }
    # Names that several games use appear with the paths of their modules, which readers do not
    # need.
    text = msgspec.json.encode(schema).replace(b"games.rules.", b"")
    for name, published in PUBLISHED_NAMES.items():
        text = text.replace(name.encode(), published.encode())
    shortened: dict[str, Any] = msgspec.json.decode(text)
    for definition in shortened["$defs"].values():
        # Versions of Python disagree about the indentation of a docstring.
        if "description" in definition:
            definition["description"] = " ".join(definition["description"].split())
    return shortened
