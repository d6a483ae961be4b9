"""Hand records at the door: what is read, and how everything else is refused."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from games.rules.catalogue import GAMES, game_type
from games.rules.errors import Unreadable
from games.rules.record import MoveRefused, read_record, record_schema, recorded, replay_record
from games.rules.settlement import Settlement
from tests.rules.cases import each, every, unreadable
from tests.rules.conftest import Share
from tests.rules.harness import play, record_of
from tests.rules.test_thirteen_hands import OPTIONS, table

ROWS = {"front": ["2c", "4c", "6c"], "middle": ["8c", "Tc", "Qc", "Ac", "3d"]}


def a_record(**changes: Any) -> dict[str, Any]:
    cards = [card.text for card in game_type("chinese_poker")().composition()]
    record = {
        "format": "hand-record/1",
        "game": "chinese_poker",
        "rules_version": 1,
        "options": {"point": 100, "rake_bp": 500},
        "stakes": [{"seat": 1, "purse": 50_000}, {"seat": 2, "purse": 50_000}],
        "context": {"button": 2},
        "cards": cards[:26],
        "moves": [],
    }
    return {**record, **changes}


def refusal(record: object) -> Unreadable:
    text = record if isinstance(record, bytes) else json.dumps(record).encode()
    with pytest.raises(Unreadable) as refused:
        replay_record(read_record(text))
    assert refused.value.sentence.endswith(".")
    return refused.value


def test_missing_options_take_the_games_defaults() -> None:
    record = a_record()
    for name in ("format", "rules_version", "options", "context", "moves"):
        del record[name]
    read = read_record(json.dumps(record))
    assert read.options == game_type("chinese_poker")()
    assert (read.moves, read.rules_version) == ((), 1)
    assert getattr(read.context, "button", ...) is None


def test_a_record_is_written_without_what_was_not_said() -> None:
    arrange = {"do": "arrange", **ROWS, "back": ["5d", "7d", "9d", "Jd", "Kd"]}
    record = a_record(moves=[{"seat": 1, "action": arrange}])
    written = json.loads(msgspec.json.encode(read_record(json.dumps(record))))
    assert set(written) == {"game", "options", "stakes", "context", "cards", "moves"}
    assert set(written["moves"][0]) == {"seat", "action"}


def test_a_move_may_tell_when_and_how_it_came() -> None:
    record = a_record(moves=[{"seat": 1, "action": {"do": "none"}, "at": "12:00", "by": "bot"}])
    written = json.loads(msgspec.json.encode(read_record(json.dumps(record))))
    assert written["moves"] == record["moves"]


def test_pools_are_recorded_where_there_are_any() -> None:
    assert recorded(Settlement({}, {}, (), (), {"mystery": -5})).pools == {"mystery": -5}
    written = json.loads(msgspec.json.encode(recorded(Settlement({}, {}, (), ()))))
    assert "pools" not in written


def test_cards_may_run_on_beyond_what_the_hand_draws() -> None:
    whole = [card.text for card in game_type("chinese_poker")().composition()]
    state = replay_record(read_record(json.dumps(a_record(cards=whole))))
    assert len(state.cards) == 52
    assert [len(hand) for hand in state.hands] == [13, 13]  # type: ignore[attr-defined]


@each(
    ({"format": "hand-record/2"}, "wrong_shape", "$.format"),
    ({"game": "whist"}, "no_such_game", "$.game"),
    ({"game": 7}, "wrong_shape", "$.game"),
    ({"rules_version": 2}, "rules_version", "$.rules_version"),
    ({"colour": "red"}, "wrong_shape", "$"),
    ({"options": {"point": 0}}, "wrong_shape", "$.options.point"),
    ({"options": {"point": 10**15 + 1}}, "wrong_shape", "$.options.point"),
    ({"options": {"point": 1.0}}, "wrong_shape", "$.options.point"),
    ({"options": {"point": True}}, "wrong_shape", "$.options.point"),
    ({"options": {"point": "100"}}, "wrong_shape", "$.options.point"),
    ({"options": {"rake_bp": 10_001}}, "wrong_shape", "$.options.rake_bp"),
    ({"options": {"table": "silver"}}, "wrong_shape", "$.options.table"),
    ({"options": {"wings": "strict"}}, "wrong_shape", "$.options"),
    ({"stakes": []}, "seat_count", "$.stakes"),
    ({"stakes": [{"seat": 0, "purse": 1}]}, "wrong_shape", "$.stakes[0].seat"),
    ({"stakes": [{"seat": 256, "purse": 1}]}, "wrong_shape", "$.stakes[0].seat"),
    ({"stakes": [{"seat": "house", "purse": 1}]}, "wrong_shape", "$.stakes[0].seat"),
    ({"stakes": [{"seat": 1, "purse": 0}]}, "wrong_shape", "$.stakes[0].purse"),
    ({"stakes": [{"seat": 1, "purse": -5}]}, "wrong_shape", "$.stakes[0].purse"),
    ({"stakes": [{"seat": 1, "purse": 10**15 + 1}]}, "wrong_shape", "$.stakes[0].purse"),
    ({"stakes": [{"seat": 1, "purse": 1e3}]}, "wrong_shape", "$.stakes[0].purse"),
    ({"stakes": [{"seat": 3, "purse": 9}] * 2}, "seat_twice", "$.stakes"),
    ({"context": {"button": 3}}, "context_seat", "$.context.button"),
    ({"context": {"wild": 3}}, "wrong_shape", "$.context"),
    (
        {"game": "thirteen_hongkong", "options": {}, "context": {"banker": 3}},
        "context_seat",
        "$.context.banker",
    ),
    ({"context": {"banker": 1}}, "no_banker", "$.context.banker"),
    ({"cards": ["2c"] * 26}, "card_not_in_shoe", "$.cards[1]"),
    ({"cards": ["2c", "3c"]}, "too_few_cards", "$.cards"),
    ({"cards": ["1c"]}, "wrong_shape", "$.cards[0]"),
    ({"cards": "2c3c"}, "wrong_shape", "$.cards"),
    ({"moves": [{"seat": 1}]}, "wrong_shape", "$.moves[0]"),
    ({"moves": [{"seat": None, "action": {}}]}, "wrong_shape", "$.moves[0].seat"),
    ({"moves": [{"seat": 1, "action": {"do": "hit"}}]}, "wrong_shape", "$.moves[0].action.do"),
    (
        {"moves": [{"seat": 1, "action": {"do": "arrange", "front": ["2c"] * 4}}]},
        "wrong_shape",
        "$.moves[0].action.front",
    ),
    (
        {"moves": [{"seat": 1, "action": {"do": "arrange", "declare": "whist"}}]},
        "wrong_shape",
        "$.moves[0].action.declare",
    ),
)
def test_errors_name_the_path_of_the_wrong_value(
    change: dict[str, object], code: str, path: str
) -> None:
    refused = refusal(a_record(**change))
    assert (refused.code, refused.path) == (code, path)


def test_a_joker_is_refused_where_none_is_played() -> None:
    cards = [*a_record()["cards"][:25], "BJ"]
    assert refusal(a_record(cards=cards)).path == "$.cards[25]"


@every(key=["thirteen_hongkong", "thirteen_taiwan", "thirteen_philippine"])
def test_bet_limits_the_wrong_way_round_are_refused(key: str) -> None:
    refused = refusal(a_record(game=key, options={"bet_min": 500, "bet_max": 400}))
    assert (refused.code, refused.path) == ("wrong_shape", "$.options")


@each(
    (b"", "not_json"),
    (b"{", "not_json"),
    (b"\xff\xfe", "not_json"),
    (b'{"game": NaN}', "not_json"),
    (b"[]", "wrong_shape"),
    (b"null", "wrong_shape"),
    (b'{"game": "chinese_poker", "stakes": NaN}', "not_json"),
    (b'{"game": "\xff"}', "not_json"),
    (b'{"game": "chinese_poker", "\xff": 1}', "not_json"),
    (b'{"game": "chinese_poker", "stakes": [], "cards": ["\xff\xfe"]}', "not_json"),
    (b'{"x":' * 100_000, "too_deep"),
    (b'{"game": "chinese_poker", "options": ' + b"[" * 100_000, "too_deep"),
    (b'{"game": "' + b"x" * 10_000_000 + b'"}', "too_long"),
)
def test_malformed_records_are_refused(text: bytes, code: str) -> None:
    refused = refusal(text)
    assert (refused.code, refused.path) == (code, "" if code == "too_long" else "$")


def test_a_text_that_cannot_be_written_as_bytes_is_refused() -> None:
    unreadable("not_json", read_record, '{"game": "\udcff"}')


@every(key=list(OPTIONS))
def test_an_action_must_say_what_it_does(key: str) -> None:
    record = json.loads(msgspec.json.encode(record_of(play(key, table(key), 1))))
    del record["moves"][-1]["action"]["do"]
    refused = refusal(record)
    assert refused.code == "wrong_shape"
    assert refused.path == f"$.moves[{len(record['moves']) - 1}].action"


def test_the_companion_of_an_only_action_does_nothing() -> None:
    moves = [{"seat": 1, "action": {"do": "none"}}]
    with pytest.raises(MoveRefused) as refused:
        replay_record(read_record(json.dumps(a_record(moves=moves))))
    assert refused.value.reason.code == "not_now"


def test_an_illegal_move_is_named_by_its_number() -> None:
    arrange = {"do": "arrange", **ROWS, "back": ["5d", "7d", "9d", "Jd", "Kd"]}
    twice = [{"seat": 1, "action": arrange}, {"seat": 1, "action": arrange}]
    with pytest.raises(MoveRefused) as refused:
        replay_record(read_record(json.dumps(a_record(moves=twice))))
    assert refused.value.number == 1
    assert refused.value.reason.code == "not_your_turn"


@pytest.fixture(scope="module")
def published() -> Any:
    """What validates by the published schema; the schema itself is checked once."""
    schema = record_schema()
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.long
@pytest.mark.parametrize("key", OPTIONS)
def test_records_fit_the_published_schema(key: str, published: Any, share: Share[int]) -> None:
    for seed in share(range(5)):
        record = json.loads(msgspec.json.encode(record_of(play(key, table(key), seed))))
        published.validate(record)
        assert not published.is_valid({**record, "secret": "x"})
        assert not published.is_valid({**record, "cards": ["1c"]})


def test_the_schema_in_the_docs_is_the_one_of_the_types(repository: Path) -> None:
    published = json.loads((repository / "docs" / "hand-record.schema.json").read_text())
    assert published == json.loads(json.dumps(record_schema()))


def test_a_settlement_names_its_parties_as_text() -> None:
    played = play("thirteen_taiwan", table("thirteen_taiwan"), 3)
    settlement = recorded(played.settlement)
    assert set(settlement.net) == {str(stake.seat) for stake in played.stakes}
    assert sum(settlement.net.values()) + sum(settlement.rake.values()) == 0
    assert all(
        isinstance(party, str) for transfer in settlement.transfers for party in transfer[:2]
    )


def test_every_game_is_found_under_its_key() -> None:
    assert [game_type(key).key for key in GAMES] == list(GAMES)
    assert all(game_type(key).rules_version >= 1 for key in GAMES)
