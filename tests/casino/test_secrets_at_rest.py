"""A reader of the database holds nothing that opens anything, and the list of secrets is whole.

`docs/compliance.md` lists what is stored of secrets. Here a house is used in each way that leaves
one behind, all of its rows are read, and every text in them is tried in place of every secret.
"""

import base64
import re
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import pytest
from django.apps import apps
from django.conf import settings as site
from django.db import connection, models
from django.test import Client
from django.utils import timezone

from casino.accounts import codes, tokens
from casino.accounts.first_password import is_right, one_time_password
from casino.accounts.models import AccessToken, Authenticator, Device, Player, RecoveryCode
from casino.community.push.models import Subscription
from casino.community.social import friends, invitations
from casino.office.alarms.models import Alarm, Delivery
from games.lobby import private_tables
from games.models import HandSeat
from games.records import sharing
from tests.casino.authenticators import app_code, enrolled
from tests.casino.browsers import name_of, sign_in
from tests.games.house import House
from tests.people import PASSWORD
from wallets.storage.sealed_columns import (
    DigestField,
    KeyMissing,
    SealBroken,
    SealedColumn,
    sealed_columns,
)

NAMED: Final = re.compile(
    r"token|key|secret|code|endpoint|digest|hash|stamp|seal|invitation|password|session|seed"
    r"|commit|reveal|link|receipt|signature"
)
WRITTEN: Final = (models.CharField, models.TextField, models.JSONField, models.BinaryField)
LISTED: Final = re.compile(r"`([a-z_]+\.[a-z]+\.\w+)`")
# The shortest secret has sixteen characters.
TEXTS: Final = re.compile(r"[\w.=:+-]{16,}")


class Opened(NamedTuple):
    """A secret, and whether the house opens something for another text in its place."""

    secret: str
    opens: Callable[[str], bool]


def as_session(text: str) -> bool:
    browser = Client()
    browser.cookies[site.SESSION_COOKIE_NAME] = text
    return name_of(browser) != ""


def as_token(text: str) -> bool:
    answer = Client().get("/api/v1/wallet/", HTTP_AUTHORIZATION=f"Bearer {text}")
    return bool(answer.status_code == 200)


def as_shared_hand(text: str) -> bool:
    return bool(Client().get(f"/shared/{quote(text, safe='')}/").status_code == 200)


def used(house: House) -> dict[str, Opened]:
    """A house in which each secret has been made and used once, by its name."""
    alice, bob = house.player("alice"), house.player("bob")
    alice.set_password(PASSWORD)
    alice.save()
    browser = Client()
    sign_in(browser, "alice")
    session = browser.cookies[site.SESSION_COOKIE_NAME].value
    token, _row = tokens.issue(alice, timezone.now())
    recovery = enrolled(house.player("helena"))[0]
    helena, nora = house.person("helena"), Player.objects.create_user("nora")

    table = private_tables.open_table(
        alice, house.table("baccarat").pk, "usual", False, timezone.now()
    )
    address = f"/private/{table.pk}/"
    assert Client().get(address, {"invitation": table.invitation}).status_code == 200
    friends.ask(alice, "bob", timezone.now())
    friends.accept(bob, "alice", timezone.now())
    invitations.invite(alice, "bob", table.pk, timezone.now())
    # A player who followed the link has to sign in, and types the password where the name goes.
    lost = {"username": TYPED, "password": "x", "next": f"{address}?invitation={table.invitation}"}
    Client().post(f"/players/sign-in/?next={quote(lost['next'])}", lost)

    played = house.dealt_in("baccarat", "carol")
    house.act(played, "carol", {"do": "bet", "on": "player", "amount": 500})
    house.until(played, lambda table: table.hand_id is None)
    hand = HandSeat.objects.get(player=house.person("carol")).hand_id
    link = sharing.share(house.person("carol"), hand, timezone.now(), named=False)
    Subscription.objects.create(
        device=Device.objects.get(player=alice), made_at=timezone.now(), language="en",
        endpoint=ENDPOINT, public_key="public", secret=PUSHED,
    )  # fmt: skip
    alarm = Alarm.objects.create(kind="sweeper", raised_at=timezone.now())
    Delivery.objects.create(alarm=alarm, channel="webhook", address=WEBHOOK)
    return {
        "session": Opened(session, as_session),
        "token": Opened(token, as_token),
        "invitation": Opened(
            table.invitation,
            lambda text: Client().get(address, {"invitation": text}).status_code == 200,
        ),
        "shared hand": Opened(link.token, as_shared_hand),
        "one-time password": Opened(one_time_password(nora), lambda text: is_right(nora, text)),
        "recovery code": Opened(recovery, lambda text: codes.accept(helena, text, timezone.now())),
    }


TYPED: Final = "a password in the wrong field"
ENDPOINT: Final = f"https://push.example/{secrets.token_urlsafe(16)}"
PUSHED: Final = secrets.token_urlsafe(16)
WEBHOOK: Final = f"https://hooks.example/{secrets.token_urlsafe(16)}"


def texts_in(value: object) -> Iterator[str]:
    """What can be read in a value: its texts, and what is merely encoded in them."""
    for text in TEXTS.findall(str(value)):
        yield text
        for part in text.split(":"):
            with suppress(ValueError, zlib.error):
                yield from TEXTS.findall(decoded(part).decode("ascii"))


def decoded(part: str) -> bytes:
    """As Django writes signed values: in base64, and with a point before it compressed."""
    text = part.lstrip(".")
    packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return zlib.decompress(packed) if part.startswith(".") else packed


