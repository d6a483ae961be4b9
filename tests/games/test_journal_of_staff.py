"""Each verb of staff, played: each writes one entry with who, from where, before, after and why.

The verbs are those that are registered, so one that nothing in this file plays fails here; so does
a list of the back office that can be written to and does not write the journal.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import uuid4

import pytest
from axes.models import AccessAttempt
from django.contrib import admin
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, RequestFactory, override_settings
from django.utils import timezone

from casino.alarms.models import Alarm
from casino.backoffice.models import Closure, HouseState
from casino.care import erasure
from casino.desk import cash as tills
from casino.desk import requests
from casino.desk.models import Receipt, Shift, Till
from casino.founding import founding
from casino.integrity.models import Suspicion
from casino.maintenance import switch
from casino.maintenance.models import Maintenance
from casino.player_file.models import Flag
from casino.players.models import Authenticator, Player
from casino.players.staff import appoint
from casino.running_code import running_code
from games.chat.models import ChatLine, Silence
from games.models import Hand, Table
from games.profiles import drafts, publishing
from games.records import audit_house, closed_days, sharing
from games.shoes import anchors
from tests.append_only import triggers_set_aside
from tests.games import profiles
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.people import client_of
from tests.tournaments.events import Event, structure
from tournaments import announcing, control
from tournaments.models import Schedule, Template
from tournaments.structure import write
from wallets import approvals, jackpots, journal
from wallets.accounts import account
from wallets.journalled_admin import Journalled
from wallets.ledger import Leg, post
from wallets.models import FIRST_HASH, Book, Currency, Jackpot, JournalEntry, Proposal
from wallets.reconciliation import reconcile

WHY = "because of a test"
# Entries of the tests themselves, and of no verb of the house.
OF_TESTS: Final = "test."
WITHOUT_REASON: Final = {
    "hand.open_cards",
    "hands.search_cards",
    "chatline.change",
    "accessattempt.delete",
    "silence.delete",
    "proposal.expire",
    "receipt.print",
    "player.look",
    "player.note",
    "report.export",
    "shift.export",
}

# What has to be done before a verb, and is an entry as well.
BEFORE: Final = {"tournament.resume": "tournament.pause"}


class Scene:
    """A house in which everything can be done, and who does it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.dealt_in("chinese_poker", "alice", "bob", "carol")
        paid = Hand.objects.filter(status=Hand.Status.FINISHED, posting__isnull=False)
        house.until(self.table, lambda table: paid.exists() and table.hand_id is None)
        self.hand = paid.get()
        self.alice = house.person("alice")
        self.dora = Player.objects.create_user("dora")
        self.boss = Player.objects.create_superuser("boss")
        self.other = Player.objects.create_superuser("another-boss")
        self.auditor = house.player("ada", 0)
        appoint(self.auditor, "auditors")
        self.flo = house.player("flo", 0)
        appoint(self.flo, "floor")
        self.browser = client_of(self.boss, REMOTE_ADDR="192.0.2.7")
        self.euro = Currency.objects.create(code="EUR", name="Euro")
        self.pot = jackpots.create("Dragon", "progressive", self.euro, actor="o", seed=500)

    def make_desk(self) -> None:
        """A till with money in it, and a player who wants some of theirs."""
        self.till = Till.objects.create(name="Till 1")
        ends = (account("issue", owner, "PLAY") for owner in (self.till.reference, "house"))
        legs = [Leg(one.pk, amount) for one, amount in zip(ends, (-50_000, 50_000), strict=True)]
        post(uuid4(), "till_transfer", legs, book="cashier", actor="test", reason="x")
        now, key = timezone.now(), uuid4()
        self.request = requests.ask(self.alice, self.house.currency, 100, key=key, now=now)

    def make_event(self) -> None:
        """An event of two players that runs, and that others may still enter."""
        self.event = Event(self.house)
        soon = self.house.now + timedelta(minutes=2)
        self.event.open(structure(late_registration_level=2), 2, starts_at=soon)
        self.event.until(self.event.is_running)

    def make_live_hand(self) -> None:
        """A hand that runs at another table: the players of the first left while the event ran."""
        self.playing = self.house.dealt_in("chinese_poker", "rosa", "emil", "fred")

    def make_profiles(self) -> None:
        """A draft that is reckoned, a published version, and a second one in draft."""
        self.draft = profiles.draft(self.other, name="Draft")
        profiles.reckoned(self.draft)
        self.published, first = (
            profiles.published(self.other, self.boss, profiles.draft(self.other, name=name))
            for name in ("Published", "Second")
        )
        self.second = drafts.begin_draft(self.other, first.pk, reason="x", now=timezone.now())

    def post(self, address: str, **fields: Any) -> None:
        answer = self.browser.post(f"/admin/{address}", {"reason": WHY} | fields)
        assert answer.status_code == 302, answer.content.decode()[-3_000:]

    def submit(self, verb: str, **arguments: Any) -> Proposal:
        proposal = approvals.submit(
            self.boss, verb, arguments, reason=WHY, key=uuid4(), now=timezone.now()
        ).proposal
        assert proposal is not None
        return proposal

    def command(self, name: str, *options: str) -> None:
        call_command(name, *options, "--by", "boss", "--why", WHY, stdout=StringIO())

    def form(self, **fields: Any) -> dict[str, Any]:
        return {
            "name": "New", "game": "doudizhu", "currency": "PLAY", "places": 3,
            "options-point": "0.10", "status": "open", "buy_in_min": "10", "buy_in_max": "90",
            "stack_min": "1", "decision_seconds": 20, "betting_seconds": 15, "pause_seconds": 5,
            "grace_seconds": 60, "idle_seconds": 600, "bots_max": 2, "overflow_max": 1,
        } | fields  # fmt: skip


