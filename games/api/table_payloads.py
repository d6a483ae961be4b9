"""Tables as JSON for programs, as types: they make the responses and describe them.

A table's response is spliced from two parts, `PublicTable` and `OwnTable` (`table_json.py`). So is
its description: `TableView` has the fields of both.
"""

from typing import Annotated

from django.utils.translation import gettext_noop as _n
from msgspec import UNSET, Meta

from games.boards.shoe_status import NO_COMMIT, VOIDED, WITHHELD
from games.models import Hand, Table
from games.rules.contract import Choice
from games.web.payloads import (
    Currency,
    GameKey,
    Moment,
    Payload,
    SettlementLine,
    described,
    one_of,
    reference,
)

TableStatus = Annotated[str, one_of(Table.Status.values)]
TablePhase = Annotated[str, one_of(Table.Phase.values)]
HandStatus = Annotated[str, one_of(Hand.Status.values)]
Options = Annotated[
    object,
    described(
        _n("The rules and stakes of this table, with all that was left at its default."),
        type="object",
        additionalProperties=True,
    ),
]


RECEIPT = described(
    _n("What the house signed for your reveal."), anyOf=[reference("Receipt"), {"type": "null"}]
)


class TableFacts(Payload, frozen=True, kw_only=True):
    """A table as its row describes it."""

    id: int
    name: str
    game: GameKey
    game_name: str
    options: Options
    currency: Currency
    places: int
    buy_in_min: int
    buy_in_max: int
    purse_min: int
    status: TableStatus
    phase: TablePhase
    version: Annotated[
        int, described(_n("Grows with every change; send it as `known` with the next request."))
    ]


class TableInLobby(TableFacts, frozen=True, kw_only=True):
    """A table as the lobby has it."""

    taken: Annotated[int, described(_n("Seats that are taken, by bots as well."))]
    bots: int
    free: Annotated[int, described(_n("Seats that a player could take, those of bots among them."))]
    decision_seconds: int
    betting_seconds: int
    pause_seconds: int


class LobbyResponse(Payload, frozen=True, kw_only=True):
    """The tables of the lobby."""

    tables: list[TableInLobby]


class PublicSeat(Payload, frozen=True, kw_only=True):
    """The part of a seat that one version of a table has."""

    number: int
    player: str
    is_bot: bool
    purse: int
    sits_out: bool
    trustee: Annotated[bool, described(_n("The house plays for the seat until the hand is over."))]
    to_act: bool


class SeatView(PublicSeat, frozen=True, kw_only=True):
    """The public part of a seat."""

    absent: Annotated[
        bool,
        described(
            _n("Offline for longer than the grace period: the house plays on without waiting.")
        ),
    ]
    offline: Annotated[bool, described(_n("Offline."))]
    leaves: Annotated[bool, described(_n("Leaves when the hand is over."))]
    mine: bool


class HandAtTable(Payload, frozen=True, kw_only=True):
    """The hand that runs, or the one that has just ended."""

    id: int
    code: str
    number: int
    status: HandStatus


class MySeat(Payload, frozen=True, kw_only=True):
    """Your seat."""

    number: int
    purse: int
    top_up: Annotated[int, described(_n("The top-up that is added to the stack after the hand."))]
    sits_out: bool
    sat_out_by_house: Annotated[
        bool,
        described(
            _n("The house sat you out: you timed out three times in a row, or were offline.")
        ),
    ]
    trustee: bool
    leaves: bool
    time_bank: Annotated[
        int,
        described(_n("The seconds you have beyond the time of a turn, at tables among players.")),
    ]


class Between(Payload, frozen=True, kw_only=True):
    """Between two hands, for a player who plays on."""

    after: Annotated[
        int,
        described(_n("The number of the hand that is over; send it with `ready` and `again`.")),
    ]
    ready: Annotated[bool, described(_n("You are ready for the next hand."))]
    again: Annotated[bool, described(_n("You can begin the next round with your last bets."))]


class Hint(Payload, frozen=True, kw_only=True):
    """An action as it can be sent, and what it is called."""

    action: Annotated[object, Meta(extra_json_schema=reference("Action"))]
    words: str


class Help(Payload, frozen=True, kw_only=True):
    """Help with your decision."""

    plays: Annotated[
        list[Hint],
        described(
            _n(
                "Every legal action at Dou Dizhu, each once whatever the suits; empty at other "
                "games, where `choices` says it all."
            )
        ),
    ]
    suggestions: Annotated[
        list[Hint],
        described(
            _n("What the house advises, the best first; empty where the table allows no hints.")
        ),
    ]


class ReceiptStatement(Payload, frozen=True, kw_only=True):
    """A statement signed by the house: when a seat's bytes arrived, and under which lock."""

    shoe: str
    seat: int
    seal: str
    lock: str
    commit: str
    reveal_hash: Annotated[str, described(_n("The SHA-256 of the 32 bytes."))]
    at: str
    late: Annotated[
        bool, described(_n("Only for bytes that came after the shoe had been voided."))
    ] = False


