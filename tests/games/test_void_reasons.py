"""The reason of a void is in columns, and what was made of the packed text before is the same.

`test_older_databases.py` migrates a void hand.
"""

import pytest
from django.utils.translation import override

from games.models import Hand, Table
from games.records import audit
from games.tables import hand_verbs
from games.words.refusals import OUT_OF_CARDS
from tests.games.house import House


@pytest.fixture
def table(house: House) -> Table:
    return house.dealt_in("baccarat", "alice")


def void(house: House, table: Table, reason: str, actor: str, code: str = "") -> Hand:
    assert table.hand_id is not None
    return hand_verbs.void(table.hand_id, reason, actor, house.now, code=code)


def test_operators_reason_is_kept_verbatim(house: House, table: Table) -> None:
    hand = void(house, table, "the shoe: ran out", "operator")
    hand.refresh_from_db()
    assert (hand.void_by, hand.void_text, hand.void_code) == ("operator", "the shoe: ran out", "")
    assert (hand.why_void, hand.void_reason) == ("the shoe: ran out", "operator: the shoe: ran out")


def test_reasons_of_the_house_are_translated(house: House, table: Table) -> None:
    hand = void(house, table, OUT_OF_CARDS, "house", "out_of_cards")
    hand.refresh_from_db()
    assert hand.void_code == "out_of_cards"
    assert hand.why_void == OUT_OF_CARDS
    with override("zh-hans"):
        assert hand.why_void != OUT_OF_CARDS
    assert [sentences for _hand, sentences in audit.audit(Hand.objects.all())] == [[]]


def test_an_operators_words_are_not_translated_for_being_the_houses(
    house: House, table: Table
) -> None:
    hand = void(house, table, OUT_OF_CARDS, "operator")
    with override("zh-hans"):
        assert hand.why_void == OUT_OF_CARDS


def test_the_longest_reason_fits(house: House, table: Table) -> None:
    hand = void(house, table, "x" * 300, "operator")
    hand.refresh_from_db()
    assert hand.void_text == "x" * 200
    assert [sentences for _hand, sentences in audit.audit(Hand.objects.all())] == [[]]
