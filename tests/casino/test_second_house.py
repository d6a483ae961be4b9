"""A second house, with another name, palette, currency and language: nothing is left of the first.

Its addresses are those that Django resolves, as other tests take them.
"""

import json
import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from io import BytesIO
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import quote

import pytest
from django.core import mail
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.translation import override
from pypdf import PdfReader

from casino.accounts import codes
from casino.accounts.staff import appoint
from casino.care import statement_pdf
from casino.care.months import month_of
from casino.community.push import calling
from casino.community.push.models import Call
from casino.office.alarms import delivering
from casino.office.alarms.conditions import Message
from casino.office.desk import receipts
from casino.office.desk.models import Receipt
from casino.office.house import files
from casino.office.house.content import encoded
from casino.office.models import HouseVersion
from games.boards.replay import Replay
from games.models import Hand, Table
from games.records import sharing
from games.views import shared_hand
from games.views.shared_hand import results_of
from tests.casino.desk_scene import Desk
from tests.games.house import House
from tests.people import client_of
from wallets.values import house as houses
from wallets.values import palette
from wallets.values.house import HouseContent, Palette

pytestmark = pytest.mark.django_db
NAME: Final = "港灣俱樂部"
UNIT: Final = "港灣幣"
OWN: Final = Palette(accent="#7fb2e0", ground="#0c1420", felt="#1a3353")
SECOND: Final = HouseContent(
    name={"zh-hant": NAME},
    palette=OWN,
    back="red",
    title={"zh-hant": "港灣裡的好牌"},
    text={"zh-hant": "歡迎光臨。"},
    terms={"zh-hant": "請愛惜牌具。"},
    contacts={"zh-hant": "desk@harbour.example"},
    footer={"zh-hant": "港灣路 1 號"},
    units={"PLAY": {"zh-hant": UNIT}, "EUR": {"zh-hant": "歐元"}},
    languages=("zh-hant",),
    zone="Asia/Macau",
)
# What the first house is called, and its money where it stands behind an amount.
NAMES: Final = ("Card room", "棋牌室", "安靜的牌室", "A quiet room")
UNIT_BEFORE: Final = re.compile(r"\d\s*(?:<[^>]+>\s*)*(PLAY|游戏币|遊戲幣)\b")
# The colours that are the first house's own: ground, brass, felt.
COLOURS: Final = ("#0b1310", "#f3eee2", "#e5b957", "#eec672", "#1d4a39", "#2a6350", "#123226")
PAGES_LEAST: Final = 50
# A page that compares versions, and a list of kinds of currencies.
OF_BOTH: Final = {"admin/house/", "admin/wallets/currency/"}
# Files and answers for programs, and what ends the visit.
NO_PAGES: Final = re.compile(r"^(?:api/|metrics|ready/|health/|players/sign-out/|admin/logout/)")


@pytest.fixture
def second(house: House) -> House:
    owner = house.player("owner", money=0)
    HouseVersion.objects.create(
        number=1,
        content=encoded(SECOND),
        state=HouseVersion.State.PUBLISHED,
        made_by=owner,
        made_at=house.now,
        published_at=house.now,
    )
    houses.forget()
    return house


@pytest.fixture
def played(second: House) -> Table:
    table = second.dealt_in("doudizhu", "alice", "bob", "carol")
    second.until(table, lambda table: table.hand_id is None)
    return table


def addresses(resolver: Any, before: str = "") -> Iterator[str]:
    """Every address that has no part of its own."""
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, path)
        elif isinstance(pattern, URLPattern) and not re.search(r"[<(^$]", path):
            yield path


ADDRESSES: Final = sorted({path for path in addresses(get_resolver()) if not NO_PAGES.match(path)})


def left_of_the_first(text: str, *, office: bool = False) -> list[str]:
    """What is found of it; the office writes the codes of currencies, which are the same."""
    units = {match[1] for match in UNIT_BEFORE.finditer(text)} - ({"PLAY"} if office else set())
    return [*(word for word in (*NAMES, *COLOURS) if word in text), *units]


