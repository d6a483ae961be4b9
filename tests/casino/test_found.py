"""Founding a house: from a file, step by step, once, and with a sentence for each wrong answer."""

import stat
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from casino.accounts.models import Player
from casino.ops import founding
from casino.ops.founding_plan import Wrong, read_plan
from casino.ops.management.commands import found
from games.models import Table
from tests.people import works_as
from wallets.models import Account, Currency
from wallets.models.staff_models import JournalEntry

EXAMPLE = "docs/deploy/found.toml"


@pytest.fixture
def example(repository: Path) -> Path:
    return repository / EXAMPLE


@pytest.fixture
def run(db: None, tmp_path: Path) -> Callable[..., str]:
    def command(file: Path, *words: str) -> str:
        out = StringIO()
        passwords = str(tmp_path / "passwords")
        places = ("--password-file", passwords, "--machine-files", tmp_path / "machine")
        call_command("found", "--file", file, *places, *words, stdout=out)
        return out.getvalue()

    return command


def made() -> tuple[int, ...]:
    return (
        Currency.objects.count(), Player.objects.count(), Table.objects.count(),
        JournalEntry.objects.count(), Account.objects.count(),
    )  # fmt: skip


@pytest.mark.always
def test_the_example_founds_a_house(run: Callable[..., str], example: Path, tmp_path: Path) -> None:
    said = run(example, "--why", "We open.")
    assert "Founded. Currencies: 2, staff: 3, tables: 3." in said
    assert "begin with checklist.txt" in said
    assert (tmp_path / "machine" / "checklist.txt").exists()
    assert [works_as(Player.objects.get(username=name), role) for name, role in (
        ("helena", "managers"), ("jonas", "managers"), ("ruth", "auditors"),
    )] == [True] * 3  # fmt: skip
    dragon = Table.objects.get(name="Dragon")
    assert (dragon.options, dragon.buy_in_min, dragon.places, dragon.betting_seconds) == (
        {"min": 500, "max": 50_000, "max_payout": 2_000_000}, 5_000, 7, 20,
    )  # fmt: skip
    yard = Table.objects.get(name="Landlord's yard")
    assert yard.options == {"point": 50}
    assert yard.stack_min <= yard.buy_in_min < yard.buy_in_max
    assert Table.objects.get(name="Pagoda").bots_max == 3
    assert Player.objects.filter(is_bot=True).count() == 16
    kinds = set(Account.objects.filter(currency="EUR").values_list("kind", "owner", "balance"))
    assert kinds == {(kind, "house", 0) for kind in ("house", "issue", "promotion")}
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.actor, entry.actor_name, entry.reason) == (
        "command:found", "command:found", "manage.py found", "We open.",
    )  # fmt: skip
    assert entry.origin.startswith("command line: ")
    assert set(entry.after) == {"currencies", "staff", "tables"}
    file = tmp_path / "passwords"
    passwords = dict(line.split("\t") for line in file.read_text().splitlines())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert set(passwords) == {"helena", "jonas", "ruth"}
    for password in passwords.values():
        assert password not in said
        assert password not in str(list(JournalEntry.objects.values_list()))
    chosen = {"new_password1": "a river in the north", "new_password2": "a river in the north"}
    answer = Client().post(
        "/players/first-password/",
        {"username": "helena", "one_time": passwords["helena"], **chosen},
    )
    assert answer.status_code == 302


@pytest.mark.always
def test_what_stands_in_the_way_of_founding_is_named(
    run: Callable[..., str], example: Path, tmp_path: Path
) -> None:
    file = tmp_path / "passwords"
    file.write_text("mine")
    with pytest.raises(CommandError, match="is there already"):
        run(example)
    assert file.read_text() == "mine"
    file.unlink()
    # One-time passwords are not printed into a log.
    with pytest.raises(CommandError, match="--password-file"):
        call_command("found", "--file", str(example), stdout=StringIO())
    assert not Currency.objects.exists()
    boss = Player.objects.create_superuser("boss")
    with pytest.raises(CommandError, match="founded already"):
        run(example)
    boss.delete()
    pound = Currency.objects.create(code="GBP", name="Pound")
    with pytest.raises(CommandError, match="founded already"):
        run(example)
    pound.delete()
    run(example)
    before = made()
    file.unlink()
    with pytest.raises(CommandError, match=r"founded already \(currencies: 2, tables: 3"):
        run(example)
    assert made() == before


