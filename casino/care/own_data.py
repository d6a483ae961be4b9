"""Everything that the house holds about a player, as a zip of JSON files for that player.

It has no card: records of hands, with proofs, are public or on the pages of one's hands. Nor has it
any secret for signing in: passwords, tokens and secrets are stored as hashes or encrypted.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder

from casino.accounts import devices
from casino.accounts.models import Player
from casino.care.models import Exclusion, PlayerLimit, RealityCheck
from casino.web.spreadsheets import Exponents
from games.chat.models import ChatLine
from games.models import HandSeat, Seat
from tournaments.models import Entry as TournamentEntry
from wallets.models import Entry
from wallets.models.holders import accounts_of
from wallets.values.registry import Registry

DataRow = dict[str, object]

# A zip up to this size is kept in memory.
IN_MEMORY: Final = 2_000_000
ROWS_AT_ONCE: Final = 1_000


def packed(player: Player) -> IO[bytes]:
    """A zip, open at its beginning; the reader closes it."""
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the answer closes it
    with ZipFile(file, "w", ZIP_DEFLATED) as package:
        for name, rows in PARTS.items():
            with package.open(f"{name}.json", "w") as part:
                for piece in _json(rows(player)):
                    part.write(piece.encode())
    file.seek(0)
    return file


def _json(rows: Iterable[DataRow]) -> Iterator[str]:
    """A list, row by row, so that no length of it fills the memory."""
    between = "["
    for row in rows:
        yield between + "\n " + json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False)
        between = ","
    yield "[]\n" if between == "[" else "\n]\n"


def _profile(player: Player) -> Iterator[DataRow]:
    yield {
        "number": player.pk,
        "name": player.username,
        "face": player.face,
        "email": player.email,
        "language": player.language,
        "joined": player.date_joined,
        "last_sign_in": player.last_login,
    }


def _devices(player: Player) -> Iterator[DataRow]:
    for device in player.devices.order_by("pk"):
        yield {
            "browser": device.user_agent,
            "address": device.address,
            "signed_in": device.signed_in_at,
            "seen": device.seen_at,
        }


def _tokens(player: Player) -> Iterator[DataRow]:
    for token in devices.tokens_of(player):
        yield {
            "program": token.user_agent,
            "address": token.address,
            "made": token.made_at,
            "expires": token.expires_at,
            "seen": token.seen_at,
        }


def _limits(player: Player) -> Iterator[DataRow]:
    exponents = Exponents()
    for limit in PlayerLimit.objects.filter(player=player).order_by("pk"):
        value: Any = limit.value
        if value is not None and limit.currency_id:
            value = exponents.whole_units(value, limit.currency_id)
        yield {
            "kind": limit.kind,
            "period": limit.period,
            "currency": limit.currency_id,
            "value": value,
            "made": limit.made_at,
            "effective_from": limit.effective_from,
            "confirmed": limit.confirmed_at,
            "withdrawn": limit.withdrawn_at,
        }


def _breaks(player: Player) -> Iterator[DataRow]:
    for one in Exclusion.objects.filter(player=player).order_by("pk"):
        yield {"kind": one.kind, "from": one.begins_at, "until": one.until}


def _reminders(player: Player) -> Iterator[DataRow]:
    for one in RealityCheck.objects.filter(player=player):
        yield {"minutes": one.minutes, "answered": one.answered_at}


def _wallets(player: Player) -> Iterator[DataRow]:
    exponents = Exponents()
    entries = Entry.objects.filter(account__in=accounts_of(player)).order_by("pk")
    rows = entries.select_related("transaction", "account")
    for entry in rows.iterator(chunk_size=ROWS_AT_ONCE):
        posting, currency = entry.transaction, entry.account.currency_id
        yield {
            "time": posting.time,
            "kind": posting.kind,
            "reason": posting.reason,
            "currency": currency,
            "amount": exponents.whole_units(entry.amount, currency),
            "balance": exponents.whole_units(entry.balance_after, currency),
        }


def _seats(player: Player) -> Iterator[DataRow]:
    rows = Seat.objects.filter(player=player).select_related("table").order_by("pk")
    for seat in rows.iterator(chunk_size=ROWS_AT_ONCE):
        yield {
            "table": seat.table.name,
            "seat": seat.number,
            "sat_down": seat.sat_down_at,
            "left": seat.left_at,
        }


def _hands(player: Player) -> Iterator[DataRow]:
    exponents = Exponents()
    rows = HandSeat.objects.filter(player=player).select_related("hand").order_by("pk")
    for seat in rows.iterator(chunk_size=ROWS_AT_ONCE):
        yield {
            "hand": seat.hand.code,
            "game": seat.game,
            "seat": seat.number,
            "status": seat.status,
            "ended": seat.ended_at,
            "currency": seat.currency_id,
            "net": exponents.whole_units(seat.net, seat.currency_id),
        }


def _tournaments(player: Player) -> Iterator[DataRow]:
    rows = TournamentEntry.objects.filter(player=player).select_related("tournament")
    exponents = Exponents()
    for entry in rows.order_by("pk"):
        currency = entry.tournament.currency_id
        yield {
            "tournament": entry.tournament.title,
            "registered": entry.registered_at,
            "state": entry.state,
            "place": entry.place,
            "currency": currency,
            "prize": exponents.whole_units(entry.prize, currency),
        }


def _chat(player: Player) -> Iterator[DataRow]:
    for line in ChatLine.objects.filter(player=player).order_by("pk"):
        yield {"table": line.table_id, "said": line.said_at, "text": line.text or line.phrase}


# The player's data in the zip, by file name; other packages add what they know.
PARTS: Final = Registry[Callable[[Player], Iterator[DataRow]]]("part of a player's data")
for _name, _rows in {
    "profile": _profile,
    "devices": _devices,
    "tokens": _tokens,
    "limits": _limits,
    "breaks": _breaks,
    "reminders": _reminders,
    "wallets": _wallets,
    "seats": _seats,
    "hands": _hands,
    "tournaments": _tournaments,
    "chat": _chat,
}.items():
    PARTS.add(_name, _rows)
