"""The pages around play: the front page and the lobby, the wallet, the week, a player's page."""

from datetime import timedelta
from typing import Final

import pytest
from django.core.management import call_command

from casino.accounts.models import Player
from casino.community.returning.models import Achievement, CountedHand, DayPlayed, GamePlayed
from casino.community.social.models import Friendship
from games.models import Table
from tests.compared.scenes import DESK, Scene
from tests.games.house import House
from tests.tournaments.events import structure
from tournaments.running import announcing, demo
from wallets.values.days import day_of, monday_of

# Who sits at which table of the demonstration; the first is a bot where the name is that of one.
LIVELY: Final[dict[str, tuple[str, ...]]] = {
    "doudizhu": ("Ivy", "Wen"),
    "chinese_poker": ("Ada", "Zhou", "Lan"),
    "blackjack": ("Fu", "Otto", "Nora", "Hugo"),
    "baccarat": ("Rosa", "Emil"),
    "casino_holdem": ("Jin", "Kurt"),
}
MONEY: Final = 995_000


def front(house: House, _patch: pytest.MonkeyPatch) -> str:
    furnish(house)
    return "/"


def lobby(house: House, _patch: pytest.MonkeyPatch) -> str:
    """Alice's turn at a table, tables with people, and a cup that begins in four minutes."""
    furnish(house)
    table = _first_of("doudizhu")
    for number, name in enumerate(("alice", *LIVELY["doudizhu"]), 1):
        house.sit(_person(house, name), table, number, table.buy_in_min)
    house.until(table, lambda one: one.phase == "play" and "1" in one.turns)
    alice, friend = _person(house, "alice"), _person(house, "Zhou")
    Friendship.objects.create(
        sender=alice, receiver=friend, made_at=house.now, accepted_at=house.now
    )
    return "/lobby/"


def wallet(house: House, patch: pytest.MonkeyPatch) -> str:
    lobby(house, patch)
    return "/wallet/"


def week(house: House, _patch: pytest.MonkeyPatch) -> str:
    house.table("doudizhu")
    played(house)
    return "/players/returning/"


def profile(house: House, _patch: pytest.MonkeyPatch) -> str:
    played(house)
    met(house, "alice", "Mei")
    return "/players/Mei/"


def welcome(house: House, _patch: pytest.MonkeyPatch) -> str:
    house.player("Alice", 1_000_000)
    return "/welcome/"


def first_hand(_house: House, _patch: pytest.MonkeyPatch) -> str:
    """The guided round of blackjack, at the eleven that is to be doubled."""
    return "/learn/blackjack/?p=bet&p=split"


def furnish(house: House) -> None:
    """Tables of every game as a house opens them, of which some are played at."""
    call_command("demo", verbosity=0)
    open_events(house)
    for game, names in LIVELY.items():
        if game == "doudizhu":
            continue
        table = _first_of(game)
        for number, name in enumerate(names, 1):
            house.sit(_person(house, name), table, number, table.buy_in_min)


def open_events(house: House) -> None:
    """A cup that begins in four minutes, and what is always open."""
    demo.seed(house.now)
    begins = house.now + timedelta(minutes=4, seconds=12)
    template = announcing.store_template(structure(name="Evening cup", fee=0), "house", house.now)
    announcing.announce(template, house.now, by="house", starts_at=begins)


def _first_of(game: str) -> Table:
    return Table.objects.filter(game=game).earliest("pk")


def _person(house: House, name: str) -> Player:
    """A player of this name with money: the demonstration's, or one who signs up now."""
    player = Player.objects.filter(username=name).first()
    if player is None:
        return house.player(name, MONEY)
    house.give(player, MONEY)
    return player


def played(house: House) -> None:
    """Weeks of counted hands for two friends, and what they have achieved."""
    today = day_of(house.now)
    number = 0
    for name, share in (("alice", 3), ("Mei", 2), ("Ivy", 2), ("Wen", 4), ("Zhou", 5)):
        player = _person(house, name)
        for back in range(12):
            day = today - timedelta(days=back)
            games = ("doudizhu", "chinese_poker", "blackjack", "casino_holdem", "baccarat")
            hands = [games[at % 5 if at % 3 == 0 else 0] for at in range(12 + (back * share) % 19)]
            rows = []
            for game in hands:
                number += 1
                won = number % share == 0
                rows.append(
                    CountedHand(
                        player=player,
                        hand=number,
                        table=1,
                        game=game,
                        day=day,
                        week=monday_of(day),
                        won=won,
                        points=100 * (share + 1 if won else -1),
                        feats=["bomb"] if number % 40 == 0 else [],
                    )
                )
            CountedHand.objects.bulk_create(rows)
            DayPlayed.objects.create(player=player, day=day, hands=len(rows))
        for game in ("doudizhu", "chinese_poker", "blackjack", "casino_holdem", "baccarat"):
            GamePlayed.objects.create(player=player, game=game)
        for at, kind in enumerate(
            (
                "first_hand",
                "hundred_hands",
                "three_games",
                "three_days",
                "ten_days",
                "bomb",
                "rocket",
                "spring",
            )
        ):
            Achievement.objects.create(
                player=player, name=kind, hand=at, day=today - timedelta(days=3 * at)
            )


