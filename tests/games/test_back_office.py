"""Tables in the back office, and what staff may look at."""

from typing import Any

import pytest
from django.test import Client

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand, Move, Shoe, Table, TableRules
from games.rules.cards import Card
from games.tables import demo
from games.tables.settings import problems, usual_stacks
from tests.games.evenings import played_once
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry

MODELS = ("table", "hand", "move", "seat", "shoe", "chainentry", "day", "sharedhand")


def staff(house: House, name: str, group: str) -> Client:
    player: Player = house.player(name, 0)
    appoint(player, group)
    return client_of(player)


@pytest.fixture
def operator(house: House) -> Client:
    return staff(house, "olga", "managers")


@pytest.fixture
def auditor(house: House) -> Client:
    return staff(house, "ada", "auditors")


def play(house: House) -> Table:
    """Dou Dizhu: a hand that was played is over, another runs."""
    table = house.among_bots("doudizhu", "alice")
    # In a hand without a call no card is played.
    played = Move.objects.filter(hand__status=Hand.Status.FINISHED, action__do="play")
    house.until(
        table, lambda table: bool(table.hand_id) and table.moves_made > 4 and played.exists()
    )
    return table


evening = played_once(play)


def settings(**given: Any) -> dict[str, Any]:
    """What one manager sets of a table; its rules are no part of the form."""
    fields = {"name": "New", "status": "open", "overflow_max": 1, "reason": "the club asked for it"}
    return fields | given


def test_every_list_and_page_opens(
    house: House, table: Table, operator: Client, auditor: Client
) -> None:
    for model in MODELS:
        for client in (operator, auditor):
            assert client.get(f"/admin/games/{model}/").status_code == 200, model
    for row in (Table.objects.first(), Hand.objects.first(), Shoe.objects.first()):
        assert row is not None
        address = f"/admin/games/{row._meta.model_name}/{row.pk}/change/"
        assert auditor.get(address).status_code == 200


def test_the_floor_opens_and_closes_tables_and_sets_nothing_else(
    house: House, table: Table
) -> None:
    floor = staff(house, "flo", "floor")
    address = f"/admin/games/table/{table.pk}/change/"
    page = floor.get(address).text
    assert 'name="status"' in page
    forged = settings(name="Mine", places=2, status="closing") | RULES
    assert floor.post(address, forged).status_code == 302
    before, table = table, Table.objects.get(pk=table.pk)
    assert (table.status, table.options) == ("closing", before.options)
    assert (table.name, table.places) == (before.name, before.places)
    entry = JournalEntry.objects.get(verb="table.run")
    assert (entry.before, entry.after) == ({"status": "open"}, {"status": "closing"})
    assert floor.get("/admin/games/table/add/").status_code == 403
    assert floor.get("/admin/tables/new/").status_code == 403


def test_players_and_strangers_stay_outside(house: House, table: Table, client: Client) -> None:
    assert client.get("/admin/games/table/").status_code == 302
    client.force_login(house.person("alice"))
    assert client.get("/admin/games/table/").status_code in (302, 403)


# What was a field of the form when one manager could change the rules of a live table.
RULES: dict[str, Any] = {
    "places": 2, "buy_in_min": "10", "buy_in_max": "90", "stack_min": "1", "decision_seconds": 33,
    "betting_seconds": 33, "pause_seconds": 33, "grace_seconds": 33, "idle_seconds": 33,
    "bots_max": 9, "options-rake_bp": "9", "options-point": "9", "currency": "EUR",
    "game": "blackjack", "profile": "1", "jackpots": "1",
}  # fmt: skip


