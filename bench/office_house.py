"""One size of `bench.office`: a house that is filled, and then read as staff read it.

    python -m bench.office_house HANDS DAYS FIGURES

Pages go through the whole of Django and are rendered; the p95 counts, and what a request costs of
processors is in brackets. The seeded house has neither
traces of origins nor profiles; the database adds some, for the filters by them.
"""

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

import msgspec

from bench.calibration import additions_per_second
from bench.pages import only_backend, timed
from tests.houses import open_house

if TYPE_CHECKING:
    from django.test import Client

    from casino.accounts.models import Player

REQUESTS: Final = 15
SEARCH_MS: Final = 300.0
HAND_MS: Final = 150.0
FILE_MS: Final = 200.0
DAY_SECONDS: Final = 2.0
YEAR_SECONDS: Final = 10.0
# Of a day of 10,000 hands; memory must not depend on the length.
EVIDENCE_HANDS_A_SECOND: Final = 10_000 / 60
EVIDENCE_MB: Final = 64.0
# Hands a second for each million additions: 1,000 where a core does 33 million.
SEEDING_R: Final = 30.0
ADDRESS: Final = "192.0.2.7"

# Everybody plays from a line of their own, but one in fifty from the same.
TRACES: Final = """
INSERT INTO integrity_trace (kind, player_id, table_id, hand_id, line, device, at)
SELECT 'acted', player_id, table_id, hand_id,
    CASE WHEN player_id %% 50 = 0 THEN %s ELSE md5(player_id::text) END, '', ended_at
FROM games_handseat"""


class Figure(msgspec.Struct, frozen=True):
    """What was measured; `at_least` turns the bound round."""

    name: str
    value: float
    unit: str
    bound: float | None = None
    at_least: bool = False
    # What it cost of processors, this process and the database's: on a busy machine this says more.
    processor_ms: float | None = None

    def __str__(self) -> str:
        digits = 0 if self.value >= 20 else 2
        cost = "" if self.processor_ms is None else f" ({self.processor_ms:,.0f})"
        return f"{self.value:,.{digits}f} {self.unit}{cost}{' !' if self.is_broken else ''}"

    @property
    def is_broken(self) -> bool:
        if self.bound is None:
            return False
        return self.value < self.bound if self.at_least else self.value > self.bound

    @property
    def bound_in_words(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.bound:,.0f} {self.unit}" if self.bound else ""


