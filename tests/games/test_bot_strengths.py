"""Bots of three strengths: what each plays, what its plate says, and that no table waits for it."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client

from casino.accounts.models import Player
from games.bots import doudizhu
from games.models import Move, Table
from games.rules.contract import Action
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.state import DoudizhuState, DoudizhuView
from games.tables import hand_verbs
from games.tables.hand_state import game_of, read_action
from games.words.players import EASY, MARKS, STEADY, STRONG
from tests.games.house import House

BADGE = re.compile(r'<small class="badge">(.*?)</small>')
PLAYS = {EASY: "greedy", STEADY: "best", STRONG: "thinker"}
BOT = 1


def with_a_bot(house: House, game: str, strength: str) -> Table:
    """A hand in which a bot plays with people."""
    Player.objects.create_bot(f"{strength} {game}", strength=strength)
    table = house.table(game, grace_seconds=3_600, pause_seconds=0, bots_max=1)
    # Dou Dizhu needs three; where two can play, a bot does not join two people.
    people = ("alice", "bob") if game == "doudizhu" else ("alice",)
    for number, name in enumerate(people, BOT + 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.hand_id is not None)
    return table


def turns_of_the_bot(house: House, table: Table) -> Iterator[tuple[Doudizhu, DoudizhuState]]:
    """The state before each move of the bot, until the hand is over; it moves afterwards."""
    while table.hand_id is not None:
        if str(BOT) in table.turns:
            hand, state = house.state(table)
            game = game_of(hand)
            assert isinstance(game, Doudizhu)
            assert isinstance(state, DoudizhuState)
            yield game, state
            if str(BOT) in table.turns:
                house.until_due(table)
        elif not house.let_people_act(table):
            house.until_due(table)
        table.refresh_from_db()


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize("strength", PLAYS)
def test_a_bot_plays_as_its_strength_says(house: House, strength: str) -> None:
    table = with_a_bot(house, "doudizhu", strength)
    strategy, moves = doudizhu.STRATEGIES[PLAYS[strength]], 0
    for game, state in turns_of_the_bot(house, table):
        expected = strategy(game, game.view(state, BOT))
        house.until_due(table)
        move = Move.objects.filter(seat=BOT).latest("number")
        assert read_action(game, move.action) == expected
        moves += 1
    assert moves


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "strength", "mark"),
    [
        *(("doudizhu", strength, str(mark)) for strength, mark in MARKS.items()),
        ("chinese_poker", STRONG, "bot"),
    ],
)
def test_the_plate_says_how_well_a_bot_plays(
    house: House, game: str, strength: str, mark: str
) -> None:
    table = with_a_bot(house, game, strength)
    board = Client().get(f"/tables/{table.pk}/board/", headers={"HX-Request": "true"})
    plates = board.content.decode().split('class="plate"')[1:]
    assert [mark] == [
        match[1] for plate in plates if (match := BADGE.search(plate)) and "bot" in match[1]
    ]


@pytest.mark.django_db(transaction=True)
def test_a_strong_bot_thinks_before_the_table_is_locked(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_a_bot(house, "doudizhu", STRONG)
    locked = []

    def thinker(game: Doudizhu, view: DoudizhuView) -> Action:
        locked.append(connection.in_atomic_block)
        return doudizhu.best(game, view)

    monkeypatch.setitem(doudizhu.STRATEGIES, "thinker", thinker)
    for _turn in turns_of_the_bot(house, table):
        pass
    assert locked
    assert not any(locked)


@pytest.mark.django_db(transaction=True)
def test_a_thought_that_comes_too_late_is_dropped(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_a_bot(house, "doudizhu", STRONG)

    def thinker(game: Doudizhu, view: DoudizhuView) -> Action:
        if Table.objects.get(pk=table.pk).hand_id is not None:
            hand_verbs.void(table.hand_id or 0, "the cards were seen", "house", house.now)
        return doudizhu.best(game, view)

    monkeypatch.setitem(doudizhu.STRATEGIES, "thinker", thinker)
    moves = None
    for _turn in turns_of_the_bot(house, table):
        moves = Move.objects.count()
    assert moves is not None
    assert Move.objects.count() == moves


@pytest.mark.django_db
def test_a_bot_that_cannot_think_plays_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_a_bot(house, "doudizhu", STRONG)

    def thinker(game: Doudizhu, view: DoudizhuView) -> Action:
        raise ValueError(view.seat)

    monkeypatch.setitem(doudizhu.STRATEGIES, "thinker", thinker)
    for game, state in turns_of_the_bot(house, table):
        expected = doudizhu.best(game, game.view(state, BOT))
        house.until_due(table)
        assert read_action(game, Move.objects.filter(seat=BOT).latest("number").action) == expected
