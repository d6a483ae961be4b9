"""An attacker wants to listen to the stream of another player's seat."""

import base64
import http.client
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from tests.attack.attackers import Answer, until
from tests.attack.leaks import named
from tests.attack.registry import Outcome, attack, refused, unless
from tests.waiting import PATIENCE_SECONDS

GAME = "doudizhu"
TICKET_SECONDS = 60
LINES_MAX = 40
OPEN_NOTHING = ("edited", "ended", "for another table", "unsigned", "alice's own")
# The forms in which a stream carries a table, each with what only a player's own part has in it.
FORMS = {"json": '"own":', "html": '"my-cards":'}


def heard(house: Any, path: str, form: str = "json", **headers: str) -> Answer:
    """What a stream sends first, up to the end of its first event with parts or a version."""
    place = urlsplit(house.address)
    assert place.hostname
    line = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE_SECONDS)
    try:
        line.request("GET", f"{path}{'&' if '?' in path else '?'}as={form}", headers=headers)
        answer = line.getresponse()
        if answer.status != http.HTTPStatus.OK:
            return Answer(answer.status, answer.read().decode(), {})
        lines: list[str] = []
        while len(lines) < LINES_MAX and not (lines and lines[-1].startswith('data: {"version"')):
            lines.append(answer.readline().decode())
        return Answer(answer.status, "".join(lines), {})
    finally:
        line.close()


def hand_of_alice(house: Any) -> list[str]:
    """Alice is to act at a table, and holds these cards."""
    board = house.evening.at(GAME)
    if board["mine"] is None:
        house.evening.sit(house.evening.alice, GAME, board["free"][0])
    cards: list[str] = house.evening.my_turn(GAME)["view"]["hand"]
    return cards


def stream_of(house: Any, name: str) -> str:
    path: str = house.program(name).at(house.tables[GAME])["stream"]
    return path


def sign_in_of(house: Any, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {house.program(name).token}"}


def edited(path: str, player: int) -> str:
    """The address with a ticket that names another player, under the signature of the first."""
    before, _, ticket = path.partition("ticket=")
    said, _, signature = unquote(ticket).partition(":")
    fields = json.loads(base64.urlsafe_b64decode(said + "=" * (-len(said) % 4)))
    fields[1] = player
    text = base64.urlsafe_b64encode(json.dumps(fields, separators=(",", ":")).encode()).decode()
    return f"{before}ticket={quote(text.rstrip('='))}:{signature}"


def ended_session(house: Any) -> str:
    """The address that a browser got in which alice has signed out since."""
    browser = house.browser()
    assert browser.sign_in("alice", "demo-alice").status == 302
    answer = browser.get(f"/tables/{house.tables[GAME]}/stream/")
    path: str = answer.content["stream"]
    browser.post("/players/sign-out/")
    return path


@attack(
    "leaks",
    "listen with another's ticket",
    "bob edits his ticket, names alice beside it, and tries hers, also of a session that she ended",
    "tickets",
)
def _(house: Any) -> Outcome:
    cards, table = hand_of_alice(house), house.tables[GAME]
    ((alice,),) = house.sql("SELECT id FROM players_player WHERE username = 'alice'")
    his, bob = stream_of(house, "bob"), sign_in_of(house, "bob")
    ways = {
        "edited": edited(his, alice),
        "ended": ended_session(house),
        "alice's own": stream_of(house, "alice"),
        "for another table": his.replace(f"/tables/{table}/", f"/tables/{table + 1}/"),
        "unsigned": his.rpartition("%3A")[0] or his.rpartition(":")[0],
        "named beside it": f"{his}&player={alice}&seat=1",
        "without one": f"/live/tables/{table}/?player={alice}",
    }

    alices = sign_in_of(house, "alice")

    def holes() -> Iterator[str]:
        for form, own in FORMS.items():
            for way, path in ways.items():
                answer = heard(house, path, form, **bob)
                if own in answer.text or named(answer.text, cards):
                    yield f"{way}, {form}: a part of alice's"
                if way in OPEN_NOTHING and answer.status == http.HTTPStatus.OK:
                    yield f"{way}, {form}: the stream opens"
            if own not in heard(house, stream_of(house, "alice"), form, **alices).text:
                yield f"alice's own ticket shows her nothing as {form}"

    return unless(holes(), refused(f"{len(ways)} ways, none of which shows a card of hers"))


@attack(
    "leaks",
    "resume another's stream",
    "bob opens his stream with the Last-Event-ID of alice's",
    "tickets",
)
def _(house: Any) -> Outcome:
    cards = hand_of_alice(house)
    holes = []
    for form, own in FORMS.items():
        hers = heard(house, stream_of(house, "alice"), form, **sign_in_of(house, "alice"))
        (last,) = [line[4:] for line in hers.text.splitlines() if line.startswith("id: ")]
        if not named(hers.text, cards):
            holes.append(f"alice does not get her own cards as {form}")
        for event in (last, str(int(last) - 1), "0"):
            sent = {"Last-Event-ID": event} | sign_in_of(house, "bob")
            text = heard(house, stream_of(house, "bob"), form, **sent).text
            if own in text or named(text, cards):
                holes.append(f"after {event} he gets hers as {form}")
    return unless(holes, refused("he gets what a stranger sees, in spite of his claims"))


@attack(
    "leaks",
    "keep a ticket",
    "alice's address is used once more when it is a minute old",
    "tickets",
)
def _(house: Any) -> Outcome:
    hand_of_alice(house)
    path, began = stream_of(house, "alice"), time.monotonic()
    alices = sign_in_of(house, "alice")
    if heard(house, path, **alices).status != http.HTTPStatus.OK:
        return unless(["it does not open at once"], refused(""))
    until(lambda: time.monotonic() - began > TICKET_SECONDS + 2)
    status = heard(house, path, **alices).status
    if house.evening.played:
        # The evening was over before.
        house.evening.alice.post(f"tables/{house.tables[GAME]}/leave/")
    holes = [f"it opens a stream: {status}"] if status != http.HTTPStatus.FORBIDDEN else []
    return unless(holes, refused(f"{status} after a minute"))
