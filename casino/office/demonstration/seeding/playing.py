"""One hand of a made-up history: dealt from sealed shoes, played, settled, all in memory.

It does what `games.tables.hand_verbs` and `settle` do for a live table, and `games.shoes.custody`
for a shoe, with the same functions; rows are collected instead of written, and nothing waits. The
bytes of the seats are the house's, as for every seat without a browser, and a shoe is opened once
for all its hands.
"""

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple

from msgspec import Struct, to_builtins
from msgspec.structs import astuple

from casino.office.demonstration.seeding.house import HeldPool
from casino.office.demonstration.seeding.players import MOMENT, Made, Money, Player
from casino.office.demonstration.seeding.rows import Gathered
from games.models import Hand, HandSeat, HeldCards, Move, Seat, Shoe, ShoeSeat, Table
from games.records.card_index import held_by, holders_of
from games.rules.cards import Card
from games.rules.contract import (
    HOUSE,
    Action,
    AnyGame,
    Party,
    PlayedMove,
    SeatStack,
    State,
    is_passed_out,
)
from games.rules.house.actions import Pool, pool_named
from games.rules.settlement import Settlement
from games.rules.shoe import Draw, ShoeProtocol
from games.rules.verifying import drawn_context
from games.shoes import custody
from games.shoes.deals import SECRET
from games.tables import hand_digest
from games.tables.deal import context_for, is_spent, next_button
from games.tables.hand_in_play import number_turns
from games.tables.hand_state import (
    context_of,
    game_from,
    sealed_fields,
    seat_number,
    write_move,
)
from games.tables.jackpots import options_with_pools
from games.tables.settle import (
    SETTLED,
    Accounts,
    bank_of,
    legs_of,
    pools_hit,
    posting_key,
    settlement_payload,
)
from wallets.money.cashier import HOUSE as THE_HOUSE
from wallets.money.ledger import Movement
from wallets.values import AMOUNT_MAX

# A shoe is sealed, locked and mixed in the seconds before its first hand.
SHOE_MOMENT: Final = timedelta(milliseconds=300)


class OpenShoe:
    """A mixed shoe with its secrets, for the hands that are dealt from it."""

    def __init__(
        self, table: Table, game: AnyGame, seats: Sequence[Seat], at: datetime, chances: Random
    ) -> None:
        table.shoes_sealed += 1
        # Whether it has a row, from a time at which it lay on the table.
        self.stored = False
        self.secret = chances.randbytes(32)
        cards = game.composition()
        code = f"T{table.pk}-{table.shoes_sealed}-{chances.randrange(10**6):06}"
        self._protocol = protocol = ShoeProtocol(code)
        self._sealed = sealed = protocol.seal(self.secret, cards)
        self.parts = [self._part(code, seat) for seat in seats]
        commits = {part.number: bytes.fromhex(part.commit) for part in self.parts}
        reveals = {part.number: bytes.fromhex(part.reveal) for part in self.parts}
        lock = protocol.lock(sealed.seal, commits)
        self._mix = protocol.mix(lock, reveals)
        self.cards = sealed.deal(protocol.cut(self._mix, len(cards)))
        self.row = Shoe(
            code=code,
            table=table,
            decks=cards.count(cards[0]),
            jokers=Card.RED_JOKER in cards,
            secret=SECRET.seal(self.secret, protocol.id),
            seal=sealed.seal.hex(),
            key=sealed.key.hex(),
            x_0=sealed.x_0.hex(),
            lock=lock.hex(),
            mix=self._mix.hex(),
            status=Shoe.Status.OPEN,
            sealed_at=at - 3 * SHOE_MOMENT,
            locked_at=at - 2 * SHOE_MOMENT,
        )
        # The digest of a hand reads the seats of its shoe, which are not stored yet.
        self.row._prefetched_objects_cache = {"seats": self.parts}  # type: ignore[attr-defined]

    def drawn(self, game: AnyGame) -> tuple[dict[str, Any], tuple[Draw, ...]]:
        """Return the draws of the present round: fields of the context, and the draws."""
        link = self._sealed.hidden.draws[self.row.rounds_played]
        draws: list[Draw] = []

        def draw(label: str, size: int) -> int:
            draws.append(self._protocol.draw(self._mix, link, label, size))
            return draws[-1].value

        return drawn_context(game, draw), tuple(draws)

    def _part(self, code: str, seat: Seat) -> ShoeSeat:
        reveal = self._protocol.house_reveal(self.secret, seat.number)
        return ShoeSeat(
            shoe_id=code,
            number=seat.number,
            player_id=seat.player_id,
            by_house=True,
            commit=self._protocol.commitment(seat.number, reveal).hex(),
            reveal=reveal.hex(),
        )

    def publish(self, gathered: Gathered, at: datetime) -> None:
        """Seal, lock and reveals, in the public chain."""
        row, parts = self.row, self.parts
        name = {"shoe": row.code}
        sealed = {"seal": row.seal, "key": row.key, "x_0": row.x_0, "version": row.version}
        commits = {str(part.number): part.commit for part in parts}
        reveals = {str(part.number): part.reveal for part in parts}
        players = custody.players_leaf(row, self.secret, parts)
        locked = {"lock": row.lock, "commits": commits, "players": players}
        gathered.publish("seal", name | sealed, at - 3 * SHOE_MOMENT)
        gathered.publish("lock", name | locked, at - 2 * SHOE_MOMENT)
        gathered.publish("reveal", name | {"mix": row.mix, "reveals": reveals}, at - SHOE_MOMENT)

    def store(self, gathered: Gathered) -> None:
        if self.stored:
            gathered.shoes.append(self.row)
        else:
            gathered.add_row(self.row)
        self.stored = True


