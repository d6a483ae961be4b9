"""From the press of a newcomer to the first card, at a table that a player has just left."""

from datetime import timedelta
from typing import Any, Final

from games.lobby.seat_finder import find_or_open
from games.models import HandSeat, Table
from games.rules.catalogue import GAMES, game_type
from games.rules.house.game import HouseGame
from games.tables import clock
from games.tables.autoplay import CLOSED_AFTER, MOMENT
from games.tables.presence import pages_closed, seen, show_changes
from tests.games.house import House

SWEEP: Final = timedelta(seconds=1)
BETS: Final[dict[str, dict[str, Any]]] = {
    "blackjack": {"do": "bet", "box": 2, "amount": 500},
    "russian_poker": {"do": "ante", "box": 2, "amount": 500},
    "casino_holdem": {"do": "ante", "box": 2, "amount": 500},
    "baccarat": {"do": "bet", "on": "player", "amount": 500},
    "baccarat_commission": {"do": "bet", "on": "player", "amount": 500},
}


def is_against_house(game: str) -> bool:
    return issubclass(game_type(game), HouseGame)


def left_in_mid_hand(house: House, game: str, **fields: Any) -> Table:
    """A table as the house founds it, where alice was to act when she closed the page."""
    stakes = GAMES[game].stakes
    bots = 0 if is_against_house(game) else game_type(game).seats[-1] - 1
    table = house.among_bots(
        game,
        "alice",
        bots=bots,
        decision_seconds=stakes.decision_seconds,
        pause_seconds=stakes.pause_seconds,
        **fields,
    )
    house.until(table, lambda table: table.hand_id is not None and "1" in table.turns)
    if is_against_house(game):
        bet = BETS[game] | ({"box": 1} if "box" in BETS[game] else {})
        house.act(table, "alice", bet)
    house.away.add("alice")
    pages_closed([house.person("alice").pk], house.now)
    house.now += CLOSED_AFTER + MOMENT
    return table


def let_pass(house: House, name: str) -> None:
    """Let the clock of the house go on to what is due next, while one player has a page open."""
    due = Table.objects.filter(due_at__isnull=False).order_by("due_at")
    following = due.values_list("due_at", flat=True).first()
    house.now = max(house.now, min(following or house.now + SWEEP, house.now + SWEEP))
    seen([(0, house.person(name).pk)], house.now)
    show_changes(house.now)
    clock.sweep(house.now)


def seconds_to_card(house: House, game: str, name: str = "bob") -> float:
    """Let a newcomer press "Play now", and return how long it takes until they are dealt in.

    Against the house that is when they can bet: they do so, and the cards follow.
    """
    pressed, player = house.now, house.player(name)
    find_or_open(player, list(Table.objects.filter(game=game)), pressed)
    dealt = HandSeat.objects.filter(player=player, hand__ended_at__isnull=True)
    while not dealt.exists():
        let_pass(house, name)
        assert house.now - pressed < timedelta(minutes=3), f"{name} waits in vain"
    if is_against_house(game):
        table = Table.objects.get(hand=dealt.get().hand_id)
        house.act(table, name, BETS[game])
        house.act(table, name, {"do": "done"})
    return (house.now - pressed).total_seconds()
