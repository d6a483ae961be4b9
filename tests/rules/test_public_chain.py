"""The heads of the public chain."""

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import shoe


def test_the_chain_hashes_canonical_json() -> None:
    entry = {"b": [1, None, True], "a": {"z": "牌", "y": "x"}}
    digest = hashlib.sha256('{"a":{"y":"x","z":"牌"},"b":[1,null,true]}'.encode()).digest()
    head = shoe.chain_on(shoe.CHAIN_START, entry)
    assert head == hashlib.sha256(bytes(32) + digest).digest()
    following = shoe.chain_on(head, {})
    assert following == hashlib.sha256(head + hashlib.sha256(b"{}").digest()).digest()


# To draw from all of Unicode takes a second to begin with.
TEXT = st.text("az 牌")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=6,
)


@settings(deadline=None, max_examples=25)
@given(st.lists(JSON, min_size=1, max_size=4), st.data())
def test_no_entry_of_the_chain_can_be_dropped(entries: list[object], data: st.DataObject) -> None:
    def head(chosen: list[object]) -> bytes:
        last = shoe.CHAIN_START
        for entry in chosen:
            last = shoe.chain_on(last, entry)
        return last

    dropped = data.draw(st.integers(0, len(entries) - 1))
    assert head(entries) != head(entries[:dropped] + entries[dropped + 1 :])
