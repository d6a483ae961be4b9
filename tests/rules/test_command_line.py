"""The command line: lines in and lines out, in this process; a few runs as a user starts them."""

import io
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import msgspec
import pytest

from games.__main__ import main
from games.bots import simulate
from games.rules.catalogue import GAMES, game_type
from games.rules.reading import JSON_BYTES_MAX
from tests.rules.cases import each, every
from tests.rules.harness import play, record_of
from tests.rules.test_thirteen_hands import OPTIONS, table
from tests.signals import PYTHON
from tests.waiting import PATIENCE_SECONDS

COMMAND = [*PYTHON, "-m", "games"]
THIRTEEN = "AsAhKd9c9d8h8s7c2h3h4d5s6c"


def run(*arguments: str, given: object = b"", code: int = 0) -> list[Any]:
    """Run one command; its standard error must be empty, as bad input is never a traceback."""
    text = given if isinstance(given, bytes) else json.dumps(given).encode()
    streams = [io.TextIOWrapper(io.BytesIO(text)), *(io.TextIOWrapper(io.BytesIO()) for _ in "oe")]
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        assert main(arguments) == code
    _, out, complaints = (stream.buffer.getvalue() for stream in streams)
    assert complaints == b""
    return [json.loads(line) for line in out.splitlines()]


def only(*arguments: str, given: object = b"", code: int = 0) -> Any:
    (answer,) = run(*arguments, given=given, code=code)
    return answer


def refused(answer: dict[str, Any], *names: str) -> tuple[object, ...]:
    assert not answer["ok"]
    return tuple(answer[name] for name in names)


@pytest.fixture(scope="module")
def records() -> list[bytes]:
    """A finished hand of each game of the family."""
    return [msgspec.json.encode(record_of(play(key, table(key), 5))) for key in OPTIONS]


@pytest.fixture
def record(records: list[bytes]) -> Any:
    return json.loads(records[0])


def unplayed(key: str, seats: Sequence[int]) -> dict[str, Any]:
    cards = [card.text for card in game_type(key)().composition()]
    stakes = [{"seat": seat, "purse": 10**6} for seat in seats]
    return {"game": key, "stakes": stakes, "cards": cards}


# Records


def test_replay_settles_each_record_and_agrees_with_what_was_recorded(records: list[bytes]) -> None:
    answers = run("replay", given=b"\n".join(records))
    assert [answer["settlement"] for answer in answers] == [
        json.loads(record)["settlement"] for record in records
    ]
    assert all(answer == {**answer, "ok": True, "to_act": [], "agrees": True} for answer in answers)


def test_replay_says_when_a_recorded_settlement_is_another(record: Any) -> None:
    record["settlement"]["transfers"].append(["1", "2", 1, "rows"])
    answer = only("replay", given=record)
    assert (answer["ok"], answer["agrees"]) == (True, False)


def test_a_settlement_recorded_without_its_lines_agrees_by_its_money(record: Any) -> None:
    record["settlement"]["lines"] = []
    assert only("replay", given=record)["agrees"]
    record["settlement"]["net"]["1"] = 10**6
    assert not only("replay", given=record)["agrees"]


