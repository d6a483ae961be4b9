"""Requests read into types: what is refused, with which code and at which place."""

from typing import Any

import msgspec
import pytest

from games.api.table_requests import (
    ActRequest,
    LobbyQuery,
    MixRequest,
    NextBetsRequest,
    SitRequest,
    TableQuery,
    VerbQuery,
)
from games.rules.errors import Unreadable
from games.tables.next_bets import BETS_MAX
from games.web.payloads import NoFields, read

ACT: dict[str, Any] = {"hand": 1, "turn": 0, "action": {"do": "pass"}}
BETS = {"after": 1, "bets": [{"do": "bet"}]}
WRONG: list[tuple[type[msgspec.Struct], Any, str, str]] = [
    (ActRequest, [], "wrong_shape", "$"),
    (ActRequest, None, "wrong_shape", "$"),
    (ActRequest, ACT | {"more": 1}, "unknown_field", "$.more"),
    (ActRequest, {"more": 1}, "unknown_field", "$.more"),
    (ActRequest, ACT | {"m" * 50: 1}, "unknown_field", f"$.{'m' * 40}"),
    (ActRequest, {"hand": 1, "turn": 0}, "wrong_shape", "$.action"),
    (ActRequest, ACT | {"hand": 0}, "wrong_shape", "$.hand"),
    (ActRequest, ACT | {"hand": 2**63}, "wrong_shape", "$.hand"),
    (ActRequest, ACT | {"turn": True}, "wrong_shape", "$.turn"),
    (ActRequest, ACT | {"turn": 1.0}, "wrong_shape", "$.turn"),
    (ActRequest, ACT | {"action": {}}, "wrong_shape", "$.action"),
    (ActRequest, ACT | {"action": [1]}, "wrong_shape", "$.action"),
    (ActRequest, ACT | {"decision": "x" * 41}, "wrong_shape", "$.decision"),
    (ActRequest, ACT | {"decision": 1}, "wrong_shape", "$.decision"),
    (SitRequest, {"seat": 256, "amount": 1}, "wrong_shape", "$.seat"),
    (SitRequest, {"seat": 1, "amount": 0}, "amount", "$.amount"),
    (SitRequest, {"seat": 1, "amount": 10**15 + 1}, "amount", "$.amount"),
    (SitRequest, {"seat": 1, "amount": "100"}, "amount", "$.amount"),
    (SitRequest, {"seat": 1, "amount": True}, "amount", "$.amount"),
    (MixRequest, {"mix": ""}, "wrong_shape", "$.mix"),
    (MixRequest, {"mix": "T1\0"}, "wrong_shape", "$.mix"),
    (MixRequest, {"mix": "0" * 126}, "wrong_shape", "$.mix"),
    (NextBetsRequest, BETS | {"bets": []}, "wrong_shape", "$.bets"),
    (NextBetsRequest, BETS | {"bets": [{"do": "bet"}] * (BETS_MAX + 1)}, "wrong_shape", "$.bets"),
    (NextBetsRequest, BETS | {"bets": [{"do": "bet"}, 1]}, "wrong_shape", "$.bets[1]"),
    (NextBetsRequest, BETS | {"bets": [{}]}, "wrong_shape", "$.bets[0]"),
    (NoFields, {"more": 1}, "unknown_field", "$.more"),
]
WRONG_QUERIES: list[tuple[type[msgspec.Struct], dict[str, str], str, str]] = [
    (LobbyQuery, {"game": "whist"}, "wrong_shape", "$.game"),
    (LobbyQuery, {"free": "perhaps"}, "wrong_shape", "$.free"),
    (LobbyQuery, {"gmae": "baccarat"}, "unknown_field", "$.gmae"),
    (TableQuery, {"known": "newest"}, "wrong_shape", "$.known"),
    (VerbQuery, {"invitation": "x" * 41}, "wrong_shape", "$.invitation"),
    (VerbQuery, {"known": "1"}, "unknown_field", "$.known"),
]


def test_the_first_problem_is_refused_with_its_place() -> None:
    cases = [(*case, False) for case in WRONG] + [(*case, True) for case in WRONG_QUERIES]
    for kind, data, code, path, from_text in cases:
        with pytest.raises(Unreadable) as refused:
            read(kind, data, from_text=from_text)
        assert (refused.value.code, refused.value.path) == (code, path), (kind, data)
        assert "{" not in refused.value.sentence
        assert "`" not in refused.value.sentence


def test_what_fits_is_read() -> None:
    act = read(ActRequest, ACT)
    assert (act.hand, act.turn, act.action, act.decision) == (1, 0, {"do": "pass"}, "")
    assert read(SitRequest, {"seat": 1, "amount": 10**15}).amount == 10**15
    assert read(NoFields, {}) == NoFields()
    query = read(TableQuery, {"known": "7", "help": "true"}, from_text=True)
    assert (query.known, query.help, query.invitation) == (7, True, "")
    lobby_query = read(LobbyQuery, {"free": "false", "game": "doudizhu"}, from_text=True)
    assert (lobby_query.free, lobby_query.game, lobby_query.phase) == (
        False,
        "doudizhu",
        msgspec.UNSET,
    )
