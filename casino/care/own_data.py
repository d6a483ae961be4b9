"""All that the house holds about a player: as a file for that player, and its erasure.

The file has no card: records of hands, with proofs, are public or on the pages of one's hands. Nor
has it any secret for signing in: passwords, tokens and secrets are stored as hashes or encrypted.

Erasure leaves hands, seats and money where they are, since ledger, chain and proofs say who by
number alone. It removes the remaining personal data: name, email, password, devices, addresses,
codes, passkeys, chat, and the traces of where they came from.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts import devices
from casino.accounts.freezing import PERMISSION
from casino.accounts.models import Player
from casino.accounts.staff import is_staff_member
from casino.care import exclusions
from casino.care.models import ErasureRequest, Exclusion, PlayerLimit, RealityCheck
from casino.web.spreadsheets import Exponents
from games.chat.models import ChatLine, Mute
from games.models import HandSeat, Seat
from games.words.players import NOBODY
from tournaments.models import Entry as TournamentEntry
from tournaments.models import SeriesStanding, Ticket, Tournament
from wallets.models import Entry
from wallets.models.holders import accounts_of, lock_player, player_reference
from wallets.of_record.verbs import verb
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.values.errors import Refused
from wallets.values.registry import Registry

ERASE: Final = "player.erase"
# The erasures that packages above add to the transaction.
forgetting: list[Callable[[Player], None]] = []


def also(forget: Callable[[Player], None]) -> None:
    """Have another package delete its data of the erased player."""
    if forget not in forgetting:
        forgetting.append(forget)


def request_of(player_id: int) -> ErasureRequest | None:
    """Return a player's open request for erasure."""
    return ErasureRequest.objects.filter(player=player_id, done_at=None).first()


@verb("player:care.ask_erasure")
def ask(player: Player, now: datetime) -> None:
    """Ask the house to erase who one is; a second request changes nothing."""
    if is_staff_member(player):
        raise Refused("colleague", _("The data of staff is kept as long as they work here."))
    with transaction.atomic():
        lock_player(player)
        if request_of(player.pk) is None:
            ErasureRequest.objects.create(player=player, made_at=now)


@verb("player:care.withdraw_erasure")
def withdraw(player: Player) -> None:
    """Stay after all."""
    ErasureRequest.objects.filter(player=player, done_at=None).delete()


class OfPlayer(Permitted):
    """Arguments: `player`, a number. Always with a second person: it cannot be undone."""

    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        return {"player": person(arguments.get("player")).pk}

    def subject(self, arguments: Arguments) -> str:
        return player_reference(arguments["player"])


class Erase(OfPlayer):
    name: str = ERASE
    words: str | Promise = _("Erase a player's personal data")

    def admit(self, order: Order) -> None:
        _require_free(person(order.arguments["player"]), order.now)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        player = person(arguments["player"])
        return [Change(str(_("Name")), player.username, pseudonym(player))]

    def carry_out(self, order: Order) -> None:
        with transaction.atomic():
            player = person(order.arguments["player"], held=True)
            _require_free(player, order.now)
            _erase(player)
            ErasureRequest.objects.filter(player=player, done_at=None).update(done_at=order.now)
            # The entry has no name before or after the change, because entries are never erased.
            order.note(
                self.name,
                player_reference(player.pk),
                before={"erased": False},
                after={"erased": True},
            )


def pseudonym(player: Player) -> str:
    """No player can choose it: their names have no spaces."""
    return f"former {player.pk}"


def person(number: object, *, held: bool = False) -> Player:
    """The player of this number, who is no bot."""
    rows = Player.objects.filter(pk=number if type(number) is int else 0, is_bot=False)
    player = (rows.select_for_update(no_key=True) if held else rows).first()
    if player is None:
        raise Refused("no_such_player", _("There is no such player."))
    return player