def change_table(scene: Scene) -> None:
    """Closing a table is a change of its status."""
    table = scene.table
    scene.post(
        f"games/table/{table.pk}/change/",
        **scene.form(name=table.name, status="closing", **{"options-point": "1"}),
    )


def run_table(scene: Scene) -> None:
    """The floor closes a table, and sees no other field."""
    address = f"/admin/games/table/{scene.table.pk}/change/"
    answer = client_of(scene.flo).post(address, {"status": "closing", "reason": WHY, "places": 9})
    assert answer.status_code == 302


def void_live(scene: Scene) -> None:
    live = Hand.objects.get(status=Hand.Status.LIVE)
    scene.post(f"games/hand/{live.pk}/take-back/")


def forget_codes(scene: Scene) -> None:
    Authenticator.objects.create(
        player=scene.alice, sealed_secret="x", made_at=timezone.now(), confirmed_at=timezone.now()
    )
    scene.post(f"players/player/{scene.alice.pk}/forget-codes/")


def end_sessions(scene: Scene) -> None:
    client_of(scene.alice)
    scene.post(f"players/player/{scene.alice.pk}/end-sessions/")


def open_cards(scene: Scene) -> None:
    client_of(scene.auditor).post(f"/history/{scene.hand.pk}/open/")


def revoke(scene: Scene) -> None:
    shared = sharing.share(scene.alice, scene.hand.pk, scene.house.now, named=False)
    scene.post(f"games/sharedhand/{shared.pk}/change/", revoked_why=WHY)


def hide(scene: Scene) -> None:
    line = ChatLine.objects.create(
        table=scene.table, player=scene.alice, text="hello", said_at=scene.house.now
    )
    scene.post("games_chat/chatline/", action="hide_lines", _selected_action=line.pk)


def a_silence(scene: Scene) -> Silence:
    until = scene.house.now + timedelta(days=1)
    return Silence.objects.create(player=scene.alice, until=until, reason="before")


def change_silence(scene: Scene) -> None:
    scene.post(
        f"games_chat/silence/{a_silence(scene).pk}/change/",
        player=scene.alice.pk, until_0="2030-01-01", until_1="00:00:00",
    )  # fmt: skip


def unlock(scene: Scene) -> None:
    attempt = AccessAttempt.objects.create(
        username="Alice", ip_address="192.0.2.9", failures_since_start=5
    )
    scene.post(f"axes/accessattempt/{attempt.pk}/delete/", post="yes")


def pot(**fields: Any) -> dict[str, Any]:
    return {
        "name": "Tiger", "kind": "progressive", "currency": "EUR", "seed": "7", "reserve": "0",
        "share_bp": 500, "lowest": 1, "highest": 2, "active": "on",
        "triggers-TOTAL_FORMS": 0, "triggers-INITIAL_FORMS": 0,
    } | fields  # fmt: skip


def drain(scene: Scene) -> None:
    Jackpot.objects.filter(pk=scene.pot.pk).update(active=False)
    scene.post(f"wallets/jackpot/{scene.pot.pk}/drain/", amount="1")