def fill(hands: int, days: int) -> Iterator[Figure]:
    """Fill the house, and say how quickly."""
    from django.core.management import call_command

    before, start, spent = additions_per_second(), perf_counter(), processors()
    players = max(60, hands // 500)
    call_command("seed", hands=hands, days=days, players=players, seed=1, stdout=StringIO())
    rate, own = hands / (perf_counter() - start), processors() - spent
    yardstick = (before + additions_per_second()) / 2 / 1_000_000
    yield Figure("yardstick", yardstick, "M additions/s")
    yield Figure("seeding", rate, "hands/s")
    yield Figure("seeding by the yardstick", rate / yardstick, "R", SEEDING_R, at_least=True)
    yield Figure("seeding, processor of one hand", 1_000 * own / hands, "ms")


def processors() -> float:
    """The seconds of a processor that this process and its ended workers have taken."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def add_origins_and_profile(boss: "Player") -> int:
    """Traces of all seats, and a profile that one table has followed; answers with its number."""
    from django.db import connection

    from casino.office.integrity.traces import keyed
    from games.models import Hand, Profile, ProfileVersion, Table

    now = datetime.now(UTC)
    table = Table.objects.get(game="casino_holdem")
    profile = Profile.objects.create(
        name="Bench", game=table.game, currency=table.currency, made_at=now
    )
    version = ProfileVersion.objects.create(
        profile=profile, number=1, options={}, table_settings={}, made_by=boss, made_at=now
    )
    Hand.objects.filter(table=table).update(profile_version=version)
    with connection.cursor() as cursor:
        cursor.execute(TRACES, [keyed("line", ADDRESS)])
        cursor.execute("VACUUM ANALYZE")
    return profile.pk


def searches(profile: int) -> dict[str, str]:
    """What auditors search by, each by its query."""
    from games.models import ChainEntry, Hand, HandSeat

    hand = Hand.objects.order_by("pk")[Hand.objects.count() // 2]
    day = hand.started_at.date()
    player = HandSeat.objects.filter(hand=hand).values_list("player__username", flat=True)[0]
    entry = ChainEntry.objects.filter(kind="hand", body__hand=hand.code).first()
    return {
        "no filter": "",
        "cards, few hands": "cards=7*4, jokers 2",
        "cards, many hands": "cards=dealer:17",
        "cards, none": "cards=A*4 K*4 Q*4",
        "flag": "flag=natural",
        "flag, none": "flag=timeout",
        "option": "option=point=100",
        "option, none": "option=point=987654",
        "profile": f"profile={profile}",
        "chain number": f"chain={entry.position if entry else 0}",
        "address": f"address={ADDRESS}",
        "address, none": "address=192.0.2.200",
        "amount": "least=100",
        "amount, none": "least=9999999",
        "result of a player": f"player={player}&result=won",
        "game": "game=thirteen_fujian",
        "code": f"code={hand.code}",
        "a day": f"first_day={day}&last_day={day}",
        "a day, a game, cards": f"first_day={day}&last_day={day}&game=doudizhu&cards=BJ RJ",
    }


def pages(client: "Client", profile: int) -> Iterator[Figure]:
    """Every page by its p95."""
    from django.db.models import Count

    from games.models import Hand, HandSeat

    busiest = HandSeat.objects.order_by().values_list("player").annotate(hands=Count("pk"))
    player, _hands = busiest.order_by("-hands")[0]
    code = Hand.objects.filter(game="doudizhu").order_by("pk")[0].code
    addresses = {
        f"search: {name}": (f"/history/?{query}", SEARCH_MS)
        for name, query in searches(profile).items()
    } | {
        "a hand": (f"/admin/hands/{code}/", HAND_MS),
        "a player's file": (f"/admin/players/{player}/file/", FILE_MS),
        "the journal": ("/admin/journal/", SEARCH_MS),
        "the journal: deposits": ("/admin/journal/?verb=deposit", SEARCH_MS),
    }
    backend = only_backend()
    for name, (address, bound) in addresses.items():

        def ask(_number: int, address: str = address) -> None:
            assert client.get(address).status_code == 200, address

        page = timed(ask, REQUESTS, backend)
        yield Figure(name, page.p95, "ms", bound, processor_ms=page.processor)


def reports(until: datetime) -> Iterator[Figure]:
    """The slowest report, in any grouping, over a day and over a year; and over an open day."""
    from casino.office.reports.models import SummedDay

    yield Figure("reports of a closed day", slowest(until, until), "s", DAY_SECONDS)
    year = slowest(until - timedelta(days=364), until)
    yield Figure("reports of a year", year, "s", YEAR_SECONDS)
    # A day that is not closed is counted from its hands.
    SummedDay.objects.filter(day=until.date()).delete()
    yield Figure("reports of an open day", slowest(until, until), "s", DAY_SECONDS)


def slowest(first: datetime, last: datetime) -> float:
    from casino.office.reports.formats import csv_lines
    from casino.office.reports.report import REPORTS, query_of

    worst, today = 0.0, datetime.now(UTC).date()
    for name, report in REPORTS.items():
        for by in report.allowed:
            query = query_of(name, str(first.date()), str(last.date()), by, today)
            start = perf_counter()
            for _line in csv_lines(query):
                pass
            worst = max(worst, perf_counter() - start)
    return worst


def evidence(boss: "Player") -> Iterator[Figure]:
    """A package of the busiest day as it is sent: how fast, and how far memory rises."""
    from django.utils import timezone

    from casino.office.evidence import packing
    from casino.office.evidence.scope import Wanted, scope_of
    from games.models import Day
    from wallets.staff import journal

    day = Day.objects.order_by("-hands")[0]
    scope = scope_of(Wanted("day", "", day.day), timezone.now())
    made = packing.note(packing.PACKED, scope, journal.by(boss), "bench", timezone.now())
    size, start, before = 0, perf_counter(), peak_mb(anew=True)
    for piece in packing.packed(scope, made):
        size += len(piece)
    rate = day.hands / (perf_counter() - start)
    yield Figure("evidence: hands of the day", day.hands, "hands")
    yield Figure("evidence: size", size / 1_000_000, "MB")
    yield Figure("evidence: rate", rate, "hands/s", EVIDENCE_HANDS_A_SECOND, at_least=True)
    yield Figure("evidence: memory beside the process", peak_mb() - before, "MB", EVIDENCE_MB)


def peak_mb(*, anew: bool = False) -> float:
    """The most memory that this process has held, since it was last asked anew."""
    if anew:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1_000 for line in lines if line.startswith("VmHWM"))


def main() -> None:
    hands, days, answer = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    figures: list[Figure] = []

    def note(found: Iterator[Figure]) -> None:
        for figure in found:
            print(f"{hands:,}: {figure.name}: {figure}", flush=True)
            figures.append(figure)

    with open_house(database="durable"):
        from django.test import Client

        from casino.accounts.models import Player

        note(fill(hands, days))
        boss, client = Player.objects.create_superuser("bench-boss"), Client()
        profile = add_origins_and_profile(boss)
        client.force_login(boss)
        note(pages(client, profile))
        note(evidence(boss))
        note(reports(datetime.now(UTC) - timedelta(days=1)))
    answer.write_bytes(msgspec.json.encode(figures))


if __name__ == "__main__":
    main()
