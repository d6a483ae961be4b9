"""The record names what people did, and no function: code may move, and not a byte changes."""

import inspect
import json
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, NamedTuple

import pytest
from django.db import transaction

from casino.accounts import freezing
from casino.accounts.models import Player
from casino.care import limits, own_data, reality
from casino.office.floor import closing
from casino.office.players import verbs
from casino.office.players import verbs as player_file
from casino.ops.maintenance import switch
from games.models import Table
from tests.games.house import House
from wallets.models.record_models import RecordedChange
from wallets.of_record.verbs import under
from wallets.staff import journal

pytestmark = pytest.mark.django_db

WHY: Final = "because"


class Scene(NamedTuple):
    """Who does something, to whom, where and when."""

    boss: Player
    alice: Player
    table: Table
    now: Any


class Done(NamedTuple):
    """A function, its verb, and a call of it."""

    function: Callable[..., object]
    verb: str
    call: Callable[[Callable[..., object], Scene], object]


DONE: Final = [
    Done(
        limits.ask,
        "player:care.ask_limit",
        lambda do, s: do(s.alice, limits.Wanted("session", "day", None, 60), s.now),
    ),
    Done(reality.choose, "player:care.choose_reminder", lambda do, s: do(s.alice, 30, now=s.now)),
    Done(own_data.ask, "player:care.ask_erasure", lambda do, s: do(s.alice, s.now)),
    Done(freezing.freeze, "player.freeze", lambda do, s: do(s.boss, s.alice.pk, WHY)),
    Done(
        player_file.flag, "player.flag", lambda do, s: do(s.boss, s.alice.pk, "watch", WHY, s.now)
    ),
    Done(
        player_file.check,
        "player.check",
        lambda do, s: do(s.boss, s.alice.pk, "age", "passport", reason=WHY, now=s.now),
    ),
    Done(
        verbs.take_complaint,
        "complaint.take",
        lambda do, s: do(s.boss, s.alice.pk, "Slow", due_on=s.now.date(), now=s.now),
    ),
    Done(closing.close_table, "table.close", lambda do, s: do(s.boss, s.table.pk, WHY, s.now)),
    Done(closing.close_house, "house.close", lambda do, s: do(s.boss, WHY, s.now)),
    Done(
        switch.turn_on, "maintenance.on", lambda do, s: do(journal.by(s.boss), why=WHY, now=s.now)
    ),
]


def moved(function: Callable[..., object], name: str) -> FunctionType:
    """The same code as a function of another module and name, without its decorators."""
    bare = inspect.unwrap(function)
    assert isinstance(bare, FunctionType)
    elsewhere = {**bare.__globals__, "__name__": f"casino.elsewhere.{name}"}
    code = bare.__code__.replace(co_name=name, co_qualname=f"Elsewhere.{name}")
    function_type = FunctionType(code, elsewhere, name, bare.__defaults__, bare.__closure__)
    function_type.__kwdefaults__ = bare.__kwdefaults__
    return function_type


def recorded(scene: Scene, done: Done, do: Callable[..., object]) -> list[tuple[Any, ...]]:
    """What is recorded of a call, without the numbers that the database gives; it is undone."""
    last = RecordedChange.objects.order_by("id").values_list("id", flat=True).last() or 0
    # Code that is moved has lost the block of its decorator; this one stands for it.
    with transaction.atomic(durable=True):
        done.call(do, scene)
        changes = RecordedChange.objects.filter(id__gt=last).order_by("id")
        rows = [
            (change.table, change.what, _values(change.before), _values(change.after), change.verb)
            for change in changes.exclude(table="wallets_journalentry")
        ]
        transaction.set_rollback(True)
    return rows


def _values(text: str | None) -> dict[str, Any]:
    return {name: value for name, value in json.loads(text or "{}").items() if name != "id"}


def test_ten_functions_are_moved_and_the_record_is_the_same(house: House) -> None:
    boss = Player.objects.create_superuser("olga")
    scene = Scene(boss, house.player("alice"), house.table("doudizhu"), house.now)
    assert len(DONE) == 10
    for done in DONE:
        before = recorded(scene, done, done.function)
        assert done.verb in {change[-1] for change in before}
        renamed = under(done.verb)(moved(done.function, "renamed"))
        assert recorded(scene, done, renamed) == before

        def inlined(*given: Any, do: Done = done, **named: Any) -> object:
            with under(do.verb):
                return moved(do.function, "inlined")(*given, **named)

        assert recorded(scene, done, inlined) == before
