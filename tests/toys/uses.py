"""What a house does with the toys; `tests/test_toys.py` runs it in a house that has them."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from casino.accounts.staff import AUDITORS, CASHIERS, appoint
from casino.office.frame import members
from casino.ops import made_at_start
from games.bots.simulate import simulate
from games.models import Hand, SharedHand, Table
from games.rules.catalogue import GAMES, game_type
from tests.casino.first_use import built
from tests.games.house import House
from tests.people import client_of, journal_staff
from tests.rules.harness import Table as Rules
from tests.rules.harness import check_settlement, play, played_hands
from tests.tournaments.events import Event, sit_and_go
from tests.toys.holdem import GAME, TABLE, agrees_with_pokerkit
from tournaments.audit.whole import since
from tournaments.models import Payout, Tournament
from wallets.values.days import day_of

# How many hands are compared with those that pokerkit plays alone.
HANDS = int(os.environ.get("HANDS", "10"))


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


def checked(path: Path, record: bytes) -> str:
    """What the published script says of a record."""
    path.write_bytes(record)
    words = [sys.executable, "docs/verify.py", str(path)]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def test_the_game_is_played_in_a_browser_and_audited(
    house: House, auditor: Client, tmp_path: Path
) -> None:
    """Alice has the button, bob and carol the blinds; bob folds, and the pot is shown down."""
    names = ("alice", "bob", "carol")
    table = house.dealt_in(GAME, *names)
    address = f"/tables/{table.pk}/"
    alice = client_of(house.person("alice"))
    page = alice.get(address).content.decode()
    assert 'value="raise"' in page
    seen = alice.get(f"/api/v1/tables/{table.pk}/").json()
    assert [choice["do"] for choice in seen["choices"]] == ["fold", "call", "raise"]
    assert (seen["game"], len(seen["view"]["hand"]), seen["view"]["opened"]) == (GAME, 2, {})
    house.act(table, "alice", {"do": "raise", "amount": 300})
    house.act(table, "bob", {"do": "fold"})
    house.act(table, "carol", {"do": "call"})
    for _street in range(3):
        house.act(table, "carol", {"do": "check"})
        house.act(table, "alice", {"do": "check"})
    hand = Hand.objects.get(table=table)
    assert hand.status == Hand.Status.FINISHED
    nets = dict(hand.seats.values_list("player__username", "net"))
    assert (sum(nets.values()), nets["bob"]) == (-32, -50)
    text = client_of(house.person("bob")).get(address).content.decode()
    assert "the house takes its share of pot 1" in text
    record = client_of(house.person("bob")).get(f"/history/{hand.pk}/record/")
    assert record.json()["game"] == GAME
    proven = checked(tmp_path / "record.json", record.content)
    assert "Cards: proved" in proven
    assert "WRONG" not in proven
    carol = client_of(house.person("carol"))
    for page in ("", "coach/", *(f"step/{number}/" for number in (0, 9))):
        assert carol.get(f"/history/{hand.pk}/{page}").status_code == 200, page
    shared = carol.post(f"/history/{hand.pk}/share/")
    link = SharedHand.objects.get(hand=hand)
    for page in ("", "step/9/", "preview.png"):
        assert Client().get(f"/shared/{link.token}/{page}").status_code == 200, (page, shared)
    replay = auditor.get(f"/admin/hands/{hand.code}/").content.decode()
    assert "raises to 3" in replay
    assert "The flop" in replay
    journal_staff()
    call_command("audit")
    assert "Win the pot" in Client().get(f"/rules/{GAME}/").content.decode()
    assert "Hold’em" in Client().get("/rules/").content.decode()
    rules = Client(headers={"accept-language": "zh-hans"}).get(f"/rules/{GAME}/").text
    assert "大盲注" in rules
    assert "赢得底池" in rules
    assert GAMES[GAME].table == "Hilltop"


def bets_of(house: House, table: Table, number: int) -> dict[str, int]:
    """What lies in front of the seats when a hand of the table has opened."""
    house.until(table, lambda row: row.hands_dealt == number and row.phase == Table.Phase.PLAY)
    seen = client_of(house.person("eve")).get(f"/api/v1/tables/{table.pk}/").json()
    return {seat: bet for seat, bet in seen["view"]["bets"].items() if bet}


def test_a_newcomer_puts_in_a_big_blind(house: House, tmp_path: Path) -> None:
    """Eve sits down behind the blinds, misses a hand, and comes back where the small blind is."""
    table = house.dealt_in(GAME, "alice", "bob", "carol", "dave")
    house.sit(house.player("eve"), table, 5)
    assert bets_of(house, table, 2) == {"3": 50, "4": 100, "5": 100}
    seen = client_of(house.person("eve")).get(f"/api/v1/tables/{table.pk}/").json()
    assert [choice["do"] for choice in seen["choices"]] == ["check", "raise"]
    house.change(table, "eve", sits_out=True)
    assert bets_of(house, table, 3) == {"4": 50, "1": 100}
    house.change(table, "eve", sits_out=False)
    assert bets_of(house, table, 4) == {"5": 100, "1": 100}
    assert bets_of(house, table, 5) == {"1": 50, "2": 100}
    hand = Hand.objects.get(table=table, number=4)
    own = client_of(house.person("eve")).get(f"/history/{hand.pk}/record/")
    assert own.json()["context"] == {"button": 4, "joined": [5]}
    assert "WRONG" not in checked(tmp_path / "record.json", own.content)
    journal_staff()
    call_command("audit")


@pytest.mark.django_db(transaction=True)
def test_five_play_for_prizes_at_one_table(house: House) -> None:
    event, played = Event(house), sit_and_go(GAME, 5, table_size=5, levels=[{"point": 800}])
    players = event.open(played, 5)
    house.away.clear()
    event.until(event.is_running)
    page = client_of(players[0]).get(f"/tournaments/{event.row.pk}/").content.decode()
    assert "Blinds 400/800" in page
    while not event.is_over():
        event.step()
        event.people_act()
    assert event.row.state == Tournament.State.FINISHED
    payouts = Payout.objects.filter(tournament=event.row)
    assert sum(payout.amount for payout in payouts) == 5_000
    assert Hand.objects.filter(rake__gt=0).count() == 0
    assert [str(finding) for finding in since()] == []


def test_eight_bots_play_on_with_what_they_hold(house: House) -> None:
    """A table of nine with one person, who folds or checks: no hand gets stuck."""
    table = house.among_bots(GAME, "alice", 8, places=9)
    house.until(table, lambda row: row.hands_dealt > 3)
    assert not Hand.objects.filter(status=Hand.Status.VOID).exists()
    journal_staff()
    call_command("audit")


def test_random_hands_of_the_game_hold_what_every_hand_must() -> None:
    played_hands(GAME, TABLE, range(4), agrees_with_pokerkit)


def test_hands_end_as_they_do_on_pokerkit_alone() -> None:
    """The same players with the same cards do the same: the oracle agrees to the chip."""
    for seed in range(HANDS):
        played = play(GAME, TABLE, seed)
        check_settlement(played)
        agrees_with_pokerkit(played)


def test_a_first_hand_is_dealt_and_shown(house: House) -> None:
    """The game that the authors' page builds: random hands of it hold, and a page shows one."""
    kinds = game_type("high_card").actions
    table = Rules(
        options={"point": (1, 100), "rake_bp": (0, 500), "tournament": (False, True)},
        stacks=(1, 150, 10_000),
        context=lambda _random, _stakes: {},
        choose=lambda random, _game, _state, _seat: random.choice(kinds)(),
        cards_in_play=lambda state: state.cards,
        open_to=lambda state, seat: {
            state.cards[place] for place in game_type("high_card")().shown(state, seat)
        },
    )
    played_hands("high_card", table, range(20))
    live = house.dealt_in("high_card", "alice", "bob")
    page = client_of(house.person("alice")).get(f"/tables/{live.pk}/").content.decode()
    assert 'value="stay"' in page
    assert "To pay" in Client().get("/rules/high_card/").content.decode()
    assert simulate(game_type("high_card")(), 10, "0", None)["hands"] == 10


def test_types_of_the_game_are_built_with_those_of_the_house() -> None:
    made_at_start.build()
    game = game_type(GAME)
    assert {game, game.context_type, *game.actions} <= built()


def test_a_game_needs_no_migration() -> None:
    """No column lists the games that there are, as migrations would have to."""
    fields = [field for model in apps.get_models() for field in model._meta.concrete_fields]
    assert not [field for field in fields if GAME in str(field.deconstruct())]
