"""A hand of each game with everything on that draws something, and a search of all that is stored.

Before and after each move all tables, caches, messages and logs are searched for the cards and
draws that a spectator may not see at that moment.
"""

import hashlib
import logging
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest
import redis as redis_client
from django.db import connection
from msgspec import to_builtins

from games.bots.simulate import strategies
from games.models import Hand, Table
from games.rules.cards import Card
from games.rules.contract import HOUSE, AnyGame, State
from games.rules.shoe import ShoeProtocol
from games.rules.verifying import drawn_context
from games.tables.hand_state import game_from, game_of, whole_context
from tests.games.house import House
from tests.games.program import cards_in
from tests.games.storage import Cell, everything, found
from tests.valkey import Valkey
from wallets.money import jackpots

NAMES: Final = ("alice", "bob", "carol", "dave")
# Numbers drawn from a thousand are no other numbers, where they are large and no row has them.
SEGMENTS: Final = [{"weight": 500, "multiple": 1}, {"weight": 500, "multiple": 2}]
SIDES: Final = {"wheel_segments": SEGMENTS, "bonus_card": True, "wheel": True}
LUCKY: Final = {"lucky_prizes": SEGMENTS, "lucky_game": True}
ANTE: Final = {"do": "ante", "amount": 500, "bonus": 500}


class Played(NamedTuple):
    """The setup of a game: its options, the number of players and their bets."""

    options: dict[str, Any]
    players: int
    bets: tuple[dict[str, Any], ...] = ()


PLAYED: Final = {
    "chinese_poker": Played({}, 4),
    "thirteen_hongkong": Played({}, 4),
    "thirteen_taiwan": Played({"banker": "rotating"}, 4),
    "thirteen_philippine": Played({}, 4),
    "thirteen_fujian": Played({"jokers": 2}, 4),
    "doudizhu": Played({}, 3),
    "blackjack": Played(
        SIDES,
        2,
        tuple({"do": "bet", "box": box, "amount": 500, "bonus": 500} for box in (1, 2)),
    ),
    "russian_poker": Played(SIDES | LUCKY, 2, (ANTE | {"box": 1}, ANTE | {"box": 2})),
    "casino_holdem": Played(
        {name: value for name, value in SIDES.items() if name != "bonus_card"},
        2,
        (ANTE | {"box": 1}, ANTE | {"box": 2}),
    ),
    "baccarat": Played({}, 1, ({"do": "bet", "on": "player", "amount": 500},)),
    "baccarat_commission": Played({}, 1, ({"do": "bet", "on": "banker", "amount": 500},)),
}


class TableCache:
    """Everything that is stored, sent or logged, copied while a hand is played."""

    def __init__(self, server: Valkey, caplog: pytest.LogCaptureFixture) -> None:
        self.server, self.log, self.read = server, caplog, 0
        caplog.set_level(logging.DEBUG)
        self.client = redis_client.Redis.from_url(server.url)
        self.sent = self.client.pubsub()
        self.sent.psubscribe("*")

    def close(self) -> None:
        self.sent.close()
        self.client.close()

    def cells(self) -> list[Cell]:
        messages = iter(lambda: self.sent.get_message(timeout=0), None)
        published = [Cell("message", message["data"]) for message in messages]
        # What was logged before the last step was searched then.
        logged = [Cell("log", self.log.text[self.read :])]
        self.read = len(self.log.text)
        return [*everything(self.server.url), *published, *logged]


def telling_secret(game: AnyGame, shoe: str, seats: range) -> bytes:
    """A secret of a shoe in whose first round all draws differ, and none is a small number."""
    protocol, number = ShoeProtocol(shoe), 0
    while True:
        number += 1
        secret = hashlib.sha256(f"{shoe} {number}".encode()).digest()
        sealed = protocol.seal(secret, game.composition())
        reveals = {seat: protocol.house_reveal(secret, seat) for seat in seats}
        commits = {seat: protocol.commitment(seat, value) for seat, value in reveals.items()}
        mix = protocol.mix(protocol.lock(sealed.seal, commits), reveals)
        drawn = drawn_context(
            game,
            lambda label, n, mix=mix, link=sealed.hidden.draws[1]: (
                protocol.draw(mix, link, label, n).value
            ),
        )
        numbers = {
            value for name, value in drawn.items() if isinstance(value, int) and name != "wild"
        }
        if len({*drawn.values()}) == len(drawn) and all(value > 600 for value in numbers):
            return secret


