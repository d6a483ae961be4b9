"""The bounds of the limits that the house sets itself."""

import pytest
from django.test import override_settings

from wallets.models import Currency
from wallets.money import limits
from wallets.values.errors import Refused

MOST = 10**12


@pytest.mark.always
def test_a_limit_is_a_whole_number_within_its_bounds() -> None:
    assert [limits.check("deposit", wanted) for wanted in (0, 1, MOST)] == [0, 1, MOST]
    for wanted in (-1, MOST + 1, 1.0, "1", True, None):
        with pytest.raises(Refused) as refused:
            limits.check("deposit", wanted)
        assert refused.value.code == "limit_bounds"
    with pytest.raises(Refused) as refused:
        limits.check("hope", 1)
    assert refused.value.code == "no_such_limit"


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "of_play_money", "held"),
    [
        ("money", False, True),
        ("play", False, False),
        ("play", True, True),
        ("chips", True, False),
    ],
)
def test_limits_hold_for_play_money_where_the_house_says_so(
    kind: str, of_play_money: bool, held: bool
) -> None:
    currency = Currency(code="XXX", kind=kind, exponent=2)
    with override_settings(APPROVAL_PLAY_MONEY=of_play_money, APPROVAL_DEPOSIT=50):
        assert limits.reaches("deposit", 50_00, currency) is held
        assert not limits.reaches("deposit", 49_99, currency)
