"""The owner of the database edits the past, and has the house audited afterwards."""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.attack.registry import Outcome, attack, broken, noticed, refused, unless
from tests.attack.target import Copy

# No two entries have one position, at any moment.
APART = 1_000_000
# What an honest house does when the day of these hands is over.
TOMORROW = """
from datetime import timedelta
from django.utils import timezone
from games.records import closed_days
from games.shoes import anchors, chain
while chain.link():
    pass
closed_days.close_days(timezone.now() + timedelta(days=1))
anchors.anchor(timezone.now())
"""
# With the house's keys, too: another secret, and all that follows from it.
ANOTHER_SECRET = """
from games.models import Shoe
from tests.games.falsified import replace_secret
replace_secret(Shoe.objects.get(pk="{shoe}"))
"""


@cache
def past(house: Any) -> Copy:
    """A house that has played and closed its day, in which all is well."""
    house.evening.play()
    copy: Copy = house.copied(house.scratch / "past")
    copy.script(TOMORROW)
    # The evening changed rows by hand; what is found later is the edit alone.
    copy.accept_edits()
    audit = copy.manage("audit")
    assert audit.returncode == 0, audit.stdout
    reconcile = copy.manage("reconcile", "--everything")
    assert reconcile.returncode == 0, reconcile.stdout
    return copy


class Edited(Copy):
    """A copy of that past, to be edited."""

    def __init__(self, house: Any) -> None:
        super().__init__(house.scratch / f"edited-{uuid4().hex[:8]}")
        past(house).copied(self.folder)
        self.file = self.folder / "anchors.jsonl"

    def one(self, statement: str, *values: Any) -> Any:
        return self.sql(statement, *values)[0][0]

    def hand(self, game: str = "chinese_poker", number: int = 1) -> int:
        statement = (
            "SELECT id FROM games_hand WHERE game = ? AND status = 'finished'"
            " AND posting IS NOT NULL ORDER BY number LIMIT 1 OFFSET ?"
        )
        return int(self.one(statement, game, number - 1))

    def delete_hand(self, hand: int) -> str:
        """A hand with its moves and results; the shoe it was dealt from."""
        shoe = str(self.one("SELECT shoe_id FROM games_hand WHERE id = ?", hand))
        for table in ("games_move", "games_handseat"):
            self.sql(f"DELETE FROM {table} WHERE hand_id = ?", hand)
        self.sql("DELETE FROM games_hand WHERE id = ?", hand)
        return shoe

    def delete_shoe(self, shoe: str) -> None:
        self.sql("DELETE FROM games_shoeseat WHERE shoe_id = ?", shoe)
        self.sql("DELETE FROM games_shoe WHERE code = ?", shoe)

    def heads_anew(self) -> None:
        """Positions and heads of the public chain, as everybody can compute them."""
        head = bytes(32)
        rows = self.sql("SELECT id, kind, made_at, body FROM games_chainentry ORDER BY id")
        for position, (number, kind, made_at, body) in enumerate(rows):
            at = made_at.replace(" ", "T") + "+00:00"
            entry = {"kind": kind, "at": at, "body": json.loads(body)}
            text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            head = hashlib.sha256(head + hashlib.sha256(text.encode()).digest()).digest()
            statement = "UPDATE games_chainentry SET position = ?, head = ? WHERE id = ?"
            self.sql(statement, position + APART, head.hex(), number)
        self.sql(f"UPDATE games_chainentry SET position = position - {APART}")


Edit = Callable[[Edited], None]


def falsify(
    name: str, tried: str, *against: str, command: tuple[str, ...] = ("audit",)
) -> Callable[[Edit], Edit]:
    """Put an edit into the list: it is made, and then the command must find something."""

    def listed(edit: Edit) -> Edit:
        @attack("history", name, tried, *against)
        def _(house: Any) -> Outcome:
            copy = Edited(house)
            with copy.unguarded():
                edit(copy)
            done = copy.manage(*command)
            said = (done.stdout + done.stderr).strip()
            if "Traceback" in said:
                return broken(f"{command[0]} crashes: {said.splitlines()[-1]}")
            if done.returncode == 0:
                return broken(f"{' '.join(command)} finds nothing")
            lines = [line for line in said.replace("\r", "\n").splitlines() if line]
            return noticed(f"{lines[0][:90]} ({len(lines) - 1} findings)")

        return edit

    return listed