def cash(verb: str) -> Callable[[Scene], object]:
    def work(scene: Scene) -> object:
        arguments = {"player": f"player:{scene.alice.pk}", "currency": "PLAY", "amount": 100}
        return approvals.submit(
            scene.boss, verb, arguments, reason=WHY, key=uuid4(), now=timezone.now()
        )

    return work


def at_the_desk(scene: Scene) -> Till:
    """The boss works at the till; no verb of the desk brought that about."""
    Shift.objects.create(
        till=scene.till, cashier=scene.boss, cashier_name="boss", opened_at=timezone.now(),
        key=uuid4(),
    )  # fmt: skip
    return scene.till


def pay(kind: str) -> Callable[[Scene], Receipt]:
    def work(scene: Scene) -> Receipt:
        till, key = at_the_desk(scene), uuid4()
        arguments = {"player": f"player:{scene.alice.pk}", "currency": "PLAY", "amount": 100}
        approvals.submit(
            scene.boss, f"desk.{kind}", arguments | {"till": till.pk},
            reason=WHY, key=key, now=timezone.now(),
        )  # fmt: skip
        return Receipt.objects.get(key=key)

    return work


def with_receipt(then: Callable[[Scene, Receipt], object]) -> Callable[[Scene], object]:
    """What is done to a receipt; the entry of the payment before it is another verb's."""

    def work(scene: Scene) -> object:
        till = at_the_desk(scene)
        now = timezone.now()
        receipt = Receipt.objects.create(
            number="R-1", day=now.date(), serial=1, kind="deposit", till=till,
            shift=Shift.objects.get(), player=scene.alice, currency_id="PLAY", amount=500,
            cashier=scene.boss, cashier_name="boss", reason="x", key=uuid4(), posting=1, at=now,
        )  # fmt: skip
        return then(scene, receipt)

    return work


def correct(scene: Scene, receipt: Receipt) -> None:
    proposal = scene.submit("desk.correct", receipt=receipt.pk, right=400)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def move_cash(scene: Scene) -> None:
    till = at_the_desk(scene)
    ends = {"source": till.pk, "target": tills.vault().pk, "currency": "PLAY", "amount": 100}
    proposal = scene.submit("desk.transfer", **ends)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def pay_request(scene: Scene) -> object:
    till = at_the_desk(scene)
    arguments = {"request": scene.request.pk, "till": till.pk}
    return approvals.submit(
        scene.boss, "desk.pay", arguments, reason=WHY, key=uuid4(), now=timezone.now()
    )


def open_shift(scene: Scene) -> None:
    till = Till.objects.create(name="Till 2")
    scene.post(f"desk/tills/{till.pk}/open/", **{"sum-EUR": "0"})


def in_a_shift(address: str) -> Callable[[Scene], object]:
    def work(scene: Scene) -> object:
        till = at_the_desk(scene)
        return scene.post(address.format(till=till.pk), **{"sum-PLAY": "500", "sum-EUR": "0"})

    return work


def decide(how: str) -> Callable[[Scene], object]:
    """A limit of the house is proposed by one, and decided by the boss."""

    def work(scene: Scene) -> object:
        arguments = {"limit": "deposit", "value": 7}
        proposal = approvals.submit(
            scene.other, "limit.change", arguments, reason="x", key=uuid4(), now=timezone.now()
        ).proposal
        assert proposal is not None
        if how == "expire":
            return approvals.expire_due(proposal.expires_at)
        scene.post(f"approvals/{proposal.pk}/", **{how: "1"})
        return None

    return work


def export_as(address: str, scene: Scene) -> None:
    answer = scene.browser.get(f"/admin/{address}")
    assert answer["Content-Type"].startswith("text/csv")


def export_shift(scene: Scene) -> None:
    at_the_desk(scene)
    export_as(f"desk/shifts/{Shift.objects.get().pk}/shift.csv", scene)


def unfreeze(scene: Scene) -> None:
    Player.objects.filter(pk=scene.alice.pk).update(is_active=False)
    proposal = scene.submit("player.unfreeze", player=scene.alice.pk)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def unflag(scene: Scene) -> None:
    Flag.objects.create(
        player=scene.alice, kind="watch", reason="x", by="player:1", by_name="x", at=timezone.now()
    )
    scene.post(f"players/{scene.alice.pk}/file/unflag/", kind="watch")


