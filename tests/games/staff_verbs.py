"""Every verb of staff, as a member of staff sends it."""

from collections.abc import Callable
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import uuid4

from axes.models import AccessAttempt
from django.contrib.auth.hashers import make_password
from django.test import override_settings
from django.utils import timezone

from casino.accounts.models import Authenticator, Player
from casino.care import own_data
from casino.office.alarms.models import Alarm
from casino.office.desk.models import Shift
from casino.office.integrity.models import Suspicion
from casino.office.models import Closure, HouseState
from casino.office.players import verbs
from casino.office.players.models import Complaint, Flag
from casino.ops import founding
from casino.ops.maintenance import switch
from casino.ops.maintenance.models import Maintenance
from casino.ops.running_code import running_code
from games.chat.models import ChatLine, Silence
from games.models import Hand, Table
from games.records import closed_days, sharing
from tests.games.desk_verbs import (
    at_the_desk,
    correct,
    in_a_shift,
    move_cash,
    open_shift,
    pay,
    pay_request,
    with_receipt,
)
from tests.games.hook_verbs import HOOK_VERBS
from tests.games.house_verbs import HOUSE_VERBS
from tests.games.message_verbs import MESSAGE_VERBS
from tests.games.payment_verbs import decide_payment, explain_difference
from tests.games.profile_verbs import add_table, change_profile, publish_profile, table_rules
from tests.games.promotion_verbs import (
    add_promotion,
    change_promotion,
    offer_ticket,
    publish_promotion,
    withdraw_offer,
)
from tests.games.staff_scene import WHY, Scene
from tests.games.tournament_verbs import TOURNAMENT_VERBS
from tests.games.wall_verbs import WALL_VERBS
from tests.people import client_of
from wallets.models import Jackpot
from wallets.staff import approvals


def change_table(scene: Scene) -> None:
    """Closing a table is a change of its status."""
    table = scene.table
    scene.post(
        f"games/table/{table.pk}/change/",
        name=table.name,
        status="closing",
        overflow_max=0,
    )


def run_table(scene: Scene) -> None:
    """The floor closes a table, and sees no other field."""
    address = f"/admin/games/table/{scene.table.pk}/change/"
    answer = client_of(scene.flo).post(address, {"status": "closing", "reason": WHY, "places": 9})
    assert answer.status_code == 302


def void_live(scene: Scene) -> None:
    live = Hand.objects.get(status=Hand.Status.LIVE)
    scene.post(f"games/hand/{live.pk}/take-back/", typed="VOID")


def forget_codes(scene: Scene) -> None:
    Authenticator.objects.create(
        player=scene.alice, sealed_secret="x", made_at=timezone.now(), confirmed_at=timezone.now()
    )
    scene.post(f"players/player/{scene.alice.pk}/forget-codes/")


def end_sessions(scene: Scene) -> None:
    client_of(scene.alice)
    scene.post(f"players/player/{scene.alice.pk}/end-sessions/")


def open_cards(scene: Scene) -> None:
    client_of(scene.auditor).post(f"/history/{scene.hand.pk}/open/", {"reason": WHY})


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
        "share_bp": "5", "lowest": 1, "highest": 2, "active": "on",
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


def complaint(scene: Scene) -> Complaint:
    """A complaint of a player, taken by the boss."""
    now = timezone.now()
    due_on = verbs.usual_deadline()
    return verbs.take_complaint(scene.boss, scene.alice.pk, "A slow table", due_on=due_on, now=now)


def take_back(scene: Scene) -> object:
    """The boss proposes a limit, and withdraws the proposal before a colleague decides it."""
    proposal = scene.submit("limit.change", limit="deposit", value=1)
    return approvals.take_back(scene.boss, proposal.pk, reason=WHY, now=timezone.now())


def export_as(address: str, scene: Scene) -> None:
    answer = scene.browser.get(f"/admin/{address}")
    assert answer["Content-Type"].startswith("text/csv")


