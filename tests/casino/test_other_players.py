"""Every address that names something of a player, asked by all others: none gets in.

The addresses are those that Django resolves, so a new one is either known to be public or tried
here. Those of the back office are tried by role in `tests/games/test_roles.py`.
"""

from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from casino.accounts.staff import PERMISSIONS, appoint
from casino.care import limits
from casino.care.models import PlayerLimit
from casino.office.desk import requests
from casino.office.desk.models import WithdrawalRequest
from games.chat.models import ChatLine
from games.models import Hand, Move, Seat, SharedHand, Table
from games.tables import seating
from tests.games.house import House
from tests.people import BY_TEST, HTMX, client_of
from wallets.models import Currency, Transaction
from wallets.money import cashier

# Open to everybody: what they show says nothing of a player that others may not know.
PUBLIC: Final = {
    *("game-rules", "hand-entry", "published-shoe", "api-shoe", "play-now", "learn"),
    # A page that players show to all others, or to friends: `test_social.py` says what is on it.
    "player",
    # A player who has the link was given it.
    *("shared", "shared-step", "shared-picture", "shared-record"),
    # Events are played in public, and each of their verbs is about the asker's own entry.
    *("tournament", "tournament-part", "tournament-hands", "tournament-shoe", "tournament-heading"),
    *("event-register", "event-unregister", "event-enter-again", "event-add-on"),
    *("event-commit", "event-withdraw", "event-reveal"),
    *("api-tournament", "api-places", "api-event-shoe", "api-event-reveal", "api-event-register"),
    "api-event-register-with-ticket",
    *("api-event-unregister", "api-event-enter-again", "api-event-add-on"),
    *("api-event-commit", "api-event-withdraw"),
    # A link in a letter opens it, once.
    "reset-password",
    # The look of the house, as its front page has it.
    *("house-sheet", "house-mark", "house-icon"),
    # Providers call it, with a signature.
    "payment-call",
    # The reader's own wallet in a currency: the address names no player.
    "api-statement",
}
# Not signed in, refused, missing, or not by this method.
CLOSED: Final = (401, 403, 404, 405)
# These answer alike whether there is such a thing or not, and do something with one's own alone.
ALIKE = {"saw-lost-seat": 200, "withdrawal-cancel": 409, "payment-cancel": 409}
ALIKE |= dict.fromkeys(("api-withdrawal-cancel", "api-limit-confirm", "api-limit-withdraw"), 409)
# What the work of a role opens: finished hands to auditors, and private tables to those who see
# all tables. They are read there; whatever is sent is refused.
READ_BY: Final = {
    "auditors": {"hand", "hand-step", "hand-record", "hand-coach", "hand-open", "api-hand"}
    | {"api-record", "stay", "api-report", "api-profile"},
    "managers": {"api-report", "api-profile"},
    "floor": {"api-profile"},
}
TABLES: Final = {"table", "board", "table-rules", "rows", "best", "reading", "chat", "api-table"}
TABLES |= {"private-table", "stream-address"}
SEES_TABLES: Final = ("floor", "managers", "auditors")
REFUSED: Final = (400, 409)


OCTETS: Final = "00" * 32
BODIES: Final = {
    "api-act": {"hand": 1, "turn": 0, "action": {"do": "call", "points": 0}},
    "api-sit": {"seat": 4, "amount": 20_000},
    "api-top-up": {"amount": 1_000},
    "api-mix": {"mix": f"start {OCTETS}"},
    "api-ready": {"after": 1},
    "api-again": {"after": 1},
    "api-next-bets": {"after": 1, "bets": [{"do": "call", "points": 0}]},
}


def patterns(resolver: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """The name and path of each address with a part, outside the back office."""
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver) and path != "admin/":
            yield from patterns(pattern, path)
        elif isinstance(pattern, URLPattern) and "<" in path and not path.startswith("admin/"):
            yield str(pattern.name), path


