"""A report, a page for staff and a game each come from one folder, with nothing else touched."""

import re
from pathlib import Path

import pytest

from tests.toys.installing import install, install_holdem, run

TOYS = ("tests.toys.hands_report", "tests.toys.staff_page")
# A block of the authors' page whose first line names its file.
FILES = re.compile(r"^```\w+\n# ([\w/.]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    return install_holdem(tmp_path)


def use(what: str, repository: Path, **variables: str) -> None:
    """Do in a house that has the toys what is named so in `tests/toys/uses.py`."""
    run("-m", "pytest", "tests/toys/uses.py", "-q", "-k", what, folder=repository, **variables)


@pytest.mark.processes
def test_a_report_and_a_page_are_shown_in_a_house_that_has_them(repository: Path) -> None:
    use("report", repository, EXTRA_APPS=",".join(TOYS))


@pytest.mark.processes
def test_a_game_is_played_in_a_house_that_has_it(repository: Path, installed: Path) -> None:
    use("game or pokerkit", repository, PYTHONPATH=str(installed))


def test_nothing_in_the_house_names_the_game_of_the_package(repository: Path) -> None:
    parts = ("casino", "games", "static", "templates", "tournaments", "wallets")
    texts = (path for part in parts for path in (repository / part).rglob("*.[phjc]*"))
    named = [path for path in texts if path.is_file() and b"texas_holdem" in path.read_bytes()]
    assert not named


@pytest.mark.processes
def test_the_page_for_authors_leads_to_a_dealt_hand(repository: Path, tmp_path: Path) -> None:
    """The files of the page as they stand there are a game that bots and the harness play."""
    page = (repository / "docs" / "examples" / "README.md").read_text()
    source, target = tmp_path / "source", tmp_path / "site"
    for path, content in FILES.findall(page):
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(content)
    install(source, target)
    use("first", repository, PYTHONPATH=str(target))


@pytest.mark.processes
@pytest.mark.release
def test_a_game_is_played_at_an_event_by_bots_and_ten_thousand_times(
    repository: Path, installed: Path
) -> None:
    use(
        "prizes or bots or pokerkit or newcomer",
        repository,
        PYTHONPATH=str(installed),
        HANDS="10000",
    )
