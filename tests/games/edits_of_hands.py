"""Edits of hands, moves, results and shoes, made by SQL."""

import json
from datetime import timedelta
from itertools import pairwise
from typing import Any

from games.models import ChainEntry, Day, Hand, Shoe
from games.records import closed_days
from games.tables.hand_rows import padded
from games.tables.hand_state import CONTEXT
from tests.games.falsified import (
    World,
    books_anew,
    delete,
    delete_hand,
    delete_shoe,
    edit,
    heads_anew,
    replace_secret,
    sql,
    update,
)
from wallets.models import Transaction

SECOND = timedelta(seconds=1)


# Hands that go.


@edit("a hand is deleted with its moves and results, after its day was closed",
      "shoes", "numbers", "postings", "days", "reconcile")  # fmt: skip
def _(world: World) -> None:
    delete_hand(world.ended("chinese_poker"))


@edit("the same before its day was closed", "shoes", "numbers", "postings", "reconcile")
def _(world: World) -> None:
    delete_hand(world.last("chinese_poker"))


@edit("a hand is deleted with its shoe", "numbers", "entries", "postings", "reconcile")
def _(world: World) -> None:
    hand = world.ended("chinese_poker")
    delete_hand(hand)
    delete_shoe(hand.shoe)


@edit("a table's last hand is deleted with its shoe and its entries in the chain, and the table "
      "counts one less", "chain", "postings", "reconcile")  # fmt: skip
def _(world: World) -> None:
    hand = world.end()
    delete_hand(hand)
    sql("DELETE FROM games_chainentry WHERE shoe = %s", hand.shoe_id)
    delete_shoe(hand.shoe)
    update(hand.table, hands_dealt=hand.table.hands_dealt - 1)


@edit("all that, its posting too, and chain and book are computed again", "anchors")
def _(world: World) -> None:
    hand = world.end()
    table = hand.table
    posting = Transaction.objects.get(key=hand.posting)
    sql("DELETE FROM wallets_entry WHERE transaction_id = %s", posting.pk)
    delete(posting)
    books_anew(table.reference)
    delete_hand(hand)
    sql("DELETE FROM games_chainentry WHERE shoe = %s", hand.shoe_id)
    delete_shoe(hand.shoe)
    heads_anew()


@edit("a hand voided while it was live is deleted", "shoes", "numbers")
def _(world: World) -> None:
    delete_hand(Hand.objects.get(status="void", table=world.tables["thirteen_taiwan"]))


@edit("a shoe that no hand was dealt from is deleted", "numbers", "entries")
def _(world: World) -> None:
    shoe = Shoe.objects.filter(hands=None).first()
    assert shoe is not None
    sql("UPDATE games_table SET shoe_id = NULL WHERE shoe_id = %s", shoe.pk)
    delete_shoe(shoe)


@edit("a shoe is deleted from under its hand", "hands", "numbers", "entries")
def _(world: World) -> None:
    delete_shoe(world.ended("chinese_poker").shoe)


@edit("a result row is deleted", "hands")
def _(world: World) -> None:
    delete(world.rows(world.ended("chinese_poker"))[1])


@edit("a move is deleted", "hands")
def _(world: World) -> None:
    delete(world.move("baccarat", action__do="done"))


@edit("a hand is added, a copy of another", "hands", "shoes", "numbers")
def _(world: World) -> None:
    hand = world.ended("chinese_poker")
    hand.pk, hand.number, hand.posting = None, hand.number + 50, None
    hand.save(force_insert=True)


# Moves of which the money knows nothing.


@edit("a losing call at Dou Dizhu is changed", "hands")
def _(world: World) -> None:
    for hand in Hand.objects.filter(table=world.tables["doudizhu"], status="finished"):
        calls = [move for move in hand.moves.order_by("number") if move.action["do"] == "call"]
        for move, after in pairwise(calls):
            if move.action["points"] == 0 and after.action["points"] == 3:
                update(move, action={"do": "call", "points": 1})
                return
    # No player has passed before another's call of 3: any call is changed, then.
    move = world.move("doudizhu", action__do="call")
    update(move, action={"do": "call", "points": (move.action["points"] + 1) % 4})


@edit("two arrangements change places in time", "hands")
def _(world: World) -> None:
    hand = world.ended("chinese_poker")
    first, second = hand.moves.order_by("number")[:2]
    update(first, number=900)
    update(second, number=first.number)
    update(first, number=second.number)


@edit("two plays are exchanged", "hands")
def _(world: World) -> None:
    hand = world.move("doudizhu", action__do="play").hand
    first, second = hand.moves.filter(action__do="play").order_by("number")[:2]
    update(first, action=second.action)
    update(second, action=first.action)


