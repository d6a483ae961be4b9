"""Links that come after their shoe was voided without them."""

import pytest
from django.test import Client

from games.models import ChainEntry
from games.records.audit import Auditor
from games.shoes.custody import is_receipt_of
from tests.games.commit_reveal import reveal, sealed_table, shoe, withhold
from tests.games.house import House
from wallets.storage.signing import is_signed
from wallets.values.days import day_of
from wallets.values.errors import Refused


@pytest.mark.always
def test_a_late_reveal_is_published_with_a_receipt_that_says_so(
    house: House, client: Client
) -> None:
    table = sealed_table(house)
    lying = shoe(table)
    octets = withhold(house, table, "alice")
    house.pass_time(40)
    receipt = reveal(house, table, "alice", octets, lying.code)
    assert receipt["statement"]["late"] is True
    assert is_signed("receipt", receipt["statement"], receipt["signature"], receipt["key"])
    assert reveal(house, table, "alice", octets, lying.code) == receipt
    published = client.get(f"/fairness/shoes/{lying.code}.json").json()
    assert published["seats"][0]["reveal"] == octets.hex()
    assert [seat["late"] for seat in published["seats"]] == [True, False, False]
    (entry,) = ChainEntry.objects.filter(kind="late_reveal")
    assert entry.body == {"shoe": lying.code, "seat": 1, "reveal": octets.hex()}
    lying.refresh_from_db()
    assert is_receipt_of(lying, lying.seats.get(number=1))
    # It still counts as withheld.
    assert house.seat(table, "alice").reveals == "-"
    with pytest.raises(Refused):
        reveal(house, table, "bob", octets, lying.code)


def test_a_late_reveal_arrives_from_a_player_who_has_left(house: House) -> None:
    table = sealed_table(house)
    lying = shoe(table)
    octets = withhold(house, table, "alice")
    house.leave(house.person("alice"), table)
    assert reveal(house, table, "alice", octets, lying.code)["statement"]["late"]


@pytest.mark.parametrize(
    "forged", [{"late": False}, {"reveal": "0" * 64}], ids=["said to be in time", "other bytes"]
)
def test_the_audit_notices_a_late_reveal_that_was_changed(
    house: House, forged: dict[str, object]
) -> None:
    table = sealed_table(house)
    lying = shoe(table)
    octets = withhold(house, table, "alice")
    reveal(house, table, "alice", octets, lying.code)
    day = day_of(house.now)
    assert [findings for code, findings in Auditor().other_shoes(day) if code == lying.code] == []
    lying.seats.filter(number=1).update(**forged)
    (sentences,) = [findings for code, findings in Auditor().other_shoes(day) if code == lying.code]
    assert "the public chain has other late reveals" in sentences