def close_account(scene: Scene) -> None:
    proposal = scene.submit("player.close", player=scene.dora.pk)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def erase(scene: Scene) -> None:
    erasure.ask(scene.dora, timezone.now())
    proposal = scene.submit("player.erase", player=scene.dora.pk)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def change_limit(scene: Scene) -> None:
    proposal = scene.submit("limit.change", limit="reversal", value=3)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


TEMPLATE: Final = "tournaments/template"
EVENT: Final = "tournaments/tournament"


def template(scene: Scene, **given: Any) -> Template:
    given.setdefault("name", "Evening")
    return announcing.store_template(structure(**given), "player:1", scene.house.now)


def store_template(scene: Scene) -> None:
    text = write(structure()).decode()
    scene.post(f"{TEMPLATE}/add/", structure=text, store="1")


def retire_template(scene: Scene) -> None:
    scene.post(f"{TEMPLATE}/{template(scene).pk}/retire/")


def announce(scene: Scene) -> None:
    scene.post(f"{TEMPLATE}/{template(scene).pk}/announce/", starts_at="2099-03-02 19:30")


def schedule(scene: Scene) -> None:
    scene.post(
        "tournaments/schedule/add/",
        template=template(scene).pk, next_at="2099-03-02 19:30", every_hours=24, ahead_hours=24,
        open_count=1,
    )  # fmt: skip


def unschedule(scene: Scene) -> None:
    running = Schedule.objects.create(
        template=template(scene), kind=Schedule.Kind.RECURRING, next_at=scene.house.now
    )
    scene.post(f"tournaments/schedule/{running.pk}/stop/")


def run_event(verb: str, **fields: Any) -> Callable[[Scene], object]:
    def work(scene: Scene) -> None:
        scene.post(f"{EVENT}/{scene.event.number}/{verb}/", **fields)

    return work


def on_the_floor(address: str, **fields: Any) -> Callable[[Scene], object]:
    """A form of the floor; `{table}` in its address is the table's number."""

    def work(scene: Scene) -> object:
        return scene.post(f"floor/{address.format(table=scene.table.pk)}", **fields)

    return work


def resume_event(scene: Scene) -> None:
    control.pause(scene.boss, scene.event.number, WHY, scene.house.now)
    scene.post(f"{EVENT}/{scene.event.number}/resume/")


def disqualify(scene: Scene) -> None:
    player = scene.event.row.all_entries.latest("pk").player_id
    scene.post(f"{EVENT}/{scene.event.number}/disqualify/", player=player)


def already(then: Callable[[Scene], object], **of_house: Any) -> Callable[[Scene], object]:
    """A verb that undoes what was done before: the table is closed, or so is the house."""

    def work(scene: Scene) -> object:
        now = timezone.now()
        HouseState.objects.create(pk=1, **dict.fromkeys(of_house, now))
        if not of_house:
            Table.objects.filter(pk=scene.table.pk).update(status=Table.Status.CLOSED)
            Closure.objects.create(table=scene.table, scope="game", at=now)
        return then(scene)

    return work


def confirm_halt(scene: Scene) -> None:
    house = HouseState.objects.create(pk=1, halted_at=timezone.now())
    assert house.halted_at is not None
    proposal = scene.submit("house.confirm_halt", halted_at=house.halted_at.isoformat())
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def retry(scene: Scene) -> None:
    late = scene.house.now - timedelta(seconds=9)
    Table.objects.filter(pk=scene.playing.pk).update(due_at=late)
    scene.post(f"floor/tables/{scene.playing.pk}/retry/")


def take_alarm(scene: Scene) -> None:
    figures = {"table": "Table 1", "seconds": 9}
    alarm = Alarm.objects.create(
        kind="stuck", subject="table:1", figures=figures, raised_at=timezone.now()
    )
    scene.post(f"alarms/{alarm.pk}/")


def decide_suspicion(scene: Scene) -> None:
    now = scene.house.now
    one = Suspicion.objects.create(
        detector="wins", subjects=str(scene.alice.pk), game="doudizhu", score=6, bound=4,
        since=now, until=now, opened_at=now,
        evidence={"figures": {"won": 90, "count": 100, "rate": 90}},
    )  # fmt: skip
    scene.post(f"integrity/{one.pk}/", decision="unfounded")


def mend(scene: Scene) -> None:
    scene.house.pass_time(24 * 3600)
    closed_days.close_days(scene.house.now)
    from games.models import DayResult

    DayResult.objects.update(hands_won=99)
    scene.command("audit", "--mend-days")


