"""What a house does with the toys; `tests/test_toys.py` runs it in a house that has them."""

import csv
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from casino.accounts.staff import AUDITORS, CASHIERS, appoint
from casino.office.frame import members
from casino.ops import made_at_start
from games.models import Hand
from games.rules.cards import Card
from games.rules.catalogue import GAMES, game_type
from tests.casino.first_use import built
from tests.games.house import House
from tests.people import client_of, journal_staff
from tests.rules.harness import Table as Rules
from tests.rules.harness import played_hands
from wallets.values.days import day_of


@pytest.fixture
def auditor(house: House) -> Client:
    return staff(house, AUDITORS)


def staff(house: House, group: str) -> Client:
    player = house.player(f"one of the {group}")
    appoint(player, group)
    return client_of(player)


def test_the_report_and_the_page_are_shown_to_their_roles(house: House, auditor: Client) -> None:
    house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.dealt_in("doudizhu", "dave", "erin", "frank")
    address = f"/admin/reports/handed/?from={day_of(house.now)}&to={day_of(house.now)}"
    page = auditor.get(address).content.decode()
    assert "Hands dealt" in page
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    assert body.count("<tr") == 1
    assert "Dou Dizhu" in body
    assert ">2<" in "".join(body.split())
    answer = auditor.get(f"{address}&format=csv")
    *lines, _code = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert list(csv.DictReader(lines)) == [{"game": "doudizhu", "dealt": "2"}]
    assert "Hands dealt" in auditor.get("/admin/reports/revenue/").content.decode()

    (_start, now, *_others) = auditor.get("/admin/").context["sidebar_navigation"]
    assert [entry["title"] for entry in now["items"]] == ["Floor", "Seated", "Alarms", "Approvals"]
    assert "6 people are seated" in auditor.get("/admin/seated/").content.decode()
    assert staff(house, CASHIERS).get("/admin/seated/").status_code == 403
    assert "/admin/seated/" in auditor.get("/admin/search/?s=sEaT").content.decode()
    assert "/admin/seated/" in str(members.sections())
    assert Client().get("/admin/seated/").status_code == 302


def test_the_game_is_played_in_a_browser_and_audited(house: House, auditor: Client) -> None:
    names = ("alice", "bob", "carol")
    table = house.dealt_in("high_card", *names)
    address = f"/tables/{table.pk}/"
    page = client_of(house.person("alice")).get(address).content.decode()
    assert 'value="stay"' in page
    seen = client_of(house.person("alice")).get(f"/api/v1/tables/{table.pk}/").json()
    assert [choice["do"] for choice in seen["choices"]] == ["stay", "fold"]
    assert (seen["game"], len(seen["view"]["hand"])) == ("high_card", 1)
    for name, action in zip(names, ("stay", "fold", "stay"), strict=True):
        house.act(table, name, {"do": action})
    hand = Hand.objects.get(table=table)
    assert hand.status == Hand.Status.FINISHED
    nets = dict(hand.seats.values_list("player__username", "net"))
    winner = max(nets, key=nets.__getitem__)
    assert sorted(nets.values()) == [-200, -100, 285]
    text = client_of(house.person("bob")).get(address).content.decode()
    assert f"{winner} has a higher card than" in text
    assert f"bob has folded and pays {winner} 1 point" in text
    record = client_of(house.person("bob")).get(f"/history/{hand.pk}/record/")
    assert record.json()["game"] == "high_card"
    replay = auditor.get(f"/admin/hands/{hand.code}/").content.decode()
    assert "stays" in replay
    journal_staff()
    call_command("audit")
    rules = Client().get("/rules/high_card/").content.decode()
    assert "Hold the highest card" in rules
    assert "High card" in Client().get("/rules/").content.decode()
    rules = Client(headers={"accept-language": "zh-hans"}).get("/rules/high_card/").text
    assert "比大牌" in rules
    assert "每位跟牌者" in rules
    assert "玩家依次决定跟牌或弃牌。" in rules
    assert GAMES["high_card"].table == "Hilltop"


def test_random_hands_of_the_game_hold_what_every_hand_must() -> None:
    def open_to(state: Any, seat: int | None) -> set[Card]:
        return {state.cards[place] for place in game_type("high_card")().shown(state, seat)}

    stay, fold = (action() for action in game_type("high_card").actions)
    rules = Rules(
        options={"point": (1, 100), "rake_bp": (0, 500), "tournament": (False, True)},
        stacks=(1, 150, 10_000),
        context=lambda _random, _stakes: {},
        choose=lambda random, _game, _state, _seat: random.choice((stay, fold)),
        cards_in_play=lambda state: state.cards,
        open_to=open_to,
    )
    played_hands("high_card", rules, range(40))


def test_types_of_the_game_are_built_with_those_of_the_house() -> None:
    made_at_start.build()
    game = game_type("high_card")
    assert {game, game.context_type, *game.actions} <= built()


def test_a_game_needs_no_migration() -> None:
    """No column lists the games that there are, as migrations would have to."""
    fields = [field for model in apps.get_models() for field in model._meta.concrete_fields]
    assert not [field for field in fields if "high_card" in str(field.deconstruct())]
