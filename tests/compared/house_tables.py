"""Tables against the house: while bets are placed, at a decision, and with the result."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import pytest

from games.models import Table
from games.rules.cards import parse_cards
from games.tables.hand_state import game_of
from tests.compared.scenes import DESK, LOW_PHONE, Scene
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.repeating import repeat_draws
from wallets.money import jackpots

ME: Final = "alice"
Bets = Iterable[tuple[str, Mapping[str, Any]]]


class Drawn(NamedTuple):
    """A table of a drawing: its first cards and bets, and who sits there without one."""

    game: str
    name: str
    cards: str
    bets: Bets
    others: Bets = ()


# Boxes from the first on, and the dealer; their second cards; then what is drawn.
BLACKJACK_CARDS: Final = "TcAhKs8sAdJd6d 6h7c9h8h6cJc 9d3d Qh9c4hTs2h"
BLACKJACK_BETS: Final = (
    ("Fai", {"do": "bet", "box": 1, "amount": 10_000}),
    ("Mei", {"do": "bet", "box": 2, "amount": 5_000}),
    (ME, {"do": "bet", "box": 3, "amount": 2_500}),
    (ME, {"do": "bet", "box": 4, "amount": 2_500, "bonus": 500}),
    (ME, {"do": "bet", "box": 5, "amount": 2_500}),
    ("Wen", {"do": "bet", "box": 7, "amount": 1_000}),
)
BLACKJACK: Final = Drawn("blackjack", "Twenty-one", BLACKJACK_CARDS, BLACKJACK_BETS)
TO_THE_DECISION: Final = ("hit", "stand", "stand", "split")
TO_THE_RESULT: Final = ("double", "stand", "hit", "stand")
# Of a coup: player and banker in turn, then the third cards.
LAST_COUP: Final = "Kd2s5s9dTh5d"
COUP: Final = "Ks4h2d3s3c"
BACCARAT_BETS: Final = (
    ("Mei", {"do": "bet", "on": "player", "amount": 5_000}),
    ("Hugo", {"do": "bet", "on": "player", "amount": 10_500}),
    ("Wen", {"do": "bet", "on": "banker", "amount": 50_000}),
    (ME, {"do": "bet", "on": "banker", "amount": 13_000}),
    (ME, {"do": "bet", "on": "player_pair", "amount": 500}),
)
# Boxes 1 to 5 and the dealer, twice; then the board.
HOLDEM_CARDS: Final = "4cAcTs5h3d7s 8d7h9s6cKc2c Th6s2d"
HOLDEM_BETS: Final = (
    ("Mei", {"do": "ante", "box": 1, "amount": 2_500}),
    ("Fai", {"do": "ante", "box": 2, "amount": 2_500}),
    (ME, {"do": "ante", "box": 3, "amount": 2_500, "bonus": 500}),
    (ME, {"do": "ante", "box": 5, "amount": 2_500, "blind": True}),
    ("Wen", {"do": "ante", "box": 4, "amount": 2_500}),
)
HOLDEM: Final = Drawn("casino_holdem", "Riverboat", HOLDEM_CARDS, HOLDEM_BETS)
# Boxes 1 to 4 and the dealer, five times; then what is exchanged.
RUSSIAN_CARDS: Final = "5sKh9s8sKs 5cQh3c9dTd AhJh7h4d8c 8d7c2h4h5h Tc2sQc6s3d KcKd"
RUSSIAN_BETS: Final = (
    ("Mei", {"do": "ante", "box": 1, "amount": 2_500}),
    (ME, {"do": "ante", "box": 2, "amount": 2_500, "bonus": 500}),
    (ME, {"do": "ante", "box": 3, "amount": 2_500, "blind": True}),
    ("Fai", {"do": "ante", "box": 4, "amount": 2_500}),
)


def blackjack_bets(house: House, patch: pytest.MonkeyPatch) -> str:
    table = seated(house, patch, BLACKJACK)
    return f"/tables/{table.pk}/"


def blackjack_decision(house: House, patch: pytest.MonkeyPatch) -> str:
    table = seated(house, patch, BLACKJACK)
    close(house, table, BLACKJACK_BETS)
    for do in TO_THE_DECISION:
        decide(house, table, do)
    return f"/tables/{table.pk}/?help=strategy"


def blackjack_result(house: House, patch: pytest.MonkeyPatch) -> str:
    table = seated(house, patch, BLACKJACK)
    close(house, table, BLACKJACK_BETS)
    for do in (*TO_THE_DECISION, *TO_THE_RESULT):
        decide(house, table, do)
    house.until(table, lambda one: one.hand_id is None)
    return f"/tables/{table.pk}/"


def baccarat_bets(house: House, patch: pytest.MonkeyPatch) -> str:
    return f"/tables/{after_a_coup(house, patch).pk}/"


def baccarat_result(house: House, patch: pytest.MonkeyPatch) -> str:
    table = after_a_coup(house, patch)
    close(house, table, BACCARAT_BETS)
    house.until(table, lambda one: one.hand_id is None)
    house.pass_time(9)
    return f"/tables/{table.pk}/"


def after_a_coup(house: House, patch: pytest.MonkeyPatch) -> Table:
    """The second coup of a shoe, on which all have bet."""
    first = ((ME, {"do": "bet", "on": "banker", "amount": 500}),)
    drawn = Drawn("baccarat", "Dragon", LAST_COUP + COUP, first, BACCARAT_BETS)
    table = seated(house, patch, drawn)
    house.act(table, ME, {"do": "done"})
    house.idle.update(dict(BACCARAT_BETS))
    hand = table.hands.latest("pk").pk
    house.until(table, lambda one: one.hand_id not in (None, hand))
    bet(house, table, BACCARAT_BETS)
    return table


def holdem_decision(house: House, patch: pytest.MonkeyPatch) -> str:
    table = seated(house, patch, HOLDEM)
    close(house, table, HOLDEM_BETS)
    for name, do in (("Mei", "call"), ("Fai", "fold")):
        choose(house, table, name, do)
    return f"/tables/{table.pk}/"


def russian_decision(house: House, patch: pytest.MonkeyPatch) -> str:
    return f"/tables/{russian(house, patch).pk}/"


def russian_insurance(house: House, patch: pytest.MonkeyPatch) -> str:
    table = russian(house, patch)
    choose(house, table, ME, "exchange", cards=["7c", "2s"])
    return f"/tables/{table.pk}/"


def russian_buy(house: House, patch: pytest.MonkeyPatch) -> str:
    table = russian(house, patch, dealer="Qs")
    choose(house, table, ME, "exchange", cards=["7c", "2s"])
    choose(house, table, ME, "bet")
    choose(house, table, "Fai", "fold")
    return f"/tables/{table.pk}/"


def russian(house: House, patch: pytest.MonkeyPatch, dealer: str = "Ks") -> Table:
    cards = RUSSIAN_CARDS.replace("Ks", dealer)
    table = seated(house, patch, Drawn("russian_poker", "Winter palace", cards, RUSSIAN_BETS))
    close(house, table, RUSSIAN_BETS)
    choose(house, table, "Mei", "bet")
    return table


def seated(house: House, patch: pytest.MonkeyPatch, drawn: Drawn) -> Table:
    """A table whose players have placed these bets; alice has 1,845 before them."""
    repeat_draws(patch, "drawn")
    deal_first(patch, parse_cards(drawn.cards.replace(" ", "")))
    game, bets = drawn.game, drawn.bets
    table = house.table(game, name=drawn.name, buy_in_max=1_000_000, pause_seconds=6)
    if game != "baccarat":
        pool = jackpots.create(
            "Bonus jackpot", "progressive", house.currency, actor="o", seed=1_003_470, share_bp=500
        )
        table.jackpots.add(pool)
    for number, player in enumerate(dict((*bets, *drawn.others)), 1):
        house.sit(house.player(player), table, number, 184_500)
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    bet(house, table, bets)
    return table


def bet(house: House, table: Table, bets: Bets) -> None:
    for name, placed in bets:
        house.act(table, name, dict(placed))


def close(house: House, table: Table, bets: Bets) -> None:
    for name in dict(bets):
        house.act(table, name, {"do": "done"})


def decide(house: House, table: Table, do: str) -> None:
    """The hand whose turn it is does this."""
    table.refresh_from_db()
    hand, state = house.state(table)
    (number,) = table.turns
    view: Any = game_of(hand).view(state, int(number))
    name = table.seats.get(number=int(number), left_at=None).player.username
    house.act(table, name, {"do": do, "box": view.box, "hand": view.hand})


def choose(house: House, table: Table, name: str, do: str, **given: Any) -> None:
    """This player does this on their first open box."""
    hand, state = house.state(table)
    number = house.seat(table, name).number
    game = game_of(hand)
    choice = next(choice for choice in game.choices(state, number) if choice.do == do)
    house.act(table, name, {"do": do, "box": choice.box, **given})


# What still differs, and why.
PLACED: Final = (
    "others' bets are a name and a sum, as their chips would hide what the box takes; the smallest "
    "chip is chosen first"
)
DECIDED: Final = (
    "cards named for the round stand where words were printed; the second hand gets its card when "
    "it moves; a bust hand says what it counts"
)
ROUND_OVER: Final = (
    "a box says its sum for me alone, others' stand at their plates; how it was settled can be "
    "opened; a split box has one sum"
)
COUP_OPEN: Final = (
    "the shoe is a new one; the sentence stands above the cards; others on a spot are the first by "
    "name, and the sum of all"
)
COUP_OVER: Final = (
    "others on a spot are the first by name; how a bet came out stands where its spot said what it "
    "pays; the console has the chips for the next coup"
)
DESK_BACCARAT: Final = "not drawn: the spots follow the arc of the rail, with the roads beside"
HOLDEM_DECIDED: Final = (
    "cards that make the hand have no ring, and the hand is named by its kind; the bonus has its "
    "own spot; what is paid stands in the paytable"
)
RUSSIAN: Final = (
    "others stand in one line that a finger moves; the bonus has its own spot; what is paid stands "
    "in the paytable"
)
INSURED: Final = f"{RUSSIAN}; what is insured is typed or chosen over the console, without steps"
SCENES: Final[tuple[Scene, ...]] = (
    Scene("phone-blackjack-bet", blackjack_bets, ME, differs=PLACED),
    Scene("phone-blackjack-bet-664", blackjack_bets, ME, size=LOW_PHONE, differs=PLACED),
    Scene("phone-blackjack-decision", blackjack_decision, ME, differs=DECIDED),
    Scene("phone-blackjack-decision-664", blackjack_decision, ME, size=LOW_PHONE, differs=DECIDED),
    Scene("phone-blackjack-result", blackjack_result, ME, differs=ROUND_OVER),
    Scene("phone-baccarat-bet", baccarat_bets, ME, differs=COUP_OPEN),
    Scene("phone-baccarat-bet-664", baccarat_bets, ME, size=LOW_PHONE, differs=COUP_OPEN),
    Scene("phone-baccarat-result", baccarat_result, ME, differs=COUP_OVER),
    Scene("desk-baccarat-bet", baccarat_bets, ME, size=DESK, differs=DESK_BACCARAT),
    Scene("desk-baccarat-result", baccarat_result, ME, size=DESK, differs=DESK_BACCARAT),
    Scene("phone-holdem-decision", holdem_decision, ME, differs=HOLDEM_DECIDED),
    Scene("phone-russian-decision", russian_decision, ME, differs=RUSSIAN),
    Scene("phone-russian-insurance", russian_insurance, ME, differs=INSURED),
    Scene("phone-russian-buy", russian_buy, ME, differs=RUSSIAN),
)
