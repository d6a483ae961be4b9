"""When events start: the house's time zone, days of the week, and the calendar."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from casino.ops import environment
from tests.tournaments.events import Event, plain, sit_and_go, structure
from tournaments.models import Schedule, Template, Tournament
from tournaments.overview.words import repetition
from tournaments.running import announcing
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry, Proposal

pytestmark = pytest.mark.django_db
ADD = "/admin/tournaments/schedule/add/"
MONDAY, WEDNESDAY, SUNDAY = 1, 4, 64


def stored(event: Event, **given: Any) -> Template:
    return announcing.store_template(structure(**given), "player:1", event.house.now)


def plan(template: Template, **given: Any) -> dict[str, Any]:
    usual = {"template": template.pk, "ahead_hours": 24, "reason": "the autumn programme"}
    return usual | {"next_at": "2026-03-04T19:30", "repeats": "weekdays", "weekdays": ["2"]} | given


# The zone of the house.


def test_a_start_is_picked_in_the_zone_of_the_house(
    event: Event, manager: Client, settings: Any
) -> None:
    settings.HOUSE_ZONE = "Asia/Macau"
    template = stored(event)
    given = {"starts_at": "2026-03-02T19:30", "reason": "Monday"}
    manager.post(f"/admin/tournaments/template/{template.pk}/announce/", given)
    row = Tournament.objects.get()
    assert row.starts_at == datetime(2026, 3, 2, 11, 30, tzinfo=UTC)
    # Staff and players read the same time.
    for address in ("/admin/tournaments/tournament/", "/tournaments/", f"/tournaments/{row.pk}/"):
        assert "2 Mar 2026, 19:30" in plain(manager.get(address).text), address


def test_a_time_that_the_clocks_skip_gets_a_sentence(
    event: Event, manager: Client, settings: Any
) -> None:
    settings.HOUSE_ZONE = "Europe/Lisbon"
    address = f"/admin/tournaments/template/{stored(event).pk}/announce/"
    answer = manager.post(address, {"starts_at": "2026-03-29T01:30", "reason": "Sunday"})
    assert "couldn’t be interpreted in time zone Europe/Lisbon" in plain(answer.text)
    assert not Tournament.objects.exists()


@pytest.mark.always
@pytest.mark.parametrize(("given", "zone"), [("", "UTC"), (" Asia/Macau ", "Asia/Macau")])
def test_the_zone_is_a_setting(monkeypatch: pytest.MonkeyPatch, given: str, zone: str) -> None:
    monkeypatch.setenv("HOUSE_ZONE", given)
    assert environment.zone("HOUSE_ZONE") == zone


@pytest.mark.parametrize("given", ["Macau", "../etc/passwd", "UTC+8"])
def test_a_zone_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("HOUSE_ZONE", given)
    with pytest.raises(ImproperlyConfigured, match="HOUSE_ZONE must be a time zone"):
        environment.zone("HOUSE_ZONE")


# Days of the week.


def recurring(weekdays: int | None, hour: int = 19, **given: Any) -> Schedule:
    return Schedule(
        kind=Schedule.Kind.RECURRING,
        weekdays=weekdays,
        house_time=datetime(2026, 1, 1, hour, 30).time() if weekdays else None,
        **given,
    )


def following(schedule: Schedule, start: datetime, count: int) -> list[datetime]:
    starts = []
    for _ in range(count):
        start = announcing.start_after(schedule, start)
        starts.append(start)
    return starts


def test_starts_follow_the_days_of_the_week(settings: Any) -> None:
    settings.HOUSE_ZONE = "Asia/Macau"
    first = datetime(2026, 3, 2, 11, 30, tzinfo=UTC)
    starts = following(recurring(MONDAY | WEDNESDAY), first, 3)
    assert [start.isoformat() for start in starts] == [
        "2026-03-04T11:30:00+00:00",
        "2026-03-09T11:30:00+00:00",
        "2026-03-11T11:30:00+00:00",
    ]
    assert following(recurring(MONDAY), first, 1) == [first + timedelta(weeks=1)]


def test_a_start_keeps_its_time_of_day_when_the_clocks_change(settings: Any) -> None:
    settings.HOUSE_ZONE = "Europe/Lisbon"
    before = datetime(2026, 3, 22, 19, 30, tzinfo=UTC)
    assert following(recurring(SUNDAY), before, 1) == [datetime(2026, 3, 29, 18, 30, tzinfo=UTC)]
    # By hours it keeps its distance instead.
    apart = recurring(None, every_seconds=7 * 86_400)
    assert following(apart, before, 1) == [datetime(2026, 3, 29, 19, 30, tzinfo=UTC)]


@pytest.mark.always
def test_a_start_that_has_passed_is_not_announced(event: Event) -> None:
    now = event.house.now
    schedule = Schedule.objects.create(
        template=stored(event),
        kind=Schedule.Kind.RECURRING,
        next_at=now - timedelta(hours=3),
        every_seconds=7_200,
        ahead_seconds=10_000,
    )
    for _ in range(2):
        announcing.run(now)
    (announced,) = schedule.tournaments.all()
    assert announced.starts_at == now + timedelta(hours=1)


def test_a_schedule_by_days_announces_each_start_once(event: Event, manager: Client) -> None:
    template = stored(event)
    given = plan(template, weekdays=["0", "2"], ahead_hours=200)
    assert manager.post(ADD, given).status_code == 302
    schedule = Schedule.objects.get()
    assert (schedule.weekdays, str(schedule.house_time)) == (MONDAY | WEDNESDAY, "19:30:00")
    for _ in range(2):
        announcing.run(event.house.now)
    starts = schedule.tournaments.order_by("starts_at").values_list("starts_at", flat=True)
    assert [start.day for start in starts if start] == [4, 9]
    assert JournalEntry.objects.filter(verb="tournament.schedule").exists()


@pytest.mark.always
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"weekdays": []}, "This field is required."),
        ({"weekdays": ["0"]}, "The first start is not on a day of the week that was chosen."),
        ({"weekdays": ["9"]}, "Select a valid choice."),
        ({"next_at": "2020-03-04T19:30"}, "The start must be in the future."),
        ({"next_at": "soon"}, "Enter a valid date/time."),
        ({"next_at": ""}, "This field is required."),
        ({"repeats": "hours", "every_hours": "0"}, "greater than or equal to 1"),
        ({"repeats": "hours", "every_hours": "9" * 20}, "less than or equal to 8784"),
        ({"ahead_hours": "8785"}, "less than or equal to 8784"),
        ({"bots": "9" * 20}, "less than or equal to 31622400"),
        ({"ahead_hours": "x"}, "Enter a whole number."),
        ({"reason": ""}, "This field is required."),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(
    event: Event, manager: Client, changes: dict[str, Any], sentence: str
) -> None:
    answer = manager.post(ADD, plan(stored(event), **changes))
    assert answer.status_code == 200
    assert sentence in plain(answer.text)
    assert not Schedule.objects.exists()


def test_a_sit_and_go_has_no_start_but_a_number_that_waits(event: Event, manager: Client) -> None:
    template = announcing.store_template(sit_and_go(), "player:1", event.house.now)
    shown = manager.get(ADD, {"template": template.pk}).text
    assert 'name="open_count"' in shown
    assert 'name="next_at"' not in shown
    given = {"template": template.pk, "open_count": 2, "reason": "always"}
    assert manager.post(ADD, given).status_code == 302
    schedule = Schedule.objects.get()
    assert (schedule.kind, schedule.open_count) == (Schedule.Kind.ALWAYS_OPEN, 2)
    announce = manager.get(f"/admin/tournaments/template/{template.pk}/announce/").text
    assert 'name="starts_at"' not in announce


def test_a_colleague_reads_the_start_in_the_zone_of_the_house(
    event: Event, manager: Client, settings: Any
) -> None:
    settings.HOUSE_ZONE = "Asia/Macau"
    Currency.objects.create(code="EUR", name="Euro", exponent=2, kind=Currency.Kind.MONEY)
    template = stored(event, currency="EUR", guarantee=500_000)
    manager.post(ADD, plan(template))
    proposal = Proposal.objects.get()
    shown = plain(manager.get(f"/admin/approvals/{proposal.pk}/").text)
    assert "4 Mar 2026, 19:30" in shown


@pytest.mark.always
@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        (recurring(MONDAY | SUNDAY), "Mon, Sun at 19:30"),
        (recurring(127), "every day at 19:30"),
        (recurring(None, every_seconds=3_600), "every hour"),
        (recurring(None, every_seconds=6 * 3_600), "every 6 hours"),
        (recurring(None, every_seconds=90 * 60), "every 90 minutes"),
        (
            recurring(None, every_seconds=86_400, next_at=datetime(2026, 3, 2, 8, 5, tzinfo=UTC)),
            "every day at 08:05",
        ),
        (
            recurring(None, every_seconds=172_800, next_at=datetime(2026, 3, 2, 8, tzinfo=UTC)),
            "every 2 days at 08:00",
        ),
        (Schedule(kind=Schedule.Kind.ALWAYS_OPEN), "whenever one has started"),
    ],
)
def test_a_schedule_says_in_words_how_often(schedule: Schedule, words: str) -> None:
    assert repetition(schedule) == words


# The calendar.


def test_the_calendar_shows_what_is_announced_and_what_is_planned(
    event: Event, manager: Client
) -> None:
    evening = stored(event, name="Evening cup")
    announcing.announce(
        evening, event.house.now, by="player:1", starts_at=event.house.now + timedelta(days=2)
    )
    given = plan(stored(event, name="Autumn cup"))
    shown = manager.post(f"{ADD}?part=calendar", {**given, "reason": ""})
    days = [day for week in shown.context["weeks"] for day in week]
    assert len(days) == 35
    named = [(start.name, start.is_new) for day in days for start in day.starts]
    assert named.count(("Evening cup", False)) == 1
    assert named.count(("Autumn cup", True)) == 4
    assert not Schedule.objects.exists()
    assert 'role="alert"' not in shown.text

    assert manager.post(ADD, given).status_code == 302
    announcing.run(event.house.now)
    later = manager.get(ADD).context["weeks"]
    names = [start.name for week in later for day in week for start in day.starts]
    assert names.count("Autumn cup") == 4


def test_another_template_or_way_gets_its_own_fields(event: Event, manager: Client) -> None:
    template = stored(event)
    part = manager.post(f"{ADD}?part=form", plan(template, repeats="hours")).text
    assert part.lstrip().startswith("<form")
    assert 'name="every_hours"' in part
    assert 'name="weekdays"' not in part
    # What is not filled in yet is no mistake.
    empty = manager.post(f"{ADD}?part=form", {"template": template.pk}).text
    assert 'role="alert"' not in empty
    assert not Schedule.objects.exists()


def test_many_starts_of_a_day_are_counted(event: Event, manager: Client) -> None:
    given = plan(stored(event), repeats="hours", every_hours="1")
    shown = manager.post(f"{ADD}?part=calendar", given)
    assert "and 20 more" in plain(shown.text)


@pytest.mark.always
def test_the_list_of_schedules_speaks_in_words(event: Event, manager: Client) -> None:
    manager.post(ADD, plan(stored(event)))
    shown = plain(manager.get("/admin/tournaments/schedule/").text)
    assert "Wed at 19:30" in shown
    assert "Calendar Mon Tue" in shown
    assert shown.count("19:30 Evening") == 4
    assert "4 Mar 2026, 19:30" in shown