def test_one_manager_changes_no_rule(house: House, table: Table, operator: Client) -> None:
    before = Table.objects.values().get()
    address = f"/admin/games/table/{table.pk}/change/"
    page = operator.get(address).text
    for name in RULES:
        assert f'name="{name}"' not in page
    assert f"/admin/tables/{table.pk}/rules/" in page
    assert operator.post(address, settings(name="Renamed") | RULES).status_code == 302
    after = Table.objects.values().get()
    free = {"name": "Renamed", "overflow_max": 1, "version": after["version"]}
    assert after == before | free
    assert not TableRules.objects.exists()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"options": {"point": "many"}}, "do not fit"),
    ({"places": 4}, "3 to 3 seats"),
    ({"stack_min": 2_000}, "The minimum buy-in is below the stack"),
    ({"options": {"rake_bp": 1001}}, "The rake can be at most 10 %."),
    ({"options": {"point": 101}}, "The smallest bet is 1.01"),
    ({"options": {"point": 9001}}, "The smallest bet is 90.01"),
    ({"game": "thirteen_hongkong", "places": 4, "options": {"bet_min": 101}}, "bet is 1.01"),
    ({"game": "thirteen_taiwan", "places": 4, "options": {"point": 101}}, "bet is 1.01"),
    ({"game": "blackjack", "options": {"min": 101}}, "The smallest bet is 1.01"),
    (
        {"game": "baccarat", "options": {"max": 1000, "max_payout": 999}},
        "could not win as much as it stakes",
    ),
    # People and browsers need their time.
    ({"pause_seconds": 1}, "at least"),
    ({"decision_seconds": 4}, "at least"),
    ({"betting_seconds": 0}, "at least"),
]


def test_a_table_that_cannot_be_played_is_refused(house: House) -> None:
    honest: dict[str, Any] = {
        "currency": house.currency, "places": 3, "options": {"point": 100, "rake_bp": 1000},
        "stack_min": 100, "buy_in_min": 1_000, "decision_seconds": 20, "betting_seconds": 15,
        "pause_seconds": 5,
    }  # fmt: skip
    assert list(problems(Table(game="doudizhu"), honest)) == []
    for given, sentence in WRONG:
        table = Table(game=given.get("game", "doudizhu"))
        said = [words for _field, words in problems(table, honest | {"options": {}} | given)]
        assert any(sentence in words for words in said), (given, said)


@pytest.mark.parametrize(
    ("game", "options", "usual"),
    [
        ("baccarat", {}, None),
        ("doudizhu", {"point": "many"}, None),
        ("doudizhu", {"point": 20}, (1_000, 200)),
        ("chinese_poker", {"point": 75}, (2_200, 375)),
    ],
)
def test_the_usual_amounts_at_these_stakes(
    game: str, options: dict[str, Any], usual: tuple[int, int] | None
) -> None:
    amounts = usual_stacks(game, options)
    assert (amounts["buy_in_min"], amounts["stack_min"]) == (usual or (None, None))


@pytest.mark.always
def test_the_tables_of_a_demonstration_keep_to_the_bounds(db: None) -> None:
    demo.seed()
    for table in Table.objects.select_related("currency"):
        values = {field.name: getattr(table, field.name) for field in Table._meta.fields}
        assert not list(problems(table, values | {"jackpots": table.jackpots.all()})), table


def test_an_auditor_changes_nothing(house: House, table: Table, auditor: Client) -> None:
    answer = auditor.post(f"/admin/games/table/{table.pk}/change/", settings())
    assert answer.status_code == 403
    assert operator_cannot_delete(auditor, table)


def operator_cannot_delete(client: Client, table: Table) -> bool:
    return client.post(f"/admin/games/table/{table.pk}/delete/", {"post": "yes"}).status_code == 403


def test_played_hands_cannot_be_edited_or_deleted(
    house: House, table: Table, operator: Client
) -> None:
    hand, move = Hand.objects.first(), Move.objects.first()
    assert hand is not None
    assert move is not None
    assert operator_cannot_delete(operator, table)
    for row in (hand, move):
        address = f"/admin/games/{row._meta.model_name}/{row.pk}"
        assert operator.post(f"{address}/change/", {"number": 7}).status_code == 403
        assert operator.post(f"{address}/delete/", {"post": "yes"}).status_code == 403


