"""The rules as pages and beside a table: every game in every language, figures from the options."""

import re
from typing import Any

import pytest
from django.test import Client
from msgspec.inspect import type_info

from games.boards.rule_tables import MANNERS, manners
from games.families.doudizhu.family import PLAYS
from games.families.poker_hands import POKER_HANDS
from games.models import Table
from games.rules.cards import parse_cards
from games.rules.catalogue import GAMES, game_type
from games.rules.doudizhu.combinations import readings
from games.rules.doudizhu.ranks import rank_set
from games.rules.poker import Category
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import BACK, MIDDLE
from games.tables.hand_state import game_from
from games.words.naming import game_name
from tests.games.families import costs, examples, limits, paytables, winnings
from tests.games.house import House
from tests.games.markup import words

LANGUAGES = ("en", "zh-hans", "zh-hant")
# What stands on keys, and the letters of rows of cards.
SAME_EVERYWHERE = {"Enter", "PLAY"}
PARTS = 7

pytestmark = pytest.mark.django_db


def page_text(address: str, language: str = "en", *, part: bool = False, client: Any = None) -> str:
    headers = {"Accept": "text/html", "Accept-Language": language}
    answer = (client or Client()).get(
        address, headers=headers | ({"HX-Request": "true"} if part else {})
    )
    assert answer.status_code == 200, address
    return str(answer.text)


def sections(text: str) -> list[str]:
    """The text below each heading of the rules."""
    inside = text.partition('<div class="rules-text">')[2]
    return re.split(r"<h[23]>", inside.partition("</article>")[0])[1:]


def main_of(page: str) -> str:
    return page.partition("<main ")[2].partition(">")[2].partition("</main>")[0]


