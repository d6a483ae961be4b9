"""A house that has played all eleven games, for those who edit its database behind its back."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from casino.accounts.models import Player
from casino.community.returning import audit as boards
from casino.office.desk import whole_audit as desk
from casino.office.integrity import results
from casino.ops import released_code
from games.models import Hand, HandSeat, Move, Shoe, Table
from games.records import audit_house, closed_days, reversals
from games.records.audit import Auditor
from games.rules.cards import composition
from games.rules.catalogue import GAMES
from games.rules.shoe import ShoeProtocol
from games.shoes import anchors, chain
from games.shoes.deals import SECRET
from tests.append_only import triggers_set_aside
from tests.games.commit_reveal import commit, reveal, sealed_table
from tests.games.house import MONEY, House
from wallets.audit.reconciliation import reconcile
from wallets.models import FIRST_HASH, Entry, Transaction
from wallets.money import jackpots
from wallets.money.ledger import body_text
from wallets.of_record.chain import chained, hashed

# So many hands of each game, and of those of which an edit wants more.
HANDS = 1
MORE = {"baccarat": 4, "chinese_poker": 2, "doudizhu": 3}
DAY = 24 * 3600


class World:
    """The house, and the rows that edits are made to."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.tables: dict[str, Table] = {}
        # The hands that edits have been made to.
        self.edited: set[int] = set()

    def play(self) -> None:
        """Two days: the first is closed and anchored, of the second the hands are anchored."""
        house = self.house
        self.play_games(GAMES)
        self.mix_with_people()
        house.void(self.running(self.tables["thirteen_taiwan"]), "somebody fell ill")
        house.void(self.running(self.tables["baccarat"]), "the light went out")
        self.reverse("thirteen_fujian")
        house.pass_time(DAY)
        closed_days.close_days(house.now)
        house.pass_time(DAY)
        for game in ("doudizhu", "baccarat", "chinese_poker"):
            table, dealt = self.tables[game], self.tables[game].hands_dealt
            house.until(table, lambda table, dealt=dealt: table.hands_dealt > dealt + 2)
            self.rest(table)
        closed_days.close_days(house.now)
        house.pass_time(60)
        anchors.anchor(house.now)

    def play_one_day(self, games: Iterable[str]) -> None:
        """Some games, on a day that is closed and anchored, while others look on."""
        for name in ("bob", "dave"):
            self.house.player(name)
        self.play_games(games)
        self.reverse("doudizhu")
        self.house.pass_time(DAY)
        closed_days.close_days(self.house.now)
        anchors.anchor(self.house.now)

    def play_games(self, games: Iterable[str]) -> None:
        house = self.house
        house.bots(8)
        alice = house.player("alice", 100 * MONEY)
        for game in games:
            table = house.table(game, bots_max=3, buy_in_max=MONEY)
            self.tables[game] = table
            if game == "casino_holdem":
                terms: dict[str, Any] = {"seed": 100_000, "reserve": 5_000, "share_bp": 1_500}
                pot = jackpots.create("pot", "progressive", house.currency, actor="o", **terms)
                terms = {"seed": 0, "share_bp": 100, "lowest": 40_000, "highest": 50_000}
                mystery = jackpots.create("prize", "mystery", house.currency, actor="o", **terms)
                table.jackpots.add(pot, mystery)
            house.sit(alice, table, 1, MONEY)
            house.until(table, self.has_played, steps=4_000)
            self.rest(table)

    def reverse(self, game: str) -> None:
        """An operator takes a hand of a game back, which the journal notes."""
        operator = Player.objects.create_superuser("olga")
        self.reversed = self.ended(game)
        reversals.void(operator, self.reversed.pk, "dealt twice", self.house.now, house_pays=True)
        self.reversed.refresh_from_db()

    def mix_with_people(self) -> None:
        """One hand from a shoe that three people have mixed, each of whom holds a receipt."""
        house, names = self.house, ("bob", "carol", "dave")
        table = self.mixed = sealed_table(house, names=names)
        given = {name: commit(house, table, name) for name in names}
        house.until_due(table)
        for name, octets in given.items():
            reveal(house, table, name, octets)
        house.until(table, lambda table: table.hands_dealt == 1)
        self.rest(table)

    def has_played(self, table: Table) -> bool:
        """Whether it has had its hands; some move nothing, and edits want those that did."""
        hands = MORE.get(table.game, HANDS)
        if table.hands_dealt <= hands:
            return False
        moved_money = table.hands.filter(status="finished").exclude(posting=None)
        return moved_money.count() >= min(hands, 2)

    def rest(self, table: Table) -> None:
        """Let the hand that runs come to its end."""
        hand = table.hand_id
        self.house.until(table, lambda table: table.hand_id is None or table.hand_id != hand)
        table.status = Table.Status.CLOSING
        table.save(update_fields=["status"])
        self.house.until(table, lambda table: table.hand_id is None)
        table.refresh_from_db()
        table.status = Table.Status.OPEN
        table.save(update_fields=["status"])

    def running(self, table: Table) -> Table:
        self.house.until(table, lambda table: table.hand_id is not None)
        return table

    def ended(self, game: str, number: int = 1) -> Hand:
        """A finished hand of a game that has moved money, counted from the first."""
        hands = Hand.objects.filter(table=self.tables[game], status="finished")
        return self.note(hands.exclude(posting=None).order_by("number")[number - 1])

    def last(self, game: str) -> Hand:
        """The last hand of a game that has moved money."""
        hands = Hand.objects.filter(table=self.tables[game], status="finished")
        return self.note(hands.exclude(posting=None).latest("number"))

    def note(self, hand: Hand) -> Hand:
        self.edited.add(hand.pk)
        return hand

    def end(self) -> Hand:
        """A hand that has moved money and is the last of its table."""
        for table in Table.objects.order_by("pk"):
            hand = table.hands.latest("number")
            if hand.posting and hand.status == "finished" and hand.shoe.hands.count() == 1:
                return hand
        raise AssertionError("every table ended with a hand that moved nothing")

    def move(self, game: str, **like: Any) -> Move:
        moves = Move.objects.filter(hand__table=self.tables[game], hand__status="finished", **like)
        move = moves.order_by("pk").first()
        assert move is not None, (game, like)
        self.note(move.hand)
        return move

    def rows(self, hand: Hand) -> list[HandSeat]:
        return list(hand.seats.order_by("number"))