@falsify(
    "delete a hand",
    "a finished hand deleted with moves and results",
    "deleted-hands",
)
def _(copy: Edited) -> None:
    copy.delete_hand(copy.hand())


@falsify("delete a hand and its shoe", "the same with the shoe it was dealt from", "deleted-hands")
def _(copy: Edited) -> None:
    copy.delete_shoe(copy.delete_hand(copy.hand()))


@falsify(
    "delete all that tells of a hand",
    "a table's last hand with shoe, entries, posting and count, the chain computed again",
    "deleted-hands",
    "heads",
    "chain",
)
def _(copy: Edited) -> None:
    hand, table, posting = copy.sql(
        "SELECT id, table_id, posting FROM games_hand WHERE game = 'chinese_poker'"
        " AND status = 'finished' ORDER BY number DESC LIMIT 1"
    )[0]
    shoe = copy.delete_hand(hand)
    copy.delete_shoe(shoe)
    copy.sql("DELETE FROM games_chainentry WHERE shoe = ?", shoe)
    number = copy.one("SELECT id FROM wallets_transaction WHERE key = ?", posting)
    copy.sql("DELETE FROM wallets_entry WHERE transaction_id = ?", number)
    copy.sql("DELETE FROM wallets_transaction WHERE id = ?", number)
    copy.sql("UPDATE games_table SET hands_dealt = hands_dealt - 1 WHERE id = ?", table)
    copy.heads_anew()


@falsify("change a call", "a losing call at Dou Dizhu, where no money moves", "edited-moves")
def _(copy: Edited) -> None:
    move = copy.one(
        "SELECT id FROM games_move WHERE hand_id = ? AND action LIKE '%call%' ORDER BY number",
        copy.hand("doudizhu"),
    )
    points = json.loads(copy.one("SELECT action FROM games_move WHERE id = ?", move))["points"]
    action = json.dumps({"do": "call", "points": (points + 1) % 3})
    copy.sql("UPDATE games_move SET action = ? WHERE id = ?", action, move)


@falsify("say that the clock has moved", "a player's move shown as a timeout", "edited-moves")
def _(copy: Edited) -> None:
    statement = "UPDATE games_move SET by = 'timeout' WHERE by = 'player' AND hand_id = ?"
    copy.sql(statement.replace(" by", ' "by"'), copy.hand("blackjack"))


@falsify("change when a move came", "a move's time, a second earlier", "edited-moves")
def _(copy: Edited) -> None:
    statement = "UPDATE games_move SET at = strftime('%Y-%m-%d %H:%M:%f', at, '-1 second')"
    copy.sql(f"{statement} WHERE hand_id = ? AND number = 0", copy.hand("doudizhu"))


@falsify("exchange two players", "the players of two result rows exchanged", "edited-rows")
def _(copy: Edited) -> None:
    statement = "SELECT id, player_id FROM games_handseat WHERE hand_id = ? ORDER BY number LIMIT 2"
    (seat, first), (two, second) = copy.sql(statement, copy.hand())
    copy.sql("UPDATE games_handseat SET player_id = ? WHERE id = ?", second, seat)
    copy.sql("UPDATE games_handseat SET player_id = ? WHERE id = ?", first, two)


@falsify("change an option", "an option of a hand that did not bite", "edited-rows")
def _(copy: Edited) -> None:
    hand = copy.hand("doudizhu")
    options = json.loads(copy.one("SELECT options FROM games_hand WHERE id = ?", hand))
    text = json.dumps({**options, "both_springs": False})
    copy.sql("UPDATE games_hand SET options = ? WHERE id = ?", text, hand)