def test_lines_that_cannot_be_read_are_refused_and_the_next_is_read(records: list[bytes]) -> None:
    too_long = b'{"game": "' + b"x" * 10_000_000 + b'"}'
    lines = [b'{"game": "\xff"}', b"", b'{"game": "whist"}', b"{", too_long, records[0]]
    *bad, good = run("replay", given=b"\r\n".join(lines) + b"\n")
    assert [refused(answer, "code", "path") for answer in bad] == [
        ("not_json", "$"),
        ("no_such_game", "$.game"),
        ("not_json", "$"),
        ("too_long", "$"),
    ]
    assert good["ok"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_may_be_as_long_as_a_record_may_be(records: list[bytes], end: bytes) -> None:
    longest = records[0].ljust(JSON_BYTES_MAX)
    good, longer, last = run("replay", given=end.join([longest, longest + b" ", records[0]]) + end)
    assert good["ok"]
    assert refused(longer, "code", "path") == ("too_long", "$")
    assert last["ok"]


@every(key=GAMES)
def test_a_move_that_cannot_be_read_is_named_by_its_number(key: str) -> None:
    game = game_type(key)()
    close = {"seat": "house", "action": {"do": "close"}}
    # What is no move, no action of any game, no card, and no place at the table.
    broken: list[Any] = [
        7,
        {"seat": 1, "action": {"do": "fly"}},
        {"seat": 1, "action": {"do": "play", "cards": ["1x"]}},
        {"seat": 0, "action": {"do": "pass"}},
        {"seat": 1},
    ]
    record = unplayed(key, range(1, game.seats[-1] + 1))
    lines = [json.dumps(record | {"moves": [close, move]}).encode() for move in broken]
    number = int("close" in {action.__struct_config__.tag for action in game.actions})
    for command in ("replay", "view"):
        for answer in run(command, given=b"\n".join(lines)):
            assert refused(answer, "move") == (number,)
            assert answer["path"].startswith(f"$.moves[{number}]")


def test_a_move_for_which_cards_are_lacking_is_named_by_its_number() -> None:
    bet = {"seat": 1, "action": {"do": "bet", "on": "player", "amount": 500}}
    moves = [bet, {"seat": "house", "action": {"do": "close"}}]
    record = unplayed("baccarat", [1]) | {"cards": ["2c", "3c"], "moves": moves}
    answer = only("replay", given=record)
    assert refused(answer, "code", "path", "move") == ("too_few_cards", "$.cards", 1)


def test_an_illegal_move_is_named_by_its_number(record: Any) -> None:
    good = json.dumps(record).encode()
    record["moves"].append(record["moves"][-1])
    bad, after = run("replay", given=json.dumps(record).encode() + b"\n" + good)
    number, message = len(record["moves"]) - 1, "The hand is over."
    assert bad == {"ok": False, "code": "hand_over", "message": message, "move": number}
    assert after["ok"]


def test_replay_says_who_is_to_act_in_a_hand_not_finished(record: Any) -> None:
    last = record["moves"].pop()
    del record["settlement"]
    assert only("replay", given=record) == {"ok": True, "to_act": [last["seat"]]}
    # In the order of the seats, the house last.
    assert only("replay", given=unplayed("chinese_poker", (10, 9, 2)))["to_act"] == [2, 9, 10]
    assert only("replay", given=unplayed("baccarat", (3, 2)))["to_act"] == [2, 3, "house"]


def test_a_seats_view_holds_its_own_cards_and_no_others(record: Any) -> None:
    record["moves"] = []
    seats = sorted(stake["seat"] for stake in record["stakes"])
    views = {seat: only("view", "--seat", str(seat), given=record)["view"] for seat in seats}
    hands = [set(view["hand"]) for view in views.values()]
    assert all(len(hand) == 13 for hand in hands)
    assert len(set.union(*hands)) == 13 * len(seats)
    for seat, view in views.items():
        text = json.dumps(view)
        others = [card for other in seats if other != seat for card in views[other]["hand"]]
        assert not [card for card in others if f'"{card}"' in text]
    answer = only("view", given=record)
    assert answer["ok"]
    assert (answer["view"]["seat"], answer["view"]["hand"]) == (None, [])


def test_a_view_for_a_seat_not_in_the_hand_is_refused(record: Any) -> None:
    answer = only("view", "--seat", "77", given=record)
    assert refused(answer, "code", "path") == ("not_seated", "$.stakes")


# Cards


@each(
    ("thirteen_hongkong", "AsAdAc", ("three", False, {"front": 3})),
    ("thirteen_hongkong", "9s9d9c9h2c", ("four", False, {"middle": 8, "back": 4})),
    ("thirteen_hongkong", "As2d3c4h5c", ("straight", False, {"middle": 1, "back": 1})),
    ("thirteen_fujian", "AsAdBJ", ("three", True, {"front": 3})),
)
def test_show_explains_a_row(game: str, cards: str, expected: tuple[object, ...]) -> None:
    answer = only("show", game, cards)
    row = dict(zip(("category", "joker", "points"), expected, strict=True))
    assert answer == {"ok": True, "game": game, "row": {"cards": cards, **row}}


def test_show_names_naturals_rows_and_fouls() -> None:
    dragon = only("show", "thirteen_taiwan", "2c3d4h5s6c7d8h9sTcJdQhKsAc")
    assert dragon["naturals"][0] == {"natural": "dragon", "points": 36}
    foul = only("show", "chinese_poker", "AsAhAd/2c3d4h5s7c/9d9hTcJdQh")
    assert foul["foul"] == "The front row is not lower than the middle row."
    assert foul["rows"]["back"]["category"] == "pair"
    assert foul["naturals"] == []
    suited = only("show", "chinese_poker", "2c3c4c/5c6c7c8c9c/TcJcQcKcAc")
    assert suited["foul"] is None
    assert "thirteen_suited" in [natural["natural"] for natural in suited["naturals"]]


@every(key=["baccarat", "baccarat_commission"])
def test_show_lays_out_a_coup(key: str) -> None:
    answer = only("show", key, "2c3c4c5c")
    shown = answer["game"], answer["player"], answer["banker"]
    assert shown == (key, ["2c", "4c"], ["3c", "5c"])
    message = only("show", key, "2c3c4c5c6c", code=1)["message"]
    assert message == "This coup ends with 4 cards."


@every(key=OPTIONS)
def test_suggest_prints_arrangements_best_first(key: str) -> None:
    answer = only("suggest", key, THIRTEEN)
    assert (answer["ok"], answer["game"]) == (True, key)
    points = [suggestion["expected"] for suggestion in answer["suggestions"]]
    assert len(points) >= 3
    assert points == sorted(points, reverse=True)


# Simulations


def test_simulate_is_the_same_for_the_same_seed_and_adds_up() -> None:
    arguments = ("simulate", "chinese_poker", "--hands", "3", "--options", '{"rake_bp": 500}')
    answer = only(*arguments, "--seed", "one")
    assert answer == only(*arguments, "--seed", "one")
    assert answer != only(*arguments, "--seed", "two")
    assert (answer["ok"], answer["hands"]) == (True, 3)
    total = sum(net["mean"] for net in answer["net"].values()) + answer["rake"]
    assert total == pytest.approx(0)
    assert all(net["standard_error"] >= 0 for net in answer["net"].values())
    assert answer["frequencies"]


@every(key=OPTIONS)
def test_simulate_plays_every_game_with_every_strategy_named(key: str) -> None:
    answer = only("simulate", key, "--hands", "2", "--strategy", "house")
    assert (answer["game"], answer["strategy"]) == (key, "house")


def test_simulate_tells_the_edge_of_the_house() -> None:
    arguments = ("--hands", "400", "--seed", "edge", "--strategy", "banker")
    answer = only("simulate", "baccarat_commission", *arguments)
    assert set(answer["net"]) == {"1", "house"}
    banker = answer["bets"]["banker"]
    assert (banker["staked"], banker["house_edge"]) == (100, answer["house_edge"])
    # Of banker bets 1.06% is kept on average; four standard errors are rarely left.
    assert abs(banker["house_edge"] - 0.01058) < 4 * banker["standard_error"] < 0.2
    assert answer["frequencies"]["commission banker"] == answer["frequencies"]["bet_won banker"]
    nothing = only("simulate", "baccarat", "--hands", "3", "--strategy", "house")
    assert "house_edge" not in nothing


def test_simulate_matches_two_ways_of_playing_dou_dizhu() -> None:
    answer = only("simulate", "doudizhu", "--hands", "6", "--against", "legal")
    assert (answer["ok"], answer["games"], answer["against"]) == (True, 6, "legal")
    assert answer["overall"] == pytest.approx((answer["as_landlord"] + answer["as_farmers"]) / 2)


def test_simulate_plays_a_thousand_hands_with_seed_0_by_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulate, "simulate", lambda _, *arguments: {"given": arguments})
    assert only("simulate", "baccarat")["given"] == [1_000, "0", None]