class Edit(NamedTuple):
    """A change made by SQL, and the checks that must notice it."""

    what: str
    noticed_by: tuple[str, ...]
    make: Callable[[World], None]


EDITS: list[Edit] = []


def edit(what: str, *noticed_by: str) -> Callable[[Callable[[World], None]], None]:
    """Puts an edit into the list; by which checks it is noticed at least."""
    return lambda make: EDITS.append(Edit(what, noticed_by, make))


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def update(row: Any, **fields: Any) -> None:
    """Change columns of a row, past every rule of the house."""
    for name, value in fields.items():
        field = row._meta.get_field(name)
        if field.get_internal_type() == "JSONField":
            stored = None if value is None else json.dumps(value)
        else:
            stored = field.get_db_prep_save(value, connection)
        key = row._meta.pk.get_db_prep_save(row.pk, connection)
        table = row._meta.db_table
        where = row._meta.pk.column
        sql(f'UPDATE {table} SET "{field.column}" = %s WHERE {where} = %s', stored, key)


def delete(row: Any) -> None:
    key = row._meta.pk.get_db_prep_save(row.pk, connection)
    sql(f"DELETE FROM {row._meta.db_table} WHERE {row._meta.pk.column} = %s", key)


def delete_hand(hand: Hand) -> None:
    """A hand with its moves and results."""
    for table in ("games_move", "games_handseat"):
        sql(f"DELETE FROM {table} WHERE hand_id = %s", hand.pk)
    delete(hand)


def delete_shoe(shoe: Shoe) -> None:
    sql("DELETE FROM games_shoeseat WHERE shoe_id = %s", shoe.pk)
    delete(shoe)


def heads_anew() -> None:
    """Compute the heads of the public chain again, as an owner of the database would."""
    sql("UPDATE games_chainentry SET position = NULL, head = ''")
    while chain.link():
        pass


def books_anew(book: str) -> None:
    """Compute the hashes of a book again."""
    previous = FIRST_HASH
    for position, row in enumerate(Transaction.objects.filter(book=book).order_by("position"), 1):
        entries = Entry.objects.filter(transaction=row).select_related("account")
        legs = [(entry.account_id, entry.amount) for entry in entries.order_by("account_id")]
        whose = [str(entry.account) for entry in entries.order_by("account_id")]
        columns = {**row.__dict__, "book": row.book_id}
        digest = hashed(body_text(columns, legs))
        head = chained(previous, digest, row.time, whose)
        update(row, position=position, digest=digest, previous=previous, hash=head)
        previous = head
    count = Transaction.objects.filter(book=book).count()
    sql("UPDATE wallets_book SET head = %s, position = %s WHERE name = %s", previous, count, book)


