"""The conditions, each an object that finds the states that stand now, and messages about them.

A *lasting* state is over when it is no longer true: its alarm is cleared then. An *event*, such as
a large win, has happened: its alarm is raised once, and cleared by the staff member who takes it.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext

from casino.office.alarms.models import Alarm
from casino.ops.existence import Rows
from games.models import Anchor
from games.shoes import anchors
from wallets.values.days import with_zone
from wallets.values.registry import Registry

# The roles that handle it: the programs and machines, or the room.
OF_THE_HOUSE: Final = "upkeep.read_health"
OF_THE_ROOM: Final = "backoffice.see_floor"
# The figure of this name is an instant, which is stored in ISO's form and said in the reader's.
INSTANT: Final = "at"


class State(NamedTuple):
    """A condition that is true now: its subject, and the figures of its sentence."""

    subject: str
    figures: Mapping[str, Any]


class Moment(NamedTuple):
    """The time of this look at a condition, and that of the look before."""

    now: datetime
    since: datetime


@dataclass(frozen=True)
class Condition:
    """A condition that staff must know about: how to find it, and how to say it."""

    kind: str
    words: str | Promise
    sentence: str | Promise
    # Readers need this permission as well: each role sees the alarms of its own work.
    permission: str
    find: Callable[[Moment], Iterable[State]]
    lasting: bool = True
    # The shortest time between two looks.
    every_seconds: int = 5
    # Rows that exist whenever the state may stand: without one the condition is not looked for.
    may_stand: Rows | None = None
    # Figures as readers read them, such as amounts.
    shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def say(self, figures: Mapping[str, object]) -> str:
        return str(self.sentence).format(**_with_times(self.shown(figures)))


def _with_times(figures: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        moment = datetime.fromisoformat(figures[INSTANT])
    except (KeyError, ValueError):
        # A sentence without one, or with a dash in its place.
        return figures
    return {**figures, INSTANT: with_zone(moment, "SHORT_DATETIME_FORMAT")}


CONDITIONS: Final = Registry[Condition]("condition")


def register(*conditions: Condition) -> None:
    """Have conditions looked at from now on."""
    for condition in conditions:
        CONDITIONS.add(condition.kind, condition)


JSON_LINES: Final = "application/x-ndjson"


class Attachment(NamedTuple):
    name: str
    content: str
    media_type: str


class Message(NamedTuple):
    """The letter, the body for webhooks, and the secret that signs it there."""

    title: str
    text: str
    payload: bytes
    secret: str
    attachment: Attachment | None = None


def words_of(alarm: Alarm) -> tuple[str, str]:
    """The title and the sentence of an alarm, in the language that is active."""
    condition = CONDITIONS.get(alarm.kind)
    if condition is None:
        # A newer or older house has raised it.
        return alarm.kind, alarm.subject
    return str(condition.words), condition.say(alarm.figures)


def of_alarm(alarm: Alarm) -> Message:
    with translation.override(settings.ALARM_LANGUAGE):
        title, sentence = words_of(alarm)
    page = _address(f"/admin/alarms/{alarm.pk}/")
    payload = {
        "id": alarm.pk,
        "kind": alarm.kind,
        "subject": alarm.subject,
        "title": title,
        "sentence": sentence,
        "figures": alarm.figures,
        "raised_at": alarm.raised_at.isoformat(),
        "address": page,
    }
    lines = [sentence, "", with_zone(alarm.raised_at), page]
    return Message(
        f"[{alarm.reference}] {title}",
        "\n".join(lines),
        _json(payload),
        settings.ALARM_WEBHOOK_SECRET,
    )


def of_anchor(anchor: Anchor) -> Message:
    """The line is sent exactly as in the file, because the next anchor holds its hash."""
    line_hash = anchors.hash_of(anchor.line)
    page = _address("/fairness/anchors.jsonl")
    with translation.override(settings.ALARM_LANGUAGE):
        title = gettext("Anchor {number} of the house").format(number=anchor.number)
        sentence = gettext(
            "Keep the attached line where no one at the house can change it. It proves what the"
            " ledger, journal and chain held at that time."
        )
    payload = {
        "kind": anchors.KIND,
        "number": anchor.number,
        "made_at": anchor.made_at.isoformat(),
        "sha256": line_hash,
        "line": anchor.line,
        "address": page,
    }
    lines = [sentence, "", with_zone(anchor.made_at), f"SHA-256 {line_hash}", page]
    attachment = Attachment(f"anchor-{anchor.number}.jsonl", f"{anchor.line}\n", JSON_LINES)
    return Message(
        title, "\n".join(lines), _json(payload), settings.ANCHOR_WEBHOOK_SECRET, attachment
    )


def _address(path: str) -> str:
    """The whole address of a page, if the house knows its own."""
    origins = settings.CSRF_TRUSTED_ORIGINS
    return f"{origins[0]}{path}" if origins else ""


def _json(payload: dict[str, object]) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode()