def test_nobody_sees_the_moves_of_a_live_hand(
    house: House, table: Table, operator: Client, auditor: Client
) -> None:
    running = Move.objects.filter(hand__status=Hand.Status.LIVE)
    assert running
    for client in (operator, auditor):
        page = client.get("/admin/games/move/").content.decode()
        for move in running:
            assert f"/admin/games/move/{move.pk}/" not in page
            address = f"/admin/games/move/{move.pk}/change/"
            assert client.get(address).status_code == 302


@pytest.mark.always
def test_operators_read_no_cards_and_auditors_only_of_finished_hands(
    house: House, table: Table, operator: Client, auditor: Client
) -> None:
    finished = Move.objects.filter(hand__status=Hand.Status.FINISHED, action__do="play").first()
    assert finished is not None
    shown = ">plays · "
    address = f"/admin/games/move/{finished.pk}/change/"
    assert shown not in operator.get(address).content.decode().replace("&#x27;", "'")
    assert shown in auditor.get(address).content.decode().replace("&#x27;", "'")


@pytest.mark.always
def test_a_shoe_shows_neither_its_secret_nor_a_card(
    house: House, table: Table, auditor: Client
) -> None:
    for shoe in Shoe.objects.all():
        page = auditor.get(f"/admin/games/shoe/{shoe.pk}/change/").content.decode()
        assert shoe.secret not in page
        assert not any(f">{card.text}<" in page for card in Card)


def test_an_auditor_opens_every_card_and_that_is_noted(
    house: House, table: Table, auditor: Client
) -> None:
    hand = Hand.objects.filter(status=Hand.Status.FINISHED).first()
    assert hand is not None
    assert auditor.get(f"/history/{hand.pk}/").status_code == 200
    assert auditor.post(f"/history/{hand.pk}/open/", {"reason": "a complaint"}).status_code == 302
    page = auditor.get("/admin/journal/", {"subject": hand.reference}).text
    assert "Opened all cards" in page


def test_a_hidden_column_cannot_be_guessed_by_the_address(
    house: House, table: Table, operator: Client
) -> None:
    for page, lookup in (
        ("games/hand", "context__wild=7"),
        ("games/hand", "draws__0__value__lt=20"),
        ("games/hand", "settlement__isnull=True"),
        ("games/move", "action__icontains=As"),
        ("games/shoe", "secret__startswith=gAAAA"),
        ("players/player", "password__startswith=argon2"),
        ("axes/accessattempt", "post_data__contains=secret"),
    ):
        assert operator.get(f"/admin/{page}/?{lookup}").status_code == 400, lookup
        assert operator.get(f"/admin/{page}/").status_code == 200
    for offered in (
        "games/hand/?status__exact=finished&ended_at__year=2026",
        "games/seat/?left_at__isempty=1",
        "games/shoe/?status__exact=open",
        "players/player/?who=bots",
        "wallets/account/?kind__exact=player",
    ):
        assert operator.get(f"/admin/{offered}").status_code == 200, offered


def test_an_empty_table_closes_too(house: House, operator: Client) -> None:
    table = house.table("doudizhu", name="New")
    assert table.due_at is None
    answer = operator.post(
        f"/admin/games/table/{table.pk}/change/", settings(status=Table.Status.CLOSING)
    )
    assert answer.status_code == 302
    table.refresh_from_db()
    assert (table.version, table.due_at is None) == (1, False)
    house.until_due(table)
    assert table.status == Table.Status.CLOSED


def test_the_list_of_hands_finds_the_code_that_it_shows(
    house: House, table: Table, auditor: Client
) -> None:
    other = house.table("doudizhu")
    first = Hand.objects.filter(table=table).order_by("number")[0]

    def found(typed: str) -> list[str]:
        page: Any = auditor.get("/admin/games/hand/", {"q": typed})
        return [hand.code for hand in page.context["cl"].result_list]

    assert found(first.code) == found(f" {first.code.lower()} ") == [first.code]
    assert len(found(f"T{table.pk}")) == Hand.objects.count() > 1
    assert first.code in found(table.name)
    assert found(f"T{other.pk}") == found("T999-H1") == []