# Between two moves of a hand.
MOVE_APART: Final = timedelta(seconds=2)
BY_HOUSE, BY_PLAYER = Move.By.HOUSE.value, Move.By.PLAYER.value


class MadeMove(Struct):
    """The row of a move, whose columns these are; the model's own are not needed."""

    hand_id: int
    number: int
    seat: int
    action: dict[str, object]
    sealed_action: str
    turn: int
    by: str
    at: datetime


class Result(Struct):
    """The row of a seat in a hand, without the columns that repeat those of the hand."""

    number: int
    seat_id: int
    player_id: int
    starting_stack: int
    net: int
    rake: int


class EndedRows(NamedTuple):
    """The input of a hand's digest."""

    hand: Hand
    moves: list[MadeMove]
    seats: list[Result]


class Played(NamedTuple):
    """A hand whose last move has been made."""

    hand: Hand
    # Its states from the deal to the end.
    path: list[State]
    seats: Sequence[Seat]
    moves: list[MadeMove]
    played: list[PlayedMove]


class LaidTable:
    """A table between two hands: its row, its pool, and the shoe on it."""

    def __init__(self, row: Table, pool: HeldPool | None) -> None:
        self.row, self.pool = row, pool
        self.shoe: OpenShoe | None = None

    @property
    def jackpots(self) -> dict[str, int]:
        return {self.pool.row.kind: self.pool.row.pk} if self.pool else {}

    @property
    def game(self) -> AnyGame:
        played = {self.pool.row.kind: self.pool.row} if self.pool else {}
        return game_from(self.row.game, options_with_pools(self.row, played))

    def rest(self, gathered: Gathered) -> Table:
        """Leave it as a table that waits for players; its row, with its shoe."""
        self.row.phase, self.row.version = Table.Phase.WAITING, self.row.version + 1
        left = copy(self.row)
        left.shoe = self.shoe.row if self.shoe else None
        if self.shoe:
            self.shoe.store(gathered)
        return left


