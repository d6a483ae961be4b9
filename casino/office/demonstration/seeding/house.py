"""The tables, jackpots and people of a made-up history."""

from datetime import datetime
from random import Random
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext_noop as _n
from msgspec import json

from casino.accounts import appointing
from casino.accounts.demo import SIGN_INS
from casino.accounts.models import Player
from casino.accounts.staff import CASHIERS
from casino.office.demonstration.seeding.rows import Gathered, Writer
from games.models import Table
from games.rules.catalogue import GAMES
from games.rules.contract import most_seats
from games.rules.declaration import marked_as as _p
from games.rules.house import pools
from games.rules.house.pools import SECRET_BYTES
from games.tables import play_money
from games.tables.demo import CURRENCY
from games.tables.hand_state import game_from
from games.words.players import face_by_name
from wallets.models import Account, Currency, Jackpot, Transaction, Trigger
from wallets.models.holders import player_reference
from wallets.money import cashier, jackpots
from wallets.money.backdating import BackdatedLedger
from wallets.money.cashier import HOUSE as THE_HOUSE
from wallets.money.jackpots import BOOK
from wallets.money.ledger import Leg, Movement
from wallets.staff.journal import By

CURRENCIES: Final = {"EUR": ("Euro", 2), "JPY": ("Yen", 0)}
# One table plays in a currency without minor units.
IN_YEN: Final = "baccarat_commission"
NAMES_OF_PLAYERS: Final = (
    *("Anna", "Bruno", "Chiara", "Dina", "Emil", "Farid", "Greta", "Hugo", "Ines", "Jonas"),
    *("Kenji", "Lena", "Marta", "Nils", "Olga", "Petra", "Quentin", "Rosa", "Sven", "Tessa"),
    *("Ugo", "Vera", "Wanda", "Xenia", "Yusuf", "Zora", "Aiko", "Bo", "Cheng", "Dalia"),
    *("Enzo", "Fang", "Gil", "Hana", "Ivo", "Jin"),
)
CASHIERS_NAMES: Final = ("Desk.Tomas", "Desk.Grace")
FILLED: Final = _n("below its seed")


class Pool(NamedTuple):
    name: str
    kind: str
    settings: dict[str, int]


POOLS: Final[dict[str, Pool]] = {
    "casino_holdem": Pool(
        _p("a jackpot", "Evening jackpot"), "progressive", {"seed": 1_000_000, "reserve": 100_000}
    ),
    "russian_poker": Pool(
        _p("a jackpot", "River jackpot"), "progressive", {"seed": 500_000, "reserve": 50_000}
    ),
    "blackjack": Pool(
        _p("a jackpot", "Midnight prize"),
        "mystery",
        # The seed is a third of a prize on average: the house still keeps some of each bonus bet.
        {"seed": 50, "lowest": 100, "highest": 200, "share_bp": 500},
    ),
}


class HeldPool:
    """A jackpot, what it holds at the moment that is being played, and its closed trigger."""

    def __init__(self, row: Jackpot, house: int) -> None:
        """`house` is the number of the account that fills it up."""
        self.row, self.balance = row, 0
        self._house, self._number = house, 0
        self.trigger: pools.Trigger | None = None
        self.committed: Trigger | None = None
        # Whether the writer has the closed trigger.
        self.handed_over = False

    def commit(self, at: datetime, gathered: Gathered, chances: Random) -> None:
        """Draw the next trigger of a mystery prize and publish its hash."""
        self._number += 1
        self.trigger = drawn = pools.draw_trigger(
            f"J{self.row.pk}-{self._number}",
            self.row.lowest,
            self.row.highest,
            chances.randbytes(SECRET_BYTES),
        )
        self.committed = Trigger(
            jackpot=self.row,
            number=self._number,
            published=drawn.published,
            sealed=jackpots.SECRET.seal(json.encode(drawn), self.row.pk, self._number),
            committed_at=at,
        )
        self.handed_over = False
        gathered.triggers.append(self.committed)

    def left(self) -> int | None:
        return None if self.trigger is None else pools.mystery_left(self.trigger, self.balance)

    def prize(self) -> int:
        if self.trigger is None:
            return pools.jackpot_shown(self.balance, self.row.reserve)
        return pools.mystery_prize(self.trigger, self.balance)

    def fall(self, at: datetime, reference: str, gathered: Gathered, chances: Random) -> None:
        """Open the trigger of a prize that has fallen, and commit the next one."""
        assert self.trigger is not None
        assert self.committed is not None
        self.committed.opened, self.committed.opened_at = self.trigger.text, at
        self.committed.reference = reference
        if self.handed_over:
            gathered.fallen.append(self.committed)
        self.commit(at, gathered, chances)

    def fill_up(self, at: datetime, gathered: Gathered, chances: Random) -> None:
        lacking = self.row.seed + self.row.reserve - self.balance
        if lacking <= 0:
            return
        self.balance += lacking
        pool = self.row.pool
        gathered.post(
            at,
            Movement(
                key=new_key(chances),
                kind="seed",
                legs=(Leg(self._house, -lacking), Leg(pool.pk, lacking)),
                book=BOOK,
                actor=THE_HOUSE,
                reason=FILLED,
                reference=pool.owner,
            ),
        )


