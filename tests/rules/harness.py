"""One harness for every game: a random hand, and everything that must hold of any hand.

A game's tests bring a `Table`: how to draw options, stacks and moves, and which cards lie open to a
seat. The harness plays the hand through the contract and checks it from the first state to the
settlement and the record.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from games.rules.cards import Card
from games.rules.catalogue import game_type
from games.rules.contract import (
    HOUSE,
    Action,
    AnyGame,
    Choice,
    Context,
    Party,
    PlayedMove,
    SeatStack,
    State,
    action_decoder,
    replay,
    states,
)
from games.rules.errors import Illegal
from games.rules.messages import sentence_of
from games.rules.record import HandRecord, RecordedMove, read_record, recorded, replay_record
from games.rules.sent_choices import CARDS, read_back
from games.rules.settlement import Settlement
from tests.rules.action_text import action_text, read_action

MOVES_MAX = 500
Moves = list[PlayedMove]


class Table(NamedTuple):
    """The facts about a game that its tests use."""

    options: Mapping[str, Sequence[object]]
    stacks: Sequence[int]
    # Each takes the states of its own game.
    context: Callable[[Random, list[SeatStack]], dict[str, Any]]
    choose: Callable[[Random, Any, Any, Party], Action]
    # The cards on the table and in hands at a state, wherever they lie.
    cards_in_play: Callable[[Any], Iterable[Card]]
    # The cards a seat (None for a spectator) has been shown in one state by the rules of the game.
    open_to: Callable[[Any, int | None], set[Card]]
    # Among how many seats, if not any number that the game allows.
    seats: Sequence[int] = ()

    def game(self, random: Random, key: str) -> AnyGame:
        options = {name: random.choice(values) for name, values in self.options.items()}
        return msgspec.convert(options, game_type(key))

    def stakes(self, random: Random, game: AnyGame) -> list[SeatStack]:
        seats = random.sample(range(1, 30), random.choice(self.seats or game.seats))
        return [SeatStack(seat, random.choice(self.stacks)) for seat in seats]


class Played(NamedTuple):
    """A hand that was played to its end."""

    game: AnyGame
    stakes: list[SeatStack]
    cards: list[Card]
    context: Context
    moves: Moves
    states: list[Any]
    settlement: Settlement


def play(key: str, table: Table, seed: int) -> Played:
    """A random hand, with random options and stacks; the same one for the same seed."""
    random = Random(f"{key} {seed}")
    game = table.game(random, key)
    stakes = table.stakes(random, game)
    context = msgspec.convert(table.context(random, stakes), game.context_type)
    cards = list(game.composition())
    random.shuffle(cards)
    state = game.open(stakes, cards, context)
    path = [state]
    moves: Moves = []
    while waiting := sorted(game.to_act(state), key=str):
        assert len(moves) < MOVES_MAX, "the hand does not end"
        seat = random.choice(waiting)
        action = table.choose(random, game, state, seat)
        moves.append((seat, action))
        state = game.apply(state, seat, action)
        path.append(state)
    return Played(game, stakes, cards, context, moves, path, game.settle(state))


def played_hands(
    key: str, table: Table, seeds: Iterable[int], *checks: Callable[[Played], object]
) -> list[Played]:
    """Random hands, of which everything holds that must hold of every hand, and further checks."""
    hands, compared = [], 0
    for seed in seeds:
        try:
            played = play(key, table, seed)
            check_hand(played, table)
            compared += interference(played, table, seed)
            for check in checks:
                check(played)
        except BaseException as failure:
            failure.add_note(f"a random hand of {key}, seed {seed}")
            raise
        hands.append(played)
    assert compared > len(hands) / 2
    return hands


def check_hand(played: Played, table: Table) -> None:
    """Everything that holds of every hand of every game, but for what the views show."""
    check_frozen(played)
    check_cards_conserved(played, table)
    check_cards_shown(played, table)
    check_settlement(played)
    check_stakes(played)
    check_replay(played)
    check_record(played)
    check_actions_round_trip(played)
    check_turns(played)
    check_choices_sent_back(played)


def check_frozen(played: Played) -> None:
    """Every value that the contract hands out is immutable."""
    settlement = played.settlement
    handed_out: list[Any] = [played.game, played.context, *played.stakes, settlement]
    handed_out += [
        *settlement.transfers,
        *settlement.lines,
        *(action for _, action in played.moves),
    ]
    for state in played.states:
        view = played.game.view(state, None)
        handed_out += [state, view, *getattr(view, "shown", ())]
        for party in played.game.to_act(state):
            handed_out += played.game.choices(state, party)
    assert all(value.__struct_config__.frozen for value in handed_out)


def check_cards_conserved(played: Played, table: Table) -> None:
    shoe = Counter(played.game.composition())
    for state in played.states:
        assert Counter(state.cards) <= shoe
        in_play = Counter(table.cards_in_play(state))
        assert in_play <= Counter(played.cards)
        assert in_play.total() == len(list(table.cards_in_play(played.states[0])))


def check_cards_shown(played: Played, table: Table) -> None:
    """The places that are open to a seat are those of the cards it has been shown."""
    for state in played.states:
        dealt = played.game.dealt(state)
        for viewer in (None, *(stake.seat for stake in played.stakes)):
            places = played.game.shown(state, viewer)
            assert all(0 <= place < dealt for place in places)
            assert {played.cards[place] for place in places} == table.open_to(state, viewer)


def check_stakes(played: Played) -> None:
    """Who has nothing at stake is asked for nothing but a bet, and neither wins nor loses.

    Among players every seat has a stake from the deal on. A stake is given up only while bets can
    be taken back.
    """
    game, seats = played.game, [stake.seat for stake in played.stakes]
    before: set[int] = set()
    for state in played.states:
        at_stake = {seat for seat in seats if game.at_stake(state, seat)}
        waiting = game.to_act(state)
        assert before <= at_stake or HOUSE in waiting
        before = at_stake
        assert HOUSE in waiting or waiting <= at_stake
    net = played.settlement.net
    assert all(not net[seat] for seat in seats if seat not in before)
    if HOUSE not in net:
        assert all(game.at_stake(played.states[0], seat) for seat in seats)


def settled_by(
    game: AnyGame, stakes: Sequence[SeatStack], cards: Sequence[Card], context: Any, moves: Moves
) -> Settlement:
    """The settlement of these moves, and a check of it and of whose turn it was."""
    path = [game.open(stakes, cards, context)]
    for party, action in moves:
        path.append(game.apply(path[-1], party, action))
    settlement = game.settle(path[-1])
    played = Played(game, [*stakes], [*cards], context, [*moves], path, settlement)
    check_settlement(played)
    check_turns(played)
    return settlement


def check_settlement(played: Played) -> None:
    """It balances, no stack is overdrawn, and its lines explain each chip."""
    settlement = played.settlement
    house = {HOUSE}.intersection(*map(played.game.to_act, played.states[:1]))
    assert set(settlement.net) == house | {stake.seat for stake in played.stakes}
    assert sum(settlement.net.values()) + sum(settlement.rake.values()) == 0
    flows: Counter[Party | str] = Counter()
    for transfer in settlement.transfers:
        assert transfer.amount > 0
        flows[transfer.target] += transfer.amount
        flows[transfer.source] -= transfer.amount
    for stake in played.stakes:
        result = flows[stake.seat]
        assert settlement.net[stake.seat] + settlement.rake.get(stake.seat, 0) == result
        assert result >= -stake.stack
    explained: Counter[Any] = Counter()
    for line in settlement.lines:
        assert line.amount > 0
        explained[frozenset((line.source, line.target)), line.target] += line.amount
        text = sentence_of(line.key).format(source=line.source, target=line.target, **line.values)
        assert "{" not in text
    for transfer in settlement.transfers:
        explained[frozenset((transfer.source, transfer.target)), transfer.target] -= transfer.amount
    for (pair, target), amount in list(explained.items()):
        (other,) = pair - {target}
        if settlement.pools.keys() & pair:
            continue
        owed = settlement.rake[other] if target == "rake" else explained[pair, other]
        assert amount == owed, "the lines between two parties are not what moved"
    for pool, change in settlement.pools.items():
        pair = frozenset((HOUSE, pool))
        assert explained[pair, pool] - explained[pair, HOUSE] == change


def check_replay(played: Played) -> None:
    game, context = played.game, played.context
    again = states(game, played.stakes, played.cards, context, played.moves)
    assert again == played.states
    assert replay(game, played.stakes, played.cards, context, played.moves) == again[-1]
    assert game.settle(again[-1]) == played.settlement


def record_of(played: Played) -> HandRecord:
    return HandRecord(
        game=played.game.key,
        options=played.game,
        stakes=tuple(played.stakes),
        context=played.context,
        cards=tuple(played.cards),
        moves=tuple(RecordedMove(seat=seat, action=action) for seat, action in played.moves),
        settlement=recorded(played.settlement),
    )


def check_record(played: Played) -> None:
    """The hand comes back from its JSON text whole, and settles as it says."""
    text = msgspec.json.encode(record_of(played))
    record = read_record(text)
    assert msgspec.json.encode(record) == text
    state = replay_record(record)
    assert state == played.states[-1]
    assert recorded(record.options.settle(state)) == record.settlement


def check_actions_round_trip(played: Played) -> None:
    decoder = action_decoder(type(played.game))
    for _, action in played.moves:
        assert decoder.decode(msgspec.json.encode(action)) == action
        assert read_action(type(played.game), action_text(action)) == action


def check_turns(played: Played) -> None:
    """Seats to act have choices and a legal fallback; any other seat is refused without effect."""
    game = played.game
    parties: list[Party] = [HOUSE, *(stake.seat for stake in played.stakes)]
    for state, move in zip(played.states, [*played.moves, None], strict=True):
        before = msgspec.json.encode(state)
        waiting = game.to_act(state)
        for party in parties:
            if party in waiting:
                assert game.choices(state, party)
                game.apply(state, party, game.fallback(state, party))
            else:
                assert game.choices(state, party) == ()
                # A hand may be over as it opens, and then has no move.
                for _, action in [move] if move else played.moves[-1:]:
                    with pytest.raises(Illegal):
                        game.apply(state, party, action)
        if waiting:
            with pytest.raises(Illegal):
                game.settle(state)
        assert msgspec.json.encode(state) == before


def check_choices_sent_back(played: Played) -> None:
    """Each choice of a seat to act is a legal action as it is offered, whole, as JSON.

    Cards that it does not name are added, those of the fallback.
    """
    game = played.game
    for state, (party, _) in zip(played.states, played.moves, strict=False):
        for choice in game.choices(state, party) if party != HOUSE else ():
            offered = msgspec.json.decode(msgspec.json.encode(choice))
            cards = cards_to_add(choice, game.fallback(state, party))
            if cards is None:
                continue
            sent = read_back(game, offered | cards)
            action = action_decoder(type(game)).decode(msgspec.json.encode(sent.action))
            game.apply(state, party, action)
            assert sent.choice in (None, choice)


def cards_to_add(choice: Choice, fallback: Action) -> dict[str, Any] | None:
    """The cards without which a choice is no action; None where the fallback has none for it."""
    if choice.do not in ("play", "give", "arrange") or choice.among:
        return {}
    action = msgspec.to_builtins(fallback)
    if action["do"] != choice.do:
        return None
    return {name: value for name, value in action.items() if name in CARDS}


def interference(played: Played, table: Table, seed: int) -> int:
    """Exchange cards a seat has not seen, at a random moment; its view must stay as it is.

    Other seats' moves name the exchanged cards, so they are exchanged there too. Where the other
    hand would then have been illegal there is nothing to compare. Returns how many were compared.
    """
    random = Random(f"interference {seed}")
    compared = 0
    for viewer in (None, *(stake.seat for stake in played.stakes)):
        moment = random.randrange(len(played.states))
        path = played.states[: moment + 1]
        seen = set().union(*(table.open_to(state, viewer) for state in path))
        hidden = [card for card in played.cards if card not in seen]
        if len(hidden) < 2:
            continue
        swap = dict(zip(pair := random.sample(hidden, 2), reversed(pair), strict=True))
        try:
            other = _replay_exchanged(played, moment, viewer, swap)
        except Illegal:
            continue
        view = msgspec.json.encode(played.game.view(path[-1], viewer))
        assert view == msgspec.json.encode(played.game.view(other, viewer)), (viewer, swap)
        compared += 1
    return compared


def _replay_exchanged(
    played: Played, moment: int, viewer: int | None, swap: dict[Card, Card]
) -> State:
    names = {card.text: other.text for card, other in swap.items()}
    decoder = action_decoder(type(played.game))
    moves: Moves = []
    for seat, action in played.moves[:moment]:
        if seat == viewer:
            moves.append((seat, action))
            continue
        renamed = _renamed(msgspec.to_builtins(action), names)
        moves.append((seat, decoder.decode(msgspec.json.encode(renamed))))
    cards = [swap.get(card, card) for card in played.cards]
    return replay(played.game, played.stakes, cards, played.context, moves)


def _renamed(value: object, names: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {key: _renamed(part, names) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value
