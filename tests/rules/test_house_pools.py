"""The trigger of a mystery prize from its draw to its opening, and a jackpot's seed and reserve."""

import hashlib
import hmac
from collections import Counter
from typing import Any

from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, replay
from games.rules.house.actions import Close, Pool
from games.rules.house.pools import (
    Trigger,
    draw_trigger,
    jackpot_shown,
    mystery_left,
    mystery_prize,
    open_trigger,
    recorded_mystery_left,
)
from games.rules.house.sides import SideContext
from tests.rules.boxes import GAME, STAKES, Bet
from tests.rules.cases import each, every, unreadable
from tests.rules.harness import Moves
from wallets.values import AMOUNT_MAX

SECRET = bytes(range(32))
LOWEST, HIGHEST = 10_000, 50_000
TRIGGER = draw_trigger("M1-7", LOWEST, HIGHEST, SECRET)


def test_the_trigger_is_drawn_and_bound_as_the_page_says() -> None:
    number = int.from_bytes(hmac.digest(SECRET, b"amount", "sha256"), "big")
    salt = hmac.digest(SECRET, b"salt", "sha256").hex()
    amount = 10_000 + number % 40_001
    assert Trigger("M1-7", amount, salt) == TRIGGER
    assert TRIGGER.text == f"CR1|mystery|M1-7|{amount}|{salt}"
    assert TRIGGER.published == hashlib.sha256(TRIGGER.text.encode()).hexdigest()


def test_every_amount_between_the_bounds_and_no_other_is_drawn() -> None:
    drawn = Counter(
        draw_trigger("M1", 10, 13, number.to_bytes(32, "big")).amount for number in range(400)
    )
    assert sorted(drawn) == [10, 11, 12, 13]
    assert min(drawn.values()) > 70
    assert draw_trigger("M1", 25, 25, SECRET).amount == 25
    assert draw_trigger("M1", 1, AMOUNT_MAX, SECRET).amount <= AMOUNT_MAX


def test_an_opened_trigger_is_the_one_that_was_published() -> None:
    assert open_trigger(TRIGGER.text, TRIGGER.published) == TRIGGER


@every(
    other=[
        Trigger("M1-8", TRIGGER.amount, TRIGGER.salt),
        Trigger("M1-7", TRIGGER.amount + 1, TRIGGER.salt),
        Trigger("M1-7", TRIGGER.amount, "0" * 64),
    ]
)
def test_another_trigger_does_not_fit_the_hash(other: Trigger) -> None:
    assert other.published != TRIGGER.published
    unreadable("trigger_differs", open_trigger, other.text, TRIGGER.published)


@every(
    text=[
        "",
        TRIGGER.text + "\n",
        TRIGGER.text[:-1],
        TRIGGER.text.replace("CR1", "CR2"),
        TRIGGER.text.replace(f"|{TRIGGER.amount}|", f"|0{TRIGGER.amount}|"),
        TRIGGER.text.replace(f"|{TRIGGER.amount}|", "||"),
        TRIGGER.text.replace("M1-7", ""),
        TRIGGER.text.replace("M1-7", "M1|7"),
        TRIGGER.text.upper(),
    ]
)
def test_malformed_triggers_are_not_opened(text: str) -> None:
    unreadable("trigger", open_trigger, text, hashlib.sha256(text.encode()).hexdigest())


@each(
    (("", 1, 2, SECRET), "trigger_id"),
    (("M|1", 1, 2, SECRET), "trigger_id"),
    (("M" * 101, 1, 2, SECRET), "trigger_id"),
    (("M1\n", 1, 2, SECRET), "trigger_id"),
    (("M1", 0, 2, SECRET), "prize_bounds"),
    (("M1", 3, 2, SECRET), "prize_bounds"),
    (("M1", 1, AMOUNT_MAX + 1, SECRET), "prize_bounds"),
    (("M1", 1, 2, SECRET[1:]), "length"),
    (("M1", 1, 2, SECRET + b"\0"), "length"),
)
def test_a_trigger_that_cannot_be_drawn_is_refused(arguments: tuple[Any, ...], code: str) -> None:
    unreadable(code, draw_trigger, *arguments)


def test_a_closed_trigger_is_kept_out_of_logs() -> None:
    assert repr(TRIGGER) == str(TRIGGER) == "Trigger(...)"


@each((0, 12_000, 12_000), (11_999, 1, 12_000), (12_000, 1, 12_000), (12_500, 1, 12_500))
def test_distance_to_the_trigger_and_the_prize(pool: int, left: int, prize: int) -> None:
    trigger = Trigger("M1", 12_000, "0" * 64)
    assert mystery_left(trigger, pool) == left
    assert mystery_prize(trigger, pool) == prize


@each((11_997, False), (11_998, True))
def test_a_record_handed_out_settles_the_same_without_telling_the_trigger(
    pool: int, falls: bool
) -> None:
    """Two bonus bets of 100 bring one unit each to the pool."""
    trigger = Trigger("M1", 12_000, "0" * 64)
    bets: Moves = [(1, Bet(1, 100, 100)), (2, Bet(2, 100, 100)), (HOUSE, Close())]
    prize = mystery_prize(trigger, pool)
    moves = [*bets, (HOUSE, Pool("mystery", prize))] if falls else bets
    cards = parse_cards("2c3c4c5c")
    left = mystery_left(trigger, pool)
    settled = GAME.settle(replay(GAME, STAKES, cards, SideContext(mystery_left=left), moves))
    assert pool + settled.pools["mystery"] == (0 if falls else 11_999)
    recorded_left = recorded_mystery_left(left, fell=falls)
    assert (recorded_left == left) == falls
    again = replay(GAME, STAKES, cards, SideContext(mystery_left=recorded_left), moves)
    assert GAME.settle(again) == settled


@each((900, 0, 900), (900, 200, 700), (200, 200, 0), (150, 200, 0), (-20, 0, 0))
def test_the_reserve_is_not_shown(balance: int, reserve: int, shown: int) -> None:
    assert jackpot_shown(balance, reserve) == shown
