"""Pieces of a table: their sentences, what they escape, and names that do not exist."""

from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from django.utils.translation import override
from jinja2 import UndefinedError

from games.boards.family import FamilyTemplates
from games.boards.pieces import engine
from games.boards.pieces.engine import remembered, rendered

LANGUAGES = [code for code, _name in settings.LANGUAGES]
# To compile all pieces in all languages takes seconds, so a run takes a part of them.
GROUPS = 4


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of pieces that a test writes itself."""
    monkeypatch.setattr(engine, "FOLDERS", [tmp_path])
    monkeypatch.setattr(engine, "COMPILED", {})
    return tmp_path


def made(folder: Path, source: str, **facts: object) -> str:
    (folder / "piece.html").write_text(source, encoding="utf-8")
    engine.COMPILED.clear()
    return str(rendered("piece.html", facts))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cards", [1, 2])
def test_sentences_are_those_of_django(written: Path, language: str, cards: int) -> None:
    text = (
        '{% trans "Auto-play" %}|{% trans "Play" context "replay" %}|{% trans "100 %" %}|'
        "{% blocktrans count left=cards trimmed %}{{ left }}\n card{% plural %}{{ left }}\n"
        " cards{% endblocktrans %}|{% blocktrans with box=cards trimmed %}Box {{ box }}"
        "{% endblocktrans %}|{% blocktrans trimmed %}Call {{ cards }}{% endblocktrans %}"
    )
    with override(language):
        expected = engines["django"].from_string("{% load i18n %}" + text).render({"cards": cards})
        assert made(written, text, cards=cards) == expected


def test_whatever_is_no_markup_is_escaped(written: Path) -> None:
    source = "{{ name }}{% blocktrans with who=name %}{{ who }} wins{% endblocktrans %}"
    assert "<b>" not in made(written, source, name="<b>")


def test_a_name_that_does_not_exist_is_an_error(written: Path) -> None:
    with pytest.raises(UndefinedError):
        made(written, "{{ gone }}")
    with pytest.raises(AttributeError):
        made(written, "{{ thing.gone }}", thing=object())


def test_an_attribute_of_nothing_is_nothing(written: Path) -> None:
    assert made(written, "[{{ box.bets.0.amount }}]", box=None) == "[]"


def test_a_part_is_remembered_for_one_language(written: Path) -> None:
    (written / "remembered.html").write_text('{% trans "Auto-play" %}', encoding="utf-8")
    said = set()
    for language in LANGUAGES:
        with override(language):
            said.add(remembered("remembered.html"))
    assert len(said) == len(LANGUAGES)


@pytest.mark.always
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", range(GROUPS))
def test_every_piece_compiles_in_every_language(group: int, language: str) -> None:
    pieces = engine.Pieces(language)
    for name in pieces.list_templates()[group::GROUPS]:
        pieces.get_template(name)


def test_a_family_has_pieces_of_its_own_in_those_of_all(written: Path) -> None:
    """The piece that is included sees what the other sets, and what it sets stays within."""
    (written / "cloth.html").write_text("{{ name }}{% set name = 2 %}{{ name }}", encoding="utf-8")
    source = "{% set name = 1 %}{% include family_templates.cloth %}{{ name }}"
    for cloth, expected in (("cloth.html", "121"), ("", "1")):
        templates = FamilyTemplates(board="", page="", cloth=cloth)
        assert made(written, source, family_templates=templates) == expected