@edit("who made a move: a player, or the clock", "hands")
def _(world: World) -> None:
    update(world.move("blackjack", by="player"), by="timeout")


@edit("when a move was made", "hands")
def _(world: World) -> None:
    move = world.move("chinese_poker")
    update(move, at=move.at + SECOND)


@edit("which turn a move answered", "hands")
def _(world: World) -> None:
    move = world.move("doudizhu", number=3)
    update(move, turn=move.turn + 1)


@edit("a move that cannot be read", "hands")
def _(world: World) -> None:
    update(world.move("doudizhu", number=2), action={"do": "nothing known"})


# What a hand was, and who played it.


@edit("the players of two result rows are exchanged", "hands")
def _(world: World) -> None:
    seat, two = world.rows(world.last("chinese_poker"))[:2]
    update(seat, player=two.player_id)
    update(two, player=seat.player_id)


@edit("the players of two result rows and of their stays are exchanged", "hands", "shoes")
def _(world: World) -> None:
    seat, two = world.rows(world.last("chinese_poker"))[:2]
    sql("UPDATE games_seat SET left_at = sat_down_at")
    for row, other in ((seat, two), (two, seat)):
        update(row, player=other.player_id)
        update(row.seat, player=other.player_id)


@edit("the players of a shoe's seats are exchanged", "shoes")
def _(world: World) -> None:
    seat, two = world.last("chinese_poker").shoe.seats.order_by("number")[:2]
    update(seat, player=two.player_id)
    update(two, player=seat.player_id)


@edit("a seat's starting stack, in the hand and in its row", "hands")
def _(world: World) -> None:
    hand = world.ended("chinese_poker")
    row = world.rows(hand)[0]
    update(row, starting_stack=row.starting_stack + 100)
    stakes = [
        stake | {"purse": stake["purse"] + 100} if stake["seat"] == row.number else stake
        for stake in hand.stakes
    ]
    update(hand, stakes=stakes)


@edit("an option that did not bite", "hands")
def _(world: World) -> None:
    hand = world.ended("doudizhu")
    update(hand, options=hand.options | {"both_springs": False})


@edit("options that cannot be read", "hands")
def _(world: World) -> None:
    update(world.ended("blackjack"), options={"min": "much"})


@edit("a hand's number, and how many its table counts", "hands", "shoes", "numbers")
def _(world: World) -> None:
    hand, table = world.last("chinese_poker"), world.tables["chinese_poker"]
    update(hand, number=hand.number + 1)
    update(table, hands_dealt=table.hands_dealt + 1)


@edit("when a hand began", "hands")
def _(world: World) -> None:
    hand = world.ended("russian_poker")
    update(hand, started_at=hand.started_at - SECOND)


@edit("when a hand ended, in the hand and in its rows", "hands")
def _(world: World) -> None:
    hand: Any = world.ended("russian_poker")
    for row in (hand, *world.rows(hand)):
        update(row, ended_at=hand.ended_at - SECOND)


@edit("a hand ends on another day, and the days are counted anew", "hands")
def _(world: World) -> None:
    hand: Any = world.ended("russian_poker")
    for row in (hand, *world.rows(hand)):
        update(row, ended_at=hand.ended_at + timedelta(days=1))
    for day in Day.objects.all():
        closed_days.mend_day(day)


@edit("the button", "hands")
def _(world: World) -> None:
    hand = world.ended("thirteen_taiwan")
    update(hand, context=hand.context | {"button": hand.context["button"] % 4 + 1})


@edit("what was drawn for a round", "hands")
def _(world: World) -> None:
    hand = world.ended("casino_holdem")
    draws = [draw | {"value": (draw["value"] + 1) % draw["n"]} for draw in hand.draws]
    update(hand, draws=draws)


@edit("how much the mystery prize lacked", "hands")
def _(world: World) -> None:
    hand = Hand.objects.filter(status="finished").exclude(sealed_context="").earliest("pk")
    sealed = json.loads(CONTEXT.open(hand))
    altered = padded(sealed | {"mystery_left": sealed["mystery_left"] + 1})
    update(hand, sealed_context=CONTEXT.seal(altered, *CONTEXT.key_of(hand)))


@edit("which jackpot a hand was played for", "hands")
def _(world: World) -> None:
    update(world.ended("blackjack"), jackpots={"progressive": 1})


@edit("the game of a hand", "hands")
def _(world: World) -> None:
    update(world.ended("baccarat"), game="baccarat_commission")


@edit("a hand stands at another table", "hands", "shoes", "numbers")
def _(world: World) -> None:
    update(world.last("thirteen_taiwan"), number=77, table=world.tables["thirteen_fujian"].pk)