def replace_secret(shoe: Shoe) -> None:
    """Another secret, and seal, commits, lock and mix as they follow from it."""
    secret = bytes(reversed(SECRET.open(shoe)))
    protocol = ShoeProtocol(shoe.code)
    sealed = protocol.seal(secret, composition(shoe.decks, shoe.jokers))
    reveals = {}
    commits = {}
    for part in shoe.seats.all():
        reveal = protocol.house_reveal(secret, part.number)
        reveals[part.number] = reveal if part.by_house else bytes.fromhex(part.reveal)
        commits[part.number] = protocol.commitment(part.number, reveals[part.number])
        update(part, reveal=reveals[part.number].hex(), commit=commits[part.number].hex())
    lock = protocol.lock(sealed.seal, commits)
    values = {
        "seal": sealed.seal,
        "key": sealed.key,
        "x_0": sealed.x_0,
        "lock": lock,
        "mix": protocol.mix(lock, reveals),
    }
    texts = {name: value.hex() for name, value in values.items()}
    update(shoe, secret=SECRET.seal(secret, shoe.code), **texts)


def _hands(auditor: Auditor) -> Iterator[str]:
    """What is wrong with hands, all of which must be examined."""
    hands = Hand.objects.exclude(status="live")
    return _of_hands(auditor, list(hands.order_by("pk").values_list("pk", flat=True)))


def _of_hands(auditor: Auditor, numbers: list[int]) -> Iterator[str]:
    examined = list(auditor.hands(numbers))
    assert [wrong.number for wrong in examined] == numbers
    return (f"{wrong.number}: {sentence}" for wrong in examined for sentence in wrong.findings)


def _shoes(auditor: Auditor) -> Iterator[str]:
    for shoes in (auditor.shoes(), auditor.other_shoes()):
        for code, sentences in shoes:
            yield from (f"{code}: {sentence}" for sentence in sentences)


def _published(of_anchors: bool) -> list[str]:
    sentences = audit_house.published()
    return [line for line in sentences if line.startswith("the anchors") == of_anchors]


CHECKS: dict[str, Callable[[Auditor], Iterable[str]]] = {
    "hands": _hands,
    "shoes": _shoes,
    "numbers": lambda _: audit_house.tables(),
    "entries": lambda _: audit_house.strangers(),
    "postings": lambda _: audit_house.postings(),
    "triggers": lambda _: audit_house.triggers(),
    "anchors": lambda _: _published(of_anchors=True),
    "chain": lambda _: _published(of_anchors=False),
    "boards": lambda _: boards.findings(),
    "desk": lambda _: desk.findings(),
    "integrity": lambda _: results.findings(),
    "migrations": lambda _: released_code.findings(),
    "days": lambda _: (sentence for _day, sentence in audit_house.days()),
    "reconcile": lambda _: (str(finding.sentence) for finding in reconcile(everything=True)),
}


def noticed(*checks: str, hands: Iterable[int] = ()) -> dict[str, list[str]]:
    """The findings of the house's checks, or of these alone, by the name of the check.

    Of all hands, or of some alone.
    """
    auditor, names, some = Auditor(), set(checks or CHECKS), sorted(hands)
    # Shoes are proved as their hands are read.
    names |= {"hands"} if "shoes" in names else set()
    every = CHECKS | ({"hands": lambda auditor: _of_hands(auditor, some)} if some else {})
    findings = {name: list(check(auditor)) for name, check in every.items() if name in names}
    return {name: sentences for name, sentences in findings.items() if sentences}


@contextmanager
def nothing_guards() -> Iterator[None]:
    """Inside, neither triggers nor keys of other tables apply."""
    if connection.vendor == "postgresql":
        sql("SET LOCAL session_replication_role = replica")
        yield
        sql("SET LOCAL session_replication_role = DEFAULT")
        return
    with triggers_set_aside(connection):
        yield


@contextmanager
def by_the_ledger() -> Iterator[None]:
    """Where nothing guards the tables, post as the house does: by the trigger of a view."""
    if connection.vendor == "postgresql":
        sql("SET LOCAL session_replication_role = DEFAULT")
    yield
    if connection.vendor == "postgresql":
        sql("SET LOCAL session_replication_role = replica")


@contextmanager
def edited(world: World, make: Callable[[World], None]) -> Iterator[None]:
    """Inside, the edit has been made; afterwards all is as it was, the anchors too."""
    file = anchors.file()
    kept = file.read_bytes()
    try:
        with transaction.atomic():
            with nothing_guards():
                make(world)
            yield
            transaction.set_rollback(True)
    finally:
        file.write_bytes(kept)


@contextmanager
def played(blocker: Any, play: Callable[[World], None] = World.play) -> Iterator[World]:
    """The world, in a transaction that is rolled back."""
    with pytest.MonkeyPatch.context() as patch, blocker.unblock(), transaction.atomic():
        settings.ANCHORS_FILE.unlink(missing_ok=True)
        house = House()
        patch.setattr(timezone, "now", lambda: house.now)
        world = World(house)
        play(world)
        yield world
        transaction.set_rollback(True)
