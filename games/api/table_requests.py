"""The requests of programs at the addresses of tables, as types: they read requests and describe
them.
"""

from typing import Annotated, Any, Final

from django.utils.translation import gettext_noop as _n
from msgspec import UNSET, Meta, UnsetType

from games.api.table_payloads import TablePhase
from games.rules.contract import SEAT_MAX
from games.tables.next_bets import BETS_MAX
from games.web.payloads import (
    NUMBER_MAX,
    Amount,
    GameKey,
    Sent,
    Text,
    Whole,
    described,
    reference,
)

INVITATION_MAX: Final = 40

Invitation = Annotated[
    str,
    Meta(max_length=INVITATION_MAX),
    described(_n("The invitation code of a private table; without it the table is hidden.")),
]
# The name of a shoe, a space, and 64 digits.
MIX_MAX: Final = 125
MIX_WORDS: Final = _n(
    "`start`, a space and the tip of a new chain; or the shoe's name, a space and your next link. "
    "Both are 32 bytes in hexadecimal digits."
)
ActionSent = Annotated[dict[str, Any], Meta(min_length=1)]


class LobbyQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tables to list."""

    game: GameKey | UnsetType = UNSET
    currency: Annotated[str, Meta(max_length=8)] | UnsetType = UNSET
    phase: TablePhase | UnsetType = UNSET
    free: (
        Annotated[
            bool,
            described(
                _n(
                    "Only tables where a player could take a seat, a bot's among them; or only "
                    "the others."
                )
            ),
        ]
        | UnsetType
    ) = UNSET


class VerbQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The query of a player's act at a table."""

    invitation: Invitation = ""


class TableQuery(VerbQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The query of a look at a table."""

    known: (
        Annotated[
            int,
            described(_n("The version you have: without a newer one the answer is 204.")),
        ]
        | UnsetType
    ) = UNSET
    help: Annotated[
        bool,
        described(_n("Also the legal plays and the suggestions for your decision, in `help`.")),
    ] = False


class ActQuery(VerbQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The query of an act."""

    streamed: Annotated[
        bool, described(_n("Your stream brings the table: the answer is 204, without a body."))
    ] = False


class ActRequest(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to a decision."""

    hand: Annotated[int, Meta(ge=1, le=NUMBER_MAX), described(_n("The id of the live hand."))]
    turn: Annotated[Whole, described(_n("The number of your turn, from the table's data."))]
    action: Annotated[
        ActionSent,
        described(
            _n(
                "The action by its name, in `do`, with its fields; or one of `choices`, as it is "
                "or with fields of the action added."
            ),
            anyOf=[reference("Action"), reference("SentChoice")],
        ),
    ]
    decision: Annotated[
        str,
        Meta(max_length=40),
        described(_n("The decision that you answer, from the table's data.")),
    ] = ""
    mix: Annotated[
        str,
        Meta(max_length=MIX_MAX),
        described(_n("Your link for the next shoe, if it is wanted, as `mix` takes it.")),
    ] = ""


class SitRequest(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat, and what to bring to it."""

    seat: Annotated[int, Meta(ge=1, le=SEAT_MAX)]
    amount: Annotated[Amount, described(_n("The buy-in, in minor units."))]


class TopUpRequest(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """More money for your seat."""

    amount: Annotated[Amount, described(_n("The top-up, in minor units."))]


class AfterRequest(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hand whose result is shown at the table."""

    after: Annotated[Whole, described(_n("The number of the hand that is over, from `between`."))]


class NextBetsRequest(AfterRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bets on the next round."""

    bets: Annotated[
        list[Annotated[ActionSent, Meta(extra_json_schema=reference("Action"))]],
        Meta(min_length=1, max_length=BETS_MAX),
        described(_n("The bets, as actions: all are placed or none, and your betting is over.")),
    ]


class MixRequest(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What your device gives to a shoe."""

    mix: Annotated[Text, Meta(max_length=MIX_MAX), described(MIX_WORDS)]