# Arguments


@each(
    ("simulate doudizhu --hands 2 --against guess", "strategy"),
    ("simulate doudizhu --hands 1 --against legal", "hands"),
    ("simulate chinese_poker --hands 2 --against house", "against"),
    ("simulate chinese_poker --hands 0", "hands"),
    ("simulate chinese_poker --hands 1 --strategy guess", "strategy"),
    ("simulate chinese_poker --hands 1 --seed \udcff", "not_text"),
    ("simulate \udcff", "not_text"),
    ("show whist 2c3c4c", "no_such_game"),
    ("show chinese_poker 2c3c", "card_count"),
    ("show chinese_poker ", "card_count"),
    ("show chinese_poker 2c3cBJ", "card_not_in_shoe"),
    ("show chinese_poker 2c2c3c", "card_not_in_shoe"),
    ("show chinese_poker xx", "card"),
    ("show chinese_poker 2c3c4c --options {", "not_json"),
    ('show chinese_poker 2c3c4c --options {"point":0}', "wrong_shape"),
    ('show chinese_poker 2c3c4c --options {"\udcff":1}', "not_text"),
    ("suggest chinese_poker 2c3c4c", "card_count"),
    (f"suggest chinese_poker {THIRTEEN[:-2]}As", "card_not_in_shoe"),
)
def test_bad_arguments_are_answered_with_a_code(arguments: str, code: str) -> None:
    answer = only(*arguments.split(" "), code=1)
    assert refused(answer, "code") == (code,)
    assert answer["message"].endswith(".")