class PlayedTable:
    """A table while its history is made."""

    def __init__(self, laid: LaidTable, money: Money, gathered: Gathered, chances: Random) -> None:
        self._laid, self.row, self.pool = laid, laid.row, laid.pool
        self._money, self._gathered, self._chances = money, gathered, chances
        self._jackpots = laid.jackpots
        self.game: AnyGame = laid.game
        self._options: object = to_builtins(self.game)
        self._bot = Player(self.game, chances)
        pool = laid.pool
        self._find = Accounts(
            lambda table, kind: money.account(kind, table.reference),
            lambda _hand, _name: pool.row.pool_id if pool else 0,
        )

    def play(self, number: int, seats: Sequence[Seat], at: datetime, apart: timedelta) -> datetime:
        """Play one hand, whose row gets this number; the time of its end."""
        table, shoe = self.row, self._shoe_for(seats, at)
        shoe.row.rounds_played += 1
        table.button = next_button(table, seats)
        table.hands_dealt += 1
        hand = self._opened(number, shoe, seats, at)
        path, moves, played = self._moves(hand, shoe, at, min(apart, MOVE_APART))
        state = path[-1]
        assert any(self.game.at_stake(state, stake.seat) for stake in state.stakes), (
            "a seat has bet"
        )
        end = moves[-1].at + MOMENT
        self._end(shoe, Played(hand, path, seats, moves, played), end)
        return end

    def _shoe_for(self, seats: Sequence[Seat], at: datetime) -> OpenShoe:
        if self._laid.shoe is None:
            self._laid.shoe = shoe = OpenShoe(self.row, self.game, seats, at, self._chances)
            shoe.publish(self._gathered, at)
            for part in shoe.parts:
                self._gathered.add_row(part)
        return self._laid.shoe

    def _opened(self, number: int, shoe: OpenShoe, seats: Sequence[Seat], at: datetime) -> Hand:
        table = self.row
        decided = context_for(table, self.game, seats, {})
        left = self.pool.left() if self.pool else None
        if left is not None and "mystery_left" in self.game.context_type.__struct_fields__:
            decided["mystery_left"] = left
        return Hand(
            pk=number,
            number=table.hands_dealt,
            table=table,
            game=table.game,
            rules_version=self.game.rules_version,
            options=self._options,
            stakes=[
                {"seat": seat.number, "purse": min(self._money.stacks[seat.pk], AMOUNT_MAX)}
                for seat in seats
            ],
            **sealed_fields(decided, table.pk, table.hands_dealt),
            jackpots=self._jackpots,
            shoe=shoe.row,
            first_card=shoe.row.cards_dealt,
            round_number=shoe.row.rounds_played,
            started_at=at,
            # From here on the row stores the draws, as for every finished hand.
            status=Hand.Status.FINISHED,
        )

    def _moves(
        self, hand: Hand, shoe: OpenShoe, at: datetime, apart: timedelta
    ) -> tuple[list[State], list[MadeMove], list[PlayedMove]]:
        """Let the bots play the hand to its end."""
        game, table = self.game, self.row
        fields, draws = shoe.drawn(game)
        hand.context, hand.draws = {**fields, **hand.context}, to_builtins(draws)
        stakes = [SeatStack(stake["seat"], stake["purse"]) for stake in hand.stakes]
        state: State = game.open(stakes, shoe.cards[hand.first_card :], context_of(hand, game))
        path, waiting = [state], game.to_act(state)
        table.moves_made, table.turns = 0, {}
        table.turns = number_turns(table, waiting, waiting)
        made: list[tuple[Party, Action, int]] = []
        while waiting:
            before = waiting
            party, (action, state) = self._next(state, waiting)
            made.append((party, action, table.turns[str(seat_number(party))]))
            path.append(state)
            waiting, table.moves_made = game.to_act(state), table.moves_made + 1
            fresh = {actor for actor in waiting if actor == party or actor not in before}
            table.turns = number_turns(table, waiting, fresh)
        table.moves_made, table.turns = 0, {}
        rows = []
        for number, (party, action, turn) in enumerate(made):
            row = MadeMove(
                hand_id=hand.pk,
                number=number,
                seat=seat_number(party),
                action={},
                sealed_action="",
                turn=turn,
                by=BY_HOUSE if party == HOUSE else BY_PLAYER,
                at=at + apart * (number + 1),
            )
            # After the end nothing is hidden that the hand has shown.
            write_move(row, action, game, state, held=False)
            rows.append(row)
        return path, rows, [(party, action) for party, action, _turn in made]

    def _next(self, state: State, waiting: frozenset[Party]) -> tuple[Party, Made]:
        """The house acts as soon as it can: the table does not wait for seats without a bet."""
        game = self.game
        if HOUSE in waiting:
            due: Action = game.fallback(state, HOUSE)
            name = pool_named(due)
            if name:
                assert self.pool is not None
                due = Pool(name, self.pool.prize())
            if name or waiting == {HOUSE}:
                return HOUSE, Made(due, game.apply(state, HOUSE, due))
        seat = min(party for party in waiting if not isinstance(party, str))
        return seat, self._bot.move(state, seat)

    def _end(self, shoe: OpenShoe, ended: Played, end: datetime) -> None:
        """Settle it, pay it, and add it to the public chain."""
        game, table, gathered = self.game, self.row, self._gathered
        hand, state, seats = ended.hand, ended.path[-1], ended.seats
        settlement: Settlement = game.settle(state)
        hand.cards_dealt = game.dealt(state)
        hand.settlement = settlement_payload(settlement)
        hand.rake, hand.bank = sum(settlement.rake.values()), bank_of(settlement)
        hand.ended_at = end
        fell = any(line.key == "mystery" for line in settlement.lines)
        if fell and self.pool:
            hand.context = {**hand.context, "mystery_left": self.pool.left()}
            hand.sealed_context = ""
        self._pay(hand, seats, settlement, end)
        results = [self._result(hand, seat, settlement) for seat in seats]
        of_hand = EndedRows(hand, ended.moves, results)
        hashes = hand_digest.published(of_hand, game, hand.cards_dealt, shoe.secret, ended.played)
        body = {"hand": hand.code, "shoe": shoe.row.code, "settlement": hand.settlement, **hashes}
        gathered.publish("hand", body, end)
        gathered.add_row(hand)
        for move in ended.moves:
            gathered.add(Move, astuple(move))
        for result in results:
            gathered.add(HandSeat, self._result_values(hand, result))
        for held in held_by(holders_of(hand, ended.moves, game, ended.path)):
            gathered.add(HeldCards, (hand.pk, *held))
        self._after_hits(hand, settlement, end, fell=fell)
        table.redeals = table.redeals + 1 if is_passed_out(game, state) else 0
        shoe.row.cards_dealt += hand.cards_dealt
        if is_spent(game, shoe.row, hand.cards_dealt):
            shoe.row.status, self._laid.shoe = Shoe.Status.SPENT, None
            shoe.store(gathered)

    def _pay(
        self, hand: Hand, seats: Sequence[Seat], settlement: Settlement, end: datetime
    ) -> None:
        legs = legs_of(hand, seats, settlement, self._find)
        for seat in seats:
            self._money.stacks[seat.pk] += settlement.net[seat.number]
        if self.pool:
            self.pool.balance += sum(settlement.pools.values())
        if not legs:
            return
        hand.posting = posting_key(hand.reference)
        self._gathered.post(
            end,
            Movement(
                key=hand.posting,
                kind="hand",
                legs=tuple(legs),
                book=self.row.reference,
                actor=THE_HOUSE,
                reason=SETTLED,
                reference=hand.reference,
            ),
        )

    def _result(self, hand: Hand, seat: Seat, settlement: Settlement) -> Result:
        starting = next(stake["purse"] for stake in hand.stakes if stake["seat"] == seat.number)
        return Result(
            number=seat.number,
            seat_id=seat.pk,
            player_id=seat.player_id,
            starting_stack=starting,
            net=settlement.net[seat.number],
            rake=settlement.rake.get(seat.number, 0),
        )

    def _result_values(self, hand: Hand, result: Result) -> tuple[object, ...]:
        of_hand = hand.game, self.row.pk, self.row.currency_id, hand.status, hand.ended_at
        return hand.pk, *astuple(result), *of_hand

    def _after_hits(self, hand: Hand, settlement: Settlement, end: datetime, *, fell: bool) -> None:
        if self.pool is None or not pools_hit(settlement):
            return
        if fell:
            self.pool.fall(end, hand.reference, self._gathered, self._chances)
        self.pool.fill_up(end + MOMENT, self._gathered, self._chances)
