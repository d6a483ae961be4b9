"""The command line as a user meets it: real processes, lines in and lines out."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.catalogue import GAMES, game_type
from games.rules.reading import JSON_BYTES_MAX
from tests.rules.harness import play, record_of
from tests.rules.test_thirteen_hands import OPTIONS, table
from tests.signals import PYTHON
from tests.waiting import PATIENCE_SECONDS

THIRTEEN = "AsAhKd9c9d8h8s7c2h3h4d5s6c"


def run(*arguments: str, given: bytes = b"", code: int = 0) -> list[dict[str, Any]]:
    """Run one command; its standard error must be empty, as bad input is never a traceback."""
    process = subprocess.run(
        [sys.executable, "-m", "games.rules", *arguments],
        input=given,
        capture_output=True,
        check=False,
    )
    assert process.stderr == b""
    assert process.returncode == code
    return [json.loads(line) for line in process.stdout.splitlines()]


@pytest.fixture(scope="module")
def records() -> list[bytes]:
    """A finished hand of each game of the family."""
    return [msgspec.json.encode(record_of(play(key, table(key), 5))) for key in OPTIONS]


def test_replay_settles_each_record_and_agrees_with_what_was_recorded(records: list[bytes]) -> None:
    answers = run("replay", given=b"\n".join(records))
    assert [answer["settlement"] for answer in answers] == [
        json.loads(record)["settlement"] for record in records
    ]
    assert all(answer == {**answer, "ok": True, "to_act": [], "agrees": True} for answer in answers)


def test_replay_says_when_a_recorded_settlement_is_another(records: list[bytes]) -> None:
    record = json.loads(records[0])
    record["settlement"]["transfers"].append(["1", "2", 1, "rows"])
    (answer,) = run("replay", given=json.dumps(record).encode())
    assert (answer["ok"], answer["agrees"]) == (True, False)


@pytest.mark.slow
def test_a_settlement_recorded_without_its_lines_agrees_by_its_money(records: list[bytes]) -> None:
    record = json.loads(records[0])
    record["settlement"]["lines"] = []
    (answer,) = run("replay", given=json.dumps(record).encode())
    assert answer["agrees"]
    record["settlement"]["net"]["1"] = 10**6
    (answer,) = run("replay", given=json.dumps(record).encode())
    assert not answer["agrees"]


def test_undecodable_line_is_refused_and_the_next_is_read(records: list[bytes]) -> None:
    bad, good = run("replay", given=b'{"game": "\xff"}\n' + records[0])
    assert (bad["ok"], bad["code"]) == (False, "not_json")
    assert good["ok"]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("command", ["replay", "view"])
def test_a_move_that_cannot_be_read_is_named_by_its_number(key: str, command: str) -> None:
    game = game_type(key)()
    seats = [{"seat": seat, "purse": 10**6} for seat in range(1, game.seats[-1] + 1)]
    cards = [card.text for card in game.composition()]
    record = {"game": key, "stakes": seats, "cards": cards}
    close = {"seat": "house", "action": {"do": "close"}}
    # What is no move, no action of any game, no card, and no place at the table.
    broken: list[Any] = [
        7,
        {"seat": 1, "action": {"do": "fly"}},
        {"seat": 1, "action": {"do": "play", "cards": ["1x"]}},
        {"seat": 0, "action": {"do": "pass"}},
        {"seat": 1},
    ]
    lines = [json.dumps(record | {"moves": [close, move]}).encode() for move in broken]
    numbered = {"close"} <= {action.__struct_config__.tag for action in game.actions}
    for answer in run(command, given=b"\n".join(lines)):
        assert not answer["ok"]
        number = 1 if numbered else 0
        assert answer["path"].startswith(f"$.moves[{number}]")
        assert answer["move"] == number


def test_a_move_for_which_cards_are_lacking_is_named_by_its_number(records: list[bytes]) -> None:
    record = {
        "game": "baccarat",
        "stakes": [{"seat": 1, "purse": 10**6}],
        "cards": ["2c", "3c"],
        "moves": [
            {"seat": 1, "action": {"do": "bet", "on": "player", "amount": 500}},
            {"seat": "house", "action": {"do": "close"}},
        ],
    }
    (answer,) = run("replay", given=json.dumps(record).encode())
    assert (answer["code"], answer["path"], answer["move"]) == ("too_few_cards", "$.cards", 1)


@pytest.mark.parametrize(
    "arguments",
    [
        (b"show", b"chinese_poker", b"\xff\xff"),
        (b"simulate", b"\xff"),
        (b"simulate", b"chinese_poker", b"--hands", b"1", b"--seed", b"\xff"),
        (b"show", b"chinese_poker", b"2c3c4c", b"--options", b'{"\xff": 1}'),
    ],
)
def test_arguments_that_are_no_text_are_refused(arguments: tuple[bytes, ...]) -> None:
    process = subprocess.run(
        [sys.executable.encode(), b"-m", b"games.rules", *arguments],
        capture_output=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (1, b"")
    assert json.loads(process.stdout)["code"] == "not_text"


def test_seats_to_act_stand_in_their_order() -> None:
    cards = [card.text for card in game_type("chinese_poker")().composition()]
    stakes = [{"seat": seat, "purse": 100} for seat in (10, 9, 2)]
    record = {"game": "chinese_poker", "stakes": stakes, "cards": cards}
    (answer,) = run("replay", given=json.dumps(record).encode())
    assert answer["to_act"] == [2, 9, 10]


def test_the_house_stands_behind_the_seats_that_are_to_act() -> None:
    cards = [card.text for card in game_type("baccarat")().composition()]
    stakes = [{"seat": seat, "purse": 1_000} for seat in (3, 2)]
    record = {"game": "baccarat", "stakes": stakes, "cards": cards}
    (answer,) = run("replay", given=json.dumps(record).encode())
    assert answer["to_act"] == [2, 3, "house"]


def test_replay_says_who_is_to_act_in_a_hand_not_finished(records: list[bytes]) -> None:
    record = json.loads(records[0])
    last = record["moves"].pop()
    del record["settlement"]
    (answer,) = run("replay", given=json.dumps(record).encode())
    assert answer == {"ok": True, "to_act": [last["seat"]]}


def test_replay_names_the_first_illegal_move_and_goes_on(records: list[bytes]) -> None:
    record = json.loads(records[0])
    record["moves"].append(record["moves"][-1])
    lines = [json.dumps(record).encode(), b"", b'{"game": "whist"}', b"{", records[0]]
    bad, unknown, broken, good = run("replay", given=b"\r\n".join(lines) + b"\n")
    assert bad == {
        "ok": False,
        "code": "hand_over",
        "message": "The hand is over.",
        "move": len(record["moves"]) - 1,
    }
    assert (unknown["code"], unknown["path"]) == ("no_such_game", "$.game")
    assert (broken["code"], broken["path"]) == ("not_json", "$")
    assert good["ok"]


def test_a_line_of_ten_megabytes_is_refused_and_the_next_one_read(records: list[bytes]) -> None:
    long, good = run("replay", given=b'{"game": "' + b"x" * 10_000_000 + b'"}\n' + records[0])
    assert (long["ok"], long["code"]) == (False, "too_long")
    assert good["ok"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_may_be_as_long_as_a_record_may_be(records: list[bytes], end: bytes) -> None:
    longest = records[0].ljust(JSON_BYTES_MAX)
    good, longer, last = run("replay", given=end.join([longest, longest + b" ", records[0]]) + end)
    assert good["ok"]
    assert (longer["ok"], longer["code"], longer["path"]) == (False, "too_long", "$")
    assert last["ok"]


@pytest.mark.slow
def test_a_seats_view_holds_its_own_cards_and_no_others(records: list[bytes]) -> None:
    record = json.loads(records[0])
    record["moves"] = []
    given = json.dumps(record).encode()
    seats = sorted(stake["seat"] for stake in record["stakes"])
    views = {seat: run("view", "--seat", str(seat), given=given)[0]["view"] for seat in seats}
    hands = [set(view["hand"]) for view in views.values()]
    assert all(len(hand) == 13 for hand in hands)
    assert len(set.union(*hands)) == 13 * len(seats)
    for seat, view in views.items():
        text = json.dumps(view)
        others = [card for other in seats if other != seat for card in views[other]["hand"]]
        assert not [card for card in others if f'"{card}"' in text]
    (answer,) = run("view", given=given)
    assert answer["ok"]
    spectator = answer["view"]
    assert (spectator["seat"], spectator["hand"]) == (None, [])


def test_a_view_for_a_seat_not_in_the_hand_is_refused(records: list[bytes]) -> None:
    (answer,) = run("view", "--seat", "77", given=records[0])
    assert (answer["ok"], answer["code"], answer["path"]) == (False, "not_seated", "$.stakes")


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("AsAdAc", {"category": "three", "points": {"front": 3}}),
        ("9s9d9c9h2c", {"category": "four", "points": {"middle": 8, "back": 4}}),
        ("As2d3c4h5c", {"category": "straight", "points": {"middle": 1, "back": 1}}),
    ],
)
def test_show_explains_a_row(cards: str, expected: dict[str, object]) -> None:
    (answer,) = run("show", "thirteen_hongkong", cards)
    assert (answer["ok"], answer["game"]) == (True, "thirteen_hongkong")
    assert answer["row"] == {"cards": cards, "joker": False, **expected}


def test_show_says_that_a_row_holds_a_joker() -> None:
    (answer,) = run("show", "thirteen_fujian", "AsAdBJ")
    assert (answer["row"]["category"], answer["row"]["joker"]) == ("three", True)


@pytest.mark.slow
def test_show_names_naturals_rows_and_fouls() -> None:
    dragon = "2c3d4h5s6c7d8h9sTcJdQhKsAc"
    (answer,) = run("show", "thirteen_taiwan", dragon)
    assert answer["naturals"][0] == {"natural": "dragon", "points": 36}
    (answer,) = run("show", "chinese_poker", "AsAhAd/2c3d4h5s7c/9d9hTcJdQh")
    assert answer["foul"] == "The front row is not lower than the middle row."
    assert answer["rows"]["back"]["category"] == "pair"
    assert answer["naturals"] == []
    (answer,) = run("show", "chinese_poker", "2c3c4c/5c6c7c8c9c/TcJcQcKcAc")
    assert answer["foul"] is None
    assert "thirteen_suited" in [one["natural"] for one in answer["naturals"]]


@pytest.mark.parametrize("key", ["baccarat", "baccarat_commission"])
def test_show_lays_out_a_coup(key: str) -> None:
    (answer,) = run("show", key, "2c3c4c5c")
    assert (answer["game"], answer["player"], answer["banker"]) == (
        key,
        ["2c", "4c"],
        ["3c", "5c"],
    )
    (answer,) = run("show", key, "2c3c4c5c6c", code=1)
    assert answer["message"] == "This coup ends with 4 cards."


@pytest.mark.slow
def test_suggest_prints_arrangements_best_first() -> None:
    for key in OPTIONS:
        (answer,) = run("suggest", key, THIRTEEN)
        assert (answer["ok"], answer["game"]) == (True, key)
        points = [one["expected"] for one in answer["suggestions"]]
        assert len(points) >= 3
        assert points == sorted(points, reverse=True)


@pytest.mark.slow
def test_simulate_is_the_same_for_the_same_seed_and_adds_up() -> None:
    arguments = ("--hands", "8", "--options", '{"rake_bp": 500}')
    first = run("simulate", "chinese_poker", "--seed", "one", *arguments)
    assert first == run("simulate", "chinese_poker", "--seed", "one", *arguments)
    assert first != run("simulate", "chinese_poker", "--seed", "two", *arguments)
    (answer,) = first
    assert (answer["ok"], answer["hands"]) == (True, 8)
    total = sum(net["mean"] for net in answer["net"].values()) + answer["rake"]
    assert total == pytest.approx(0)
    assert all(net["standard_error"] >= 0 for net in answer["net"].values())
    assert answer["frequencies"]


@pytest.mark.slow
def test_simulate_plays_every_game_with_every_strategy_named() -> None:
    for key in OPTIONS:
        (answer,) = run("simulate", key, "--hands", "2", "--strategy", "house")
        assert (answer["game"], answer["strategy"]) == (key, "house")


def test_simulate_tells_the_edge_of_the_house() -> None:
    arguments = ("--hands", "400", "--seed", "edge", "--strategy", "banker")
    (answer,) = run("simulate", "baccarat_commission", *arguments)
    assert set(answer["net"]) == {"1", "house"}
    banker = answer["bets"]["banker"]
    assert (banker["staked"], banker["house_edge"]) == (100, answer["house_edge"])
    # Of banker bets 1.06% is kept on average; four standard errors are rarely left.
    assert abs(banker["house_edge"] - 0.01058) < 4 * banker["standard_error"] < 0.2
    assert answer["frequencies"]["commission banker"] == answer["frequencies"]["bet_won banker"]
    (nothing,) = run("simulate", "baccarat", "--hands", "3", "--strategy", "house")
    assert "house_edge" not in nothing


def test_simulate_matches_two_ways_of_playing_dou_dizhu() -> None:
    (answer,) = run("simulate", "doudizhu", "--hands", "6", "--against", "legal")
    assert (answer["ok"], answer["games"], answer["against"]) == (True, 6, "legal")
    assert answer["overall"] == pytest.approx((answer["as_landlord"] + answer["as_farmers"]) / 2)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("simulate", "doudizhu", "--hands", "2", "--against", "guess"), "strategy"),
        (("simulate", "doudizhu", "--hands", "1", "--against", "legal"), "hands"),
        (("simulate", "chinese_poker", "--hands", "2", "--against", "house"), "against"),
        (("show", "whist", "2c3c4c"), "no_such_game"),
        (("show", "chinese_poker", "2c3c"), "card_count"),
        (("show", "chinese_poker", ""), "card_count"),
        (("show", "chinese_poker", "2c3cBJ"), "card_not_in_shoe"),
        (("show", "chinese_poker", "2c2c3c"), "card_not_in_shoe"),
        (("show", "chinese_poker", "xx"), "card"),
        (("show", "chinese_poker", "2c3c4c", "--options", "{"), "not_json"),
        (("show", "chinese_poker", "2c3c4c", "--options", '{"point": 0}'), "wrong_shape"),
        (("suggest", "chinese_poker", "2c3c4c"), "card_count"),
        (("suggest", "chinese_poker", THIRTEEN[:-2] + "As"), "card_not_in_shoe"),
        (("simulate", "chinese_poker", "--hands", "0"), "hands"),
        (("simulate", "chinese_poker", "--hands", "1", "--strategy", "guess"), "strategy"),
    ],
)
def test_bad_arguments_are_answered_with_a_code(arguments: tuple[str, ...], code: str) -> None:
    (answer,) = run(*arguments, code=1)
    assert (answer["ok"], answer["code"]) == (False, code)
    assert answer["message"].endswith(".")


def test_a_reader_who_leaves_early_ends_the_command_quietly(
    records: list[bytes], tmp_path: Path
) -> None:
    given = tmp_path / "records.jsonl"
    given.write_bytes(b"\n".join(records * 40))
    with given.open("rb") as source:
        process = subprocess.Popen(
            [*PYTHON, "-m", "games.rules", "replay"],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout
        process.stdout.close()
        _, complaints = process.communicate()
    assert (complaints, process.returncode) == (b"", 0)


def test_an_interrupted_command_ends_without_complaints(
    records: list[bytes], tmp_path: Path
) -> None:
    given = tmp_path / "records.jsonl"
    given.write_bytes(b"\n".join(records * 40))
    with (
        given.open("rb") as source,
        subprocess.Popen(
            [*PYTHON, "-m", "games.rules", "replay"],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        assert process.stdout
        # The answers are more than anyone has asked for: it waits to be read on.
        assert json.loads(process.stdout.readline())["ok"]
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=PATIENCE_SECONDS)
    assert (complaints, process.returncode) == (b"", 130)


def test_without_a_command_the_usage_is_printed() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "games.rules"], capture_output=True, check=False, text=True
    )
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith("usage: python -m games.rules ")


@pytest.mark.slow
def test_simulate_plays_a_thousand_hands_with_seed_0_by_default() -> None:
    (answer,) = run("simulate", "baccarat", "--strategy", "banker")
    assert answer["hands"] == 1_000
    assert [answer] == run(
        "simulate", "baccarat", "--strategy", "banker", "--hands", "1000", "--seed", "0"
    )


def test_the_schema_names_every_game() -> None:
    (schema,) = run("schema")
    assert len(schema["anyOf"]) == len(GAMES)
