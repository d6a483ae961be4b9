"""Whatever fits the API's own description, or nearly fits it, gets an answer that it describes.

The inputs are drawn from the description by a fixed seed. Every other example names things that are
there: a table with a hand, a hand that is over, a shoe, an event.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import hypothesis
import pytest
import schemathesis
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from casino.accounts import staff
from casino.wsgi import application
from games.models import Hand, Table
from tests.games.house import House
from tests.games.program import Program
from tests.tournaments.events import Event, structure

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES: Final = 2
# Ends the token with which all others are asked.
LEFT_OUT: Final = "/api/v1/sign-out/"


@pytest.fixture
def things(house: House) -> dict[str, Any]:
    """What the addresses can name."""
    over = house.dealt_in("baccarat", "alice")
    house.until(over, lambda table: table.hands_dealt == 1 and table.hand_id is None)
    running = house.table("doudizhu")
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        person = house.person(name) if name == "alice" else house.player(name)
        house.sit(person, running, number)
    house.until(running, lambda table: table.phase == Table.Phase.PLAY)
    return {
        "table_id": running.pk,
        "hand_id": Hand.objects.get(table=over).pk,
        "code": over.shoe_id,
        "currency": "PLAY",
        "name": "revenue",
        "number": Event(house).announce(structure()).pk,
    }


SIGNALS: Final = (request_started, request_finished)


def leave_the_connection_open() -> None:
    """A request ends no transaction of the test: Django's own client does the same."""
    for signal in SIGNALS:
        signal.disconnect(close_old_connections)


@pytest.fixture
def connections_as_before() -> Iterator[None]:
    yield
    for signal in SIGNALS:
        signal.connect(close_old_connections)


@cache
def operations() -> list[Any]:
    described = schemathesis.openapi.from_wsgi("/api/schema/?format=json", application)
    results: Iterable[Any] = described.get_all_operations()
    operations = [result.ok() for result in results]
    return [operation for operation in operations if operation.path != LEFT_OUT]


@pytest.mark.release
@pytest.mark.usefixtures("connections_as_before")
@pytest.mark.parametrize("who", ["alice", "an auditor"])
def test_every_answer_is_described(house: House, things: dict[str, Any], who: str) -> None:
    if who == "an auditor":
        staff.appoint(house.player(who, 0), "auditors")
    # What is packed is not unpacked by the client of the schema.
    headers = Program(who).headers | {"Accept-Encoding": "identity"}
    leave_the_connection_open()
    for operation in operations():
        requested = 0

        @hypothesis.seed(1)
        @hypothesis.settings(
            max_examples=EXAMPLES,
            database=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(case=operation.as_strategy())
        def answers(case: Any) -> None:
            nonlocal requested
            requested += 1
            caches["default"].clear()
            if requested % 2:
                case.path_parameters.update(
                    {name: things[name] for name in case.path_parameters if name in things}
                )
            case.call_and_validate(headers=headers, checks=CHECKS)

        answers()
        assert requested, operation.path
