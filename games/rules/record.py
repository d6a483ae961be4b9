"""The hand record: one portable JSON object that is the whole of a hand.

It names the game, its options, the stakes, what the world outside decided, the cards in dealing
order and the moves. Replaying it gives every state, every view and the settlement again. What was
settled and what the shoe published may accompany them, so that they can be checked.
"""

from functools import cache
from typing import Any, Final, Literal, cast

import msgspec

from games.rules.cards import Card
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import Action, AnyGame, Context, Party, SeatStack, State, action_type
from games.rules.errors import Unreadable
from games.rules.reading import read_json
from games.rules.record import RecordDigest
from games.rules.settlement import Settlement
from games.rules.shoe import ShoeProof
from wallets.values.errors import Refused

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
