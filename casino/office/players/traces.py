"""A player's traces: sign-ins, chat, the notes of staff, and with whom they have played.

Partners are read from the newest `HANDS_MAX` finished hands of a player for money, so a long
history costs no more than a short one. What went between two players is known where players play
one another: the transfers of each settlement. Against the house nothing passes between players.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Final, NamedTuple

from django.contrib.sessions.models import Session
from django.db.models import F

from casino.accounts import devices
from casino.accounts.devices import in_words
from casino.accounts.models import Device, Player
from casino.office.players.models import Check, Flag, Note
from games.chat.chat_verbs import PHRASES
from games.chat.models import ChatLine
from games.models import Hand, HandSeat
from games.records.ledger_lines import net_flows
from games.rules.catalogue import against_house
from games.words.naming import table_title
from wallets.models import Currency

DEVICES: Final = 6
LINES: Final = 6
NOTES: Final = 6
CHECKS: Final = 8
FLAGS_BEFORE: Final = 3


class SignIn(NamedTuple):
    """A browser or a program, from where, and whether it is signed in now."""

    words: str
    address: str
    since: datetime
    seen: datetime | None
    now: bool


class Said(NamedTuple):
    at: datetime
    table: str
    text: str
    hidden: bool


class Seen(NamedTuple):
    """A check, and whether its document is still valid."""

    check: Check
    expired: bool


def sign_ins(player: Player, now: datetime) -> list[SignIn]:
    """Browsers, the latest first, then programs."""
    known = list(player.devices.order_by("-seen_at")[:DEVICES])
    keys = [device.session_key for device in known if device.session_key]
    running = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    live = set(running.values_list("session_key", flat=True))
    browsers = [
        SignIn(
            in_words(device.user_agent),
            device.address,
            device.signed_in_at,
            device.seen_at,
            device.session_key in live,
        )
        for device in known
    ]
    programs = [
        SignIn(in_words(token.user_agent), token.address, token.made_at, token.seen_at, now=True)
        for token in devices.tokens_of(player)[:DEVICES]
    ]
    return browsers + programs


def said(player: Player) -> list[Said]:
    """The newest lines of chat, hidden ones too."""
    lines = ChatLine.objects.filter(player=player).order_by("-pk")
    values = lines.values_list("said_at", "table__name", "text", "phrase", "hidden")
    return [
        Said(at, table_title(table), text or str(PHRASES.get(phrase, phrase)), hidden)
        for at, table, text, phrase, hidden in values[:LINES]
    ]


def checks(player: Player, today: date) -> list[Seen]:
    """The newest checks: what they proved, and by what."""
    checks = Check.objects.filter(player=player).order_by("-pk")[:CHECKS]
    return [
        Seen(check, check.valid_until is not None and check.valid_until < today) for check in checks
    ]


def flags(player: Player) -> list[Flag]:
    """All that are up, of each kind one at most; then those that were lowered last."""
    flags = Flag.objects.filter(player=player)
    newest = flags.order_by(F("lowered_at").desc(nulls_first=True), "-pk")
    return list(newest[: len(Flag.Kind) + FLAGS_BEFORE])


def notes(player: Player, before: int | None = None, most: int = NOTES) -> list[Note]:
    notes = Note.objects.filter(player=player).order_by("-pk")
    if before is not None:
        notes = notes.filter(pk__lt=before)
    return list(notes[:most])


HANDS_MAX: Final = 2_000
PARTNERS_MAX: Final = 50
TABLES_MAX: Final = 4


class TableTogether(NamedTuple):
    number: int
    title: str
    hands: int


class Partner(NamedTuple):
    """Another player who was dealt in the same hands."""

    player: Player
    # Both names, as the search of hands reads them.
    names: str
    hands: int
    last: datetime
    # What the player got from this partner, less what went the other way, by currency.
    between: list[tuple[Currency, int]]
    tables: list[TableTogether]
    # Browsers in which both have signed in, and addresses from which both have.
    devices: int
    addresses: int


class Partners(NamedTuple):
    people: list[Partner]
    # How many hands were read, and how many bots played in them.
    hands: int
    bots: int


class _Together(NamedTuple):
    """What is added up of two players while the hands are read."""

    tables: Counter[int]
    between: Counter[str]
    last: list[datetime]


def partners_of(player: Player) -> Partners:
    """The players with most hands together first."""
    mine = HandSeat.objects.filter(player=player, status=Hand.Status.FINISHED)
    newest = mine.exclude(currency__kind=Currency.Kind.CHIPS).order_by("-ended_at", "-hand")
    numbers = list(newest.values_list("hand_id", flat=True)[:HANDS_MAX])
    together = _read(player.pk, numbers)
    players = Player.objects.in_bulk(together)
    people = [number for number, partner in players.items() if not partner.is_bot]
    most = sorted(people, key=lambda number: -together[number].tables.total())[:PARTNERS_MAX]
    shared = _shared(player, most)
    titles = {table for number in most for table in together[number].tables}
    named = dict(HandSeat.objects.filter(table__in=titles).values_list("table", "table__name"))
    currencies = Currency.objects.in_bulk()
    return Partners(
        [
            Partner(
                players[number],
                f"{player.username} {players[number].username}",
                together[number].tables.total(),
                max(together[number].last),
                [
                    (currencies[code], amount)
                    for code, amount in sorted(together[number].between.items())
                ],
                [
                    TableTogether(table, table_title(named[table]), hands)
                    for table, hands in together[number].tables.most_common(TABLES_MAX)
                ],
                *shared[number],
            )
            for number in most
        ],
        len(numbers),
        len(players) - len(people),
    )


def _read(player: int, numbers: list[int]) -> dict[int, _Together]:
    """Add up the hands, by the other players in them."""
    seats: dict[int, list[HandSeat]] = defaultdict(list)
    rows = HandSeat.objects.filter(hand__in=numbers).only(
        "hand", "number", "player", "table", "currency", "game", "ended_at"
    )
    for row in rows:
        seats[row.hand_id].append(row)
    togethers: dict[int, _Together] = defaultdict(lambda: _Together(Counter(), Counter(), []))
    for some in seats.values():
        for row in some:
            if row.player_id != player and row.ended_at is not None:
                togethers[row.player_id].tables[row.table_id] += 1
                togethers[row.player_id].last.append(row.ended_at)
    for other, code, amount in _flows(player, seats):
        togethers[other].between[code] += amount
    return dict(togethers)


def _flows(player: int, seats: dict[int, list[HandSeat]]) -> Iterator[tuple[int, str, int]]:
    """The other player, the currency, and what the player got from them, of each hand."""
    played = [hand for hand, some in seats.items() if not against_house(some[0].game)]
    settlements = Hand.objects.filter(pk__in=played).values_list("pk", "settlement")
    for hand, settlement in settlements.iterator():
        who = {row.number: row.player_id for row in seats[hand]}
        code = seats[hand][0].currency_id
        for (source, target), amount in net_flows(settlement or {}, who).items():
            if who[target] == player:
                yield who[source], code, amount
            elif who[source] == player:
                yield who[target], code, -amount


def _shared(player: Player, others: Iterable[int]) -> dict[int, tuple[int, int]]:
    """How many browsers, and how many addresses, each of the others shares with the player."""
    own = player.devices.values_list("digest", "address")
    digests = {digest for digest, _address in own if digest}
    addresses = {address for _digest, address in own if address}
    theirs = Device.objects.filter(player__in=list(others)).values_list(
        "player", "digest", "address"
    )
    devices: dict[int, set[str]] = defaultdict(set)
    places: dict[int, set[str]] = defaultdict(set)
    for number, digest, address in theirs:
        devices[number] |= {digest} & digests
        places[number] |= {address} & addresses
    return {number: (len(devices[number]), len(places[number])) for number in others}
