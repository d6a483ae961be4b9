"""Lists of the back office speak in words: no key of a game, reference or constant is shown."""

import re
from html import unescape

import pytest
from django.contrib import admin
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from games.rules.catalogue import GAMES
from games.tables import demo as demo_tables
from tests.casino.seeded import SeededHouse
from tests.people import client_of
from tournaments.running import demo as demo_events
from wallets.models import Currency

SCENE = "seeded"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("seeded")]

LISTS = sorted(admin.site._registry, key=lambda model: model._meta.label)
CELL = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.DOTALL)
ICON = re.compile(r"<span[^>]*material-symbols[^>]*>[^<]*</span>")
# A reference, a key of the rules or of a choice, or what Python calls a constant.
KEYS = re.compile(
    r"\b(?:player|hand|table|jackpot|tournament|till|profileversion):\d"
    rf"|\b(?:{'|'.join(GAMES)})\b|\b[a-z]+_[a-z_]+\b|\b(?:True|False|None)\b|[{{}}]"
)


def cells(text: str) -> list[str]:
    """What a reader sees in the cells of the list."""
    _before, _mark, table = ICON.sub("", text).partition('id="result_list"')
    cell_texts = (re.sub(r"<[^>]+>", " ", cell) for cell in CELL.findall(table))
    return [" ".join(unescape(cell_text).split()) for cell_text in cell_texts]


def test_amounts_in_lists_have_all_decimals(seeded: SeededHouse) -> None:
    places = dict(Currency.objects.values_list("code", "exponent"))
    amount = re.compile(rf"(\N{{MINUS SIGN}}?[\d,]+)(?:\.(\d+))? ({'|'.join(places)})")
    boss, read = client_of(Player.objects.create_superuser("reader-of-lists")), 0
    for model in LISTS:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for cell in cells(boss.get(address).text):
            if match := amount.fullmatch(cell):
                assert len(match[2] or "") == places[match[3]], (model, cell)
                read += 1
    assert read > 100


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_no_list_shows_a_key(seeded: SeededHouse, language: str) -> None:
    boss = client_of(Player.objects.create_superuser("reader-of-lists"))
    demo_tables.seed()
    demo_events.seed(timezone.now())
    boss.cookies["django_language"] = language
    shown, wrong = set(), {}
    for model in LISTS:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        texts = cells(boss.get(address).text)
        shown |= {model._meta.label} if texts else set()
        if keys := sorted({text for text in texts if KEYS.search(text)}):
            wrong[model._meta.label] = keys[:5]
    assert wrong == {}
    assert len(shown) > len(LISTS) // 2, shown