def english_in(text: str) -> set[str]:
    shown = words(re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", text))
    return set(re.findall(r"[A-Za-z]\w+", shown, re.ASCII)) - SAME_EVERYWHERE


# Pages


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_the_same_parts_in_every_language(game: str) -> None:
    shapes = set()
    for language in LANGUAGES:
        parts = sections(page_text(f"/rules/{game}/", language))
        assert len(parts) == PARTS, language
        for part in parts:
            assert len(words(part.partition("</h2>")[2])) > 15, (language, part)
        shapes.add(
            tuple((part.count("<p>"), part.count("<li>"), part.count("<tr>")) for part in parts)
        )
    assert len(shapes) == 1


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_list_and_every_game_have_no_english_left(language: str) -> None:
    listed = page_text("/rules/", language)
    assert english_in(main_of(listed)) == set()
    for game in GAMES:
        assert f'href="/rules/{game}/"' in listed
        page = page_text(f"/rules/{game}/", language)
        assert (game, english_in(main_of(page))) == (game, set())


def test_the_scripts_of_chinese_are_not_mixed() -> None:
    pages = {
        language: "".join(page_text(f"/rules/{game}/", language, part=True) for game in GAMES)
        for language in LANGUAGES[1:]
    }
    for simplified, traditional in zip("庄闲枪垒银点头换张对牌赢",
                                       "莊閒槍壘銀點頭換張對牌贏", strict=True):  # fmt: skip
        if simplified != traditional:
            assert simplified not in pages["zh-hant"]
            assert traditional not in pages["zh-hans"]


def test_the_list_leads_to_every_game_and_every_page_leads_to_the_list() -> None:
    listed = page_text("/rules/")
    assert [key for key in GAMES if f'href="/rules/{key}/"' in listed] == list(GAMES)
    assert 'href="/rules/"' in page_text("/")
    page = page_text("/rules/doudizhu/")
    assert f"<h1>{game_name('doudizhu')}</h1>" in page
    assert 'href="/rules/"' in page


def test_a_part_is_the_text_alone_with_headings_below_those_of_the_panel() -> None:
    part = page_text("/rules/blackjack/", part=True)
    assert "<html" not in part
    assert part.count("<h3>") == PARTS
    assert "<h2>" not in part


@pytest.mark.parametrize("address", ["/rules/", "/rules/doudizhu/"])
def test_rules_are_only_read(address: str) -> None:
    assert Client().post(address).status_code == 405


@pytest.mark.always
def test_a_game_that_there_is_not_is_not_found() -> None:
    assert Client().get("/rules/bridge/").status_code == 404


# Beside a table


@pytest.mark.always
def test_a_table_tells_its_own_options(house: House) -> None:
    options = {"table": "bonus", "point": 250, "twelve": "suit", "rake_bp": 250}
    table = house.table("chinese_poker", options=options)
    beside = words(page_text(f"/tables/{table.pk}/rules/", part=True))
    for manner in manners(game_from("chinese_poker", options)):
        assert manner in beside
    assert "A point 2.50 PLAY" in beside
    assert "Full house 1 2 1" not in words(page_text("/rules/chinese_poker/"))
    assert "Full house – 2 1" in beside
    assert "2.50%" in beside
    assert f'href="/tables/{table.pk}/"' in page_text(f"/tables/{table.pk}/rules/")


def test_a_table_as_usual_says_so(house: House) -> None:
    table = house.table("doudizhu")
    assert "Standard rules" in page_text(f"/tables/{table.pk}/rules/", part=True)


@pytest.mark.always
@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_panels_have_no_english_left(house: House, game: str, language: str) -> None:
    table = house.table(game)
    assert english_in(page_text(f"/tables/{table.pk}/rules/", language, part=True)) == set()


def test_the_table_fetches_its_rules_when_they_are_looked_at(house: House) -> None:
    """A browser keeps them for a while, under an address that changes with them."""
    table = house.table("doudizhu")

    def address(language: str = "en") -> str:
        page = page_text(f"/tables/{table.pk}/", language)
        assert "rules-text" not in page
        (link,) = re.findall(r'hx-get="([^"]+)" hx-trigger="intersect once"', page)
        assert link.startswith(f"/tables/{table.pk}/rules/?")
        return str(link)

    first = address()
    assert address() == first != address("zh-hans")
    assert Client().get(first)["Cache-Control"] == "private, max-age=600"
    assert "no-store" in Client().get(first.partition("?")[0])["Cache-Control"]
    Table.objects.filter(pk=table.pk).update(options={"rake_bp": 300})
    assert address() != first


def test_the_page_of_a_game_has_the_pays_of_its_open_tables(house: House) -> None:
    """Tables that agree are shown; those that differ are named, with the usual rules."""
    address, differs = "/rules/doudizhu/", "differ in what they pay"
    usual = Client().get(address).context["costs"]
    table = house.table("doudizhu", name="Dragon", options={"rake_bp": 300})
    page = Client().get(address)
    assert differs not in page.text
    assert str(page.context["costs"]) == str(
        Client().get(f"/tables/{table.pk}/rules/").context["costs"]
    )
    assert str(page.context["costs"]) != str(usual)
    house.table("doudizhu", name="Phoenix")
    page = Client().get(address)
    assert differs in page.text
    assert f'<a href="/tables/{table.pk}/rules/">Dragon</a>' in page.text
    assert str(page.context["costs"]) == str(usual)


def test_a_private_table_tells_only_those_who_may_look(house: House) -> None:
    table = house.table("doudizhu")
    address = f"/tables/{table.pk}/rules/"
    bob, carol = Client(), Client()
    bob.force_login(house.player("bob"))
    carol.force_login(house.player("carol"))
    house.sit(house.person("carol"), table, 1)
    Table.objects.update(private=True)
    assert Client().get(address).status_code == 404
    assert bob.get(address).status_code == 404
    assert carol.get(address).status_code == 200
    assert bob.get(f"{address}?invitation={table.invitation}").status_code == 200
    assert Client().get("/tables/999999/rules/").status_code == 404
    assert carol.post(address).status_code == 405


# Figures


def rows(game: Any, *sources: Any) -> dict[str, tuple[str, ...]]:
    """All rows of some tables of a game."""
    return {
        row.label: row.values
        for source in sources or (winnings, costs)
        for table in source(game)
        for row in table.rows
    }


@pytest.mark.parametrize("key", [key for key in GAMES if GAMES[key].family == "thirteen"])
def test_rows_and_naturals_are_those_of_the_game(key: str) -> None:
    game: Any = game_type(key)()
    tables = winnings(game)
    assert len(tables[-1].rows) == len(game.naturals)
    assert [row.values[0] for row in tables[-1].rows] == [
        str(natural) for natural in game.naturals.values()
    ]
    for (row, kind), points in game.row_prices.items():
        label = {Category.FOUR: "Four of a kind", Category.FIVE: "Five of a kind"}.get(kind)
        if label:
            assert rows(game)[label][row] == str(points)


@pytest.mark.parametrize(
    ("key", "options", "label", "before", "after"),
    [
        ("chinese_poker", {"table": "bonus"}, "More rows won than lost", ("1",), ("–",)),
        ("thirteen_taiwan", {"prices": "low"}, "Four of a kind", ("–", "8", "4"), ("–", "4", "3")),
        ("thirteen_taiwan", {"pure_dragon": 200}, "Dragon in one suit", ("108",), ("200",)),
        ("thirteen_hongkong", {"pure_dragon": 26}, "Dragon in one suit", ("13",), ("26",)),
        ("thirteen_fujian", {"four_trips": 9}, "Four threes", ("6",), ("9",)),
        ("doudizhu", {"rake_bp": 0}, "Rake on a seat's net win in a hand", ("5%",), ("–",)),
        ("doudizhu", {"tournament": True}, "Rake on a seat's net win in a hand", ("5%",), ("–",)),
        ("baccarat", {"banker_note_literal": True}, "5", ("draws", "4–7"), ("–", "4–7")),
        ("blackjack", {"jackpot_bp": 250}, "Of a bonus bet, to the jackpot", ("10%",), ("2.50%",)),
    ],
)
def test_another_option_makes_another_table(
    key: str, options: dict[str, Any], label: str, before: Any, after: Any
) -> None:
    assert rows(game_from(key, {}))[label] == before
    assert rows(game_from(key, options))[label] == after


def test_paytables_of_both_baccarats() -> None:
    plain, commission = (rows(game_type(key)()) for key in ("baccarat", "baccarat_commission"))
    assert plain["Banker, winning with 6"] == ("1:2",)
    assert "Banker, winning with 6" not in commission
    assert commission["Commission on a win of banker"] == ("5%",)
    assert plain["Tie"] == commission["Tie"] == ("8:1",)
    assert plain["3"] == ("draws", "0–7, 9")
    assert plain["7"] == ("–", "–")


def test_rules_state_what_the_house_pays() -> None:
    for key in ("blackjack", "casino_holdem", "russian_poker"):
        game: Any = game_type(key)()
        assert [winning.label for winning in winnings(game)] == [
            paytable.label for paytable in paytables(game)
        ]
    assert rows(game_type("blackjack")())["Blackjack"] == ("3:2",)


@pytest.mark.always
@pytest.mark.parametrize("key", sorted(GAMES))
def test_limits_are_those_of_the_table(house: House, key: str) -> None:
    usual = {row.label: row.values for row in limits(game_type(key)(), house.currency)}
    assert usual
    kind: Any = game_type(key)
    for field in ("point", "bet_max", "max", "max_payout", "bonus_max", "max_tie", "boxes"):
        if field in kind.__struct_fields__ and not (
            key == "thirteen_taiwan" and field == "bet_max"
        ):
            changed = game_from(key, {field: 5 if field == "boxes" else 7_777_700})
            assert {row.label: row.values for row in limits(changed, house.currency)} != usual


def switches() -> list[tuple[str, str, Any]]:
    """Every other value of every option that is not an amount."""
    switches = []
    for key in GAMES:
        for option in type_info(game_type(key)).fields:  # type: ignore[attr-defined]
            values = getattr(option.type, "values", ())
            values = (True, False) if isinstance(option.default, bool) else values
            switches += [(key, option.name, value) for value in values if value != option.default]
    return switches


def test_there_are_switches() -> None:
    assert {name for _key, name, _value in switches()} == {name for name, _value in MANNERS}


@pytest.mark.always
@pytest.mark.parametrize(("key", "name", "value"), switches())
def test_every_switch_is_said_in_words(key: str, name: str, value: Any) -> None:
    game = game_from(key, {name: value})
    idle = name in ("bonus_card", "lucky_game") and name not in str(getattr(game, "features", name))
    assert bool(manners(game)) is not idle
    assert manners(game_type(key)()) == ()


# Examples


def test_examples_make_what_they_stand_for() -> None:
    for kind, cards in PLAYS.items():
        assert readings(rank_set(parse_cards(cards)), "strict")[0].kind == kind
    assert len(examples(game_type("doudizhu")())) == len(PLAYS)
    labels = {key: [example.label for example in examples(game_type(key)())] for key in GAMES}
    assert labels["chinese_poker"][0] == "royal flush"
    assert labels["thirteen_hongkong"][0] == "straight flush"
    assert labels["thirteen_fujian"][0] == "five of a kind"
    assert len(labels["chinese_poker"]) == len(POKER_HANDS) - 1
    assert [
        example.label for example in examples(game_from("thirteen_fujian", {"jokers": 0}))
    ] == labels["thirteen_hongkong"]
    assert labels["blackjack"] == labels["baccarat"] == []


def test_every_natural_is_explained_and_taiwans_fours_are_dear() -> None:
    for key in GAMES:
        game: Any = game_type(key)()
        if GAMES[key].family == "thirteen":
            assert all(row.note for row in winnings(game)[-1].rows)
            assert set(game.naturals) <= set(Natural)
    low = game_from("thirteen_taiwan", {"prices": "low"})
    assert low.row_prices[MIDDLE, Category.FOUR] > low.row_prices[BACK, Category.FOUR]  # type: ignore[attr-defined]
