"""What runs after a commit can fail, and then Django logs its name."""

import pytest
from django.db import transaction

from games.profiles import publishing
from tests.games import profiles
from tests.games.house import House


@pytest.mark.django_db(transaction=True)
def test_a_table_that_cannot_be_woken_holds_up_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = profiles.draft(profiles.manager("mona"))
    tables = [house.table("doudizhu", profile=version.profile) for _number in range(3)]
    woken: list[int] = []

    def wake(table_id: int, _now: object) -> None:
        woken.append(table_id)
        if table_id == tables[0].pk:
            raise OSError("no such luck")

    monkeypatch.setattr(publishing, "wake", wake)
    with transaction.atomic():
        publishing.wake_tables(version.profile_id, house.now)
    assert sorted(woken) == [table.pk for table in tables]