CURRENCY = {"code": "EUR", "name": "Euro"}
STAFF = {"name": "helena", "role": "managers"}
LIMITS = {"lowest_bet": 5, "highest_bet": 500, "buy_in_min": 50}
TABLE = {"name": "Dragon", "game": "baccarat"} | LIMITS
YARD = {"name": "Yard", "game": "doudizhu", "point": 1}


def plan(**changes: Any) -> dict[str, Any]:
    return {"currencies": [CURRENCY], "staff": [STAFF], "tables": [TABLE]} | changes


def table(**changes: Any) -> dict[str, Any]:
    return plan(tables=[TABLE | changes])


WRONG: list[tuple[dict[str, Any], str]] = [
    (plan(tabels=[]), "tabels is unknown; the file has currencies, staff, tables."),
    (plan(currencies=[]), "A house needs a currency."),
    (plan(currencies={"code": "EUR"}), "currencies is a list"),
    (plan(currencies=["EUR"]), "currencies, no. 1: A currency is a table of names and values."),
    (plan(currencies=[CURRENCY, CURRENCY]), "two entries for the currency EUR"),
    (plan(currencies=[CURRENCY | {"code": "eur"}]), "currencies, no. 1: A code has 2 to 8"),
    (plan(currencies=[{"code": "EUR"}]), "name is missing."),
    (plan(currencies=[CURRENCY | {"name": " "}]), "1 to 40 characters"),
    (plan(currencies=[CURRENCY | {"kind": "chips"}]), "the kind money or play"),
    (plan(currencies=[CURRENCY | {"digits": 9}]), "a whole number from 0 to 8"),
    (plan(currencies=[CURRENCY | {"digits": True}]), "a whole number from 0 to 8"),
    (plan(staff=[]), "A house needs a manager"),
    (plan(staff=[STAFF | {"role": "auditors"}]), "A house needs a manager"),
    (plan(staff=[STAFF, {"name": "Helena"}]), "two entries for the member of staff helena"),
    (plan(staff=[STAFF | {"role": "boss"}]), "staff, no. 1: The roles are floor"),
    (plan(staff=[STAFF | {"name": "x"}]), "2 to 20 characters"),
    (plan(staff=[STAFF | {"name": 7}]), "staff, no. 1:"),
    (plan(staff=[STAFF | {"password": "secret"}]), "password is unknown"),
    (plan(staff=[STAFF, {"name": "he1ena", "role": "floor"}]), "looks too much like"),
    (plan(tables=[]), "A house needs a table."),
    (plan(tables=[TABLE, TABLE]), "two entries for the table Dragon"),
    (table(game="poker"), "The games are chinese_poker"),
    (table(currency="GBP"), "The currencies are EUR."),
    (table(lowest_bet=2.5), "in quotes"),
    (table(lowest_bet=-5), "is not an amount"),
    (table(lowest_bet=0), "Enter an amount from"),
    (table(lowest_bet="five"), "is not an amount"),
    (table(lowest_bet="0.001"), "is not an amount"),
    (table(highest_bet=10**18), "is not an amount"),
    (table(point=1), "baccarat has no point; its stakes are lowest_bet, highest_bet"),
    (table(lowest_bet=600), "Table Dragon, options:"),
    (table(buy_in_min=3), "Table Dragon"),
    (table(buy_in_min=50, buy_in_max=40), "smallest buy-in is above the largest"),
    (table(seats=99), "a whole number from 1 to 30"),
    (table(seats=20), "This game has 1 to"),
    (table(bots=2), "Bots play for play money only."),
    (table(pause_seconds=1), "at least 2 seconds"),
    (table(options={"rake": 5}), "baccarat has no option rake."),
    (table(options={"edition": 1}), "baccarat has no option edition."),
    (table(options={"rake_bp": 5_000}), "The rake can be at most 10 %"),
    (table(options={"cut_cards": "many"}), "Table Dragon"),
    (table(options=[]), "names and values"),
    (table(name="x" * 61), "1 to 60 characters"),
    (plan(tables=[YARD | {"lowest_bet": 1}]), "doudizhu has no lowest_bet"),
    (plan(tables=[{"name": "Yard", "game": "doudizhu"}]), "point is missing."),
]