@pytest.mark.slow
def test_no_page_has_a_word_or_a_colour_of_the_first_house(second: House, played: Table) -> None:
    hand = Hand.objects.filter(status=Hand.Status.FINISHED).latest("pk")
    own = [f"tables/{played.pk}/", f"history/{hand.pk}/", "rules/doudizhu/", "house/look/x.css"]
    manager = second.player("mona")
    appoint(manager, "managers")
    visitors = [Client(), client_of(second.person("alice")), client_of(manager)]
    pages, wrong = set(), {}
    for path in [*ADDRESSES, *own]:
        for number, client in enumerate(visitors):
            if path.startswith("admin/") and number < 2:
                continue
            answer = client.get(f"/{path}", headers={"Accept-Language": "en"})
            if not answer.get("Content-Type", "").startswith("text/html"):
                continue
            if answer.status_code in (200, 404) and "<html" in answer.text:
                pages.add(path)
                left = left_of_the_first(answer.text, office=path.startswith("admin/"))
                if '<html lang="zh-hant"' not in answer.text and path != "offline/":
                    left.append("language")
                if palette.address_part(OWN) not in answer.text and not path.startswith("api/"):
                    left.append("sheet")
                if left and path not in OF_BOTH:
                    wrong[path, number] = left
    assert wrong == {}
    assert len(pages) >= PAGES_LEAST


@pytest.mark.always
def test_no_file_of_the_app_is_left_of_the_first_house(second: House, client: Client) -> None:
    manifest = client.get("/manifest.webmanifest").json()
    assert (manifest["name"], manifest["lang"]) == (NAME, "zh-hant")
    assert left_of_the_first(json.dumps(manifest, ensure_ascii=False)) == []
    assert left_of_the_first(client.get("/service-worker.js").text) == []
    assert left_of_the_first(files.drawing(houses.current())) == []
    assert left_of_the_first(client.get(files.sheet_address()).text) == []


def test_no_paper_is_left_of_the_first_house(second: House) -> None:
    desk = Desk()
    desk.with_float()
    desk.pay("deposit", 1_000)
    receipt = Receipt.objects.latest("pk")
    alice = second.player("alice")
    with override("zh-hant"):
        month = month_of(second.now)
        papers = [
            receipts.as_pdf(receipt),
            statement_pdf.as_pdf(alice, second.wallet(alice), month),
        ]
        manager = second.player("mona")
        appoint(manager, "managers")
        day = f"{second.now:%Y-%m-%d}"
        report = client_of(manager).get(f"/admin/reports/revenue/?from={day}&to={day}&format=pdf")
    for paper in (*papers, report.content):
        text = "".join(page.extract_text() for page in PdfReader(BytesIO(paper)).pages)
        assert NAME in text.replace(" ", "")
        assert left_of_the_first(text, office=paper == report.content) == []


def test_no_message_is_left_of_the_first_house(second: House, settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL = "house@harbour.example"
    delivering.send_email(Message("x", "y", b"{}", ""), "floor@harbour.example")
    (letter,) = mail.outbox
    assert str(make_header(decode_header(letter.message()["From"]))).startswith(NAME)
    alice = second.player("alice")
    address = codes.address_of(codes.begin(alice, second.now), alice)
    assert quote(NAME) in address
    assert left_of_the_first(address) == []


def test_a_call_comes_in_a_language_of_the_second_house(second: House, played: Table) -> None:
    alice = second.person("alice")
    alice.language = "en"
    browser = SimpleNamespace(language="en", device=SimpleNamespace(player=alice))
    call: Any = SimpleNamespace(kind=Call.Kind.TURN, place=played.pk, subscription=browser)
    said = json.loads(calling.message_of(call))["words"]
    assert "It is your turn" not in said
    assert left_of_the_first(said) == []


def test_a_preview_of_a_link_is_that_of_the_second_house(second: House, played: Table) -> None:
    hand = Hand.objects.filter(status=Hand.Status.FINISHED).latest("pk")
    link = sharing.share(second.person("alice"), hand.pk, second.now, named=False)
    page = Client().get(f"/shared/{link.token}/").text
    assert f'<meta property="og:site_name" content="{NAME}">' in page
    assert left_of_the_first(page) == []
    replay = Replay(hand, None, {}, played.currency)
    drawn = shared_hand.svg(results_of(replay), replay.currency)
    assert left_of_the_first(drawn) == []
    assert OWN.felt in drawn