def maintenance_off(scene: Scene) -> None:
    Maintenance.objects.create(pk=switch.ROW, since=scene.house.now)
    scene.post("maintenance/", off="", message="")


def found(scene: Scene) -> None:
    """The house of the scene is founded already; the entry is what this is about."""
    founding.note(WHY, {"currencies": ["EUR"]})


def change_profile(scene: Scene) -> None:
    version = scene.draft
    form = {
        name: ("on" if value else "") if isinstance(value, bool) else str(value)
        for name, value in version.table_settings.items()
    }
    form |= {"buy_in_min": "50", "buy_in_max": "500", "stack_min": "10", "revision": "1"}
    scene.post(f"profiles/{version.pk}/edit/", **form | {"options-point": "2"})


def pack_evidence(scene: Scene) -> None:
    """The package is the answer, so nothing is redirected."""
    wanted = {"kind": "hand", "name": scene.hand.code, "reason": WHY}
    assert scene.browser.post("/admin/evidence/", wanted).status_code == 200


def command_evidence(scene: Scene) -> None:
    with TemporaryDirectory() as folder:
        scene.command("evidence", "hand", scene.hand.code, "--out", f"{folder}/hand.zip")


def check_code(scene: Scene) -> None:
    with override_settings(RELEASE_HASH=running_code().sha256):
        scene.command("check_code")


def publish_profile(scene: Scene) -> None:
    proposal = publishing.propose(
        scene.boss, scene.draft.pk, 1, timezone.now(), profiles.ANSWERS,
        reason=WHY, key=uuid4(), now=timezone.now(),
    )  # fmt: skip
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


