"""Odd addresses and forms of the back office, as an explorer of addresses sends them."""

from typing import Any

import pytest

from casino.accounts.models import Player
from games.models import Table
from tests.games.test_admin_lists import ROLES, evening, member

__all__ = ["evening"]
NEW_TABLE = "/admin/tables/new/"
TABLE, HAND, PLAYER = "/admin/games/table/", "/admin/games/hand/", "/admin/players/player/"
QUERIES = (
    "/admin/jsi18n/",
    "/admin/r/1/1/",
    "/admin/r/x/y/",
    "/admin/r/999999/1/",
    "/admin/games/",
    "/admin/auth/",
    "/admin/nothing/",
    "/admin/search/?s=alice&extended=1",
    f"{NEW_TABLE}?game=nothing&profile=zz&jackpots=1,abc&places=zz",
    f"{NEW_TABLE}?game=baccarat&profile={'9' * 25}&name=a%00b",
    f"/admin/tables/{'9' * 25}/rules/",
    f"{TABLE}add/?_popup=1&_to_field=invitation",
    f"{TABLE}1/change/?_popup=1&_to_field=invitation",
    f"{TABLE}?_facets=1&status__exact=zzz",
    f"{TABLE}?status__exact=open&status__exact=closed",
    f"{TABLE}?private__exact=2",
    "/admin/games/seat/?table__id__exact=1&table__id__exact=abc",
    f"{PLAYER}1/change/?_to_field=password",
    f"{PLAYER}alice/change/?_to_field=username",
    f"{PLAYER}1/delete/?_to_field=password",
    f"{PLAYER}1/history/?p=abc",
    f"{PLAYER}1/history/?p={'9' * 25}",
    "/admin/games_chat/silence/add/?player=abc&until=zz&reason=1",
    "/admin/wallets/jackpot/add/?currency=zz&seed=abc",
    "/admin/wallets/jackpot/x/drain/",
    "/admin/wallets/jackpot/99/drain/",
    f"{HAND}x/take-back/",
    f"{HAND}1/take-back/",
    f"{HAND}?ended_at__year=2026&ended_at__month=2&ended_at__day=31",
    f"{HAND}?ended_at__day=31",
    f"{HAND}?ended_at__year=9999",
    f"{HAND}?ended_at__year=2999&ended_at__month=12&ended_at__day=31",
    "/admin/games/move/1/take-back/",
)
SENT = (
    (NEW_TABLE, {"_popup": "1", "_to_field": "invitation"}),
    (NEW_TABLE, {"game": "doudizhu", "profile": "1\0", "places": "x", "name": "\0"}),
    (NEW_TABLE, {"game": "nothing", "profile": "x", "jackpots": "9" * 30}),
    (NEW_TABLE, {"show": "1", "game": "[1]", "profile": "9" * 30, "places": "1e9"}),
    ("/admin/tables/1/rules/", {"profile": "x", "places": "[[]]", "jackpots": "{"}),
    ("/admin/games/move/", {"action": "delete_selected", "_selected_action": "1", "post": "yes"}),
    (PLAYER, {"action": "delete_selected", "_selected_action": "1", "post": "yes"}),
    ("/admin/axes/accessattempt/", {"action": "delete_selected", "select_across": "1"}),
    ("/admin/games_chat/chatline/", {"action": "hide_lines", "_selected_action": "x"}),
    ("/admin/games_chat/chatline/", {"action": "hide_lines", "_selected_action": "9" * 30}),
    ("/admin/wallets/jackpot/add/", {"seed": "x", "reason": "x"}),
    ("/admin/wallets/jackpot/add/", {"seed": "9" * 30, "reserve": "1", "reason": "x"}),
)


# So many addresses and forms are sent at once, by each role.
PARTS = 6


@pytest.mark.always
@pytest.mark.parametrize("page", range(PARTS))
@pytest.mark.parametrize("role", ROLES)
def test_nothing_breaks_and_nothing_is_deleted(tonight: Any, role: str, page: int) -> None:
    """The client of a test raises what would be a fault: any answer is one that was meant."""
    client = member(role)
    before = (Player.objects.count(), Table.objects.count())
    for address in QUERIES[page::PARTS]:
        answer = client.get(address)
        assert answer.status_code in (200, 302, 400, 403, 404), address
        assert not ("_to_field" in address and answer.status_code == 200), address
    for address, data in SENT[page::PARTS]:
        status = client.post(address, data).status_code
        assert status in (200, 302, 400, 403, 404), (address, data)
    assert (Player.objects.count(), Table.objects.count()) == before
