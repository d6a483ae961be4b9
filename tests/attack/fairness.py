"""An attacker wants to choose the cards: a player by withholding, the house by another lock."""

import os
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from tests.attack.attackers import Program, until
from tests.attack.evening import BETS, BUY_IN
from tests.attack.registry import Outcome, attack, broken, noticed, refused, unless
from tests.documented_functions import functions_for_mixing

GAME = "casino_holdem"
OTHER = "0" * 64
PROGRAMS = ("casino.ops.sweeper", "casino worker")


class Mixing:
    """Bob and carol at one table, who take part in mixing its shoes."""

    def __init__(self, house: Any) -> None:
        self.house = house
        self.table: int = house.tables[GAME]
        self.bob: Program = house.program("bob")
        self.carol: Program = house.program("carol")
        # The chains that the seats' devices hold.
        self.chains: dict[int, dict[str, Any]] = {}
        house.sql("UPDATE games_table SET pause_seconds = 5 WHERE id = ?", self.table)
        for seat, who in ((3, self.bob), (4, self.carol)):
            form = {"seat": seat, "amount": BUY_IN}
            answer = who.post(f"tables/{self.table}/sit/", form)
            assert answer.status == 200, answer.text

    def shoe(self, who: Program) -> Any:
        return who.at(self.table)["shoe"] or {}

    def send(self, who: Program, what: str, value: str) -> Any:
        """Send a tip, or a link for the shoe of this name."""
        return who.post(f"tables/{self.table}/mix/", {"mix": f"{what} {value}"})

    def reveal(self, who: Program, note: dict[str, Any]) -> Any:
        return self.send(who, note["shoe"], note["reveal"])

    def sealed(self) -> None:
        """A shoe is only sealed; what runs is played to its end before that."""

        def so() -> bool:
            for who in (self.bob, self.carol):
                board = who.at(self.table)
                if board["turn"] is not None:
                    self.go_on(who, board)
            return all(self.shoe(who).get("status") == "sealed" for who in (self.bob, self.carol))

        until(so)

    def go_on(self, who: Program, board: dict[str, Any]) -> None:
        bets = any(choice["do"] == "ante" for choice in board["choices"])
        if bets and who is self.bob:
            ante = {**BETS[GAME], "box": 1}
            if who.act(self.table, ante).status == 200:
                who.act(self.table, {"do": "done"})
        elif not bets and not board["mine"]["trustee"]:
            who.post(f"tables/{self.table}/trustee/")

    def begin(self, who: Program, seat: int) -> dict[str, Any]:
        """Start a chain."""
        chain: dict[str, Any] = functions_for_mixing()["begin"](self.table, seat)
        answer = self.send(who, "start", chain["tip"])
        assert answer.status == 200, answer.text
        self.chains[seat] = chain
        return chain

    def both(self) -> tuple[dict[str, Any], dict[str, Any]]:
        self.sealed()
        return self.begin(self.bob, 3), self.begin(self.carol, 4)

    def locked(self) -> None:
        until(lambda: self.shoe(self.bob).get("lock"))

    def both_due(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both have chains in a shoe that is locked, and the house waits for their links.

        After a seat has withheld a link, the house mixes for it in the next shoes, and on a busy
        machine a device may be too slow: both play on until both are asked again.
        """

        def due() -> bool:
            wanted = []
            for seat, who in ((3, self.bob), (4, self.carol)):
                board = who.at(self.table)
                shoe = board["shoe"] or {}
                if board["turn"] is not None:
                    self.go_on(who, board)
                if seat not in self.chains or shoe.get("wants_start"):
                    self.begin(who, seat)
                wanted.append(shoe.get("wants_link"))
            return all(wanted)

        until(due)
        return self.chains[3], self.chains[4]

    @contextmanager
    def time_stands_still(self) -> Iterator[None]:
        """Nothing that is due is done: on a busy machine two seconds are soon over."""
        stopped = [self.house.pid(name) for name in PROGRAMS]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)


@cache
def mixing(house: Any) -> Mixing:
    return Mixing(house)


@cache
def honest_hand(house: Any) -> dict[str, Any]:
    """What was answered to the cheats in the course of a shoe that is then dealt from."""
    do, note_of = mixing(house), functions_for_mixing()["note_of"]
    bob, carol = do.both()
    do.locked()
    with do.time_stands_still():
        shown = do.shoe(do.bob)
        course: dict[str, Any] = {"locked": shown, "chain": {**bob, "notes": {}}}
        course["chain"]["links"] = [*bob["links"]]
        course["late start"] = do.send(do.bob, "start", secrets.token_hex(32))
        course["commits"] = do.shoe(do.carol)["commits"]
        course["other bytes"] = do.send(do.bob, shown["code"], secrets.token_hex(32))
        course["bob"], course["carol"] = note_of(bob, shown), note_of(carol, shown)
        course["another's bytes"] = do.reveal(do.carol, course["bob"])
        course["bob"]["receipt"] = do.reveal(do.bob, course["bob"]).content["shoe"]["receipt"]
        carols = do.reveal(do.carol, course["carol"]).content["shoe"]["receipt"]
        course["carol"]["receipt"] = carols
        course["again"] = do.reveal(do.bob, course["bob"]).content["shoe"]["receipt"]
    until(lambda: do.bob.at(do.table)["turn"] is not None)
    do.go_on(do.bob, do.bob.at(do.table))
    do.sealed()
    course["hand"] = do.bob.get("hands/?limit=1").content["hands"][0]
    return course


@attack(
    "fairness",
    "commit to other bytes later",
    "a new chain behind the lock",
    "lock",
)
def _(house: Any) -> Outcome:
    course = honest_hand(house)
    if course["commits"] != course["locked"]["commits"]:
        return broken("the new chain counts in the lock")
    return refused("the lock holds the chain of before")


@attack(
    "fairness",
    "reveal what is not one's own",
    "other bytes than were committed to, and those of another seat",
    "lock",
)
def _(house: Any) -> Outcome:
    course = honest_hand(house)
    tried = {name: course[name] for name in ("other bytes", "another's bytes")}
    holes = [
        f"{name}: {response.status}" for name, response in tried.items() if response.status == 200
    ]
    return unless(holes, refused(", ".join(response.code for response in tried.values())))


@attack(
    "fairness",
    "have bytes shown under another lock",
    "a house shows other locks, seals, commits and one seat more to a program as documented",
    "lock",
)
def _(house: Any) -> Outcome:
    course = honest_hand(house)
    shown = course["locked"]
    lock_of, note_of = (functions_for_mixing()[name] for name in ("lock_of", "note_of"))

    def chain(**changed: Any) -> dict[str, Any]:
        return {**course["chain"], "links": [*course["chain"]["links"]], "notes": {}} | changed

    commits = {**shown["commits"], "7": OTHER}
    other = {**shown["commits"], "3": OTHER}
    cheats: dict[str, dict[str, Any]] = {
        "another lock": {"lock": OTHER},
        "another seal": {"seal": OTHER},
        "one seat more": {"commits": commits},
        "another commit": {
            "commits": other,
            "lock": lock_of(shown["code"], shown["seal"], other),
        },
    }
    holes = [name for name, cheat in cheats.items() if note_of(chain(), shown | cheat)]
    given = chain()
    if not note_of(given, shown):
        holes.append("the honest lock is not taken")
    second = {"commits": commits, "lock": lock_of(shown["code"], shown["seal"], commits)}
    if note_of(given, shown | second):
        holes.append("a second lock")
    again = {"code": "T1-2-3", "lock": lock_of("T1-2-3", shown["seal"], shown["commits"])}
    if note_of(given, shown | again):
        holes.append("a link that is said not to have come, in another shoe")
    return unless(holes, noticed("a link is given to none of six"))


@attack(
    "fairness",
    "exchange the lock afterwards",
    "what is published of a shoe, and its record, under another lock than bob has seen",
    "lock",
)
def _(house: Any) -> Outcome:
    course = honest_hand(house)
    shoe, note = course["bob"]["shoe"], course["bob"]
    copy = house.copied(house.scratch / "lock")
    do = mixing(house)
    published = do.bob.get(f"shoes/{shoe}/").content
    agrees: Callable[..., bool] = functions_for_mixing()["agrees"]
    if not agrees(note, published):
        return broken("the note does not agree with the honest shoe")
    copy.sql("UPDATE games_shoe SET lock = ? WHERE code = ?", OTHER, shoe)
    audit = copy.manage("audit")
    if agrees(note, {**published, "lock": OTHER}):
        return broken("the note agrees with another lock")
    if shoe not in audit.stdout:
        return broken("the audit finds nothing")
    return noticed("by the note that bob has, and by the audit")


@attack(
    "fairness",
    "withhold a reveal",
    "carol reveals, and bob does not like what he expects",
    "leaving",
)
def _(house: Any) -> Outcome:
    honest_hand(house)
    do = mixing(house)
    _chain, chain = do.both_due()
    carol = functions_for_mixing()["note_of"](chain, do.shoe(do.carol))
    shown = do.reveal(do.carol, carol)
    void = "SELECT body FROM games_chainentry WHERE kind = 'void' AND shoe = ?"
    (body,) = until(lambda: house.sql(void, carol["shoe"]))[0]
    hands = house.sql("SELECT count(*) FROM games_hand WHERE shoe_id = ?", carol["shoe"])
    if hands != [(0,)]:
        return broken("cards were still dealt from the shoe")
    holes = []
    if "3" not in body:
        holes.append("the public chain does not name the seat")
    if shown.status == 200 and carol["reveal"] not in body:
        holes.append("carol's reveal is not published with the void")
    return unless(holes, noticed("a void in the public chain with the reveals that came"))


@attack(
    "fairness",
    "be blamed for leaving a page",
    "bob ends his chain before the lock, and looks whether it counts against him",
    "leaving",
)
def _(house: Any) -> Outcome:
    do = mixing(house)
    counted = "SELECT reveals FROM games_seat WHERE table_id = ? AND number = 3 AND left_at IS NULL"
    do.sealed()
    before = house.sql(counted, do.table)
    answer = do.send(do.bob, "end", do.begin(do.bob, 3)["tip"])
    do.locked()
    shoe = do.shoe(do.bob)
    if answer.status != 200:
        return broken(f"he may not: {answer.status} {answer.code}")
    if house.sql(counted, do.table) != before:
        return broken("it counts as withholding")
    if not shoe.get("notice"):
        return broken("the table does not say that the house mixes for him")
    return refused(f"nothing is counted, and the table says {shoe['notice']}")
