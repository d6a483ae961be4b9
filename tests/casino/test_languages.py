"""The pages in Chinese, in both scripts: no word is left untranslated."""

import html
import re
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import flatten_fieldsets, label_for_field
from django.test import Client, RequestFactory
from django.utils import translation
from django.utils.formats import date_format

from casino.accounts.models import Player
from casino.ops.extraction import main
from docs.checks.translations import texts_in
from games.boards.settlement_view import sentence_of_line
from games.models import Hand, Table
from games.rules.blackjack import paying
from games.rules.blackjack.state import HANDS
from games.rules.cards import parse_cards
from games.rules.catalogue import GAMES
from games.rules.doudizhu.combinations import Kind
from games.rules.errors import Illegal
from games.rules.house.sides import Combination
from games.rules.poker import CATEGORY_NAMES
from games.rules.thirteen.naturals import Natural
from games.words.naming import GAME_NAMES, TERMS, card_sign, table_title
from games.words.refusals import sentence_of
from tests.games.house import House
from tests.games.viewers import people_of
from tests.people import client_of
from wallets.values.amounts import show_amount

CODES = ("zh-hans", "zh-hant")
# Names, codes and addresses, which are the same in every language.
NAMES = {"alice", "bob", "carol", "dave"}
NAMES |= {"API", "English", "HTTPS", "JSON", "JavaScript", "Python", "not_found"}
NAMES |= {"Ed25519", "Enter", "Tab", "UTC", "json", "keys", "py", "python", "record", "verify"}


# Collecting sentences


def test_without_gettext_the_missing_program_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main() == 1
    assert "apt-get install gettext" in capsys.readouterr().out


def test_the_sentence_of_a_refusal_is_found_where_it_stands() -> None:
    source = (
        'raise Illegal("gone", _n("It is gone."))\nraise Illegal("code", WORDS[code])\n'
        'raise Illegal("code", "Box {box} "\n"is closed.", box=1)\nprint("a", "b")'
    )
    assert [text for _, text, _ in texts_in(source)] == ["It is gone.", "Box {box} is closed."]


# Words of the rules


def words_of_the_rules() -> set[str]:
    bonuses = {var.name for var in vars(paying).values() if isinstance(var, Combination)}
    kinds = {kind.value for kind in Kind} | {natural.value for natural in Natural}
    return {*CATEGORY_NAMES, *bonuses, *kinds, "ace_king", "pair_of_aces"}


def test_every_word_of_the_rules_has_a_name() -> None:
    assert words_of_the_rules() <= set(TERMS)
    assert set(GAMES) <= set(GAME_NAMES)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Pagoda", "宝塔"),
        ("Pagoda 2", "宝塔 2"),
        # A table of an event has the name of the event.
        ("Pagoda sit-and-go 12-3", "宝塔满员开赛 12-3"),
        ("Our own table 2", "Our own table 2"),
    ],
)
def test_a_table_that_the_catalogues_know_is_called_in_the_readers_language(
    name: str, title: str
) -> None:
    with translation.override("zh-hans"):
        assert table_title(name) == title


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("zh-hans", "头道：alice 的三条胜 bob 的一对，3 点"),
        ("zh-hant", "頭墩：alice 的三條勝 bob 的一對，3 點"),
    ],
)
def test_a_line_uses_the_words_of_its_language(house: House, code: str, sentence: str) -> None:
    values = {"row": "front", "winner": "three", "loser": "pair", "points": 3}
    line: Any = {"key": "row", "source": "2", "target": "1", "values": values}
    with translation.override(code):
        assert sentence_of_line(line, {1: "alice", 2: "bob"}, house.currency) == sentence


@pytest.mark.django_db
def test_a_pool_and_a_card_have_their_words_too(house: House) -> None:
    pool: Any = {"key": "pool_paid", "source": "progressive", "target": "house"}
    card: Any = {"key": "wheel", "source": "house", "target": "1"}
    with translation.override("zh-hans"):
        sentence = sentence_of_line(
            pool | {"values": {"seat": 1, "box": 2}}, {1: "alice"}, house.currency
        )
        assert sentence.startswith("累积奖池")
        values = {"card": "Th", "box": 2, "pays": 10, "stake": 10_000_000}
        sentence = sentence_of_line(card | {"values": values}, {1: "alice"}, house.currency)
        assert "10♥" in sentence
        assert "100,000" in sentence


@pytest.mark.parametrize(
    ("code", "sentence"), [("en", "You do not hold K♥."), ("zh-hans", "你没有 K♥。")]
)
def test_a_refusal_names_cards_as_people_do(code: str, sentence: str) -> None:
    with translation.override(code):
        refused = Illegal("not_held", "You do not hold {card}.", card="Kh")
        assert sentence_of(refused) == sentence
        drawn = Illegal("card_not_held", "You do not hold {card}.", card=parse_cards("Kh")[0])
        assert sentence_of(drawn) == sentence
        assert sentence_of(Illegal("over", "The hand is over."))
        assert {card_sign("BJ"), card_sign("RJ")} & {"BJ", "RJ"} == set()


