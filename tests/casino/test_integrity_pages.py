"""The queue of suspicions: who sees it, what it says, and who decides, once."""

from typing import Any

import pytest
from django.test import Client

from casino.accounts.models import Player
from casino.office.integrity.models import Suspicion
from casino.office.integrity.suspicions import decide, visible_to
from games.models import Table
from tests.casino.finished_hands import FinishedHands
from tests.casino.floor_scene import member
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db
QUEUE = "/admin/integrity/"


@pytest.fixture
def manager(house: House) -> Client:
    return client_of(member(house, "managers"))


@pytest.fixture
def table(house: House) -> Table:
    table = FinishedHands(house, "chinese_poker", "ann", "ben")
    table.play([{1: 5.0}])
    return table.table


def suspicion(house: House, table: Table, detector: str = "dumping", *names: str) -> Suspicion:
    players = [house.person(name) for name in names or ("ann", "ben")]
    numbers = [player.pk for player in players]
    ends = {"source": numbers[-1], "target": numbers[0]}
    sums = {"passed": 500, "count": 80, "won": 9, "rate": 3, "devices": 7, "lines": 2}
    new_case = Suspicion.objects.create(
        detector=detector, subjects=",".join(map(str, numbers)), game="chinese_poker", table=table,
        since=house.now, until=house.now, score=9.25, bound=5.5, weight=80, opened_at=house.now,
        evidence={
            "hands": [f"T{table.pk}-H1"], "figures": ends | sums, "by_day": {"2026-03-01": 500},
        },
    )  # fmt: skip
    new_case.players.set(players)
    return new_case


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("group", "sees", "decides"),
    [
        ("floor", False, False),
        ("cashiers", False, False),
        ("technicians", False, False),
        ("auditors", True, False),
        ("managers", True, True),
    ],
)
def test_managers_decide_and_auditors_see(
    house: House, table: Table, group: str, sees: bool, decides: bool
) -> None:
    one = suspicion(house, table)
    client = client_of(member(house, group))
    address = f"{QUEUE}{one.pk}/"
    assert client.get(QUEUE).status_code == (200 if sees else 403)
    assert client.get(address).status_code == (200 if sees else 403)
    answer = client.post(address, {"decision": "watch", "reason": "as it looks"})
    assert answer.status_code == (302 if decides else 200 if sees else 403)
    one.refresh_from_db()
    assert one.state == ("decided" if decides else "open")


def test_a_stranger_and_a_player_are_refused(house: House, table: Table, client: Client) -> None:
    one = suspicion(house, table)
    for somebody in (client, client_of(house.person("ann"))):
        for address in (QUEUE, f"{QUEUE}{one.pk}/"):
            assert somebody.get(address).status_code in (302, 403)
            assert somebody.post(address).status_code in (302, 403, 405)
    assert not visible_to(house.person("ann")).exists()


@pytest.mark.always
def test_a_suspicion_says_what_was_found_and_links_its_hands(
    house: House, table: Table, manager: Client
) -> None:
    one = suspicion(house, table)
    text = text_of(manager, f"{QUEUE}{one.pk}/")
    assert "ben lost 500 bets to ann in 80 hands." in text
    assert "Chip dumping" in text
    assert "Score 9.3, bound 5.5" in " ".join(text.split())
    assert "<svg" in text
    link = f"/admin/hands/T{table.pk}-H1/"
    assert f'href="{link}"' in text


@pytest.mark.always
def test_the_queue_is_narrowed(house: House, table: Table, manager: Client) -> None:
    house.player("cid")
    waits = suspicion(house, table)
    shared = suspicion(house, table, "shared", "ann", "cid")
    decided = suspicion(house, table, "wins", "cid")
    decide(Player.objects.create_superuser("boss"), decided.pk, "watch", "seen", house.now)
    for query, expected in (
        ("", {waits, shared}),
        ("state=decided", {decided}),
        ("state=all", {waits, shared, decided}),
        ("question=shared", {shared}),
        ("player=CID", {shared}),
        ("player=nobody", set()),
        ("game=doudizhu", set()),
        ("game=chinese_poker&state=all&player=cid", {shared, decided}),
        (f"before={shared.pk}", {waits}),
    ):
        text = text_of(manager, f"{QUEUE}?{query}")
        shown = {
            case_shown
            for case_shown in (waits, shared, decided)
            if f'{QUEUE}{case_shown.pk}/"' in text
        }
        assert shown == expected, query
    for query in ("state=odd", "question=odd", "game=odd", "before=x"):
        assert manager.get(f"{QUEUE}?{query}").status_code == 200
    for number in (999_999, 10**30):
        assert manager.get(f"{QUEUE}{number}/").status_code == 404
    assert QUEUE in text_of(manager, "/admin/")


def test_a_decision_is_one_of_three_and_has_a_reason(
    house: House, table: Table, manager: Client
) -> None:
    one = suspicion(house, table)
    for form in ({"decision": "guilty", "reason": "x"}, {"decision": "watch", "reason": " "}):
        assert manager.post(f"{QUEUE}{one.pk}/", form).status_code == 200
    one.refresh_from_db()
    assert (one.state, one.decision) == ("open", "")


def test_a_decision_is_journalled_and_made_once(
    house: House, table: Table, manager: Client
) -> None:
    one, boss = suspicion(house, table), Player.objects.create_superuser("boss")
    decide(boss, one.pk, "unfounded", "brothers", house.now)
    entry = JournalEntry.objects.get(verb="suspicion.decide")
    assert (entry.subject, entry.reason) == (one.reference, "brothers")
    assert entry.after["decision"] == "unfounded"
    assert "ann" not in str(entry.after)
    with pytest.raises(Refused) as refused:
        decide(boss, one.pk, "acted", "again", house.now)
    assert refused.value.code == "suspicion_decided"
    assert JournalEntry.objects.filter(verb="suspicion.decide").count() == 1
    assert f'href="{QUEUE}{one.pk}/"' in text_of(manager, "/admin/journal/")


def test_what_cannot_be_decided_is_refused(house: House, table: Table) -> None:
    one = suspicion(house, table)
    staff = {group: member(house, group) for group in ("auditors", "floor", "managers")}
    cases: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("auditors", {}, "not_decider"), ("floor", {}, "no_such_suspicion"),
        ("managers", {"decision": "odd"}, "no_such_decision"),
        ("managers", {"number": 999_999}, "no_such_suspicion"),
    )  # fmt: skip
    for group, given, code in cases:
        values: dict[str, Any] = {
            "number": one.pk,
            "decision": "watch",
            "note": "x",
            "now": house.now,
        } | given
        with pytest.raises(Refused) as refused:
            decide(staff[group], **values)
        assert refused.value.code == code
    assert not JournalEntry.objects.filter(verb="suspicion.decide").exists()