ADDRESSES: Final = sorted(set(patterns(get_resolver())))


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield House()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def things(house: House) -> dict[str, str]:
    """What alice has: a private table with her seat, a hand, and money that she asked for."""
    alice = house.player("alice")
    house.player("bob")
    house.player("carol")
    table = house.table("doudizhu", private=True, opened_by=alice)
    invitation = Table.objects.get(pk=table.pk).invitation
    names = ("alice", "bob", "carol")
    for number, name in enumerate(names, 1):
        seating.sit(house.person(name), table.pk, number, 50_000, house.now, invitation)
    house.until(table, lambda table: table.hands_dealt == 1 and table.hand_id is None)
    seat = Seat.objects.get(table=table, player=alice)
    money = Currency.objects.create(code="EUR", name="Euro")
    cashier.deposit(f"player:{alice.pk}", money, 5_000, key=uuid4(), **BY_TEST)
    withdrawal = requests.ask(alice, money, 1_000, key=uuid4(), now=house.now)
    limits.ask(alice, limits.Wanted("stake", "day", money, 500), house.now)
    raised = limits.ask(alice, limits.Wanted("stake", "day", money, 900), house.now)
    return {
        "<int:table_id>": str(table.pk),
        "<int:hand_id>": str(Hand.objects.get(table=table).pk),
        "<int:seat_id>": str(seat.pk),
        "<uuid:code>": str(seat.code),
        "<int:number>": str(withdrawal.pk),
        "<int:limit>": str(raised.pk),
        "<slug:name>": "revenue",
        # Who is invited, and to whose account, is in `test_promotion_rewards.py`.
        "<str:code>": "no-such-code",
        "<str:link>": "no-such-link",
    }


def path_of(path: str, things: dict[str, str]) -> str:
    for part, value in things.items():
        path = path.replace(part, value)
    assert "<" not in path, path
    return f"/{path}"


def is_closed(name: str, answer: Any, who: str) -> bool:
    if answer.status_code == 302 and "/players/sign-in/" in answer["Location"]:
        return True
    posted = answer.request["REQUEST_METHOD"] == "POST"
    if posted and who in SEES_TABLES and answer.status_code in REFUSED:
        return True
    return answer.status_code in (*CLOSED, ALIKE.get(name) if posted else None)


@pytest.mark.always
@pytest.mark.django_db
def test_what_is_answered_alike_is_answered_alike(house: House, things: dict[str, str]) -> None:
    """No player learns by trying numbers which of them there are."""
    client = client_of(house.player("eve"), headers=HTMX)
    nothing = dict.fromkeys(things, "999999")
    paths = dict(ADDRESSES)
    for name in ALIKE:
        there = posted(client, name, path_of(paths[name], things))
        absent = posted(client, name, path_of(paths[name], nothing))
        assert there.status_code == absent.status_code == ALIKE[name], name


def tried() -> list[tuple[str, str]]:
    return [(name, path) for name, path in ADDRESSES if name not in PUBLIC]


def test_every_address_is_public_or_tried() -> None:
    assert {name for name, _path in ADDRESSES} >= PUBLIC
    assert len(tried()) > 45


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize("address", tried(), ids=lambda one: one[0])
@pytest.mark.parametrize("role", ["nobody", "eve", *PERMISSIONS])
def test_nobody_else_gets_in(
    house: House, things: dict[str, str], role: str, address: tuple[str, str]
) -> None:
    # As parts of a page, refusals are short.
    client = Client(headers=HTMX)
    if role != "nobody":
        eve = house.player("eve")
        if role in PERMISSIONS:
            appoint(eve, role)
        client = client_of(eve, headers=HTMX)
    allowed = READ_BY.get(role, set()) | (TABLES if role in SEES_TABLES else set())
    name, path = address
    before = stored()
    for answer in answers(client, name, path_of(path, things)):
        if not is_closed(name, answer, role):
            assert name in allowed
            assert answer.status_code <= 400
    assert stored() == before


def answers(client: Client, name: str, address: str) -> tuple[Any, Any]:
    return client.get(address), posted(client, name, address)


def posted(client: Client, name: str, address: str) -> Any:
    """What a form or a program sends: to the point, so that only the asker is refused."""
    if not name.startswith("api-"):
        return client.post(address, {"seat": "4", "amount": "200"})
    body = BODIES.get(name, {})
    key = {"Idempotency-Key": f"{name}-{uuid4()}"}
    return client.post(address, body, content_type="application/json", headers=key)


def stored() -> list[Any]:
    """What must not have changed, whatever was sent."""
    models = (Table, Seat, Move, SharedHand, ChatLine, WithdrawalRequest, Transaction, PlayerLimit)
    return [list(model.objects.order_by("pk").values()) for model in models]
