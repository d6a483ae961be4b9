"""Edits of the public chain, the anchors, the ledger and the days, made by SQL."""

from datetime import timedelta

from django.db.models import F

from games.models import ChainEntry, Day, DayResult, Hand, Table
from games.shoes import anchors
from games.tables import hand_digest
from tests.games.falsified import World, books_anew, delete, edit, heads_anew, sql, update
from wallets.models import Transaction

SECOND = timedelta(seconds=1)


# The public chain.


@edit("the last twelve entries of the chain are deleted", "anchors", "hands", "shoes")
def _(world: World) -> None:
    for entry in ChainEntry.objects.order_by("-position")[:12]:
        delete(entry)


@edit("an entry of the chain is edited", "chain")
def _(world: World) -> None:
    entry = ChainEntry.objects.filter(kind="seal").earliest("pk")
    update(entry, body=entry.body | {"more": 1})


@edit("an entry is edited and all later heads computed again", "anchors")
def _(world: World) -> None:
    entry = ChainEntry.objects.filter(kind="seal").earliest("pk")
    update(entry, body=entry.body | {"more": 1})
    heads_anew()


@edit("a hand is falsified, its digest in the chain too, and the heads computed again", "anchors")
def _(world: World) -> None:
    move = world.move("chinese_poker")
    update(move, at=move.at + SECOND)
    hand = Hand.objects.get(pk=move.hand_id)
    published = hand_digest.published_of_void(hand)
    entry = ChainEntry.objects.get(kind="hand", body__hand=hand.code)
    update(entry, body=entry.body | published)
    heads_anew()


@edit("an entry of the chain is added", "hands", "anchors")
def _(world: World) -> None:
    entry = ChainEntry.objects.filter(kind="hand").earliest("pk")
    ChainEntry.objects.create(kind="hand", body=entry.body, made_at=entry.made_at, shoe=entry.shoe)
    sql("UPDATE games_chainentry SET id = 0 WHERE position IS NULL")
    heads_anew()


@edit("an entry's time", "chain", "hands")
def _(world: World) -> None:
    entry = ChainEntry.objects.filter(kind="hand").earliest("pk")
    update(entry, made_at=entry.made_at + SECOND)


@edit("an entry is kept with another shoe", "chain", "shoes")
def _(world: World) -> None:
    entry = ChainEntry.objects.filter(kind="seal").earliest("pk")
    update(entry, shoe="")


# Anchors.


@edit("the file of anchors is deleted", "anchors")
def _(world: World) -> None:
    anchors.file().unlink()


@edit("the file of anchors and all memory of them are deleted", "anchors")
def _(world: World) -> None:
    anchors.file().unlink()
    sql("DELETE FROM games_anchor")
    sql("DELETE FROM games_anchoredbook")


@edit("a line of the file is deleted", "anchors")
def _(world: World) -> None:
    lines = anchors.file().read_text().splitlines(keepends=True)
    anchors.file().write_text("".join(lines[:1] + lines[2:]))


@edit("a line of the file is changed", "anchors")
def _(world: World) -> None:
    text = anchors.file().read_text()
    anchors.file().write_text(text.replace('"position":', '"position":1', 1))


@edit("the database forgets an anchor, as when an old copy of it is put back", "anchors")
def _(world: World) -> None:
    sql("DELETE FROM games_anchor WHERE number = %s", 3)


# The ledger.


@edit("a posting of a hand that was never played", "postings", "reconcile", "anchors")
def _(world: World) -> None:
    transaction = Transaction.objects.filter(kind="hand").earliest("pk")
    update(transaction, reference="hand:999999")
    books_anew(transaction.book_id)


@edit("two hands exchange their postings", "hands", "postings", "reconcile")
def _(world: World) -> None:
    hand, two = world.ended("chinese_poker", 1), world.ended("chinese_poker", 2)
    update(hand, posting=two.posting)
    update(two, posting=hand.posting)


@edit("the last posting of a table is deleted, and its book ends before it",
      "hands", "anchors", "reconcile")  # fmt: skip
def _(world: World) -> None:
    hand = world.last("chinese_poker")
    posting = Transaction.objects.get(key=hand.posting)
    sql("DELETE FROM wallets_entry WHERE transaction_id = %s", posting.pk)
    delete(posting)
    books_anew(hand.table.reference)


@edit("an amount that was posted", "hands", "reconcile")
def _(world: World) -> None:
    hand = world.ended("chinese_poker")
    entries = Transaction.objects.get(key=hand.posting).entries.order_by("pk")
    for entry, sign in zip(entries[:2], (1, -1), strict=True):
        update(entry, amount=entry.amount + sign, balance_after=entry.balance_after + sign)


@edit("the reason of a posting, and all hashes of its book are computed again", "anchors")
def _(world: World) -> None:
    posting = Transaction.objects.filter(book="cashier").earliest("position")
    update(posting, reason="a present")
    books_anew("cashier")


# Days, and what tables count.


@edit("a closed day is deleted", "days", "anchors")
def _(world: World) -> None:
    day = Day.objects.earliest("day")
    sql("DELETE FROM games_dayresult WHERE day_id = %s", day.pk)
    delete(day)


@edit("the last closed day is deleted", "anchors")
def _(world: World) -> None:
    day = Day.objects.latest("day")
    sql("DELETE FROM games_dayresult WHERE day_id = %s", day.pk)
    delete(day)


@edit("a day's result of a player is changed", "days")
def _(world: World) -> None:
    DayResult.objects.filter(pk=DayResult.objects.earliest("pk").pk).update(net=F("net") + 5)


@edit("a day's result of a player is deleted", "days")
def _(world: World) -> None:
    delete(DayResult.objects.earliest("pk"))


@edit("what the house took on a day", "days")
def _(world: World) -> None:
    update(Day.objects.earliest("day"), sums={"PLAY": {"rake": 1, "bank": 1}})


@edit("what did not add up on a day", "days")
def _(world: World) -> None:
    update(Day.objects.earliest("day"), differences=["something"])


@edit("how many hands a table has dealt", "numbers")
def _(world: World) -> None:
    table = Table.objects.get(pk=world.tables["baccarat"].pk)
    update(table, hands_dealt=table.hands_dealt + 1)


@edit("how many shoes a table has sealed", "numbers")
def _(world: World) -> None:
    table = Table.objects.get(pk=world.tables["baccarat"].pk)
    update(table, shoes_sealed=table.shoes_sealed - 1)
