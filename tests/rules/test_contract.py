"""What holds of every type that the rules hand out."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from msgspec import Struct, convert, json, to_builtins

import games.rules
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet
from games.rules.contract import SeatStack
from tests.rules.blackjack_table import closed


def structs() -> Iterator[type[Struct]]:
    for module in walk_packages(games.rules.__path__, "games.rules."):
        if not module.name.endswith("__main__"):
            parts = vars(import_module(module.name)).values()
            yield from (
                part for part in parts if isinstance(part, type) and issubclass(part, Struct)
            )


def test_values_of_the_contract_are_immutable() -> None:
    own = {struct for struct in structs() if struct.__module__.startswith("games.rules")}
    changeable = {kind.__name__ for kind in own if not kind.__struct_config__.frozen}
    assert not changeable
    assert len(own) > 40


def test_the_json_of_stacks_and_bets_keeps_its_keys() -> None:
    """Records and views were handed out under these keys before the code had today's words."""
    assert to_builtins(SeatStack(1, 50)) == {"seat": 1, "purse": 50}
    assert convert({"seat": 1, "purse": 50}, SeatStack) == SeatStack(1, 50)
    state = closed("2c3d6h", [(1, Bet(1, 100, 200))])
    view = json.decode(json.encode(Blackjack().view(state, 1)))
    assert view["stakes"] == [{"seat": stake.seat, "purse": stake.stack} for stake in state.stakes]
    (box,) = view["boxes"]
    (player,) = box["players"]
    assert player == {"seat": 1, "stake": 100, "bonus": 200, "insurance": 0, "even_money": False}
    assert [hand["stakes"] for hand in box["hands"]] == [[100]]