def export_shift(scene: Scene) -> None:
    at_the_desk(scene)
    export_as(f"desk/shifts/{Shift.objects.get().pk}/shift.csv", scene)


def approved(scene: Scene, verb: str, **arguments: Any) -> None:
    proposal = scene.submit(verb, **arguments)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def unfreeze(scene: Scene) -> None:
    Player.objects.filter(pk=scene.alice.pk).update(is_active=False)
    approved(scene, "player.unfreeze", player=scene.alice.pk)


def ada(scene: Scene) -> Player:
    return scene.house.person("ada")


def hand_out(scene: Scene) -> None:
    # As the account of a new colleague.
    Player.objects.filter(pk=ada(scene).pk).update(password=make_password(None))
    answer = scene.browser.post(f"/admin/staff/{ada(scene).pk}/password/", {"reason": WHY})
    assert "One-time password" in answer.text


def unflag(scene: Scene) -> None:
    Flag.objects.create(
        player=scene.alice, kind="watch", reason="x", by="player:1", by_name="x", at=timezone.now()
    )
    scene.post(f"players/{scene.alice.pk}/file/unflag/", kind="watch")


def erase(scene: Scene) -> None:
    own_data.ask(scene.dora, timezone.now())
    approved(scene, "player.erase", player=scene.dora.pk)


def on_the_floor(address: str, **fields: Any) -> Callable[[Scene], object]:
    """A form of the floor; `{table}` in its address is the table's number."""

    def work(scene: Scene) -> object:
        return scene.post(f"floor/{address.format(table=scene.table.pk)}", **fields)

    return work


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
    approved(scene, "house.confirm_halt", halted_at=house.halted_at.isoformat())


def retry(scene: Scene) -> None:
    late = scene.house.now - timedelta(seconds=9)
    Table.objects.filter(pk=scene.playing.pk).update(due_at=late)
    scene.post(f"floor/tables/{scene.playing.pk}/retry/")


def take_alarm(scene: Scene) -> None:
    figures = {"table": "Table 1", "seconds": 9}
    about = scene.table.reference
    alarm = Alarm.objects.create(
        kind="stuck", subject=about, figures=figures, raised_at=timezone.now()
    )
    scene.post(f"alarms/{alarm.pk}/")


def decide_suspicion(scene: Scene) -> None:
    now = scene.house.now
    suspicion = Suspicion.objects.create(
        detector="wins", subjects=str(scene.alice.pk), game="doudizhu", score=6, bound=4,
        since=now, until=now, opened_at=now,
        evidence={"figures": {"won": 90, "count": 100, "rate": 90}},
    )  # fmt: skip
    scene.post(f"integrity/{suspicion.pk}/", decision="unfounded")


def mend(scene: Scene) -> None:
    closed_days.close_days(scene.house.now + timedelta(days=1))
    from games.models import DayResult

    DayResult.objects.update(hands_won=99)
    # Nothing else may be wrong.
    scene.command("audit", "--mend-days")


def maintenance_off(scene: Scene) -> None:
    Maintenance.objects.create(pk=switch.ROW, since=scene.house.now)
    scene.post("maintenance/", off="", message="")


def found(scene: Scene) -> None:
    """The house of the scene is founded already; the entry is what this is about."""
    founding.note(WHY, {"currencies": ["EUR"]})


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


