"""The JSON of a table: the public part is encoded once a version and language.

A response is the public part with the viewer's own part spliced behind it. `public_part` and
`own_part` are the same two as JSON objects, for a stream. The fields of the second, put over those
of the first, are the table as the viewer sees it, but for what depends on the moment: who is away,
`now`, and the seats that can be taken.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec
from django.utils import timezone, translation
from msgspec import Raw

from games.api import table_payloads as payloads
from games.boards.help import Hint
from games.boards.own_view import Between, OwnSeat
from games.boards.program_facts import free_seats, help_for, is_done, waits_for
from games.boards.public_view import PublicView
from games.boards.renderings import NOTHING, Own, Pieces
from games.boards.seat_view import PublicSeat, SeatView
from games.boards.settlement_view import sentence_of_line
from games.boards.shoe_status import Counted, ShoeView
from games.boards.table_version import TableVersion, version_of
from games.boards.table_view import TableView, table_view
from games.models import Seat, Table
from games.rules.settlement import StoredLine
from games.tables.jackpots import game_at
from games.web.payloads import Currency, SettlementLine, payload
from games.words.naming import game_name
from wallets.models import Currency as CurrencyRow
from wallets.values.player import Viewer

encode: Final = msgspec.json.Encoder().encode


class PublicJson(NamedTuple):
    """The public part, encoded: the fields that a response takes as they are, and the others."""

    table: bytes
    # By number, without the fields that depend on the viewer or on the moment.
    seats: dict[int, bytes]
    view: Raw
    shoe: Raw


def public_json(version: TableVersion) -> PublicJson:
    """The encoded public part in the active language."""
    return version.once(("json", translation.get_language()), lambda: _encoded(version))


def public_part(table: Table, seats: Sequence[Seat], language: str) -> bytes:
    """The public part in a stream: for all who watch the table in this language."""
    with translation.override(language):
        version = version_of(table, seats)
        return version.once(("public part", language), lambda: _public_part(version))


def own_part(
    viewer: Viewer, table: Table, seats: Sequence[Seat], now: datetime, language: str
) -> bytes:
    """The own part in a stream, for its viewer alone."""
    with translation.override(language):
        board = table_view(viewer, table, now, seats)
        own = board.own
        part = payloads.OwnPart(
            **_own_fields(board),
            view=msgspec.UNSET if own.view is None else own.view,
            shoe=msgspec.UNSET if own.seat is None else _shoe(own.shoe),
            waits_for=msgspec.UNSET if own.between is None else waits_for(board),
        )
        return encode(part)


def table_json(board: TableView, *, stream: str, wants_help: bool = False) -> bytes:
    """The response to one viewer."""
    public, own = public_json(board.version), board.own
    rest = payloads.OwnTable(
        **_own_fields(board),
        stream=stream,
        now=board.now.isoformat(),
        seats=[_seat_json(public.seats[seat.number], seat) for seat in board.seats],
        free=free_seats(board),
        waits_for=waits_for(board),
        help=_help(board) if wants_help else None,
        view=public.view if own.view is None else own.view,
        shoe=public.shoe if own.seat is None else _shoe(own.shoe),
    )
    return _joined(public.table, encode(rest))


def _own_fields(board: TableView) -> dict[str, Any]:
    own = board.own
    return {
        "mine": _my_seat(own.seat),
        "stood_up": own.stood_up,
        "sat_out": own.sat_out,
        "kept": own.kept,
        "short": own.short,
        "choices": own.choices,
        "turn": own.turn,
        "decision": own.decision,
        "done": is_done(board),
        "between": _between(own.between),
        "next_shoe": _shoe(own.next_shoe),
        "counted": _counted(own.counted),
    }


def _public_part(version: TableVersion) -> bytes:
    made, public = public_json(version), version.public
    rest = {
        "seats": [
            Raw(_joined(made.seats[seat.number], encode({"leaves": seat.leaves or seat.reserved})))
            for seat in public.seats
        ],
        "free_places": public.free,
        "waits_for": public.waits_for,
        "view": made.view,
        "shoe": made.shoe,
    }
    return _joined(made.table, encode(rest))


def _joined(*objects: bytes) -> bytes:
    """One JSON object with the fields of several, none of which is empty."""
    return b"{" + b",".join(part[1:-1] for part in objects) + b"}"


def _encoded(version: TableVersion) -> PublicJson:
    public = version.public
    return PublicJson(
        table=encode(_public_table(version.table, public)),
        seats={seat.number: encode(_public_seat(seat)) for seat in public.seats},
        view=Raw(encode(public.view)),
        shoe=Raw(encode(_shoe(public.shoe))),
    )


def facts_of(table: Table) -> dict[str, Any]:
    """The fields of `TableFacts`."""
    return {
        "id": table.pk,
        "name": table.name,
        "game": table.game,
        "game_name": str(game_name(table.game)),
        "options": game_at(table),
        "currency": payload(Currency, table.currency),
        "places": table.places,
        "buy_in_min": table.buy_in_min,
        "buy_in_max": table.buy_in_max,
        "purse_min": table.stack_min,
        "status": table.status,
        "phase": table.phase,
        "version": table.version,
    }


def lobby_json(tables: Iterable[Any]) -> bytes:
    """The tables of the lobby, each with its numbers of taken and free seats and of bots."""
    listed = [
        payloads.TableInLobby(
            **facts_of(table),
            taken=table.taken,
            bots=table.bots,
            free=table.free,
            decision_seconds=table.decision_seconds,
            betting_seconds=table.betting_seconds,
            pause_seconds=table.pause_seconds,
        )
        for table in tables
    ]
    return encode(payloads.LobbyResponse(tables=listed))


def _public_table(table: Table, public: PublicView) -> payloads.PublicTable:
    hand = public.hand
    return payloads.PublicTable(
        **facts_of(table),
        hand=payloads.HandAtTable(**msgspec.structs.asdict(hand)) if hand else None,
        names=public.names,
        deadline=public.deadline,
        next_hand_at=public.next_hand_at,
        coming_rules=public.coming,
        lines=settlement_lines(public.lines, public.names, table.currency),
    )


def settlement_lines(
    lines: Iterable[StoredLine], names: dict[int, str], currency: CurrencyRow
) -> list[SettlementLine]:
    """The lines of a settlement, each with its sentence in the reader's language."""
    return [
        SettlementLine(
            key=line["key"],
            source=line["source"],
            target=line["target"],
            amount=line["amount"],
            values=line.get("values", {}),
            sentence=sentence_of_line(line, names, currency),
        )
        for line in lines
    ]


