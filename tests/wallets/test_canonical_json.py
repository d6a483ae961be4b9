"""Each value has one canonical text, so that every side computes the same hash."""

import json
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import shoe
from wallets.storage.signing import canonical

# To draw from all of Unicode takes a second to begin with; another test writes every character.
TEXT: Final = st.text('az "\\\n牌🂡')
JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=6,
)


@settings(deadline=None)
@given(JSON)
def test_ledger_and_rules_write_a_value_alike(value: object) -> None:
    assert canonical(value) == shoe.canonical(value)
    assert json.loads(canonical(value)) == value


def test_every_character_is_written_alike() -> None:
    codes = [*range(0xD800), *range(0xE000, 0x110000)]
    for first in range(0, len(codes), 1_000):
        text = "".join(map(chr, codes[first : first + 1_000]))
        assert canonical(text) == shoe.canonical(text), first


def test_keys_stand_in_the_order_of_their_characters() -> None:
    text = canonical({"b": [1, None, True], "牌": {}, "a": {"z": "牌", "10": 1, "9": 2}})
    assert text.decode() == '{"a":{"10":1,"9":2,"z":"牌"},"b":[1,null,true],"牌":{}}'
