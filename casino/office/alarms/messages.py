"""The messages about an alarm or an anchor: as a letter, and as JSON for a program."""

import json
from typing import Final, NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _t

from casino.office.alarms.conditions import CONDITIONS
from casino.office.alarms.models import Alarm
from games.models import Anchor
from games.shoes import anchors
from wallets.values.days import with_zone

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
        title = _t("Anchor {number} of the house").format(number=anchor.number)
        sentence = _t(
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