def rows() -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables, by the names of their columns."""
    names = connection.introspection.table_names()
    rows = {}
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f'SELECT * FROM "{name}" ORDER BY 1')
            columns = [column[0] for column in cursor.description]
            rows[name] = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    return rows


def stored() -> set[str]:
    values = (value for table in rows().values() for row in table for value in row.values())
    return {text for value in values for text in texts_in(value)}


@pytest.mark.django_db
def test_nothing_that_is_stored_opens_anything(house: House) -> None:
    before = stored()
    doors = used(house)
    read = stored() - before
    plain = [*(door.secret for door in doors.values()), ENDPOINT, PUSHED, WEBHOOK, TYPED]
    everything = str(rows())
    for secret in plain:
        assert secret not in everything
        assert secret not in read
    assert len(read) > 50
    opened = {(name, text) for name, door in doors.items() for text in read if door.opens(text)}
    assert opened == set()
    # Each door opens to its secret: the house does not refuse whatever comes.
    assert [name for name, door in doors.items() if not door.opens(door.secret)] == []


SEALED: Final = re.compile(r"[0-9a-f]{8}:[\w-]{30,}={0,2}")


def keys(column: SealedColumn) -> list[tuple[str, ...]]:
    """The key of a row, and those that differ from it in one part."""
    own = tuple(str(number) for number in range(len(column.key)))
    return [own, *((*own[:at], "9", *own[at + 1 :]) for at in range(len(own)))]


@pytest.mark.always
def test_what_is_sealed_opens_in_its_own_column_and_row_alone() -> None:
    """Every sealed column of the house, copied to another row of it and to every other column."""
    everywhere = list(sealed_columns())
    assert len({(column.table, column.column) for column in everywhere}) == len(everywhere) > 10
    for column in everywhere:
        own, *others = keys(column)
        sealed = column.seal(b"secret", *own)
        assert column.unseal(sealed, *own) == b"secret"
        assert sealed != column.seal(b"secret", *own)
        places = [(column, key) for key in others]
        places += [
            (sealed_column, key)
            for sealed_column in everywhere
            if sealed_column != column
            for key in keys(sealed_column)
        ]
        changed = [sealed[:12] + ("A" if sealed[12] != "A" else "B") + sealed[13:], sealed[:-4]]
        tried = [(sealed, *place) for place in places] + [
            (forgery, column, own) for forgery in changed
        ]
        for text, place, key in tried:
            with pytest.raises(SealBroken) as refusal:
                place.unseal(text, *key)
            assert not isinstance(refusal.value, KeyMissing)


def test_every_sealed_column_is_declared(repository: Path) -> None:
    """Nothing but a declared column seals, so everything is bound to its row and sealed anew: no
    module imports what the columns seal with."""
    imports = re.compile(r"from wallets\.storage\S* import .*\b(un)?(seal|encryption)\b")
    names = {
        path.name
        for folder in ("games", "wallets", "casino", "tournaments")
        for path in (repository / folder).rglob("*.py")
        if imports.search(path.read_text())
    }
    assert names == set()


@pytest.mark.django_db
def test_what_is_sealed_is_in_declared_columns_and_opens_there(house: House) -> None:
    used(house)
    declared = {(column.table, column.column): column for column in sealed_columns()}
    there = {
        (table, name)
        for table, table_rows in rows().items()
        for row in table_rows
        for name, value in row.items()
        if SEALED.fullmatch(str(value))
    }
    assert there <= declared.keys()
    assert len(there) > 7
    for place in there:
        for row in declared[place].rows():
            declared[place].open(row)


@pytest.mark.always
@pytest.mark.django_db
def test_a_token_or_code_that_is_copied_or_edited_opens_nothing(house: House) -> None:
    """A writer of the database gives a manager the row of a token or code of their own."""
    doors = used(house)
    helena, olga = house.person("helena"), house.player("olga")
    mine = AccessToken.objects.get()
    theirs = tokens.issue(helena, timezone.now(), by_code=True)[1]
    for changed in (
        {"player": helena},
        {"by_code": True},
        {"player": helena, "stamp": theirs.stamp},
    ):
        AccessToken.objects.filter(pk=mine.pk).update(**changed)
        assert not doors["token"].opens(doors["token"].secret), changed
        mine.save()
        assert doors["token"].opens(doors["token"].secret)
    now = timezone.now()
    enrolled(olga)
    RecoveryCode.objects.update(player=olga)
    assert not codes.accept(olga, doors["recovery code"].secret, now)
    Authenticator.objects.filter(player=olga).delete()
    code = app_code(helena, now)
    Authenticator.objects.update(player=olga)
    assert not codes.accept(olga, code, now)


def columns() -> Iterator[str]:
    """Every column whose name or kind says that it may hold a secret, or what stands for one."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            kind = isinstance(field, models.UUIDField | DigestField | models.BinaryField)
            named = isinstance(field, WRITTEN) and NAMED.search(field.name)
            if kind or named:
                yield f"{model._meta.label_lower}.{field.name}"


def test_every_column_that_may_hold_a_secret_is_explained(repository: Path) -> None:
    page = (repository / "docs" / "compliance.md").read_text()
    section = page[page.index("\n## What is stored of secrets\n") :].split("\n## ")[1]
    listed = LISTED.findall(section)
    assert set(columns()) - set(listed) == set()
    for column in listed:
        model, name = column.rsplit(".", 1)
        assert apps.get_model(model)._meta.get_field(name).concrete, column
    assert len(listed) == len(set(listed))