VERBS: Final[dict[str, Callable[[Scene], object]]] = {
    "profile.add": lambda scene: scene.post(
        "profiles/new/", name="Club", game="doudizhu", currency="PLAY"
    ),
    "profile.change": change_profile,
    "profile.draft": lambda scene: scene.post(f"profiles/{scene.published.pk}/", draft="1"),
    "profile.discard": lambda scene: scene.post(f"profiles/{scene.second.pk}/", discard="1"),
    "profile.publish": publish_profile,
    "table.add": lambda scene: scene.post("games/table/add/", **scene.form()),
    "table.change": change_table,
    "table.run": run_table,
    "table.close": on_the_floor("tables/{table}/close/"),
    "table.open": already(on_the_floor("tables/{table}/open/")),
    "table.retry": retry,
    "game.close": on_the_floor("games/close/", game="chinese_poker"),
    "game.open": already(on_the_floor("games/open/", game="chinese_poker")),
    "house.close": on_the_floor("house/close/", typed="close"),
    "house.open": already(on_the_floor("house/open/"), closed_at=True),
    "house.halt": on_the_floor("halt/", typed="STOP"),
    "house.lift": already(on_the_floor("lift/"), halted_at=True),
    "house.confirm_halt": confirm_halt,
    "players.message": on_the_floor("house/message/", message="Coffee is ready"),
    "alarm.take": take_alarm,
    "suspicion.decide": decide_suspicion,
    "hand.reverse": lambda scene: scene.post(f"games/hand/{scene.hand.pk}/take-back/"),
    "hand.void": void_live,
    "hand.open_cards": open_cards,
    "hands.search_cards": lambda scene: scene.browser.get("/history/", {"cards": "As"}),
    "hands.audit": lambda scene: scene.post("audits/", first="2026-03-01", last="2026-03-01"),
    "sharedhand.revoke": revoke,
    "chatline.change": hide,
    "silence.add": lambda scene: scene.post(
        "games_chat/silence/add/",
        player=scene.alice.pk,
        until_0="2030-01-01",
        until_1="00:00:00",
    ),
    "silence.change": change_silence,
    "silence.delete": lambda scene: scene.post(
        f"games_chat/silence/{a_silence(scene).pk}/delete/", post="yes"
    ),
    "accessattempt.delete": unlock,
    "player.change": lambda scene: scene.post(
        f"players/player/{scene.auditor.pk}/change/", groups=[]
    ),
    "player.freeze": lambda scene: scene.post(f"players/player/{scene.alice.pk}/freeze/"),
    "player.unfreeze": unfreeze,
    "player.look": lambda scene: scene.browser.get(f"/admin/players/{scene.alice.pk}/file/"),
    "player.check": lambda scene: scene.post(
        f"players/{scene.alice.pk}/file/check/", what="age", document="passport"
    ),
    "player.flag": lambda scene: scene.post(f"players/{scene.alice.pk}/file/flag/", kind="watch"),
    "player.unflag": unflag,
    "player.note": lambda scene: scene.post(f"players/{scene.alice.pk}/file/note/", text="Hello"),
    "player.close": close_account,
    "player.erase": erase,
    "player.forget_codes": forget_codes,
    "player.end_sessions": end_sessions,
    "currency.add": lambda scene: scene.post(
        "wallets/currency/add/", code="XXX", name="Other", exponent=0, kind="play"
    ),
    "currency.change": lambda scene: scene.post("wallets/currency/EUR/change/", name="The euro"),
    "jackpot.open": lambda scene: scene.post("wallets/jackpot/add/", **pot()),
    "jackpot.change": lambda scene: scene.post(
        f"wallets/jackpot/{scene.pot.pk}/change/", **pot(share_bp=900)
    ),
    "jackpot.drain": drain,
    "deposit": cash("deposit"),
    "withdrawal": cash("withdrawal"),
    "limit.change": change_limit,
    "desk.deposit": pay("deposit"),
    "desk.withdrawal": pay("withdrawal"),
    "desk.pay": pay_request,
    "desk.correct": with_receipt(correct),
    "desk.transfer": move_cash,
    "shift.open": open_shift,
    "shift.count": in_a_shift("desk/count/"),
    "shift.close": in_a_shift("desk/tills/{till}/close/"),
    "till.add": lambda scene: scene.post("desk/tills/new/", name="Till 9"),
    "receipt.print": with_receipt(
        lambda scene, receipt: scene.post(f"desk/receipts/{receipt.number}/")
    ),
    "withdrawal.refuse": lambda scene: scene.post(f"desk/requests/{scene.request.pk}/", refuse="1"),
    "template.store": store_template,
    "template.retire": retire_template,
    "tournament.announce": announce,
    "tournament.schedule": schedule,
    "tournament.unschedule": unschedule,
    "tournament.cancel": run_event("cancel"),
    "tournament.pause": run_event("pause"),
    "tournament.resume": resume_event,
    "tournament.close": run_event("close"),
    "tournament.disqualify": disqualify,
    "tournament.message": run_event("message", notice="We begin again at eight."),
    "proposal.propose": lambda scene: scene.submit("limit.change", limit="deposit", value=1),
    "proposal.approve": decide("approve"),
    "proposal.reject": decide("reject"),
    "proposal.expire": decide("expire"),
    "maintenance.on": lambda scene: scene.post("maintenance/", on="", message="Back soon."),
    "maintenance.off": maintenance_off,
    "evidence.pack": pack_evidence,
    "command:evidence": command_evidence,
    "report.export": lambda scene: export_as("reports/revenue/?format=csv", scene),
    "shift.export": export_shift,
    "command:appoint": lambda scene: scene.command("appoint", "alice", "floor"),
    "command:dismiss": lambda scene: scene.command("appoint", "ada", "--dismiss"),
    "command:found": found,
    "command:close_books": lambda scene: scene.command("close_books"),
    "command:anchor": lambda scene: scene.command("anchor"),
    "command:export": lambda scene: scene.command("export"),
    "command:reseal": lambda scene: scene.command("reseal"),
    "command:audit": mend,
    "command:release": lambda scene: scene.command("release"),
    "command:check_code": check_code,
}


def play(house: House) -> Scene:
    with override_settings(APPROVAL_JACKPOT=10**6):
        return Scene(house)


evening = played_once(play)


@pytest.fixture
def scene(tonight: Evening[Scene], house: House) -> Iterator[Scene]:
    with override_settings(APPROVAL_JACKPOT=10**6):
        yield tonight.made


# What a verb is about beside the scene, by the beginning of its name.
ABOUT: Final = {
    Scene.make_profiles: ("profile.",),
    Scene.make_desk: ("desk.", "receipt.", "shift.", "till.", "withdrawal."),
    Scene.make_event: ("tournament.", "template.", "schedule."),
    Scene.make_live_hand: ("hand.void", "table.retry"),
}


@pytest.fixture
def whole(scene: Scene, verb: str) -> Scene:
    """A scene with what the verb is about; making it writes entries, too."""
    for make, verbs in ABOUT.items():
        if verb.startswith(verbs):
            make(scene)
    return scene


