"""A registry: what it has, and what it says of a name that it has twice or not at all."""

import pytest

from wallets.values.registry import Registered, Registry, Unregistered


def test_a_name_is_registered_once() -> None:
    colours = Registry[int]("colour")
    assert colours.add("red", 1) == 1
    assert colours.add("red", 1) == 1
    with pytest.raises(Registered, match="There is already a colour called red"):
        colours.add("red", 2)
    assert dict(colours) == {"red": 1}


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    colours = Registry[int]("colour")
    with pytest.raises(Unregistered) as refused:
        colours["blue"]
    assert str(refused.value) == "There is no colour called blue; there are none yet."
    colours.add("red", 1)
    with pytest.raises(KeyError, match="there are red"):
        colours["blue"]
    assert colours.get("blue") is None