@edit("a result and its settlement", "hands")
def _(world: World) -> None:
    hand: Any = world.ended("chinese_poker")
    net = {seat: -amount for seat, amount in hand.settlement["net"].items()}
    update(hand, settlement=hand.settlement | {"net": net})
    for row in world.rows(hand):
        update(row, net=net[str(row.number)])


@edit("what the house took of a hand", "hands", "days")
def _(world: World) -> None:
    update(world.ended("baccarat"), rake=77)


@edit("a reversed hand counts again", "hands", "days", "reconcile")
def _(world: World) -> None:
    hand = world.reversed
    update(hand, status="finished", reversed_at=None, reversal=None, void_text="")
    for row in world.rows(hand):
        update(row, status="finished")


@edit("a finished hand is marked as voided while it was live",
      "hands", "days", "postings", "reconcile")  # fmt: skip
def _(world: World) -> None:
    hand = world.ended("chinese_poker")
    values = {"settlement": None, "cards_dealt": 0, "rake": 0, "bank": 0, "posting": None}
    update(hand, status="void", void_by="operator", void_text="nobody knows", **values)
    for row in world.rows(hand):
        update(row, status="void", net=0, rake=0)


@edit("why a hand is void", "hands")
def _(world: World) -> None:
    update(world.reversed, void_text="a gift")


@edit("who voided or reversed a hand", "hands")
def _(world: World) -> None:
    update(world.reversed, void_by="house")


@edit("a hand is void for another of the house's reasons", "hands")
def _(world: World) -> None:
    update(world.reversed, void_code="out_of_cards")


# Places in shoes, and the shoes.


@edit("a hand begins at another card of its own shoe", "hands", "shoes")
def _(world: World) -> None:
    hand = world.ended("baccarat", 2)
    update(hand, first_card=hand.first_card + 6)


@edit("two hands of a shoe exchange their places", "hands", "shoes")
def _(world: World) -> None:
    hand, two = world.ended("baccarat", 1), world.ended("baccarat", 2)
    update(hand, first_card=two.first_card, round_number=two.round_number)
    update(two, first_card=hand.first_card, round_number=hand.round_number)


@edit("the secret of a lasting shoe is replaced, with all that follows from it", "shoes", "hands")
def _(world: World) -> None:
    replace_secret(world.ended("baccarat").shoe)


@edit("the same, and the entries of the chain with it", "anchors")
def _(world: World) -> None:
    shoe = world.ended("baccarat").shoe
    replace_secret(shoe)
    shoe = Shoe.objects.get(pk=shoe.pk)
    by_seat = {str(part.number): part for part in shoe.seats.all()}
    new = {
        "seal": {"seal": shoe.seal, "key": shoe.key, "x_0": shoe.x_0},
        "lock": {"lock": shoe.lock, "commits": {n: part.commit for n, part in by_seat.items()}},
        "reveal": {"mix": shoe.mix, "reveals": {n: part.reveal for n, part in by_seat.items()}},
    }
    for entry in ChainEntry.objects.filter(shoe=shoe.pk, kind__in=new):
        update(entry, body=entry.body | new[entry.kind])
    heads_anew()


@edit("a secret is damaged", "shoes", "hands")
def _(world: World) -> None:
    shoe = world.ended("blackjack").shoe
    update(shoe, secret=shoe.secret[:-9] + "AAAAAAAAA")


@edit("a secret is sealed with a key that the house does not have", "shoes", "hands")
def _(world: World) -> None:
    shoe = world.ended("blackjack").shoe
    update(shoe, secret="00000000:" + shoe.secret.partition(":")[2])


@edit("a seat that the house has mixed for is said to have mixed itself", "shoes")
def _(world: World) -> None:
    update(world.ended("baccarat").shoe.seats.get(number=1), by_house=False)


@edit("what a seat has revealed", "shoes")
def _(world: World) -> None:
    update(world.ended("baccarat").shoe.seats.get(number=1), reveal="00" * 32)


@edit("the receipt for what a player has revealed is deleted", "shoes")
def _(world: World) -> None:
    update(mixed_by_players(world).seats.get(number=2), receipt=None)


@edit("the receipt for what a player has revealed is another seat's", "shoes")
def _(world: World) -> None:
    first, second = mixed_by_players(world).seats.filter(number__lt=3).order_by("number")
    update(second, receipt=first.receipt)


def mixed_by_players(world: World) -> Shoe:
    return world.mixed.hands.earliest("number").shoe


@edit("why a shoe was taken away", "shoes")
def _(world: World) -> None:
    shoe = Shoe.objects.filter(status="void").earliest("sealed_at")
    update(shoe, void_reason="Seat 1 did not show what it had committed to.")


@edit("when a shoe was sealed", "shoes")
def _(world: World) -> None:
    shoe = world.ended("baccarat").shoe
    update(shoe, sealed_at=shoe.sealed_at - SECOND)
