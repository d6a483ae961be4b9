"""Reports by profile: hands of a published version are one group, all others their tables' own."""

from casino.office.reports.facts import Span
from casino.office.reports.report import REPORTS, Query
from games.models import Hand, Table
from tests.games import profiles
from tests.games.house import House
from wallets.values.days import day_of

NAMES = ("alice", "bob", "carol")


def test_hands_of_a_version_are_added_up_under_its_name(house: House) -> None:
    table = house.dealt_in("doudizhu", *NAMES)
    finished = Hand.objects.filter(status=Hand.Status.FINISHED)
    for hands in (1, 2):
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        while finished.count() < hands:
            # No player calls.
            (number,) = Table.objects.get().turns
            house.act(table, NAMES[int(number) - 1], {"do": "call", "points": 0})
    version = profiles.draft(profiles.manager("mia"))
    Hand.objects.filter(pk=finished.earliest("pk").pk).update(profile_version=version)
    today = day_of(house.now)
    rows = list(Query(REPORTS["revenue"], Span(today, today), "profile").rows())
    names = sorted(str(row["profile"]) for row in rows)
    assert len(names) == 2
    assert names[0] == "Club rules, version 1"
    assert names[1].startswith("own settings ")
