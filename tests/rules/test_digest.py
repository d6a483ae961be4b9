"""A record's digest changes with every part of it, and tells nothing of a hidden one."""

from copy import deepcopy
from typing import Any

from games.rules.record import (
    digest_for_reader,
    digest_of,
    digest_over,
    leaf_of,
    parts_of,
    salt_of,
    without_cards,
)
from tests.rules.cases import every

SECRET = bytes(range(32))
RECORD: dict[str, Any] = {
    "id": "T1-H1",
    "started": "2026-01-02T03:04:05+00:00",
    "ended": "2026-01-02T03:05:05+00:00",
    "game": "blackjack",
    "rules_version": 1,
    "options": {"min": 100, "max": 1000},
    "stakes": [{"seat": 1, "purse": 5000}, {"seat": 2, "purse": 4000}],
    "context": {"bonus_card": "9h", "mystery_left": 70},
    "cards": ["9h", "Kd", "2c"],
    "moves": [
        {"seat": 1, "action": {"do": "hit", "box": 1}, "at": "2026-01-02T03:04:09", "by": "player"},
        {"seat": 2, "action": {"do": "exchange", "box": 2, "cards": ["Kd", "2c"]}, "by": "player"},
        {"seat": 1, "action": {"do": "stand", "box": 1}, "at": "2026-01-02T03:04:11", "by": "bot"},
    ],
    "settlement": {"net": {"1": 100, "house": -100}, "rake": {}},
    "shoe": {
        "id": "T1-1",
        "from": 12,
        "round": 3,
        "mix": "ab" * 32,
        "seats": [{"seat": 1, "who": "player"}, {"seat": 2, "who": "house"}],
    },
}
PLAYERS = {"1": 11, "2": 12}


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path to every plain value within."""
    if isinstance(value, dict):
        return [place for name, part in value.items() for place in places(part, (*path, name))]
    if isinstance(value, list):
        return [place for at, part in enumerate(value) for place in places(part, (*path, at))]
    return [path]


def changed(path: tuple[str | int, ...]) -> dict[str, Any]:
    record = deepcopy(RECORD)
    part: Any = record
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = part[path[-1]] + 1 if isinstance(part[path[-1]], int) else "something else"
    return record


@every(path=[path for path in places(RECORD) if path[0] != "cards"])
def test_every_value_of_a_record_is_fixed_by_its_digest(path: tuple[str | int, ...]) -> None:
    assert digest_of(changed(path), PLAYERS, SECRET) != digest_of(RECORD, PLAYERS, SECRET)


def test_the_number_of_cards_and_of_moves_and_the_players_are_fixed_too() -> None:
    digest = digest_of(RECORD, PLAYERS, SECRET)
    assert digest_of(RECORD | {"cards": ["9h", "Kd"]}, PLAYERS, SECRET) != digest
    assert digest_of(RECORD | {"moves": RECORD["moves"][:1]}, PLAYERS, SECRET) != digest
    assert digest_of(RECORD | {"moves": RECORD["moves"][::-1]}, PLAYERS, SECRET) != digest
    assert digest_of(RECORD, {"1": 12, "2": 11}, SECRET) != digest


def test_a_reader_without_a_part_makes_the_same_digest_from_its_leaf() -> None:
    parts = parts_of(RECORD, PLAYERS)
    leaves = {
        name: leaf_of("T1-1", name, value, salt_of(SECRET, "T1-1", "T1-H1", name))
        for name, value in parts.items()
    }
    assert {"hand", "settlement", "mystery_left", "player/2", "move/1", "cards/1"} < leaves.keys()
    assert digest_over("T1-1", leaves) == digest_of(RECORD, PLAYERS, SECRET)


def test_salts_differ_by_part_hand_and_shoe() -> None:
    salts = {
        salt_of(SECRET, shoe, hand, name)
        for shoe in ("T1-1", "T1-2")
        for hand in ("T1-H1", "T1-H2")
        for name in ("move/0", "move/1")
    }
    assert len(salts) == 8


def as_seat_1_saw_it() -> dict[str, Any]:
    shown = deepcopy(RECORD)
    shown["context"]["mystery_left"] = 10**15
    shown["moves"][1]["action"] = without_cards(shown["moves"][1]["action"])
    return shown


def test_a_reader_gets_the_salts_of_what_is_shown_and_the_leaves_of_the_rest() -> None:
    digest = digest_for_reader(RECORD, as_seat_1_saw_it(), PLAYERS, SECRET)
    assert digest["value"] == digest_of(RECORD, PLAYERS, SECRET).hex()
    assert set(digest["leaves"]) == {"mystery_left", "cards/1", "player/1", "player/2"}
    assert set(digest["salts"]) == {"hand", "move/0", "move/1", "move/2", "settlement"}
    assert "players" not in digest
    leaves = {name: bytes.fromhex(leaf) for name, leaf in digest["leaves"].items()}
    for name, value in parts_of(as_seat_1_saw_it(), {}).items():
        if name in digest["salts"]:
            leaves[name] = leaf_of("T1-1", name, value, bytes.fromhex(digest["salts"][name]))
    assert digest_over("T1-1", leaves).hex() == digest["value"]


def test_an_auditor_gets_every_salt_and_the_players() -> None:
    digest = digest_for_reader(RECORD, RECORD, PLAYERS, SECRET, names_players=True)
    assert digest["players"] == PLAYERS
    assert "leaves" not in digest
    assert set(digest["salts"]) == set(parts_of(RECORD, PLAYERS))


def test_a_reader_who_sees_every_card_does_not_learn_who_the_players_are() -> None:
    digest = digest_for_reader(RECORD, RECORD, PLAYERS, SECRET)
    assert set(digest["leaves"]) == {"player/1", "player/2"}
    assert "players" not in digest
