"""Each anchor goes to other machines as well, and an alarm says when none arrives."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import translation

from casino.office.alarms import condition_checks, delivering, tasks
from casino.office.alarms.conditions import CONDITIONS, words_of
from casino.office.alarms.models import Alarm, Delivery
from games.models import Anchor
from games.records import audit_house
from games.shoes import anchors
from tests.casino.mailbox import mail_server
from tests.casino.servers import served
from tests.casino.webhook import Receiver
from tests.games.edits_of_the_house import record_anew
from tests.games.falsified import nothing_guards, sql
from tests.games.house import House
from wallets.audit import chains
from wallets.models.staff_models import HouseLimit
from wallets.storage.signing import is_signed

pytestmark = pytest.mark.django_db


@pytest.fixture
def webhook(settings: Any) -> Iterator[Receiver]:
    with served(Receiver()) as server:
        settings.ANCHOR_WEBHOOKS, settings.ANCHOR_WEBHOOK_SECRET = [server.address], "a secret"
        yield server


def anchor(house: House) -> Anchor:
    made = anchors.anchor(house.now)
    assert made is not None
    return made


def unsent() -> list[Alarm]:
    return list(Alarm.objects.filter(kind="anchor_unsent", cleared_at=None))


def test_an_anchor_reaches_a_mail_server_and_a_webhook(
    house: House, webhook: Receiver, settings: Any
) -> None:
    settings.ANCHOR_EMAILS = ["notary@club.example"]
    made = anchor(house)
    with mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.address
        tasks.look()
        tasks.look()
    (letter,) = server.letters
    assert letter["To"] == "notary@club.example"
    (attached,) = letter.iter_attachments()
    assert attached.get_content().decode() == f"{made.line}\n"
    ((headers, body),) = webhook.received
    payload = json.loads(body)
    assert (payload["kind"], payload["number"], payload["line"]) == ("anchor", 1, made.line)
    assert payload["sha256"] == anchors.hash_of(made.line)
    signed = json.loads(payload["line"])
    assert is_signed("anchor", signed["statement"], signed["signature"], signed["key"])
    message = headers[delivering.TIMESTAMP].encode() + b"." + body
    mac = hmac.new(b"a secret", message, hashlib.sha256).hexdigest()
    assert headers[delivering.SIGNATURE] == f"sha256={mac}"


def test_a_copy_elsewhere_contradicts_a_house_that_wrote_everything_anew(
    house: House, webhook: Receiver, settings: Any, tmp_path: Path
) -> None:
    """The owner holds database, keys and the file of anchors; the receiver has what was sent."""
    HouseLimit.objects.create(name="deposit", value=1)
    chains.close_books()
    anchor(house)
    tasks.look()
    ((_headers, body),) = webhook.received
    with nothing_guards():
        sql("DELETE FROM wallets_recordedchange WHERE \"table\" = 'wallets_houselimit'")
        sql("DELETE FROM wallets_houselimit")
        for table in ("digest", "head", ""):
            sql(f"DELETE FROM wallets_closing{table}")
        for table in ("alarms_delivery", "games_anchor", "games_anchoredbook"):
            sql(f"DELETE FROM {table}")
        sql("DELETE FROM wallets_recordedchange WHERE \"table\" = 'wallets_closing'")
        record_anew()
    anchors.file().unlink()
    assert list(audit_house.published()) == []
    settings.ANCHORS_FILE = tmp_path / "kept.jsonl"
    settings.ANCHORS_FILE.write_text(json.loads(body)["line"] + "\n")
    text = " ".join(audit_house.published())
    assert "anchor 1: closing 1 of the books is not what it was" in text
    assert "of record is not what it was" in text


@pytest.mark.always
def test_a_house_without_addresses_sends_no_anchor(house: House) -> None:
    anchor(house)
    house.pass_time(2 * 86_400)
    condition_checks.look(house.now)
    assert not Delivery.objects.exists()
    assert not unsent()


@pytest.mark.always
def test_an_alarm_stands_while_no_anchor_arrives_for_a_day(
    house: House, webhook: Receiver, settings: Any
) -> None:
    settings.ANCHOR_EMAILS = ["notary@club.example"]
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    webhook.status = 503
    first = anchor(house)
    tasks.look()
    assert "HTTP 503" in Delivery.objects.get(channel="webhook").last_error
    house.pass_time(86_400)
    condition_checks.look(house.now)
    assert not unsent()
    house.pass_time(61)
    condition_checks.look(house.now)
    (alarm,) = unsent()
    assert f"Anchor {first.number} of" in words_of(alarm)[1]
    # A newer one holds the hash of the older, and is enough, at one address of the two.
    webhook.status = 200
    newer = anchor(house)
    Delivery.objects.filter(anchor=first).update(next_at=None)
    delivering.send_due(house.now)
    assert Delivery.objects.get(delivered_at__isnull=False).anchor == newer
    house.now += timedelta(days=2)
    condition_checks.look(house.now)
    assert not unsent()


def test_a_delivery_is_of_an_alarm_or_an_anchor(house: House) -> None:
    with pytest.raises(IntegrityError):
        Delivery.objects.create(channel="email", address="notary@club.example")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "29 Nov 2026, 01:30"), ("zh-hans", "2026年11月29日 01:30")]
)
@pytest.mark.parametrize("kind", ["anchor", "anchor_unsent", "halt"])
def test_instants_are_said_in_the_houses_zone_and_the_readers_form(
    settings: Any, kind: str, language: str, said: str
) -> None:
    settings.HOUSE_ZONE = "Asia/Macau"
    figures = {"number": 1, "name": "flo", "reason": "", "at": "2026-11-28T17:30:05.123456+00:00"}
    with translation.override(language):
        sentence = CONDITIONS[kind].say(figures)
    assert f"{said} (Asia/Macau)" in sentence
