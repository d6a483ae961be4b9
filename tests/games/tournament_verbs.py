"""The verbs of staff about tournaments, series and tickets."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from tests.games.staff_scene import WHY, Scene
from tests.tournaments.events import sent, structure
from tournaments.mathematics.series_points import SeriesRules
from tournaments.models import Schedule, Series, Template
from tournaments.running import announcing, control

TEMPLATE: Final = "tournaments/template"
EVENT: Final = "tournaments/tournament"


def template(scene: Scene, **given: Any) -> Template:
    given.setdefault("name", "Evening")
    return announcing.store_template(structure(**given), "player:1", scene.house.now)


def store_template(scene: Scene) -> None:
    scene.post(f"{TEMPLATE}/add/", **sent(structure()) | {"store": "1", "reason": WHY})


def retire_template(scene: Scene) -> None:
    scene.post(f"{TEMPLATE}/{template(scene).pk}/retire/")


def announce(scene: Scene) -> None:
    scene.post(f"{TEMPLATE}/{template(scene).pk}/announce/", starts_at="2099-03-02 19:30")


def schedule(scene: Scene) -> None:
    scene.post(
        "tournaments/schedule/add/",
        template=template(scene).pk, next_at="2099-03-02T19:30", ahead_hours=24,
        repeats="hours", every_hours=24,
    )  # fmt: skip


def unschedule(scene: Scene) -> None:
    running = Schedule.objects.create(
        template=template(scene), kind=Schedule.Kind.RECURRING, next_at=scene.house.now
    )
    scene.post(f"tournaments/schedule/{running.pk}/stop/")


def run_event(verb: str, **fields: Any) -> Callable[[Scene], object]:
    def work(scene: Scene) -> None:
        scene.post(f"{EVENT}/{scene.event.number}/{verb}/", **fields)

    return work


def resume_event(scene: Scene) -> None:
    control.pause(scene.boss, scene.event.number, WHY, scene.house.now)
    scene.post(f"{EVENT}/{scene.event.number}/resume/")


def disqualify(scene: Scene) -> None:
    player = scene.event.row.all_entries.latest("pk").player_id
    scene.post(f"{EVENT}/{scene.event.number}/disqualify/", player=player, typed="DISQUALIFY")


def league(scene: Scene) -> Series:
    """A series of the house, whose events staff add."""
    rules: dict[str, Any] = {"events": 2, "best": 1, "finalists": 0}
    assert not SeriesRules(**rules).faults()
    return Series.objects.create(name="Autumn", rules=rules, began_at=scene.house.now)


SERIES: Final = {
    "name": "Spring",
    "manner": "table",
    "table": "10, 6, 4",
    "events": 4,
    "best": 3,
    "finalists": 2,
}


def begin_series(scene: Scene) -> None:
    start, made = "2099-03-02T19:30", template(scene)
    scene.post("series/new/", **SERIES, template=made.pk, next_at=start, every_hours=24)


def add_to_series(scene: Scene) -> None:
    starts_at = scene.house.now + timedelta(days=400)
    event = announcing.announce(
        template(scene), scene.house.now, by="player:1", starts_at=starts_at
    )
    scene.post(f"series/{league(scene).pk}/", add="1", event=event.pk)


def end_series(scene: Scene) -> None:
    scene.post(f"series/{league(scene).pk}/", end="1")


def give_ticket(scene: Scene) -> None:
    scene.post("tickets/", player=scene.alice.username, template=template(scene).pk)


TOURNAMENT_VERBS: Final[dict[str, Callable[[Scene], object]]] = {
    "template.store": store_template,
    "template.retire": retire_template,
    "tournament.announce": announce,
    "tournament.schedule": schedule,
    "tournament.unschedule": unschedule,
    "tournament.cancel": run_event("cancel", typed="CANCEL"),
    "tournament.pause": run_event("pause"),
    "tournament.resume": resume_event,
    "tournament.close": run_event("close"),
    "tournament.disqualify": disqualify,
    "tournament.message": run_event("message", notice="We begin again at eight."),
    "series.begin": begin_series,
    "series.add": add_to_series,
    "series.end": end_series,
    "ticket.give": give_ticket,
}
