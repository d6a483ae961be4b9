"""The site as an app: what a browser may install, and what it may keep."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from casino import installing
from casino.accounts.models import Player
from casino.web.static_files import put_together
from tests.people import client_of

WORKER = "/service-worker.js"


def shell_of(client: Client) -> list[str]:
    names = re.match(r"const SHELL = (\[.*\]);\n", client.get(WORKER).text)
    assert names
    addresses: list[str] = json.loads(names[1])
    return addresses


def version_of(client: Client) -> str:
    match = re.search(r'const VERSION = "([0-9a-f]{16})";', client.get(WORKER).text)
    assert match
    return match[1]


@pytest.mark.always
@pytest.mark.django_db
def test_every_page_names_the_manifest_and_its_icons_exist(client: Client) -> None:
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["name"] == "Card room"
    assert manifest["start_url"] == "/lobby/"
    assert manifest["scope"] == "/"
    assert manifest["display"] == "standalone"
    sizes = set()
    for icon in manifest["icons"]:
        name = icon["src"].removeprefix("/static/")
        content = Path(str(finders.find(name))).read_bytes()
        sizes.add(icon["sizes"])
        if icon["type"] == "image/png":
            assert content.startswith(b"\x89PNG")
            width = int.from_bytes(content[16:20], "big")
            assert icon["sizes"] == f"{width}x{width}"
        else:
            assert content.startswith(b"<svg")
    assert sizes == {"any", "192x192", "512x512"}


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "name"), [("zh-hans", "棋牌室"), ("zh-hant", "棋牌室")])
def test_an_app_is_called_in_its_readers_language(client: Client, language: str, name: str) -> None:
    client.cookies["django_language"] = language
    manifest = client.get("/manifest.webmanifest").json()
    assert (manifest["name"], manifest["lang"]) == (name, language)


@pytest.mark.django_db
def test_the_worker_is_served_from_the_root_and_requested_for_each_time(client: Client) -> None:
    answer = client.get(WORKER)
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"
    assert client.post(WORKER).status_code == 405
    assert client.post("/offline/").status_code == 405
    assert client.post("/manifest.webmanifest").status_code == 405


@pytest.mark.django_db
def test_a_page_registers_the_worker_by_a_script_that_its_policy_allows(client: Client) -> None:
    answer = client.get("/")
    assert '<script src="/static/pages/lobby.js" type="module"></script>' in answer.text
    assert "serviceWorker.register" in put_together("pages/lobby.js")
    policy = answer["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    # What is not said of workers and manifests is what is said of scripts and of everything.
    assert "worker-src" not in policy
    assert "manifest-src" not in policy
    assert "default-src 'self'" in policy


@pytest.mark.django_db
def test_the_worker_keeps_the_offline_page_and_static_files_alone(client: Client) -> None:
    page, *files = shell_of(client)
    assert page == "/offline/"
    assert files
    assert all(file.startswith("/static/") for file in files)
    # All that a cache gets is added at one place.
    own = Path(str(finders.find(installing.WORKER))).read_text()
    assert own.count("cache.add") == 1
    assert ".put(" not in own


def test_another_content_is_another_version(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = version_of(client)
    assert version_of(client) == before
    monkeypatch.setattr(installing, "put_together", lambda _name: "x")
    after = version_of(client)
    assert after != before
    monkeypatch.setattr(installing, "offline_page", lambda: "another")
    assert version_of(client) not in (before, after)


@pytest.mark.always
@pytest.mark.django_db
def test_the_offline_page_has_three_languages_and_knows_no_reader(
    alice: Player, client: Client
) -> None:
    answer = client.get("/offline/")
    assert re.findall(r'<section[^>]* lang="([^"]+)"', answer.text) == ["en", "zh-Hans", "zh-Hant"]
    for word in ("Offline", "离线", "離線"):
        assert word in answer.text
    assert client_of(alice).get("/offline/").content == answer.content
    assert "alice" not in answer.text
    assert "csrf" not in answer.text
    assert not answer.cookies


@pytest.mark.django_db
def test_the_files_of_the_offline_page_are_all_kept(client: Client) -> None:
    page, *files = shell_of(client)
    assert set(re.findall(r'(?:src|href)="(/static/[^"#]+)"', client.get(page).text)) == set(files)


@pytest.mark.django_db
def test_a_link_to_the_house_has_a_picture(client: Client) -> None:
    page = client.get("/").text
    address = re.search(
        r'<meta property="og:image" content="http://testserver/static/(.*?)">', page
    )
    assert address
    picture = Path(str(finders.find(address[1]))).read_bytes()
    # As wide and as high as the page says.
    size = [int.from_bytes(picture[at : at + 4], "big") for at in (16, 20)]
    for name, value in zip(("width", "height"), size, strict=True):
        assert f'<meta property="og:image:{name}" content="{value}">' in page
