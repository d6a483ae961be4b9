"""What is collected for browsers: one file a page, compressed, under a name of its contents."""

import gzip
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.templatetags.static import static
from django.test import Client, override_settings

from casino.web.static_files import collect_if_changed, put_together

STYLE = "pages/tables/house.css"
SCRIPT = "pages/tables/house.js"


OURS = ["django.contrib.staticfiles.finders.FileSystemFinder"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where all our own files, and no others, are collected once."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STATICFILES_FINDERS=OURS, STATIC_ROOT=folder):
        collect_if_changed()
        yield folder


@pytest.fixture
def root(tmp_path: Path, settings: Any) -> Path:
    """Where the files of a test are collected."""
    settings.STATICFILES_FINDERS = OURS
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    return tmp_path / "static"


@pytest.fixture
def sources(root: Path, settings: Any) -> Path:
    """A page of two styles, instead of our own files."""
    folder = root.with_name("sources")
    (folder / "pages").mkdir(parents=True)
    (folder / "pages/a.css").write_text('@import "../b.css";\n')
    (folder / "b.css").write_text("b { color: red }\n")
    settings.STATICFILES_DIRS = [folder]
    return folder


def collected(name: str) -> str:
    """The address of a collected file."""
    collect_if_changed()
    return static(name)


@pytest.mark.parametrize("name", [STYLE, SCRIPT])
def test_a_page_is_one_compressed_file(whole: Path, name: str) -> None:
    address = static(name)
    assert re.fullmatch(r"/static/pages/tables/house\.[0-9a-f]{12}\.(?:js|css)", address)
    stored = whole / address.removeprefix("/static/")
    assert stored.read_text() == put_together(name)
    assert gzip.decompress(Path(f"{stored}.gz").read_bytes()) == stored.read_bytes()


def test_a_browser_keeps_what_it_has_for_ever(whole: Path) -> None:
    address = static(STYLE)
    answer = Client().get(address, headers={"accept-encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert "immutable" in answer["Cache-Control"]
    plain = Client().get(f"/static/{STYLE}", headers={"accept-encoding": "gzip"})
    assert "immutable" not in plain["Cache-Control"]


def test_a_changed_import_changes_the_name_of_the_page(sources: Path) -> None:
    before = collected("pages/a.css")
    assert collected("pages/a.css") == before
    changed = sources / "b.css"
    changed.write_text("b { color: blue }\n")
    os.utime(changed, (0, 0))
    after = collected("pages/a.css")
    assert after != before
    assert Client().get(after).getvalue() == b"b { color: blue }\n"


def test_what_has_not_changed_is_not_collected_again(sources: Path, root: Path) -> None:
    stored = root / collected("pages/a.css").removeprefix("/static/")
    stored.write_text("left alone")
    collected("pages/a.css")
    assert stored.read_text() == "left alone"


def test_in_front_of_players_nothing_may_be_missing(root: Path, settings: Any) -> None:
    assert static(STYLE) == f"/static/{STYLE}"
    settings.DEMO = False
    with pytest.raises(ValueError, match="house"):
        static(STYLE)
