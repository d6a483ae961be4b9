"""Translations are compiled where they are needed, without gettext's programs."""

import gettext
import os
from pathlib import Path

from casino.ops.catalogues import compile_catalogues

SOURCE = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "seat"
msgstr "座位"

#, fuzzy
msgid "purse"
msgstr "a guess"
"""


def test_only_changed_catalogues_are_compiled(tmp_path: Path) -> None:
    source = tmp_path / "zh_Hans" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE)
    assert compile_catalogues(tmp_path) == 1
    assert compile_catalogues(tmp_path) == 0
    compiled = source.with_suffix(".mo")
    with compiled.open("rb") as file:
        words = gettext.GNUTranslations(file)
    assert words.gettext("seat") == "座位"
    assert words.gettext("purse") == "purse"
    assert [
        file.name for file in source.parent.iterdir() if file.suffix not in (".po", ".mo")
    ] == []

    later = compiled.stat().st_mtime + 10
    os.utime(source, (later, later))
    assert compile_catalogues(tmp_path) == 1


def test_missing_catalogues_are_tolerated(tmp_path: Path) -> None:
    assert compile_catalogues(tmp_path / "nothing") == 0