@falsify("change when a hand began", "a hand's beginning, a minute earlier", "edited-rows")
def _(copy: Edited) -> None:
    earlier = "strftime('%Y-%m-%d %H:%M:%f', started_at, '-1 minute')"
    copy.sql(f"UPDATE games_hand SET started_at = {earlier} WHERE id = ?", copy.hand("baccarat"))


@falsify("renumber a hand", "a table's last hand gets the next number", "edited-rows")
def _(copy: Edited) -> None:
    table = copy.one("SELECT table_id FROM games_hand WHERE id = ?", copy.hand())
    copy.sql(
        "UPDATE games_hand SET number = number + 1 WHERE id ="
        " (SELECT id FROM games_hand WHERE table_id = ? ORDER BY number DESC LIMIT 1)",
        table,
    )
    copy.sql("UPDATE games_table SET hands_dealt = hands_dealt + 1 WHERE id = ?", table)


@falsify("cut the chain", "the last twelve entries of the public chain deleted", "chain", "heads")
def _(copy: Edited) -> None:
    last = "SELECT id FROM games_chainentry ORDER BY position DESC LIMIT 12"
    copy.sql(f"DELETE FROM games_chainentry WHERE id IN ({last})")


@falsify(
    "write the chain anew", "an entry edited and all later heads computed again", "chain", "heads"
)
def _(copy: Edited) -> None:
    number, body = copy.sql("SELECT id, body FROM games_chainentry WHERE kind = 'seal'")[0]
    text = json.dumps({**json.loads(body), "more": 1})
    copy.sql("UPDATE games_chainentry SET body = ? WHERE id = ?", text, number)
    copy.heads_anew()


@falsify("lose the anchors", "the file of anchors and all memory of them deleted", "heads")
def _(copy: Edited) -> None:
    copy.file.unlink()
    copy.sql("DELETE FROM games_anchor")
    copy.sql("DELETE FROM games_anchoredbook")


@falsify("change an anchor", "a position in a line of the file of anchors", "heads")
def _(copy: Edited) -> None:
    text = copy.file.read_text()
    copy.file.write_text(text.replace('"position":', '"position":1', 1))


@falsify(
    "replace a secret",
    "the secret of a lasting shoe, with seal, lock and mix as they follow from it",
    "secrets",
)
def _(copy: Edited) -> None:
    statement = "SELECT shoe_id FROM games_hand WHERE id = ?"
    copy.script(ANOTHER_SECRET.format(shoe=copy.one(statement, copy.hand("baccarat"))))


@falsify("move a hand in its shoe", "a round of baccarat dealt from six cards later", "places")
def _(copy: Edited) -> None:
    statement = "UPDATE games_hand SET first_card = first_card + 6 WHERE id = ?"
    copy.sql(statement, copy.hand("baccarat", 2))


def goes_on(house: Any, edit: Edit) -> Outcome:
    """A row is damaged, and of another hand the money, too: both must be found."""
    copy = Edited(house)
    last = copy.one("SELECT max(id) FROM games_hand WHERE status = 'finished'")
    with copy.unguarded():
        edit(copy)
        copy.sql("UPDATE games_hand SET rake = rake + 7 WHERE id = ?", last)
    done = copy.manage("audit")
    if "Traceback" in done.stdout + done.stderr:
        return broken(f"the audit crashes: {done.stderr.splitlines()[-1]}")
    if f"hand {last} " not in done.stdout:
        return broken("the rest of the file is not audited")
    return noticed("the row is a finding, and so is the hand behind it")


@attack("history", "damage a result", "a result row deleted, to make the audit crash", "damage")
def _(house: Any) -> Outcome:
    def edit(copy: Edited) -> None:
        statement = "SELECT id FROM games_handseat WHERE hand_id = ? LIMIT 1"
        copy.sql("DELETE FROM games_handseat WHERE id = ?", copy.one(statement, copy.hand()))

    return goes_on(house, edit)


