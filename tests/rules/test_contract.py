"""What holds of every type that the rules hand out."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from msgspec import Struct

import games.rules


def structs() -> Iterator[type[Struct]]:
    for module in walk_packages(games.rules.__path__, "games.rules."):
        if not module.name.endswith("__main__"):
            parts = vars(import_module(module.name)).values()
            yield from (one for one in parts if isinstance(one, type) and issubclass(one, Struct))


def test_nothing_that_is_handed_out_can_be_changed() -> None:
    own = {one for one in structs() if one.__module__.startswith("games.rules")}
    changeable = {one.__name__ for one in own if not one.__struct_config__.frozen}
    assert not changeable
    assert len(own) > 40