def _public_seat(seat: PublicSeat) -> payloads.PublicSeat:
    return payloads.PublicSeat(
        number=seat.number,
        player=seat.player,
        is_bot=seat.is_bot,
        purse=seat.stack,
        sits_out=seat.sits_out,
        trustee=seat.auto_play,
        to_act=seat.to_act,
    )


class _SeatNow(msgspec.Struct):
    """The fields of a seat that depend on the viewer or on the moment."""

    absent: bool
    offline: bool
    leaves: bool
    mine: bool


def _seat_json(public: bytes, seat: SeatView) -> Raw:
    now = _SeatNow(seat.absent, seat.offline, seat.leaves, seat.mine)
    return Raw(_joined(public, encode(now)))


def _my_seat(seat: OwnSeat | None) -> payloads.MySeat | None:
    if seat is None:
        return None
    return payloads.MySeat(
        number=seat.number,
        purse=seat.stack,
        top_up=seat.top_up,
        sits_out=seat.sits_out,
        sat_out_by_house=seat.sat_out_by_house,
        trustee=seat.auto_play,
        leaves=seat.leaves,
        time_bank=seat.time_bank,
    )


def _between(between: Between | None) -> payloads.Between | None:
    if between is None:
        return None
    return payloads.Between(after=between.after, ready=between.ready, again=between.again)


def _shoe(shoe: ShoeView | None) -> payloads.ShoeStatus | None:
    if shoe is None:
        return None
    return payload(payloads.ShoeStatus, shoe)


def _counted(counted: Counted | None) -> payloads.Counted | None:
    return counted and payloads.Counted(own=counted.own, of=counted.of)


def _help(board: TableView) -> payloads.Help:
    advice = help_for(board)
    return payloads.Help(plays=_hints(advice.plays), suggestions=_hints(advice.suggestions))


def _hints(hints: Iterable[Hint]) -> list[payloads.Hint]:
    return [payloads.Hint(action=hint.action, words=str(hint.words)) for hint in hints]


FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


class StreamJson:
    """The rendering `json`."""

    def public(self, table: Table, seats: Sequence[Seat], language: str) -> Pieces:
        return _fields(public_part(table, seats, language))

    def own(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], now: datetime, language: str
    ) -> Pieces:
        return _fields(own_part(viewer, table, seats, now, language))

    def without_seat(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], language: str, sent: Own
    ) -> Own:
        """Only who has just lost a seat has a part, which says so."""
        if not sent.pieces:
            return NOTHING
        return Own(self.own(viewer, table, seats, timezone.now(), language))


def _fields(part: bytes) -> Pieces:
    return {name: bytes(piece) for name, piece in FIELDS.decode(part).items()}
