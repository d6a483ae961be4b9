"""Sealing keys are replaced: everything is sealed anew, and the old key can go."""

from io import StringIO
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.utils import timezone

from games.models import Hand, Shoe, Table
from games.records.audit import differences
from games.shoes import custody
from games.shoes.deals import SECRET
from games.web.idempotency import REFUSAL
from games.web.models import AnsweredRequest
from tests.games.house import House
from tests.people import by_staff
from wallets.models import Trigger
from wallets.money import jackpots
from wallets.storage import sealed_columns
from wallets.storage.sealed_columns import KeyMissing, key_name


@pytest.fixture
def table(house: House) -> Table:
    """A table that has played, and other things that are kept sealed."""
    table = house.dealt_in("baccarat", "alice")
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    house.until(table, lambda table: table.hand_id is None)
    lucky = jackpots.create("Lucky", "mystery", house.currency, actor="o", seed=5_000)
    opened = jackpots.commit(lucky, published="a" * 64, secret=b"first")
    jackpots.open_trigger(opened, opened="first", reference="hand:1")
    jackpots.commit(lucky, published="b" * 64, secret=b"second")
    answered = AnsweredRequest(
        player=house.person("alice"), key="k", request="r", status=409, made_at=timezone.now()
    )
    answered.refusal = REFUSAL.seal(b"no", answered.pk)
    answered.save()
    return table


def new_key(settings: Any) -> tuple[list[str], list[str]]:
    """A new key is put first: the keys as they were, and as they will be."""
    old, new = list(settings.SEALING_KEYS), Fernet.generate_key().decode()
    settings.SEALING_KEYS = [new, *old]
    return old, [new]


def run() -> tuple[str, int]:
    output = StringIO()
    try:
        call_command("reseal", *by_staff(), stdout=output, stderr=StringIO(), no_color=True)
    except SystemExit as ended:
        return output.getvalue(), int(str(ended.code))
    return output.getvalue(), 0


def everything_opens() -> None:
    for shoe in Shoe.objects.all():
        custody.secret_of(shoe)
    waiting = Trigger.objects.get(opened_at=None)
    assert jackpots.secret_of(waiting) == b"second"
    assert REFUSAL.open(AnsweredRequest.objects.get()) == b"no"
    for hand in Hand.objects.filter(status=Hand.Status.FINISHED):
        assert list(differences(hand)) == []
    assert Table.objects.get().invitation


def test_the_old_key_can_be_dropped_afterwards(house: House, table: Table, settings: Any) -> None:
    old, new = new_key(settings)
    # Beside the shoes the trigger, the refusal, and the link to the table.
    count = Shoe.objects.count() + 3
    assert sealed_columns.left() == count
    output, code = run()
    assert code == 0
    assert f"{count} sealed anew under the key {key_name(new[0])}, 0 left" in output
    settings.SEALING_KEYS = new
    custody.forget_opened()
    everything_opens()
    # The table goes on with the shoe that lay on it.
    house.until(table, lambda table: table.hands_dealt == 2)
    assert run() == run()
    assert "0 sealed anew" in run()[0]
    settings.SEALING_KEYS = old
    with pytest.raises(KeyMissing):
        custody.secret_of(Shoe.objects.latest("sealed_at"))


def test_a_key_that_was_dropped_too_early_is_named(table: Table, settings: Any) -> None:
    old, new = new_key(settings)
    settings.SEALING_KEYS = new
    with pytest.raises(KeyMissing) as missing:
        custody.secret_of(Shoe.objects.latest("sealed_at"))
    sentence = f"sealed with the key {key_name(old[0])}, which is not in SEALING_KEYS"
    assert sentence in str(missing.value)
    output, code = run()
    assert code == 1
    assert sentence in output
    settings.SEALING_KEYS = [*new, *old]
    assert run()[1] == 0


def test_it_goes_on_where_it_was_stopped(
    table: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_columns, "CHUNK", 1)
    new_key(settings)
    total = sealed_columns.left()

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sealed_columns.reseal(stop)
    assert sealed_columns.left() == total - 1
    assert sealed_columns.reseal(lambda done: None) == total - 1
    assert sealed_columns.left() == 0


def test_concurrent_changes_are_not_overwritten(table: Table, settings: Any) -> None:
    new_key(settings)
    shoe = Shoe.objects.latest("sealed_at")
    before, other = shoe.secret, SECRET.seal(bytes(32), shoe.code)
    Shoe.objects.filter(pk=shoe.pk).update(secret=other)
    assert not sealed_columns.seal_anew(SECRET, shoe.pk, before, [shoe.code])
    shoe.refresh_from_db()
    assert shoe.secret == other