def met(house: House, *names: str) -> None:
    """Counted hands that two players have played with one another."""
    day = day_of(house.now)
    rows = [
        CountedHand(
            player=house.person(name),
            hand=1_000_000 + number,
            table=1,
            game=("doudizhu", "chinese_poker")[number % 3 == 0],
            day=day,
            week=monday_of(day),
            won=(number % 5 in (1, 3)) == (name == names[0]),
            points=100,
        )
        for number in range(46)
        for name in names
    ]
    CountedHand.objects.bulk_create(rows)


# What still differs, and why.
FRONT: Final = (
    "the bar is 48 high by a later sentence; the table shows one hand at both sizes; the poker "
    "tile shows the game that it opens; promises of money are left out, as each house sets its own"
)
LOBBY: Final = (
    "no ring runs down beside my turn, as scripts are at their limit; kinds are chosen in filters, "
    "not in a row of chips"
)
WALLET: Final = (
    "no piles of chips on the felt; a row names its posting, not its evening; limits are a way to "
    "their page, without bars; withdrawing is absent where there is only play money, as drawn"
)
WEEK: Final = "no time when a task was done, as no row keeps it"
PLAYER: Final = (
    "no level, place in an event or largest multiplier, as no row keeps them; the score counts "
    "hands of 35 days; invitations are made on the page of friends"
)
WELCOME: Final = (
    "the bar stays, as the balance is in it from the first second; it does not count up, as "
    "scripts are at their limit"
)
FIRST_HAND: Final = (
    "the round is a longer one, with a split before the eleven; a guide plays for points of its "
    "own, so no stack stands in the bar"
)
SCENES: Final = (
    Scene("phone-welcome", welcome, "Alice", differs=WELCOME),
    Scene("desk-welcome", welcome, "Alice", size=DESK, differs=WELCOME),
    Scene("phone-first-hand", first_hand, differs=FIRST_HAND),
    Scene("phone-front-dark", front, differs=FRONT),
    Scene("phone-front-light", front, theme="light", differs=FRONT),
    Scene("desk-front-dark", front, size=DESK, differs=FRONT),
    Scene("desk-front-light", front, size=DESK, theme="light", differs=FRONT),
    Scene("phone-lobby-dark", lobby, "alice", differs=LOBBY),
    Scene("phone-lobby-full-dark", lobby, "alice", whole=True, differs=LOBBY),
    Scene("phone-lobby-zh-light", lobby, "alice", language="zh-hans", theme="light", differs=LOBBY),
    Scene("desk-lobby-dark", lobby, "alice", size=DESK, differs=LOBBY),
    Scene("desk-lobby-light", lobby, "alice", size=DESK, theme="light", differs=LOBBY),
    Scene("desk-lobby-zh-dark", lobby, "alice", size=DESK, language="zh-hans", differs=LOBBY),
    Scene("phone-wallet-dark", wallet, "alice", differs=WALLET),
    Scene("phone-wallet-full-dark", wallet, "alice", whole=True, differs=WALLET),
    Scene("phone-wallet-light", wallet, "alice", theme="light", differs=WALLET),
    Scene("desk-wallet-dark", wallet, "alice", size=DESK, differs=WALLET),
    Scene("phone-week-dark", week, "alice", differs=WEEK),
    Scene("phone-week-full-dark", week, "alice", whole=True, differs=WEEK),
    Scene("desk-week-dark", week, "alice", size=DESK, differs=WEEK),
    Scene("desk-week-light", week, "alice", size=DESK, theme="light", differs=WEEK),
    Scene("phone-profile-dark", profile, "alice", differs=PLAYER),
    Scene("phone-profile-full-dark", profile, "alice", whole=True, differs=PLAYER),
    Scene("desk-profile-dark", profile, "alice", size=DESK, differs=PLAYER),
    Scene("desk-profile-light", profile, "alice", size=DESK, theme="light", differs=PLAYER),
)