def test_what_a_guest_follows_is_a_word() -> None:
    refused = Illegal("follow_first", "A guest follows the {move} or not.", move="double")
    with translation.override("zh-hant"):
        assert "加倍" in sentence_of(refused)


# Pages


def english_in(page: str) -> set[str]:
    """The English words on a page, for readers and screen readers."""
    page = re.sub(r"(?s)<(script|style|code)\b.*?</\1>|<!--.*?-->", " ", page)
    shown = re.findall(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"', page)
    text = html.unescape(" ".join([re.sub(r"<[^>]*>", " ", page), *shown]))
    text = re.sub(r"\bT\d+(-H\d+)?\b", " ", text)
    return set(re.findall(r"[A-Za-z]\w+", text, re.ASCII)) - NAMES


def read(client: Client, code: str, address: str) -> None:
    page = client.get(address, headers={"Accept": "text/html", "Accept-Language": code}).text
    if "<html" in page:
        assert f'<html lang="{code}"' in page, address
    assert (address, english_in(page)) == (address, set())


@pytest.mark.parametrize("code", CODES)
def test_pages_of_the_room_have_no_english_left(house: House, code: str) -> None:
    alice = client_of(house.player("alice"))
    for address in ("/", "/fairness/", "/players/sign-in/", "/players/sign-up/", "/nothing/"):
        read(Client(), code, address)
        read(alice, code, address)
    for address in ("/history/", "/wallet/", "/players/profile/", "/players/password/"):
        read(alice, code, address)


# Games that share all their templates with another one.
LIKE_ANOTHER = GAMES.keys() & {
    "baccarat_commission", "thirteen_hongkong", "thirteen_philippine", "thirteen_taiwan",
}  # fmt: skip


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[pytest.mark.release] if game in LIKE_ANOTHER else [])
        for game in sorted(GAMES)
    ],
)
def test_tables_have_no_english_left(house: House, game: str) -> None:
    """One hand is read in both scripts, and by a spectator."""
    names = people_of(game)
    table = house.dealt_in(game, *names, name="一号桌")
    looking, alice = Client(), client_of(house.person("alice"))

    # One step is read by one of them in one script, the next by the other; later steps look alike.
    turns = cycle((client, code) for code in CODES for client in (alice, looking))
    seen: set[int] = set()

    def finished(table: Table) -> bool:
        if table.version not in seen:
            seen.add(table.version)
            if len(seen) < 10 or len(seen) % 5 == 0:
                part = "board/" if len(seen) > 2 else ""
                read(*next(turns), f"/tables/{table.pk}/{part}")
        return table.phase != Table.Phase.PLAY

    house.until(table, finished, steps=200)
    for code in CODES:
        read(alice, code, f"/history/{Hand.objects.latest('pk').pk}/")


@pytest.mark.django_db
@pytest.mark.parametrize("code", CODES)
def test_numbers_and_dates_are_localised(house: House, code: str) -> None:
    with translation.override(code):
        assert show_amount(123_456_700, house.currency) == "1,234,567"
        when = datetime(2026, 3, 1, 12, tzinfo=UTC)
        assert date_format(when, "SHORT_DATETIME_FORMAT") == "2026年3月1日 12:00"


def test_every_bet_that_the_till_names_has_a_word(repository: Path) -> None:
    named_bet = re.compile(r'till\.(?:lose|win)\(\s*[^,()]+,\s*"([a-z_]+)"')
    rules = (repository / "games" / "rules").rglob("*.py")
    bets = {bet for module in rules for bet in named_bet.findall(module.read_text())}
    bets |= {f"hand_{number}" for number in range(1, HANDS + 1)}
    assert {"ante", "insurance", "surrendered_half"} <= bets
    assert bets <= TERMS.keys()


@pytest.mark.parametrize("code", CODES)
def test_the_rights_of_staff_name_every_list_in_chinese(code: str) -> None:
    """Those of other packages, too, which may come without Chinese."""
    with translation.override(code):
        listed = {str(model._meta.verbose_name_plural) for model in admin.site._registry}
    assert [words for words in listed if words.isascii()] == []


@pytest.mark.parametrize("code", CODES)
def test_every_column_of_the_office_is_named_in_chinese(code: str) -> None:
    """What lists and forms call the columns, those of other packages included."""
    with translation.override(code):
        named = {
            f"{model._meta.label}.{column}": str(label_for_field(column, model, page))
            for model, page in admin.site._registry.items()
            for column in columns_of(page)
        }
    assert [column for column, words in named.items() if re.search("[a-z]{3}", words)] == []


def columns_of(page: ModelAdmin) -> set[str]:
    """The columns that a page of the office lists, and those of its form that are stored."""
    listed = {str(column) for column in page.list_display if column != "action_checkbox"}
    reader = RequestFactory().get("/")
    reader.user = Player(is_superuser=True)
    shown = set(flatten_fieldsets(page.get_fieldsets(reader)))
    return listed | (shown - {"reason"})
