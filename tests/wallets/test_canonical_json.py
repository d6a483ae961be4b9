"""Each value has one canonical text, so that every side computes the same hash."""

import json
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import shoe
from wallets.canonical_json import canonical

JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@settings(deadline=None)
@given(JSON)
def test_ledger_and_rules_write_a_value_alike(value: object) -> None:
    assert canonical(value) == shoe.canonical(value)
    assert json.loads(canonical(value)) == value


@pytest.mark.slow
def test_every_character_is_written_alike() -> None:
    surrogates = range(0xD800, 0xE000)
    for code in (code for code in range(0x110000) if code not in surrogates):
        assert canonical(chr(code)) == shoe.canonical(chr(code)), code


def test_keys_stand_in_the_order_of_their_characters() -> None:
    text = canonical({"b": [1, None, True], "牌": {}, "a": {"z": "牌", "10": 1, "9": 2}})
    assert text.decode() == '{"a":{"10":1,"9":2,"z":"牌"},"b":[1,null,true],"牌":{}}'