def new_key(chances: Random) -> UUID:
    return UUID(int=chances.getrandbits(128), version=4)


def open_tables() -> dict[str, Table]:
    """A table of each game, by the game."""
    for code, (name, exponent) in CURRENCIES.items():
        Currency.objects.get_or_create(code=code, defaults={"name": name, "exponent": exponent})
    return {game: _table(game) for game in GAMES}


def _table(game: str) -> Table:
    stakes = GAMES[game].stakes
    return Table.objects.create(
        name=GAMES[game].table,
        game=game,
        options=stakes.options,
        currency=Currency.objects.get(pk="JPY" if game == IN_YEN else "EUR"),
        places=most_seats(game_from(game, stakes.options)),
        buy_in_min=stakes.buy_in_min,
        buy_in_max=stakes.buy_in_max,
        stack_min=stakes.stack_min,
    )


def open_pools(
    tables: dict[str, Table], at: datetime, writer: Writer, gathered: Gathered, chances: Random
) -> dict[str, HeldPool]:
    """The jackpots of some games, filled to their seeds."""
    held_pools = {}
    for game, pool in POOLS.items():
        code = tables[game].currency_id
        account = writer.ledger.account("jackpot", f"jackpot:{pool.name}", code)
        house = writer.ledger.account("house", THE_HOUSE, code)
        writer.ledger.open_accounts()
        row = Jackpot(name=pool.name, kind=pool.kind, pool_id=account.pk, **pool.settings)
        row.save()
        row.pool = Account.objects.get(pk=account.pk)
        tables[game].jackpots.add(row)
        held_pools[game] = held = HeldPool(row, house.pk)
        held.fill_up(at, gathered, chances)
        if pool.kind == "mystery":
            held.commit(at, gathered, chances)
            held.handed_over = True
    return held_pools


def hire() -> list[Player]:
    """The cashiers, without usable passwords."""
    players = []
    for name in CASHIERS_NAMES:
        player = Player.objects.create_user(name)
        appointing.appointed(player, CASHIERS, By("command:seed", "seed"), "a sample history")
        players.append(Player.objects.get(pk=player.pk))
    return players


def welcome_people(ledger: BackdatedLedger, at: datetime) -> None:
    """Give the people of a demonstration their welcome as if they had joined when it began.

    Those who have taken a seat while the history was being made have had it.
    """
    currency = Currency.objects.get(pk=CURRENCY)
    names = [sign_in.name for sign_in in SIGN_INS if not sign_in.group]
    people = Player.objects.filter(username__in=names)
    keys = {play_money.welcome_key(person, currency): person for person in people}
    given = set(Transaction.objects.filter(key__in=keys).values_list("key", flat=True))
    joined = {key: player for key, player in keys.items() if key not in given}
    source = ledger.account("promotion", THE_HOUSE, CURRENCY)
    for key, player in joined.items():
        wallet = ledger.account("player", player_reference(player.pk), CURRENCY)
        amount = settings.PLAY_MONEY_WELCOME
        legs = (Leg(source.pk, -amount), Leg(wallet.pk, amount))
        ledger.post(
            *(at, key, "grant", legs),
            book=cashier.BOOK, actor=THE_HOUSE, reason=play_money.WELCOME,
        )  # fmt: skip
    Player.objects.filter(pk__in=[player.pk for player in joined.values()]).update(date_joined=at)


def admit(count: int, since: list[datetime]) -> list[Player]:
    """Players without passwords, one for each of these times of joining."""
    no_password = make_password(None)
    made: list[Any] = [
        Player(
            username=name, password=no_password, date_joined=since[number], face=face_by_name(name)
        )
        for number, name in enumerate(_names(count))
    ]
    Player.objects.bulk_create(made, batch_size=500)
    return list(
        Player.objects.filter(username__in=[player.username for player in made]).order_by("pk")
    )


def _names(count: int) -> list[str]:
    """So many names, with a number from the second round on, which no other player has."""
    names = NAMES_OF_PLAYERS
    numbered_names = [
        names[number % len(names)] + (f"-{number + 1}" if number >= len(names) else "")
        for number in range(count)
    ]
    return [f"{name}-0" if Player.name_is_taken(name) else name for name in numbered_names]
