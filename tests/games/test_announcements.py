"""What the announcements of a table say to another process."""

import pytest

from games.live import announcing
from games.live.announcing import CHAT, MIX, PRESENCE, VERSION, News


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    payloads: list[str] = []
    monkeypatch.setattr(announcing, "publish", payloads.append)
    return payloads


@pytest.mark.always
def test_announcements_are_read_as_they_were_meant(published: list[str]) -> None:
    announcing.announce(7, 31)
    announcing.announce(-12, 5)
    announcing.announce_chat(7, 1_204)
    announcing.announce_presence(7, [2, 5, 11])
    announcing.announce_presence(7, [])
    announcing.announce_mix(7)
    assert [announcing.read(payload.encode()) for payload in published] == [
        News(7, VERSION, (31,)),
        News(-12, VERSION, (5,)),
        News(7, CHAT, (1_204,)),
        News(7, PRESENCE, (2, 5, 11)),
        News(7, PRESENCE, ()),
        News(7, MIX, ()),
    ]


@pytest.mark.parametrize(
    "payload", [b"", b"1", b"1:x", b"\xff", b"x:1", b"1:2.3", b"1:", b"1:chat:2.3", None]
)
def test_what_is_no_announcement_is_not_read(payload: object) -> None:
    assert announcing.read(payload) is None
