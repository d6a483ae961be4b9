"""The programs of `docs/api.md` play a hand each at a server that listens, as they stand there."""

import re
import sys
import time
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from games.models import Hand
from tests.games.house import MONEY, House
from tests.games.program import PASSWORD

LINES_MAX = 30


def program_of(repository: Path, title: str) -> str:
    """The program under this title."""
    page = (repository / "docs" / "api.md").read_text()
    (text,) = re.findall(rf"```python\n# {title}\n(.*?)```", page, re.DOTALL)
    return text


@pytest.mark.parametrize(
    "title",
    ["A round of blackjack", pytest.param("A hand of Dou Dizhu", marks=pytest.mark.release)],
)
def test_a_documented_program_plays_a_hand(
    repository: Path,
    live_server: LiveServer,
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    title: str,
) -> None:
    text = program_of(repository, title)
    assert len([line for line in text.splitlines() if line.strip()]) <= LINES_MAX
    house.bots(2)
    house.player("alice")
    table = house.table("blackjack" if "blackjack" in title else "doudizhu", bots_max=2)

    def let_the_house_go_on(_seconds: float) -> None:
        """What happens in the house while the program waits."""
        table.refresh_from_db()
        if table.due_at is not None and not table.turns.get("1"):
            house.until_due(table)

    monkeypatch.setattr(time, "sleep", let_the_house_go_on)
    monkeypatch.setattr(sys, "argv", ["play.py", live_server.url, "alice", PASSWORD])
    exec(compile(text, "docs/api.md", "exec"), {})  # the page is a part of this repository
    hand = Hand.objects.filter(status=Hand.Status.FINISHED).latest("pk")
    (mine,) = hand.seats.filter(player__username="alice")
    assert "alice" in capsys.readouterr().out
    assert house.wallet(house.person("alice")).balance == MONEY + mine.net
    assert house.total() == 0