def test_what_is_wrong_is_a_sentence_and_nothing_is_made(db: None) -> None:
    before = made()
    for data, said in WRONG:
        with pytest.raises(Wrong) as caught:
            founding.found(read_plan(data), {}, "a test")
        assert said in str(caught.value)
        assert made() == before, said


def test_a_file_that_cannot_be_read_is_named(run: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "found.toml"
    with pytest.raises(CommandError, match="cannot be read"):
        run(file)
    file.write_text("tables = [")
    with pytest.raises(CommandError, match="cannot be read"):
        run(file)


def typed(*answers: str, hidden: tuple[str, ...] = ()) -> tuple[found.Terminal, list[str]]:
    """A terminal at which these answers are typed, and its output."""
    said: list[str] = []
    open_ones, secret = iter(answers), iter(hidden)

    def ask(words: str) -> str:
        said.append(words)
        return next(open_ones)

    return found.Terminal(ask, lambda _words: next(secret), said.append), said


def test_step_by_step_each_wrong_answer_is_put_again(db: None) -> None:
    terminal, said = typed(
        "euro", "EUR", "Euro", "", "2", "y",
        "PLAY", "Play money", "play", "", "n",
        "h", "helena", "boss", "managers", "maybe", "y",
        "ruth", "auditors", "n",
        "poker", "baccarat", "Dragon", "", "five", "5", "500", "50", "5000", "y",
        "doudizhu", "Yard", "PLAY", "1", "100", "1000", "2", "n",
        hidden=("short", "a long way to the sea", "a long way", "a long way to the sea",
                "a long way to the sea", ""),
    )  # fmt: skip
    house_plan, chosen = found.ask_plan(terminal)
    for sentence in ("A code has", "2 to 20", "The roles", "y or n", "The games", "not an amount",
                     "too short", "not the same"):  # fmt: skip
        assert any(sentence in line for line in said), sentence
    assert chosen == {"helena": "a long way to the sea"}
    assert not any("sea" in line for line in said)
    one_time = founding.found(house_plan, chosen, "a test")
    assert set(one_time) == {"ruth"}
    assert Player.objects.get(username="helena").check_password("a long way to the sea")
    assert Table.objects.get(name="Yard").bots_max == 2


@pytest.mark.always
def test_a_table_that_cannot_be_played_is_put_again(db: None) -> None:
    terminal, said = typed(
        "EUR", "Euro", "", "", "n",
        "helena", "", "n",
        "baccarat", "Dragon", "", "600", "500", "50", "5000",
        "baccarat", "Dragon", "", "5", "500", "50", "5000", "n",
        hidden=("",),
    )  # fmt: skip
    house_plan, _chosen = found.ask_plan(terminal)
    assert any("Table Dragon, options" in line for line in said)
    assert house_plan.tables[0].options == {"min": 500, "max": 50_000}


@pytest.mark.always
def test_a_terminal_that_closes_founds_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def closed(_words: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    with pytest.raises(CommandError, match="Nothing was made"):
        call_command("found", "--password-file", str(tmp_path / "x"), stdout=StringIO())
    assert not Currency.objects.exists()
