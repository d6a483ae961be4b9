"""A page opens with few requests and few bytes: its HTML, and the files that it names."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from casino.web.bundles import FOLDER, in_order
from casino.web.static_files import put_together, source
from games.models import Table
from tests.games.house import House
from tests.people import client_of

pytestmark = pytest.mark.django_db

# A browser asks for a stream, the chat and the worker of the app besides.
REQUESTS_MAX: Final = 11
BYTES_MAX: Final = 85_000
# Of the script of one page, with all that it imports.
SCRIPT_BYTES_MAX: Final = 17_650

STATIC: Final = Path(__file__).resolve().parents[2] / "static"
# Fonts come once, and pages are read without them.
NAMED: Final = re.compile(r'(?:src|href)="/static/(?![^"]*\.woff2)([^"#]+)')
# Asked for when the app is installed.
ICON_OF_THE_APP: Final = re.compile(r'<link rel="apple-touch-icon"[^>]*>')
SCRIPT: Final = re.compile(r'<script src="/static/([^"]+)" type="module">')
STYLE: Final = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
# A game of each family, with the name of its page.
OF_FAMILIES: Final = {
    "chinese_poker": "thirteen",
    "doudizhu": "doudizhu",
    "baccarat": "baccarat",
    "blackjack": "house",
}
ADDRESSES: Final = (
    "/",
    "/lobby/",
    "/history/",
    "/wallet/",
    "/tournaments/",
    "/verify/",
    "/fairness/",
    "/rules/doudizhu/",
    "/players/returning/",
)
# A worker of browsers, and what the admin names by itself.
ALONE: Final = {"casino/service_worker.js"}
Visit = Callable[[str], str]


@pytest.fixture
def visit(house: House) -> Visit:
    client = client_of(house.player("alice"))

    def answer(address: str) -> str:
        response = client.get(address)
        assert response.status_code == 200, address
        return response.text

    return answer


@pytest.fixture
def doudizhu(house: House) -> Table:
    return house.dealt_in("doudizhu", "bob", "carol", "dave")


def sent(name: str) -> bytes:
    """A file as a browser gets it."""
    if name.startswith(FOLDER):
        return gzip.compress(put_together(name).encode())
    return gzip.compress((STATIC / name).read_bytes())


def is_light(page: str) -> None:
    files = {name: len(sent(name)) for name in NAMED.findall(ICON_OF_THE_APP.sub("", page))}
    assert 1 + len(files) + page.count('rel="manifest"') <= REQUESTS_MAX, sorted(files)
    assert len(gzip.compress(page.encode())) + sum(files.values()) <= BYTES_MAX, files


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_light(visit: Visit, address: str) -> None:
    is_light(visit(address))


@pytest.mark.parametrize("game", OF_FAMILIES)
def test_a_table_is_light(house: House, visit: Visit, game: str) -> None:
    names = ("bob", "carol", "dave", "erin")
    seated = {"chinese_poker": names, "doudizhu": names[:3]}.get(game, names[:1])
    is_light(visit(f"/tables/{house.dealt_in(game, *seated).pk}/"))


@pytest.mark.parametrize("game", OF_FAMILIES)
def test_a_table_has_one_script_and_one_style_of_its_own(
    house: House, visit: Visit, game: str
) -> None:
    page = visit(f"/tables/{house.table(game).pk}/")
    name = f"pages/tables/{OF_FAMILIES[game]}"
    assert SCRIPT.findall(page) == [f"{name}.js"]
    assert STYLE.findall(page) == ["pages/frame.css", f"{name}.css"]


def test_a_hand_that_is_over_is_light(house: House, visit: Visit, doudizhu: Table) -> None:
    hand = house.void(doudizhu, "a test")
    page = client_of(house.person("bob")).get(f"/history/{hand.pk}/").text
    assert SCRIPT.findall(page) == ["pages/hand.js"]
    is_light(page)


@pytest.mark.always
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_has_one_script(visit: Visit, address: str) -> None:
    """Two would have two of what their scripts remember."""
    (script,) = SCRIPT.findall(visit(address))
    assert "casino/frame.js" in in_order(script, source)


@pytest.mark.parametrize("path", sorted(STATIC.glob("pages/**/*.js")), ids=str)
def test_the_script_of_a_page_is_small(path: Path) -> None:
    """A phone reads all of it: what would not fit has to replace something."""
    assert len(sent(str(path.relative_to(STATIC)))) <= SCRIPT_BYTES_MAX


@pytest.mark.parametrize("family", sorted(set(OF_FAMILIES.values())))
def test_a_table_has_the_styles_of_its_own_family_alone(family: str) -> None:
    """Those of the games against the house are also baccarat's."""
    others = set(OF_FAMILIES.values()) - {family, "house"}
    files = in_order(f"pages/tables/{family}.css", source)
    assert not [
        name for name in files for other_family in others if f"families/{other_family}" in name
    ]


def test_every_script_belongs_to_a_page() -> None:
    pages = [str(path.relative_to(STATIC)) for path in STATIC.glob("pages/**/*.js")]
    used = {script for name in pages for script in in_order(name, source)}
    for folder in ("backoffice", "casino", "games", "tournaments"):
        written = {str(path.relative_to(STATIC)) for path in STATIC.glob(f"{folder}/**/*.js")}
        assert written - used <= ALONE
