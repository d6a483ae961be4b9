"""The bounds of the limits that the house sets itself."""

import pytest

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