@attack("history", "damage a secret", "a secret that no key opens, to make it crash", "damage")
def _(house: Any) -> Outcome:
    def edit(copy: Edited) -> None:
        statement = "UPDATE games_shoe SET secret = 'AAAA' || secret WHERE code ="
        copy.sql(f"{statement} (SELECT shoe_id FROM games_hand WHERE id = ?)", copy.hand())

    return goes_on(house, edit)


@attack(
    "history",
    "mend the day of a deleted hand",
    "a hand deleted after its day was closed, then audit --mend-days",
    "mending",
)
def _(house: Any) -> Outcome:
    copy = Edited(house)
    copy.delete_hand(copy.hand())
    before = copy.sql("SELECT * FROM games_day")
    done = copy.manage("audit", "--mend-days")
    if done.returncode == 0 or copy.sql("SELECT * FROM games_day") != before:
        return broken("the day is made anew from what is left")
    return refused("no day is made anew") if "no day is made anew" in done.stdout else broken("?")


@falsify("change what a day took", "the house's sums of a closed day", "mending")
def _(copy: Edited) -> None:
    copy.sql("""UPDATE games_day SET sums = '{"PLAY": {"rake": 1, "bank": 1}}'""")


@attack(
    "history",
    "take the guards away",
    "the triggers that hold the ledger together dropped from the database",
    "ledger",
)
def _(house: Any) -> Outcome:
    copy = Edited(house)
    with copy.unguarded():
        done = copy.manage("reconcile")
    return (
        noticed(done.stdout.splitlines()[0]) if done.returncode else broken("they are not missed")
    )


@falsify(
    "post a hand that was never played",
    "a posting of a hand given to another that is not there",
    "ledger",
    command=("reconcile", "--everything"),
)
def _(copy: Edited) -> None:
    last = copy.one("SELECT max(id) FROM wallets_transaction WHERE kind = 'hand'")
    copy.sql("UPDATE wallets_transaction SET reference = 'hand:999999' WHERE id = ?", last)


@falsify(
    "give oneself money",
    "a wallet's balance raised in the database",
    "ledger",
    command=("reconcile", "--everything"),
)
def _(copy: Edited) -> None:
    copy.sql("UPDATE wallets_account SET balance = balance + 100000 WHERE owner = 'player:1'")


@falsify("change a posting", "an amount of a hand's posting, and balances with it", "ledger")
def _(copy: Edited) -> None:
    posting = copy.one("SELECT posting FROM games_hand WHERE id = ?", copy.hand())
    number = copy.one("SELECT id FROM wallets_transaction WHERE key = ?", posting)
    rows = copy.sql("SELECT id FROM wallets_entry WHERE transaction_id = ? LIMIT 2", number)
    for (entry,), sign in zip(rows, (1, -1), strict=True):
        columns = "amount = amount + ?, balance_after = balance_after + ?"
        copy.sql(f"UPDATE wallets_entry SET {columns} WHERE id = ?", sign, sign, entry)


@attack(
    "history",
    "promise a head that is nowhere",
    "the last head of the day looked for where everybody can fetch it",
    "heads",
)
def _(house: Any) -> Outcome:
    house.evening.play()
    done = house.manage("anchor")
    text = house.visit("/fairness/anchors.jsonl").text
    holes = [] if done.returncode == 0 else [f"anchor: {done.stdout}"]
    statement = json.loads(text.splitlines()[-1])["statement"]
    head = house.sql(
        "SELECT head FROM games_chainentry WHERE position = ?", statement["chain"]["position"]
    )
    if head != [(statement["chain"]["head"],)]:
        holes.append("the anchor is not that of the chain")
    if Path(house.folder / "anchors.jsonl").read_text() != text:
        holes.append("the file that is served is another")
    if statement["chain"]["head"] not in house.visit("/fairness/").text:
        holes.append("the public page does not show it")
    return unless(holes, noticed("signed, in the file, on the page and in the download"))
