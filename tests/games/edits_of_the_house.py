"""Edits of what staff, the desk, players and the house itself have written, made by SQL."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from django.contrib.auth.models import Group
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max, Model

from casino.accounts.models import AccessToken, Authenticator, Player, RecoveryCode
from casino.care.models import ErasureRequest, Exclusion, PlayerLimit
from casino.community.evenings.models import Evening
from casino.community.returning.models import Achievement, CountedHand
from casino.office.alarms.models import Alarm
from casino.office.desk import cash
from casino.office.desk.models import Count, Receipt, Shift, Till, WithdrawalRequest
from casino.office.integrity.models import Scan, Suspicion, Tally, Trace
from casino.office.models import Closure, HouseState
from casino.office.players.models import Check, Flag, Note
from games.chat.models import ChatLine, Silence
from games.models import Anchor, AnchoredBook, HeldCards, ProfileVersion, SharedHand, Table
from games.tables import jackpots as house_jackpots
from tests.games.falsified import World, books_anew, by_the_ledger, delete, sql, update
from tests.games.house import START
from tournaments.models import Schedule, Template, Tournament
from wallets.models import (
    FIRST_HASH,
    Book,
    Closing,
    ClosingHead,
    Currency,
    Jackpot,
    Transaction,
    Trigger,
)
from wallets.models.record_models import ClosingDigest, RecordedChange
from wallets.models.staff_models import HouseLimit, JournalEntry, Proposal
from wallets.money import cashier
from wallets.of_record.chain import VALUES, hash_of
from wallets.of_record.triggers import key_text, row_text
from wallets.values.columns import of_table
from wallets.values.days import ONE_DAY


class HouseEdit(NamedTuple):
    """An edit by the owner of the database, and the checks that must notice it."""

    what: str
    group: str
    noticed_by: tuple[str, ...]
    make: Callable[[World], None]


EDITS: list[HouseEdit] = []
RECORD = ("reconcile",)


def edit(
    what: str, group: str, *noticed_by: str
) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    def listed(make: Callable[[World], None]) -> Callable[[World], None]:
        EDITS.append(HouseEdit(what, group, noticed_by or RECORD, make))
        return make

    return listed


def changed(what: str, group: str, model: type[Model], *noticed_by: str, **values: Any) -> None:
    """List an edit of some columns of a row."""
    edit(what, group, *noticed_by)(lambda _world: update(row_of(model), **values))


def deleted(what: str, group: str, model: type[Model], *noticed_by: str) -> None:
    edit(what, group, *noticed_by)(lambda _world: delete(row_of(model)))


def row_of(model: type[Any]) -> Any:
    row = model.objects.order_by("pk").first()
    assert row is not None, model
    return row


def person(name: str) -> Player:
    return Player.objects.get(username=name)


# The desk. What ledger and journal prove is noticed even where the record agrees.

BY_BOTH = ("reconcile", "desk")
changed("a receipt's amount", "desk", Receipt, *BY_BOTH, amount=12_345)
changed("whose receipt it is", "desk", Receipt, *BY_BOTH, player_id=2)
changed("the cashier of a receipt", "desk", Receipt, *BY_BOTH, cashier_id=2)
changed("the till of a receipt", "desk", Receipt, *BY_BOTH, till_id=None)
changed("the day of a receipt", "desk", Receipt, *BY_BOTH, day=START.date() - ONE_DAY)
changed("when a receipt was written", "desk", Receipt, *BY_BOTH, at=START - ONE_DAY)
changed("a receipt is of another kind", "desk", Receipt, *BY_BOTH, kind="variance")
changed("what a till held after a payment", "desk", Receipt, *BY_BOTH, till_after=5)
changed("why cash was moved", "desk", Receipt, *BY_BOTH, reason="a present")
changed("how often a receipt was printed", "desk", Receipt, prints=9)
changed("a receipt's serial number", "desk", Receipt, *BY_BOTH, serial=77)


def of_kind(kind: str) -> Receipt:
    return Receipt.objects.filter(kind=kind).earliest("pk")


edit("what a wallet held after a payment", "desk", *BY_BOTH)(
    lambda _world: update(of_kind("withdrawal"), wallet_after=5)
)
edit("which receipt is corrected", "desk", *BY_BOTH)(
    lambda _world: update(of_kind("correction"), corrects_id=None)
)


@edit("a receipt is deleted with the report of its till", "desk", *BY_BOTH)
def _(_world: World) -> None:
    for model in (Receipt, Count, Shift):
        sql(f"DELETE FROM {model._meta.db_table}")


@edit("the last receipt of a day is deleted", "desk", *BY_BOTH)
def _(_world: World) -> None:
    delete(Receipt.objects.latest("pk"))


@edit("two receipts exchange their postings", "desk", *BY_BOTH)
def _(_world: World) -> None:
    receipt, other = of_kind("deposit"), of_kind("withdrawal")
    for row, posting in ((receipt, other.posting), (other, receipt.posting)):
        update(row, posting=posting)


@edit("a second receipt of a payment", "desk", *BY_BOTH)
def _(_world: World) -> None:
    row = Receipt.objects.latest("pk")
    row.pk, row.serial, row.key = None, row.serial + 1, uuid4()
    row.number = f"{row.number[:-4]}{row.serial:04}"
    row.save()


@edit("a receipt's posting is deleted, and its book computed again", "desk", "desk", "anchors")
def _(_world: World) -> None:
    posting = Transaction.objects.get(pk=of_kind("deposit").posting)
    sql("DELETE FROM wallets_entry WHERE transaction_id = %s", posting.pk)
    delete(posting)
    books_anew("cashier")


@edit("money is paid in by the ledger's own function, without a document", "desk", "desk")
def _(_world: World) -> None:
    currency = Currency.objects.get(code="EUR")
    with by_the_ledger():
        given: dict[str, Any] = {"key": uuid4(), "actor": "player:2", "reason": "a present"}
        cashier.deposit("player:2", currency, 500, **given)


@edit("cash leaves a till by the ledger's own function", "desk", "desk")
def _(_world: World) -> None:
    currency = Currency.objects.get(code="EUR")
    till, outside = cash.cash_account(Till.objects.get(is_vault=True), currency), None
    target = cash.cash_account(outside, currency)
    with by_the_ledger():
        cashier.move_cash("till_transfer", till, target, 500, key=uuid4(), actor="x", reason="x")


@edit("what a player has set aside is returned without a decision", "desk", "desk")
def _(_world: World) -> None:
    made = WithdrawalRequest.objects.get(status="waiting")
    owner, currency = f"player:{made.player_id}", made.currency
    with by_the_ledger():
        cashier.release(owner, currency, made.amount, key=uuid4(), actor=owner, reason="x")


changed("what was counted in a shift", "desk", Count, *BY_BOTH, counted=999)
changed("the notes and coins of a count", "desk", Count, *BY_BOTH, pieces={"100": 9})
changed("what a till should have held at a count", "desk", Count, *BY_BOTH, expected=7)
changed("whose shift it was", "desk", Shift, *BY_BOTH, cashier_id=2)
changed("at which till a shift was", "desk", Shift, *BY_BOTH, till_id=1)
changed("a shift is open again", "desk", Shift, *BY_BOTH, closed_at=None)
changed("when a shift was closed", "desk", Shift, *BY_BOTH, closed_at=START + 30 * ONE_DAY)
deleted("a count is deleted", "desk", Count, *BY_BOTH)


def request(status: str) -> WithdrawalRequest:
    return WithdrawalRequest.objects.get(status=status)


edit("a withdrawal request is paid that was cancelled", "desk", *BY_BOTH)(
    lambda _world: update(request("cancelled"), status="paid")
)
edit("a withdrawal request is refused that was cancelled", "desk", *BY_BOTH)(
    lambda _world: update(request("cancelled"), status="refused")
)
edit("who asked for a withdrawal", "desk", *BY_BOTH)(
    lambda _world: update(request("waiting"), player_id=2)
)
edit("how much was asked for", "desk", *BY_BOTH)(
    lambda _world: update(request("refused"), amount=77)
)
edit("which receipt pays a withdrawal", "desk", *BY_BOTH)(
    lambda _world: update(request("paid"), receipt_id=of_kind("withdrawal").pk)
)
edit("a withdrawal request is deleted while its money is set aside", "desk", *BY_BOTH)(
    lambda _world: delete(request("waiting"))
)
edit("how much a proposal pays out", "desk", *BY_BOTH)(
    lambda _world: update(paid_out(), arguments=paid_out().arguments | {"amount": 1})
)
changed("the vault is a till", "desk", Till, is_vault=False)


def paid_out() -> Proposal:
    return Proposal.objects.filter(verb="desk.withdrawal").earliest("pk")


# The journal and approvals.


def last_entry_gone(_world: World) -> None:
    last = JournalEntry.objects.latest("position")
    before = JournalEntry.objects.filter(position=last.position - 1).first()
    delete(last)
    head = before.hash if before else FIRST_HASH
    sql(
        "UPDATE wallets_book SET position = %s, head = %s WHERE name = 'journal'",
        last.position - 1,
        head,
    )


edit("the last entry of the journal is deleted, and its book set back", "staff")(last_entry_gone)


@edit("the same after a closing, whose head is deleted, too", "staff", "reconcile", "anchors")
def _(world: World) -> None:
    last_entry_gone(world)
    sql("DELETE FROM wallets_closinghead WHERE book_id = 'journal'")


@edit("all closings are deleted", "staff", "reconcile", "anchors")
def _(_world: World) -> None:
    for model in (ClosingDigest, ClosingHead, Closing):
        sql(f"DELETE FROM {model._meta.db_table}")


changed("who made a proposal", "staff", Proposal, maker="player:2")
changed("who decided a proposal", "staff", Proposal, checker_name="somebody else")
changed("what was proposed", "staff", Proposal, arguments={"amount": 1})
deleted("a decided proposal is deleted", "staff", Proposal)
changed("a limit of the house is raised", "staff", HouseLimit, value=10**9)
deleted("a limit of the house is deleted", "staff", HouseLimit)
changed("who halted the house", "staff", HouseState, halted_by_name="somebody else")
deleted("the closure of a table is deleted", "staff", Closure)
changed("who took up an alarm", "staff", Alarm, taken_by_name="somebody else")
deleted("an alarm is deleted", "staff", Alarm)


# People.


@edit("a player is made manager", "people")
def _(_world: World) -> None:
    group = Group.objects.get(name="managers").pk
    statement = "INSERT INTO players_player_groups (player_id, group_id) VALUES (%s, %s)"
    sql(statement, person("alice").pk, group)


edit("a player is made superuser", "people")(
    lambda _world: update(person("alice"), is_superuser=True)
)
edit("a manager's password is replaced", "people")(
    lambda _world: update(person("olga"), password="another")
)


@edit("two players exchange their names", "people")
def _(_world: World) -> None:
    player, two = person("alice"), person("bob")
    for row, name in ((player, "~"), (two, "alice"), (player, "bob")):
        update(row, username=name, username_key=name)


edit("a bot becomes a person", "people")(
    lambda _world: update(Player.objects.filter(is_bot=True).earliest("pk"), is_bot=False)
)
edit("a player is frozen", "people")(lambda _world: update(person("bob"), frozen_until=START))
edit("an account is closed", "people")(lambda _world: update(person("bob"), closed_at=START))
edit("a player is deleted", "people")(lambda _world: delete(person("dave")))
changed("the secret of a code", "people", Authenticator, sealed_secret="another")
changed("a recovery code is unused again", "people", RecoveryCode, used_at=START)
changed("whose token it is", "people", AccessToken, player_id=2)
changed("until when a document is valid", "people", Check, valid_until=START.date())
changed("a flag of a player's file is lowered", "people", Flag, lowered_at=START)
deleted("a note of a player's file is deleted", "people", Note)
changed("a note of a player's file", "people", Note, text="another")


# Care and integrity.

changed("a self-exclusion is ended", "care", Exclusion, until=START + timedelta(hours=1))
deleted("a self-exclusion is deleted", "care", Exclusion)
changed("a loss limit is raised", "care", PlayerLimit, value=10**9)
changed("an erasure is done that is not", "care", ErasureRequest, done_at=START)
deleted("traces are deleted", "care", Trace)
changed("from where somebody acted", "care", Trace, device="another")
changed("how far the scan of hands came", "care", Scan, hand=10**6)
changed("what was noted about a suspicion", "care", Suspicion, note="another")
deleted("a suspicion is deleted", "care", Suspicion)
deleted("a silence is lifted", "care", Silence)
deleted("a line of chat is deleted", "care", ChatLine)
changed("a line of chat", "care", ChatLine, text="another")


# Tables, events and pools.

edit("the rake of a table", "tables")(
    lambda world: update(
        world.tables["doudizhu"], options=world.tables["doudizhu"].options | {"rake_bp": 900}
    )
)
edit("what a table pays", "tables")(
    lambda world: update(
        world.tables["baccarat"], options=world.tables["baccarat"].options | {"pays": "more"}
    )
)
changed("the smallest buy-in of a table", "tables", Table, buy_in_min=1)
changed("a private table is open", "tables", Table, private=True)
changed("the options of a published profile", "tables", ProfileVersion, options={"rake_bp": 1})
changed("a link is withdrawn", "tables", SharedHand, revoked_at=START)
changed("the structure of an announced event", "tables", Tournament, structure={"levels": []})
changed("a template of events", "tables", Template, structure={"levels": []})
changed("a schedule is switched off", "tables", Schedule, active=False)
changed("the stake of an evening", "tables", Evening, stake=9)
changed("a jackpot's seed", "tables", Jackpot, seed=5)
changed("a jackpot's share", "tables", Jackpot, share_bp=1)
changed("how many digits a currency has", "tables", Currency, exponent=0)
changed("a currency is real money", "tables", Currency, kind="real")


@edit("a closed trigger is drawn again by the house's own functions",
      "tables", "triggers", "reconcile")  # fmt: skip
def _(world: World) -> None:
    trigger = Trigger.objects.get(opened_at=None)
    delete(trigger)
    table = world.tables["casino_holdem"]
    house_jackpots.mystery_left(table, {house_jackpots.MYSTERY: trigger.jackpot})


@edit("another closed trigger, with its hash", "tables", "triggers", "reconcile")
def _(_world: World) -> None:
    update(Trigger.objects.get(opened_at=None), published="ab" * 32)


@edit("a counted hand of a board", "tables", "boards")
def _(_world: World) -> None:
    row = row_of(CountedHand)
    update(row, won=not row.won)


@edit("counted hands of a board are deleted", "tables", "boards")
def _(_world: World) -> None:
    sql("DELETE FROM returning_countedhand")


deleted("an achievement is deleted", "tables", Achievement)


# What is kept to be found, and what the house remembers of itself.


@edit("the cards of a hand are taken out of the index", "remembered", "hands")
def _(_world: World) -> None:
    first = HeldCards.objects.earliest("hand_id").hand_id
    sql("DELETE FROM games_heldcards WHERE hand_id = %s", first)


@edit("what a hand held, in the index", "remembered", "hands")
def _(_world: World) -> None:
    cards, other = HeldCards.objects.filter(number=1)[:2]
    update(cards, tokens=other.tokens)


@edit("what the detectors have added up is set back", "remembered", "integrity")
def _(_world: World) -> None:
    sql("UPDATE integrity_tally SET count = 0, first = 0")


@edit("the sums of a player are deleted", "remembered", "integrity")
def _(_world: World) -> None:
    delete(Tally.objects.latest("pk"))


@edit("a migration is forgotten", "remembered", "migrations")
def _(_world: World) -> None:
    delete(MigrationRecorder.Migration.objects.latest("pk"))


@edit("a migration is noted that there is not", "remembered", "migrations")
def _(_world: World) -> None:
    MigrationRecorder.Migration.objects.create(app="games", name="9999_another", applied=START)


changed("when an anchor was made", "remembered", Anchor, "anchors", made_at=START - ONE_DAY)
changed("an anchor was never written", "remembered", Anchor, "anchors", written=False)
changed("up to where a book is anchored", "remembered", AnchoredBook, "anchors", position=99)


# The record itself.


def record_anew() -> None:
    """Compute the hashes of the record again, as an owner of the database would."""
    head = FIRST_HASH
    for position, row in enumerate(RecordedChange.objects.exclude(position=None).order_by("id"), 1):
        head = hash_of([getattr(row, name) for name in VALUES], head)
        update(row, position=position, hash=head)
    last = RecordedChange.objects.aggregate(last=Max("position"))["last"]
    sql("UPDATE wallets_book SET position = %s, head = %s WHERE name = 'record'", last, head)


def record_as_it_is(model: type[Model]) -> None:
    """Let the record say that each row was always what it is now."""
    declared = of_table(model._meta.db_table)
    assert declared
    sql(
        f"""UPDATE wallets_recordedchange SET after = (
            SELECT {row_text(declared, "t", connection.vendor)} FROM "{declared.table}" AS t
            WHERE {key_text(declared, "t")} = wallets_recordedchange."row"
        ) WHERE "table" = '{declared.table}' AND "row" <> ''"""
    )


def of_limit() -> RecordedChange:
    return RecordedChange.objects.filter(table="wallets_houselimit").exclude(row="").latest("id")


@edit("what was recorded of a row", "record")
def _(_world: World) -> None:
    change = of_limit()
    update(change, after=(change.after or "").replace("1", "2"))


@edit("a row and what was recorded of it", "record")
def _(_world: World) -> None:
    change = of_limit()
    update(change, after='{"name":"some","value":2}')
    update(row_of(HouseLimit), value=2)


@edit("a row and its record, and the record is chained anew", "record", "reconcile", "anchors")
def _(_world: World) -> None:
    update(of_limit(), after='{"name":"some","value":2}')
    update(row_of(HouseLimit), value=2)
    record_anew()


@edit("a row with all that was recorded of it, chained anew", "record", "reconcile", "anchors")
def _(_world: World) -> None:
    sql("DELETE FROM wallets_recordedchange WHERE \"table\" = 'wallets_houselimit'")
    sql("DELETE FROM wallets_houselimit")
    record_anew()


@edit("the last change is deleted, and its book set back", "record", "reconcile", "anchors")
def _(_world: World) -> None:
    delete(RecordedChange.objects.exclude(position=None).latest("position"))
    record_anew()


@edit("the digest of a table at a closing", "record")
def _(_world: World) -> None:
    update(row_of(ClosingDigest), digest="f" * 64)


@edit("the verb of a change", "record")
def _(_world: World) -> None:
    update(of_limit(), verb="wallets.money.limits.change")


@edit("the book of the record is set back", "record")
def _(_world: World) -> None:
    book = Book.objects.get(name="record")
    sql("UPDATE wallets_book SET position = %s WHERE name = 'record'", book.position - 1)