def _require_free(player: Player, now: datetime) -> None:
    """Refuse while the house still needs to know who it is."""
    if request_of(player.pk) is None:
        raise Refused("no_request", _("This player has not asked for it."))
    if is_staff_member(player):
        raise Refused("colleague", _("The data of staff is kept as long as they work here."))
    if exclusions.current(player.pk, now) is not None:
        raise Refused(
            "excluded", _("Wait until the player's break is over, or it could be evaded.")
        )
    if accounts_of(player).exclude(balance=0).exists():
        raise Refused("has_money", _("Pay out what is in the player's wallets first."))
    require_not_playing(player)


def require_not_playing(player: Player) -> None:
    alive = TournamentEntry.objects.filter(player=player, tournament__state__in=Tournament.ALIVE)
    sits = Seat.objects.filter(player=player, left_at=None).exists()
    if sits or alive.filter(state__in=TournamentEntry.LEFT).exists():
        raise Refused("plays", _("This player still sits at a table, or is in a tournament."))


def _erase(player: Player) -> None:
    typed: Sequence[type[AccessAttempt | AccessLog | AccessFailureLog]] = (
        AccessAttempt,
        AccessLog,
        AccessFailureLog,
    )
    for table in typed:
        table.objects.filter(username__in=[player.username, player.username_key]).delete()
    devices.end_everywhere(player)
    player.devices.all().delete()
    player.authenticators.all().delete()
    player.recovery_codes.all().delete()
    player.passkeys.all().delete()
    player.company_accounts.all().delete()
    ChatLine.objects.filter(player=player).delete()
    Mute.objects.filter(player=player).delete()
    player.username = pseudonym(player)
    player.email = player.language = player.signed_up_from = player.level = ""
    player.face = NOBODY
    player.last_login, player.is_active, player.frozen_until = None, False, None
    player.set_unusable_password()
    player.save()
    for forget in forgetting:
        forget(player)


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


def _passkeys(player: Player) -> Iterator[DataRow]:
    for passkey in player.passkeys.order_by("pk"):
        yield {"made_with": passkey.label, "made": passkey.made_at, "used": passkey.used_at}


def _company_accounts(player: Player) -> Iterator[DataRow]:
    for account in player.company_accounts.order_by("pk"):
        yield {
            "provider": account.issuer,
            "number": account.subject,
            "name": account.name,
            "claimed": account.claimed,
            "used": account.met_at,
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
    for exclusion in Exclusion.objects.filter(player=player).order_by("pk"):
        yield {"kind": exclusion.kind, "from": exclusion.begins_at, "until": exclusion.until}


def _reminders(player: Player) -> Iterator[DataRow]:
    for check in RealityCheck.objects.filter(player=player):
        yield {"minutes": check.minutes, "answered": check.answered_at}


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


def _tickets(player: Player) -> Iterator[DataRow]:
    rows = Ticket.objects.filter(player=player).select_related("entry__tournament")
    exponents = Exponents()
    for ticket in rows.order_by("pk"):
        yield {
            "ticket": ticket.title,
            "given": ticket.given_at,
            "valid_until": ticket.expires_at,
            "currency": ticket.currency_id,
            "worth": exponents.whole_units(ticket.worth, ticket.currency_id),
            "used_for": ticket.entry.tournament.title if ticket.entry else None,
        }


def _series(player: Player) -> Iterator[DataRow]:
    rows = SeriesStanding.objects.filter(player=player).select_related("series").order_by("pk")
    for standing in rows:
        yield {
            "series": standing.series.title,
            "place": standing.place,
            "points": standing.points,
            "events": standing.events,
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
    "passkeys": _passkeys,
    "company_accounts": _company_accounts,
    "limits": _limits,
    "breaks": _breaks,
    "reminders": _reminders,
    "wallets": _wallets,
    "seats": _seats,
    "hands": _hands,
    "tournaments": _tournaments,
    "series": _series,
    "tickets": _tickets,
    "chat": _chat,
}.items():
    PARTS.add(_name, _rows)