COMMANDS: Final = (
    "close_books", "anchor", "export", "evidence", "reseal", "audit", "appoint", "found",
    "release", "check_code",
)  # fmt: skip


def test_every_verb_is_played() -> None:
    # Commands are loaded when they are given.
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            call_command(command, "--help")
    assert {name for name in journal.verbs() if not name.startswith(OF_TESTS)} == set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_writes_one_entry(whole: Scene, verb: str) -> None:
    scene, before = whole, JournalEntry.objects.count()
    VERBS[verb](scene)
    entry = JournalEntry.objects.filter(position__gt=before, verb=verb).get()
    others = JournalEntry.objects.filter(position__gt=before).exclude(
        verb__in=(verb, BEFORE.get(verb))
    )
    assert all(one.startswith("proposal.") for one in others.values_list("verb", flat=True)) or (
        verb.startswith("proposal.")
    )
    expected = {
        "hand.open_cards": scene.auditor.username,
        "table.run": "flo",
        "proposal.expire": "house",
        "command:found": "manage.py found",
    }
    assert entry.actor_name == expected.get(verb, "boss")
    assert entry.actor
    assert entry.origin
    assert entry.before != entry.after
    assert entry.reason == ("" if verb in WITHOUT_REASON else WHY)
    assert entry.subject


def test_every_list_that_is_written_to_is_journalled(db: None) -> None:
    """What a superuser may do to a list is what its verbs say, and nothing else."""
    request = RequestFactory().get("/admin/")
    request.user = Player.objects.create_superuser("boss")
    by_verbs_of_their_own = {
        "jackpot": {"add", "change"},
        "sharedhand": {"change"},
        "template": {"add"},
        "schedule": {"add"},
    }
    for model, page in admin.site._registry.items():
        may = {
            "add": page.has_add_permission(request),
            "change": page.has_change_permission(request),
            "delete": page.has_delete_permission(request),
        }
        writes = set(page.writes) if isinstance(page, Journalled) else set()
        name = str(model._meta.model_name)
        writes = by_verbs_of_their_own.get(name, writes)
        assert {what for what, allowed in may.items() if allowed} == writes, name


def test_a_change_names_each_changed_field(scene: Scene) -> None:
    change_table(scene)
    entry = JournalEntry.objects.get(verb="table.change")
    assert entry.subject == scene.table.reference
    assert (entry.before["status"], entry.after["status"]) == ("open", "closing")
    assert "name" not in entry.before | entry.after
    assert entry.origin == "192.0.2.7"


def test_a_form_without_a_reason_changes_nothing(scene: Scene) -> None:
    address = f"/admin/games/table/{scene.table.pk}/change/"
    answer = scene.browser.post(address, scene.form(name="Other", reason="  "))
    assert "This field is required." in answer.text
    scene.table.refresh_from_db()
    assert scene.table.name != "Other"
    assert not JournalEntry.objects.exists()


def test_nothing_that_may_be_a_password_is_written(scene: Scene) -> None:
    attempt = AccessAttempt.objects.create(username="a secret", failures_since_start=5)
    scene.post(f"axes/accessattempt/{attempt.pk}/delete/", post="yes")
    assert "a secret" not in str(JournalEntry.objects.values_list())
    unlock(scene)
    assert JournalEntry.objects.latest("pk").before["player"] == f"player:{scene.alice.pk}"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "required"),
        (("--by", "boss"), "required"),
        (("--why", WHY), "required"),
        (("--by", "nobody", "--why", WHY), "no member of staff"),
        (("--by", "alice", "--why", WHY), "no member of staff"),
        (("--by", "boss", "--why", " "), "Say why"),
    ],
)
def test_a_command_says_who_and_why(scene: Scene, options: tuple[str, ...], said: str) -> None:
    for command in ("export", "anchor", "reseal", "close_books"):
        with pytest.raises(CommandError, match=said):
            call_command(command, *options, stdout=StringIO())
    if "required" not in said:
        with pytest.raises(CommandError, match=said):
            call_command("audit", "--mend-days", *options, stdout=StringIO())
    assert not JournalEntry.objects.exists()


def test_a_command_that_only_reads_needs_nobody(scene: Scene) -> None:
    call_command("audit", stdout=StringIO())
    with pytest.raises(CommandError):
        call_command("audit", "--mend-days", stdout=StringIO())
    assert not JournalEntry.objects.exists()