class Receipt(Payload, frozen=True, kw_only=True):
    """A receipt for a reveal: an Ed25519 signature over `CR1|receipt|` and the statement's JSON."""

    statement: ReceiptStatement
    signature: str
    key: str


class ShoeStatus(Payload, frozen=True, kw_only=True):
    """The published values of a shoe on the table."""

    code: str
    status: str
    seal: str
    lock: str
    commits: dict[int, str]
    wants_start: Annotated[bool, described(_n("Your seat has no chain: start one by `mix`."))]
    tip: Annotated[str, described(_n("What the house has last of your chain: your next commit."))]
    wants_link: Annotated[
        bool,
        described(
            _n(
                "The house is waiting for your link: compute the lock yourself, then send it with "
                "your next act or, between two hands, by `mix`."
            )
        ),
    ]
    notice: Annotated[
        str,
        described(
            _n(
                "Why the house mixes this shoe for your seat: `no_commit`, it had no chain in "
                "time; `withheld`, an earlier link did not come; `voided`, the shoe before this "
                "one was voided because your link did not come in time. Otherwise empty."
            ),
            enum=["", NO_COMMIT, WITHHELD, VOIDED],
        ),
    ]
    house_shoes: Annotated[
        int, described(_n("For how many more shoes the house mixes for your seat."))
    ]
    receipt: Annotated[object, RECEIPT]


class Counted(Payload, frozen=True, kw_only=True):
    """For how many of the last shoes at your seat your own bytes counted."""

    own: int
    of: Annotated[int, described(_n("At most 50."))]


class PublicTable(TableFacts, frozen=True, kw_only=True):
    """The part of a table that is the same for all who may watch it."""

    hand: HandAtTable | None
    names: Annotated[dict[int, str], described(_n("The players of the hand, by seat."))]
    deadline: Moment | None
    next_hand_at: Moment | None
    coming_rules: Annotated[
        tuple[str, ...],
        described(_n("What the rules change from the next hand on, in words; usually empty.")),
    ]
    lines: list[SettlementLine]


class OwnFields(Payload, frozen=True, kw_only=True):
    """The part of a table that one viewer gets in addition to the public part."""

    mine: MySeat | None
    stood_up: Annotated[
        str, described(_n("Why the house has given your seat up, in words; otherwise empty."))
    ]
    sat_out: Annotated[
        str, described(_n("Why the house made you sit out, in words; otherwise empty."))
    ]
    kept: Annotated[
        int | None, described(_n("The seat that is reserved for you until the hand is over."))
    ]
    short: Annotated[bool, described(_n("Your stack is too small to be dealt in."))]
    choices: Annotated[
        tuple[Choice, ...],
        described(
            _n(
                "What you may do now: `do` names the action, with its bounds. Each can be sent "
                "back as your action: it takes the least amount and the first of `among`."
            )
        ),
    ]
    turn: Annotated[int | None, described(_n("The number of your turn; send it with your action."))]
    decision: Annotated[
        str,
        described(
            _n(
                "The mark of your decision, made of `choices`; empty while you bet. Send it with "
                "your action to be refused if the decision is another one by then."
            )
        ),
    ]
    done: Annotated[
        bool,
        described(_n("You have ended your betting, or are ready for the next hand.")),
    ]
    between: Between | None
    next_shoe: Annotated[
        ShoeStatus | None,
        described(_n("The shoe that is mixed while this hand is played; only for seated players.")),
    ]
    counted: Counted | None


class OwnPart(OwnFields, frozen=True, kw_only=True):
    """The own part in a stream: with view and shoe only where they replace the public ones."""

    view: object = UNSET
    shoe: object = UNSET
    waits_for: object = UNSET


class OwnTable(OwnFields, frozen=True, kw_only=True):
    """The part of a response that depends on the viewer or on the moment.

    `seats`, `view` and `shoe` are encoded already where they are those of the public part.
    """

    stream: Annotated[str, described(_n("The event stream that announces new versions."))]
    now: Annotated[str, described(_n("The time on the server's clock."), format="date-time")]
    seats: Annotated[
        object, Meta(extra_json_schema={"type": "array", "items": reference("SeatView")})
    ]
    free: Annotated[
        tuple[int, ...],
        described(_n("The seats that a player could take, those of bots among them.")),
    ]
    waits_for: Annotated[
        tuple[int, ...],
        described(_n("The seats that the table waits for until their time is up.")),
    ]
    help: Annotated[
        Help | None,
        described(_n("Help with your decision, if you asked for it; otherwise null.")),
    ]
    view: Annotated[
        object,
        described(
            _n("The hand as your seat sees it; `game` says whose view it is."),
            anyOf=[reference("View"), {"type": "null"}],
        ),
    ]
    shoe: Annotated[
        object, Meta(extra_json_schema={"anyOf": [reference("ShoeStatus"), {"type": "null"}]})
    ]
