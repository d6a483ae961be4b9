"""The first page of a process finds everything made: it compiles neither template nor statement."""

import itertools
from typing import Any

import jinja2
import pytest
from django.conf import settings
from django.template import Template, engines
from django.test import Client

from casino import frame
from casino.ops import made_at_start
from games.boards.pieces import engine
from games.models import prepared
from games.rules.catalogue import GAMES
from tests.games.house import House
from tests.games.viewers import people_of
from tests.people import client_of

FAMILIES = {GAMES[game].family: game for game in GAMES}


def forget_everything() -> None:
    engine.COMPILED.clear()
    for var in vars(engine).values():
        if hasattr(var, "cache_clear"):
            var.cache_clear()
    templates: Any = engines["django"]
    for loader in templates.engine.template_loaders:
        loader.reset()
    for statement in prepared.ALL:
        statement.by_vendor.clear()


@pytest.mark.django_db
def test_the_first_page_compiles_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[tuple[Client, str]] = []
    for number, game in enumerate(FAMILIES.values()):
        names = [f"{name}-{number}" for name in people_of(game)]
        table = house.dealt_in(game, *names)
        clients = client_of(house.person(names[0])), Client()
        looks += [(client, f"/tables/{table.pk}/") for client in clients]
    looks += [(looks[0][0], path) for path in ("/", "/lobby/")]
    forget_everything()
    made_at_start.make()
    compiled: list[str] = []

    def noted(owner: type, name: str) -> None:
        real = getattr(owner, name)

        def note(self: Any, *given: Any, **named: Any) -> Any:
            compiled.append(f"{owner.__name__} {given[:3]}")
            return real(self, *given, **named)

        monkeypatch.setattr(owner, name, note)

    noted(jinja2.Environment, "compile")
    noted(Template, "compile_nodelist")
    noted(prepared.Prepared, "_compile")
    languages = itertools.cycle(language for language, _name in settings.LANGUAGES)
    for (client, path), language in zip(looks, languages, strict=False):
        assert client.get(path, headers={"Accept-Language": language}).status_code == 200
    assert compiled == []


@pytest.mark.django_db
def test_the_first_visitors_find_the_markup_that_is_kept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.dealt_in("doudizhu", "alice", "bob", "carol")
    erin, made, real = client_of(house.player("erin")), list[str](), frame.Kept.render

    class Noted:
        def __init__(self, inside: Any) -> None:
            self.inside = inside

        def render(self, context: Any) -> str:
            made.append(str(self.inside))
            return str(self.inside.render(context))

    def render(node: Any, context: Any) -> str:
        inside, node.inside = node.inside, Noted(node.inside)
        text = real(node, context)
        node.inside = inside
        return text

    forget_everything()
    made_at_start.visit()
    monkeypatch.setattr(frame.Kept, "render", render)
    for client, path in itertools.product((Client(), erin), ("/", "/lobby/")):
        assert client.get(path, headers={"Accept-Language": "zh-hant"}).status_code == 200
    assert made == []


@pytest.mark.django_db
def test_the_first_pages_are_made_for_the_host_of_the_house(
    house: House, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ALLOWED_HOSTS = ["cards.example"]
    made_at_start.visit()
    assert not caplog.messages


def test_compiled_pieces_are_kept_and_read_by_the_next_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(engine, "KEPT_IN", tmp_path)
    engine.folder.cache_clear()
    compiled: list[str] = []
    real = jinja2.Environment.compile

    def note(self: Any, source: Any, name: Any = None, *rest: Any, **named: Any) -> Any:
        compiled.append(str(name))
        return real(self, source, name, *rest, **named)

    monkeypatch.setattr(jinja2.Environment, "compile", note)
    stale = tmp_path / "pieces-of-other-templates"
    stale.mkdir()
    try:
        pages = [
            engine.Pieces(language).filled_in("back.html", {})
            for language in ("en", "zh-hans", "en", "zh-hans")
        ]
    finally:
        engine.folder.cache_clear()
    assert compiled == ["back.html"] * 2
    assert pages[:2] == pages[2:]
    assert pages[0] != pages[1]
    assert not stale.exists()
