"""The tables of a demonstration house, with bots to play against, for play money."""

from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.models import Table
from games.rules.catalogue import GAMES
from games.rules.contract import most_seats
from games.tables.hand_state import game_from
from games.tables.play_money import welcome
from games.words.players import EASY, STEADY, STRONG
from wallets.models import Currency, Jackpot
from wallets.money import jackpots
from wallets.money.cashier import HOUSE as THE_HOUSE

CURRENCY: Final = "PLAY"


# How many more tables of a game are opened when people have taken every seat.
OVERFLOW_MAX: Final = 3


def _p(_where: str, name: str) -> str:
    """The stored form of a name; the catalogues translate it."""
    return name


# The bots of the house, each with its face.
BOTS: Final = {
    _p("a bot", "Auntie Lan"): 4, _p("a bot", "Benny"): 14, _p("a bot", "Brother Fai"): 28,
    _p("a bot", "Chun"): 18, _p("a bot", "Dai Lo"): 45, _p("a bot", "Keung"): 26,
    _p("a bot", "Lao Zhang"): 38, _p("a bot", "Lola"): 34, _p("a bot", "Mei"): 1,
    _p("a bot", "Old Wu"): 3, _p("a bot", "Siu Ming"): 13, _p("a bot", "Tita"): 21,
    _p("a bot", "Uncle Ho"): 22, _p("a bot", "Wei"): 41, _p("a bot", "Xiao Li"): 5,
    _p("a bot", "Yan"): 36,
}  # fmt: skip
# Those who play Dou Dizhu better or worse than the others.
STRENGTHS: Final = {
    **dict.fromkeys(("Benny", "Lola", "Siu Ming", "Tita", "Xiao Li"), EASY),
    **dict.fromkeys(("Auntie Lan", "Dai Lo", "Old Wu", "Uncle Ho"), STRONG),
}


class Pool(NamedTuple):
    """A jackpot; games declare which kind they are played for."""

    name: str
    kind: Jackpot.Kind
    settings: dict[str, Any]


JACKPOTS: Final = (
    Pool(
        _p("a jackpot", "Grand jackpot"),
        Jackpot.Kind.PROGRESSIVE,
        {"seed": 1_000_000, "reserve": 100_000},
    ),
    Pool(
        _p("a jackpot", "Mystery prize"),
        Jackpot.Kind.MYSTERY,
        # With a share of a tenth, this seed would make the bonus bet pay its players.
        {"seed": 5_000, "lowest": 10_000, "highest": 50_000, "share_bp": 500},
    ),
)


def seed() -> int:
    """Make what is missing: the currency, the bots, and a table of each game; say how many."""
    currency, _made = Currency.objects.get_or_create(
        code=CURRENCY, defaults={"name": _n("Play money"), "kind": Currency.Kind.PLAY}
    )
    players: Any = get_user_model()
    for name, face in BOTS.items():
        if not players.name_is_taken(name):
            players.objects.create_bot(name, face)
    # Bots of an earlier version had other faces, and no strength.
    for bot in players.objects.filter(is_bot=True, username__in=BOTS):
        face, strength = BOTS[bot.username], STRENGTHS.get(bot.username, STEADY)
        if (bot.face, bot.strength) != (face, strength):
            bot.face, bot.strength = face, strength
            bot.save(update_fields=["face", "strength"])
    # Where a history is made, they are there from its beginning.
    if not settings.DEMO_LIFE:
        for player in players.objects.filter(is_bot=False):
            # It locks accounts, which PostgreSQL does in a transaction alone.
            with transaction.atomic():
                welcome(player, currency)
    made = sum(_table(key, currency) for key in GAMES)
    for jackpot in JACKPOTS:
        _jackpot(jackpot, currency)
    return made


def _jackpot(pool: Pool, currency: Currency) -> None:
    """A pool that bonus bets fill, played for at the tables of some games."""
    if Jackpot.objects.filter(name=pool.name).exists():
        return
    made = jackpots.create(
        pool.name,
        pool.kind,
        currency,
        actor=THE_HOUSE,
        reason="opened for the demonstration",
        **pool.settings,
    )
    names = [game.table for game in GAMES.values() if game.pool == pool.kind]
    for table in Table.objects.filter(name__in=names):
        table.jackpots.add(made)


def _table(game: str, currency: Currency) -> bool:
    stakes = GAMES[game].stakes
    rules = game_from(game, stakes.options)
    _, made = Table.objects.get_or_create(
        name=GAMES[game].table,
        defaults={
            "game": game,
            "options": stakes.options,
            "currency": currency,
            "places": most_seats(rules),
            "buy_in_min": stakes.buy_in_min,
            "buy_in_max": stakes.buy_in_max,
            "stack_min": stakes.stack_min,
            "decision_seconds": stakes.decision_seconds,
            "pause_seconds": stakes.pause_seconds,
            # One person finds a full table; against the house players need no company.
            "bots_max": most_seats(rules) - 1 if rules.seats[0] > 1 else 0,
            "overflow_max": OVERFLOW_MAX,
        },
    )
    return made