def test_the_schema_names_every_game() -> None:
    assert len(only("schema")["anyOf"]) == len(GAMES)


# Processes


def finished(*arguments: bytes | str, given: bytes = b"") -> tuple[int, bytes, bytes]:
    process = subprocess.run([*COMMAND, *arguments], input=given, capture_output=True, check=False)
    return process.returncode, process.stdout, process.stderr


@pytest.mark.processes
def test_a_process_answers_with_its_output_and_its_code(records: list[bytes]) -> None:
    code, answers, complaints = finished("replay", given=b"\n".join(records))
    assert (code, complaints) == (0, b"")
    assert all(json.loads(line)["agrees"] for line in answers.splitlines())
    code, answer, complaints = finished("show", "chinese_poker", b"\xff\xff")
    assert (code, json.loads(answer)["code"], complaints) == (1, "not_text", b"")
    code, answer, complaints = finished()
    assert (code, answer) == (2, b"")
    assert complaints.startswith(b"usage: python -m games ")


def start(records: list[bytes], folder: Path) -> Popen[bytes]:
    """A process with more to answer than is read of it."""
    given = folder / "records.jsonl"
    given.write_bytes(b"\n".join(records * 40))
    with given.open("rb") as source:
        return Popen([*COMMAND, "replay"], stdin=source, stdout=PIPE, stderr=PIPE)


@pytest.mark.processes
def test_a_reader_who_leaves_early_ends_the_command_quietly(
    records: list[bytes], tmp_path: Path
) -> None:
    with start(records, tmp_path) as process:
        assert process.stdout
        process.stdout.close()
        _, complaints = process.communicate()
    assert (complaints, process.returncode) == (b"", 0)


@pytest.mark.always
@pytest.mark.processes
def test_an_interrupted_command_ends_without_complaints(
    records: list[bytes], tmp_path: Path
) -> None:
    with start(records, tmp_path) as process:
        assert process.stdout
        # It waits until more of its answers are read.
        assert json.loads(process.stdout.readline())["ok"]
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=PATIENCE_SECONDS)
    assert (complaints, process.returncode) == (b"", 130)