def number_rows_beyond_draws() -> None:
    """Let new rows have numbers that are never drawn; PostgreSQL counts on through all tests."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 10000)"
                " FROM pg_sequences"
                " WHERE schemaname = current_schema() AND coalesce(last_value, 0) < 10000"
            )


PROGRESSIVE: Final = {"seed": 100_000, "share_bp": 1_000}


def opened(house: House, key: str, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table of this game with its hand just opened, all draws on, and pools to win."""
    how = PLAYED[key]
    number_rows_beyond_draws()
    table = house.table(key, options=how.options)
    game = game_from(key, how.options)
    if "mystery_left" in game.context_type.__struct_fields__:
        prizes: dict[str, Any] = {
            "share_bp": 100,
            "lowest": 7_000_001,
            "highest": 7_999_999,
            "seed": 20_011,
        }
        for kind in ("progressive", "mystery"):
            terms: dict[str, Any] = prizes if kind == "mystery" else PROGRESSIVE
            pool = jackpots.create(f"the {kind}", kind, house.currency, actor="o", **terms)
            table.jackpots.add(pool)
    seats, shoe = range(1, how.players + 1), f"T{table.pk}-1-000000"
    secret = telling_secret(game, shoe, seats)
    monkeypatch.setattr("secrets.token_bytes", lambda count=32: secret[:count])
    monkeypatch.setattr("secrets.randbelow", lambda _count: 0)
    for seat, name in zip(seats, NAMES, strict=False):
        house.sit(house.player(name), table, seat)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert table.hand is not None
    assert table.hand.shoe.code == shoe
    return table


def chosen(game: AnyGame, state: Any, seat: int) -> dict[str, Any]:
    """A bot's move, except that it exchanges cards whenever it can."""
    kinds = {choice.do for choice in game.choices(state, seat)}
    if "exchange" in kinds and game.key == "thirteen_philippine":
        return {"do": "exchange", "rounds": 1, "direction": "clockwise"}
    if "exchange" in kinds:
        box = next(box for box in state.boxes if box.seat == seat)
        return {"do": "exchange", "box": box.box, "cards": [card.text for card in box.cards[:2]]}
    action: dict[str, Any] = to_builtins(strategies(game)["best"](game, game.view(state, seat)))
    return action


def steps(house: House, table: Table) -> Iterator[str]:
    """Play the hand that has been opened, and stop before each move."""
    how, hand_id = PLAYED[table.game], table.hand_id
    yield "opened"
    for name, bet in zip(NAMES, how.bets, strict=False):
        house.act(table, name, bet)
        yield f"{name} has bet"
    for name in NAMES[: len(how.bets)]:
        house.act(table, name, {"do": "done"})
        yield f"{name} is done"
    table.refresh_from_db()
    while table.hand_id == hand_id:
        hand, state = house.state(table)
        game = game_of(hand)
        waiting = sorted(seat for seat in game.to_act(state) if seat != HOUSE)
        if not waiting:
            house.until_due(table)
            continue
        action = chosen(game, state, int(waiting[0]))
        house.act(table, NAMES[int(waiting[0]) - 1], action)
        table.refresh_from_db()
        yield f"seat {waiting[0]}: {action['do']}"


def secret_numbers(hand: Hand, game: AnyGame, state: State) -> set[int]:
    """The numbers that were drawn and are still secret, and how far the mystery pool is."""
    context: dict[str, Any] = whole_context(hand, game)
    numbers = set[int]()
    if game.to_act(state):
        numbers = {context[name] for name in game.draws() if isinstance(context[name], int)}
        # Which of the cards names the first caller is public, and so is who that is.
        numbers -= {context.get("wild")}
    if "mystery_left" in context:
        numbers |= {context["mystery_left"], context["mystery_left"] + 20_011}
    return numbers


def readable(view: Any) -> list[str]:
    """Every value in a view, as text."""

    def parts(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list | tuple):
            for part in value:
                yield from parts(part)
        else:
            yield str(value)

    return list(parts(to_builtins(view)))


def leaks(copies: TableCache, hand: Hand, game: AnyGame, state: Any) -> set[str]:
    """The stored values that a spectator may not know yet."""
    public = {state.cards[place].text for place in game.shown(state, None)}
    public |= cards_in(readable(game.view(state, None)))
    hidden = {card.text for card in Card} - public
    hands = [tuple(state.cards), *getattr(state, "hands", ())]
    hands += [
        sum(arrangement.rows, ()) for arrangement in getattr(state, "arranged", ()) if arrangement
    ]
    still = [tuple(card for card in cards if card.text in hidden) for cards in hands]
    return found(copies.cells(), hidden, secret_numbers(hand, game, state), still)


def refused_action(game: AnyGame) -> dict[str, Any]:
    """An action that names cards that no player can hold together."""
    names = {action.__struct_config__.tag for action in game.actions}
    if "arrange" in names:
        return {"do": "arrange", "front": ["2c"] * 3, "middle": ["2c"] * 5, "back": ["2c"] * 5}
    return {"do": "play", "cards": ["2c", "3d"]}
