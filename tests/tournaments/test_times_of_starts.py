"""When an event starts, in the few signs that a tile has room for."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone, translation

from tournaments.templatetags import tournaments

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "says"),
    [
        (NOON.replace(hour=20), "20:00"),
        (NOON.replace(day=29), "29 November"),
        (None, ""),
    ],
)
def test_today_has_a_time_and_another_day_its_date(
    monkeypatch: pytest.MonkeyPatch, moment: datetime | None, says: str
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    with translation.override("en"):
        assert tournaments.time_of_start(moment) == says
