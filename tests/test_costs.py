"""What `make test` says of costly tests, and when it fails for them."""

from pathlib import Path

import pytest

from tests.__main__ import Run
from tests.costs import Cost


@pytest.mark.parametrize(
    ("test", "additions", "passes"),
    [
        ("tests/test_a.py::test_it", 100, True),
        ("tests/test_a.py::test_it", 150, True),
        ("tests/test_a.py::test_it", 201, False),
        ("tests/browser/journeys/test_a.py::test_it", 700, True),
        ("tests/browser/journeys/test_a.py::test_it", 1001, False),
    ],
)
def test_a_run_fails_exactly_when_it_says_too_expensive(
    test: str,
    additions: int,
    passes: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(Run, "watch_the_speed", lambda _run: None)
    run = Run(tmp_path)
    run.costs = {test: Cost(1, additions)}
    assert run.report(limited=True) == passes
    printed = capsys.readouterr().out
    assert ("TOO EXPENSIVE" in printed) != passes
    assert (test in printed.partition("together")[2]) == (additions > 100)
