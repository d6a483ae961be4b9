"""Preparing a server: the terminal says which step is being taken."""

from pathlib import Path
from typing import Any

import pytest

from casino.accounts import demo as accounts_demo
from casino.ops import catalogues, prepare
from casino.web import static_files
from tournaments.running import demo


@pytest.mark.parametrize("demonstration", [True, False])
def test_each_step_is_said_before_it_is_taken(
    demonstration: bool,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    steps: list[tuple[str, str]] = []

    def taken(name: str) -> None:
        steps.append((name, capsys.readouterr().out.strip()))

    settings.DEMO = demonstration
    settings.STATIC_ROOT = tmp_path / "static"
    settings.LOCALE_PATHS = [tmp_path]
    monkeypatch.setattr(prepare, "call_command", lambda name, **_options: taken(name))
    monkeypatch.setattr(catalogues, "compile_catalogues", lambda _folder: taken("compile"))
    monkeypatch.setattr(static_files, "collect_if_changed", lambda: taken("collect"))
    monkeypatch.setattr(demo, "seed", lambda _now: taken("tournaments"))
    monkeypatch.setattr(accounts_demo, "LATER_STEPS", {})
    prepare.prepare()
    said = [("compile", "its languages"), ("migrate", "its database")]
    if demonstration:
        said += [("collect", "the files of its pages")]
        said += [("demo", "its players and tables"), ("tournaments", "its tournaments")]
    assert steps == said
    assert settings.STATIC_ROOT.is_dir()