def test_an_anchor_finds_a_journal_that_was_computed_again(house: House) -> None:
    """Even where book and closings were computed again with it."""
    for number in range(2):
        journal.write(
            journal.HOUSE, "table.change", "table:1", before={}, after={"n": number}, reason="x"
        )
    anchors.anchor(house.now)
    assert list(audit_house.published(lambda done: None)) == []
    with triggers_set_aside(connection):
        previous = FIRST_HASH
        for entry in JournalEntry.objects.order_by("position"):
            entry.reason, entry.previous = "a forged one", previous
            entry.hash = previous = journal.hash_of(entry)
            entry.save()
        Book.objects.filter(name="journal").update(head=previous)
    assert not list(reconcile(everything=True))
    (finding,) = audit_house.published(lambda done: None)
    assert "2 of journal is not what it was" in finding


# The page


@pytest.fixture
def busy(scene: Scene) -> Scene:
    change_table(scene)
    open_cards(scene)
    scene.post(f"players/player/{scene.alice.pk}/freeze/")
    return scene


def shown(client: Client, **filters: Any) -> list[str]:
    page = client.get("/admin/journal/", filters)
    assert page.status_code == 200
    return [row.entry.verb for row in page.context["rows"]]


def test_the_journal_is_searched(busy: Scene) -> None:
    client = client_of(busy.auditor)
    assert shown(client) == ["player.freeze", "hand.open_cards", "table.change"]
    today = timezone.now().date().isoformat()
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"person": "boss"}, ["player.freeze", "table.change"]),
        ({"person": "ADA"}, ["hand.open_cards"]),
        ({"verb": "table.change"}, ["table.change"]),
        ({"subject": busy.hand.reference}, ["hand.open_cards"]),
        ({"subject": busy.table.reference, "person": "ada"}, []),
        ({"since": today, "until": today, "person": "ada"}, ["hand.open_cards"]),
        ({"until": "2020-01-01"}, []),
        ({"since": "2999-01-01"}, []),
        ({"until": "9999-12-31", "verb": "table.change"}, ["table.change"]),
        ({"before": 2}, ["table.change"]),
    ]
    for filters, verbs in cases:
        assert shown(client, **filters) == verbs, filters


def test_an_entry_is_read_in_words(busy: Scene) -> None:
    page = client_of(busy.auditor).get("/admin/journal/").text
    for words in ("Froze a player", "Opened all cards", "Changed: table", "192.0.2.7", WHY):
        assert words in page
    assert f"/admin/players/player/{busy.alice.pk}/change/" in page
    assert "open</del> → <ins" in page
    assert '<form method="post"' not in page.partition("<main")[2]


@pytest.mark.parametrize(
    "filters",
    [
        {"person": "nobody"},
        {"since": "yesterday"},
        {"verb": "table.burn"},
        {"subject": "x" * 65},
    ],
)
def test_a_filter_that_cannot_be_read_is_named(busy: Scene, filters: dict[str, str]) -> None:
    page = client_of(busy.auditor).get("/admin/journal/", filters)
    assert page.status_code == 200
    assert 'role="alert"' in page.text
    assert page.context["rows"] == []


def test_older_entries_are_on_further_pages(scene: Scene) -> None:
    boss = journal.by(scene.boss)
    for number in range(120):
        subject = f"table:{number % 2}"
        journal.write(boss, "table.change", subject, before={}, after={"n": number}, reason="x")
    client, address, seen = client_of(scene.auditor), "?subject=table:1", 0
    while address:
        page = client.get(f"/admin/journal/{address}")
        seen += len(page.context["rows"])
        address = page.context["older"]
    assert seen == 60


def test_who_reads_the_journal(scene: Scene) -> None:
    for group, status in (("auditors", 200), ("managers", 200), ("floor", 403)):
        member = scene.house.player(f"of-{group}", 0)
        appoint(member, group)
        client = client_of(Player.objects.get(pk=member.pk))
        assert client.get("/admin/journal/").status_code == status
        assert client.post("/admin/journal/", {}).status_code in (403, 405)
    assert client_of(scene.alice).get("/admin/journal/").status_code == 302


def test_the_history_of_a_row_is_in_the_journal(busy: Scene) -> None:
    answer = busy.browser.get(f"/admin/games/table/{busy.table.pk}/history/")
    assert answer["Location"] == f"/admin/journal/?subject={busy.table.reference}"
