"""Positions of every game: hands that are played for the sake of how their table looks.

A hand is played by the verbs of the house and stops at each position, so that the page of its
viewer can be fetched there.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final, NamedTuple

import pytest
from django.test import TestCase

from casino.accounts.models import Player
from casino.community.evenings import hosting
from casino.community.evenings.hosting import Terms
from games.models import Seat, Table
from games.rules.cards import parse_cards
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import Choices
from games.tables import seating
from games.tables.hand_state import game_of
from tests.games.dealing_first import deal_first
from tests.games.house import MONEY, House
from tests.repeating import repeat_draws
from tests.tournaments.events import Event, sit_and_go
from tournaments.mathematics.structure import GAMES as IN_TOURNAMENTS
from wallets.money import jackpots

# The viewer first. The longest name has eleven letters.
NAMES: Final = ("Alexandra", "Bartholomew", "Charlotte", "Dominique")
VIEWER: Final = NAMES[0]
ANTES: Final = (
    {"do": "ante", "box": 1, "amount": 2_500, "bonus": 500},
    {"do": "ante", "box": 2, "amount": 2_500, "blind": True},
    {"do": "ante", "box": 4, "amount": 7_500},
)
SIDES: Final = ("player", "banker", "tie")
# What the viewer bets; the last bet is another player's.
BETS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "blackjack": (
        *({"do": "bet", "box": box, "amount": 2_500, "bonus": 500} for box in (2, 3, 6)),
        {"do": "bet", "box": 3, "amount": 7_500},
    ),
    "russian_poker": ANTES,
    "casino_holdem": ANTES,
    "baccarat": (
        *({"do": "bet", "on": on, "amount": 2_500} for on in SIDES),
        {"do": "bet", "on": "banker", "amount": 7_500},
    ),
}
BETS["baccarat_commission"] = BETS["baccarat"]
# An ace for the dealer, and a pair of eights that is split, and split once more.
SPLIT: Final = parse_cards("8sTh9sAd8d7c5h8c3c2c4c")


# A script of a page: cards of a coup that its viewer has not turned yet.
SQUEEZED: Final = """() => {
  document.documentElement.classList.add("revealing");
  document.querySelectorAll(".tells").forEach(({ style }) => (style.visibility = "hidden"));
  const slots = [...document.querySelectorAll("#coup .slot")];
  slots.forEach(({ classList }) => classList.add("down"));
  slots.find((slot) => slot.matches(".pull"))?.classList.add("next");
}"""


class Position(NamedTuple):
    """A table as the viewer sees it. `query` asks the page for something besides."""

    state: str
    table: Table
    query: str = ""
    # Another page than the table's.
    page: str = ""
    # What a script of the page has done to it.
    pose: str = ""
    # Whether staff look at it, and not the viewer.
    by_staff: bool = False

    @property
    def address(self) -> str:
        return (self.page or f"/tables/{self.table.pk}/") + self.query


def positions(
    house: House, game: str, patch: pytest.MonkeyPatch, draw: int = 0
) -> Iterator[Position]:
    """Play the game, and stop at each of its positions: the same cards for every test.

    Another `draw` gives other cards.
    """
    seed = f"{game} {draw}"
    repeat_draws(patch, seed)
    if game in BETS:
        yield from against_the_house(house, game, patch, seed)
    else:
        yield from among_players(house, game)
        if GAMES[game].family == "thirteen" and len(game_type(game).seats) > 1:
            repeat_draws(patch, f"{seed} with a newcomer")
            yield from newcomer(house, game)
    if game in IN_TOURNAMENTS:
        # What the pages have drawn by now does not count.
        repeat_draws(patch, f"{seed} in an event")
        yield from in_an_event(house, game)


def among_players(house: House, game: str) -> Iterator[Position]:
    table = house.dealt_in(game, *NAMES[: game_type(game).seats[-1]], name="Dragon")
    yield Position("deal", table)
    yield from decisions(house, table)
    house.let_people_act(table)
    yield Position("decided", table)
    yield from with_absent_players(house, table)
    yield from results(house, table)


def newcomer(house: House, game: str) -> Iterator[Position]:
    """The viewer sits down while the showdown of others lies on the table."""
    table = house.dealt_in(game, "Evangeline", "Frederick", name="Crane")
    hand = table.hand_id
    house.until(table, lambda table: table.hand_id != hand)
    house.sit(house.person(VIEWER), table, 3)
    yield Position("newcomer at a showdown", table)


def decisions(house: House, table: Table) -> Iterator[Position]:
    house.until(table, lambda table: bool(offered(house, table) & {"arrange", "play"}))
    yield Position("decision", table)
    yield on_the_floor(table)
    yield Position(
        "suggestion", table, "?help=0" if table.game == "doudizhu" else "?help=best_expected"
    )


def against_the_house(
    house: House, game: str, patch: pytest.MonkeyPatch, seed: str
) -> Iterator[Position]:
    table = house.table(game, name="Dragon")
    if not game.startswith("baccarat"):
        add_jackpots(house, table)
    if game == "blackjack":
        deal_first(patch, SPLIT)
    for number, name in enumerate(NAMES[:2], 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    yield Position("betting", table)
    *mine, other = BETS[game]
    for bet in mine:
        house.act(table, VIEWER, bet)
    house.act(table, NAMES[1], other)
    yield Position("bets stand", table)
    for name in NAMES[:2]:
        house.act(table, name, {"do": "done"})
    yield from house_decisions(house, table)
    if game.startswith("baccarat"):
        yield Position("squeeze", table, pose=SQUEEZED)
        house.pass_time(9)
        yield Position("result", table)
        yield from replayed(table)
    else:
        yield from results(house, table)
        repeat_draws(patch, f"{seed} alone")
        yield from alone(house, game)
    repeat_draws(patch, f"{seed} in company")
    yield from in_company(house, game)


def alone(house: House, game: str) -> Iterator[Position]:
    """A round without other players, whose plates would take the room of the bank's chips."""
    table, bets = house.table(game, name="Tiger"), BETS[game][:-1]
    add_jackpots(house, table)
    house.sit(house.person(VIEWER), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    for bet in (*bets, {"do": "done"}):
        house.act(table, VIEWER, bet)
    house.until(table, lambda table: table.hand_id is None)
    yield Position("result alone", table)
    yield from replayed(table)


def in_company(house: House, game: str) -> Iterator[Position]:
    """A round with another player and bots, who have bet on boxes that the viewer left."""
    table = house.table(game, name="Lotus", bots_max=2)
    if not game.startswith("baccarat"):
        add_jackpots(house, table)
    house.sit(house.player(NAMES[2]), table, 2)
    # A table of Russian poker has fewer boxes.
    house.bots(1 if game == "russian_poker" else 2)
    bots = list(Player.objects.filter(is_bot=True).order_by("pk"))
    for number, bot in enumerate(bots, 3):
        house.give(bot, MONEY)
        house.sit(bot, table, number)
    house.sit(house.person(VIEWER), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    *mine, other = BETS[game]
    # A phone has room for two or three boxes of poker, and bots then only sit there.
    mine = mine[: 1 if BETS[game] is ANTES else 2]
    taken = {bet.get("box", 0) for bet in mine}
    free = [box for box in (1, 4, 5, 7, 3) if "box" in other and box not in taken]
    for bet in mine:
        house.act(table, VIEWER, bet)
    # The first box is the one beside the cards named for the round.
    house.act(table, NAMES[2], other | ({"box": free.pop(0), "bonus": 500} if free else {}))
    bettors = [VIEWER, NAMES[2]]
    for bot in bots if BETS[game] is not ANTES else ():
        house.act(table, bot.username, other | ({"box": free.pop()} if free else {}))
        bettors.append(bot.username)
    yield Position("bets of others stand", table)
    for name in bettors:
        house.act(table, name, {"do": "done"})
    if table.hand_id is not None:
        yield Position("cards of others", table)
        yield on_the_floor(table)
    house.until(table, lambda table: table.hand_id is None)
    yield Position("result of others", table)
    yield on_the_floor(table)
    yield from replayed(table)


def on_the_floor(table: Table) -> Position:
    return Position("floor", table, page=f"/admin/floor/tables/{table.pk}/", by_staff=True)


def add_jackpots(house: House, table: Table) -> None:
    """A jackpot, and a mystery prize that the first bonus bet brings down."""
    prizes: dict[str, Any] = {"lowest": 100_001, "highest": 100_001, "share_bp": 100}
    for kind, terms in (("progressive", {"share_bp": 1_000}), ("mystery", prizes)):
        name = f"{kind} {table.pk}"
        pool = jackpots.create(name, kind, house.currency, actor="o", seed=100_000, **terms)
        table.jackpots.add(pool)


def split(house: House, table: Table) -> dict[str, Any]:
    """The move that splits the hand whose turn it is."""
    hand, state = house.state(table)
    view: Any = game_of(hand).view(state, house.seat(table, VIEWER).number)
    return {"do": "split", "box": view.box, "hand": view.hand}


def insure(house: House, table: Table) -> dict[str, Any]:
    choice = next(choice for choice in choices(house, table) if choice.do == "insure")
    return {"do": "insure", "box": choice.box, "amount": choice.least}


def house_decisions(house: House, table: Table) -> Iterator[Position]:
    """The first of each kind of decision; what can be insured is, and what can be split."""
    yield from with_absent_players(house, table)
    met: set[frozenset[str]] = set()
    while True:
        offer = offered(house, table)
        if offer and offer not in met:
            met.add(offer)
            yield Position(" or ".join(sorted(offer)), table)
        if "split" in offer:
            house.act(table, VIEWER, split(house, table))
        elif "insure" in offer:
            house.act(table, VIEWER, insure(house, table))
        elif not house.let_people_act(table):
            return


def offered(house: House, table: Table) -> frozenset[str]:
    """What the viewer may do."""
    return frozenset(choice.do for choice in choices(house, table))


def choices(house: House, table: Table) -> Choices:
    table.refresh_from_db()
    seat = house.seat(table, VIEWER).number
    if table.hand_id is None or str(seat) not in table.turns:
        return ()
    hand, state = house.state(table)
    return game_of(hand).choices(state, seat)


def with_absent_players(house: House, table: Table) -> Iterator[Position]:
    """The house plays for the viewer, and another player is offline."""
    if table.hand_id is None:
        return
    house.change(table, VIEWER, auto_play=True)
    yield Position("auto-play", table)
    house.change(table, VIEWER, auto_play=False)
    leave_the_page(house, NAMES[1])
    yield Position("offline", table)
    house.be_seen(table)


def leave_the_page(house: House, name: str) -> None:
    gone = house.now - timedelta(minutes=1)
    Seat.objects.filter(player__username=name).update(seen_at=gone, here_until=gone)


def results(house: House, table: Table) -> Iterator[Position]:
    """The result, which the viewer reads with auto-play on, and then with a place to bet ahead."""
    table.refresh_from_db()
    if hand := table.hand_id:
        house.until(table, lambda table: table.hand_id != hand)
    yield Position("result", table)
    Seat.objects.filter(player__username=VIEWER).update(auto_play=True, leaves=True)
    leave_the_page(house, NAMES[1])
    yield Position("result with everything said", table)
    yield on_the_floor(table)
    yield from replayed(table)


def replayed(table: Table) -> Iterator[Position]:
    """The replay of the last hand: in the middle, and with its result."""
    hand = table.hands.exclude(ended_at=None).latest("number")
    page = f"/history/{hand.pk}/"
    middle = (hand.moves.count() + 1) // 2
    yield Position("replay in the middle", table, f"?step={middle}", page)
    yield Position("replay of the result", table, page=page)
    office = f"/admin/hands/{hand.code}/"
    yield Position("replay in the office", table, f"?step={middle}", office, by_staff=True)
    yield Position("result in the office", table, page=office, by_staff=True)


def in_an_event(house: House, game: str) -> Iterator[Position]:
    """A table of an event: its heading says the level, who is left and the viewer's place."""
    event, seats = Event(house), min(game_type(game).seats[-1], 4)
    bets = game in ("thirteen_hongkong", "thirteen_philippine")
    levels = [{"bet_min": 500, "bet_max": 1_000} if bets else {"point": 1_000}]
    event.announce(sit_and_go(game, seats, levels=levels))
    viewer = Player.objects.get(username=VIEWER)
    event.enter([viewer, *event.people(seats - 1)])
    event.until(event.is_running)
    table = Table.objects.get(organiser=event.row.reference)
    event.until(lambda: bool(offered(house, table)))
    house.away.clear()
    house.be_seen(table)
    yield Position("event", table)
    house.away.add(VIEWER)
    event.play()
    yield Position("end of the event", table)


def ended_evening(house: House, patch: pytest.MonkeyPatch) -> Iterator[Position]:
    """An evening of friends that has been played to its end, as its host sees it."""
    repeat_draws(patch, "an evening")
    host, *friends = (house.player(name, money=0) for name in NAMES[:3])
    evening = hosting.open_evening(host, Terms("doudizhu", 3, 1, 2, "usual", {}), house.now)
    table = evening.table
    with TestCase.captureOnCommitCallbacks(execute=True):
        for number, player in enumerate((host, *friends), 1):
            seating.sit(player, table.pk, number, table.buy_in_min, house.now, table.invitation)
        house.until(table, lambda table: not table.seats.filter(left_at=None).exists())
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    yield Position("end of the evening", table)
    yield Position("result of the evening", table, page=f"/private/{table.pk}/")


def framed(house: House) -> Iterator[Position]:
    """The lobby for a player at one to four tables, whose names are long, and after a lost seat."""
    viewer = house.player(VIEWER, money=1_234_567_890)
    names = (
        "Riverside Evening Table",
        "Golden Dragon Pavilion",
        "Pagoda",
        "Lucky Phoenix of Macau",
    )
    games = ("blackjack", "doudizhu", "chinese_poker", "baccarat")
    for count, (game, name) in enumerate(zip(games, names, strict=True), 1):
        table = house.table(game, name=name)
        if count == 1:
            add_jackpots(house, table)
        house.sit(viewer, table, 1)
        house.until_due(table)
        yield Position(f"{count} tables", table, page="/lobby/")
    lost = house.sit(viewer, house.table("thirteen_fujian", name="Temple of the Western Hills"), 1)
    house.leave(viewer, lost.table)
    Seat.objects.filter(pk=lost.pk).update(left_why=Seat.LeftWhy.ABSENT)
    yield Position("a lost seat", table, page="/lobby/")
    yield Position("a lost seat at a table", table)
