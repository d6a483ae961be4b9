"""Our scripts are modules, which import one another by name; browsers get all of them at once."""

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, Final

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from tests.games.house import House
from tests.people import client_of

IMPORTED: Final = re.compile(r'^import\b[^;]*?"(\.[^"]+)";', re.MULTILINE)
SCRIPT: Final = re.compile(r'<script src="/static/([^"]+)" type="module">')
NAMED: Final = re.compile(r'<link rel="modulepreload" href="/static/([^"]+)">')
# A game of each family that has scripts or styles of its own.
OF_FAMILIES: Final = ("chinese_poker", "doudizhu", "baccarat", "blackjack")


def imports(name: str, text: str) -> set[str]:
    return {normpath(join(dirname(name), one)) for one in IMPORTED.findall(text)}


def reached(names: set[str]) -> set[str]:
    """These modules, and all that they import, however far."""
    found: set[str] = set()
    while names:
        found |= names
        texts = {name: Path(str(finders.find(name))).read_text() for name in names}
        names = {one for name, text in texts.items() for one in imports(name, text)} - found
    return found


def holds(page: str) -> None:
    """A page names each module that its scripts need, and no other."""
    scripts = set(SCRIPT.findall(page))
    assert scripts
    assert scripts | set(NAMED.findall(page)) == reached(scripts)


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/lobby/", "/verify/"])
def test_a_page_names_all_modules_that_it_needs(client: Client, address: str) -> None:
    holds(client.get(address).text)


@pytest.mark.django_db
@pytest.mark.parametrize("game", OF_FAMILIES)
def test_a_table_names_all_modules_that_it_needs(client: Client, house: House, game: str) -> None:
    holds(client.get(f"/tables/{house.table(game).pk}/").text)


@pytest.mark.django_db
def test_a_hand_names_all_modules_that_it_needs(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    hand = house.void(table, "a test")
    holds(client_of(house.person("alice")).get(f"/history/{hand.pk}/").text)


def test_modules_find_one_another_in_front_of_players(tmp_path: Path, settings: Any) -> None:
    """Files have names there that change with their contents."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "casino.static_files.HashedFiles"}
    }
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    call_command("collectstatic", interactive=False, verbosity=0)
    stored: dict[str, str] = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    own = {name: stored[name] for name in stored if re.match(r"(casino|games)/.*\.js$", name)}
    assert len(own) > 10
    for name, hashed in own.items():
        assert hashed != name
        source = imports(name, (settings.BASE_DIR / "static" / name).read_text())
        text = (tmp_path / hashed).read_text()
        written = {normpath(join(dirname(name), one)) for one in re.findall(r'"(\.[^"]+)"', text)}
        assert {stored[one] for one in source} <= written, name