VERBS: Final[dict[str, Callable[[Scene], object]]] = {
    "promotion.add": add_promotion,
    "promotion.change": change_promotion,
    "promotion.draft": lambda scene: scene.post(f"promotions/{scene.promotion.pk}/", draft="1"),
    "promotion.discard": lambda scene: scene.post(
        f"promotions/{scene.promotion_second.pk}/", discard="1"
    ),
    "promotion.publish": publish_promotion,
    "shop.offer": offer_ticket,
    "shop.withdraw": withdraw_offer,
    "promotion.end": lambda scene: scene.post(f"promotions/{scene.promotion.pk}/", end="1"),
    "profile.add": lambda scene: scene.post(
        "profiles/new/", name="Club", game="doudizhu", currency="PLAY"
    ),
    "profile.change": change_profile,
    "profile.draft": lambda scene: scene.post(f"profiles/{scene.published.pk}/", draft="1"),
    "profile.discard": lambda scene: scene.post(f"profiles/{scene.second.pk}/", discard="1"),
    "profile.publish": publish_profile,
    "table.add": add_table,
    "table.rules": table_rules,
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
    "hand.reverse": lambda scene: scene.post(
        f"games/hand/{scene.hand.pk}/take-back/", typed="VOID"
    ),
    "hand.void": void_live,
    "hand.open_cards": open_cards,
    "hands.search_cards": lambda scene: scene.browser.get("/admin/hands/", {"cards": "As"}),
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
    "staff.appoint": lambda scene: approved(
        scene, "staff.appoint", player=scene.alice.pk, role="floor"
    ),
    "staff.dismiss": lambda scene: scene.post(f"staff/{ada(scene).pk}/dismiss/", role=""),
    "staff.first_password": hand_out,
    "player.freeze": lambda scene: scene.post(f"players/player/{scene.alice.pk}/freeze/"),
    "player.unfreeze": unfreeze,
    "player.look": lambda scene: scene.browser.get(f"/admin/players/{scene.alice.pk}/file/"),
    "player.check": lambda scene: scene.post(
        f"players/{scene.alice.pk}/file/check/", what="age", document="passport"
    ),
    "player.flag": lambda scene: scene.post(f"players/{scene.alice.pk}/file/flag/", kind="watch"),
    "player.unflag": unflag,
    "complaint.take": complaint,
    "complaint.answer": lambda scene: verbs.answer_complaint(
        scene.boss, complaint(scene).pk, "upheld", "paid", timezone.now()
    ),
    "player.note": lambda scene: scene.post(f"players/{scene.alice.pk}/file/note/", text="Hello"),
    "player.close": lambda scene: approved(scene, "player.close", player=scene.dora.pk),
    "player.erase": erase,
    "player.forget_codes": forget_codes,
    "player.end_sessions": end_sessions,
    "currency.add": lambda scene: scene.post(
        "wallets/currency/add/", code="XXX", name="Other", exponent=0, kind="play"
    ),
    "currency.change": lambda scene: scene.post("wallets/currency/EUR/change/", name="The euro"),
    "jackpot.open": lambda scene: scene.post("wallets/jackpot/add/", **pot()),
    "jackpot.change": lambda scene: scene.post(
        f"wallets/jackpot/{scene.pot.pk}/change/", **pot(share_bp="9")
    ),
    "jackpot.drain": drain,
    "deposit": cash("deposit"),
    "withdrawal": cash("withdrawal"),
    "limit.change": lambda scene: approved(scene, "limit.change", limit="reversal", value=3),
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
    "payment.receive": decide_payment("receive", "in", "started"),
    "payment.pay": decide_payment("pay", "out", "asked"),
    "payment.book": decide_payment("book", "in", "differs"),
    "payment.refund": decide_payment("refund", "in", "differs"),
    "payment.take_back": decide_payment("take_back", "cb", "disputed"),
    "payment.bear": decide_payment("bear", "cb", "disputed"),
    "payment.give_back": decide_payment("give_back", "cb", "won"),
    "payment.refuse": decide_payment("refuse", "in", "started"),
    "payment.explain": explain_difference,
    **HOUSE_VERBS,
    **WALL_VERBS,
    **MESSAGE_VERBS,
    **HOOK_VERBS,
    **TOURNAMENT_VERBS,
    "proposal.propose": lambda scene: scene.submit("limit.change", limit="deposit", value=1),
    "proposal.approve": decide("approve"),
    "proposal.reject": decide("reject"),
    "proposal.expire": decide("expire"),
    "proposal.withdraw": take_back,
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
