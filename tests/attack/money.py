"""An attacker wants money, boxes or seats that are not theirs."""

from collections.abc import Iterator
from typing import Any

from tests.attack.attackers import Program, until
from tests.attack.evening import BUY_IN
from tests.attack.registry import Outcome, attack, broken, noticed, refused, unless
from tests.attack.target import STAFF

WELCOME = 1_000_000
HELD = (
    "SELECT coalesce(sum(a.balance), 0) FROM wallets_account a WHERE a.owner = ? OR a.owner IN"
    " (SELECT 'seat:' || s.code FROM games_seat s WHERE s.player_id = ?)"
)


def number_of(house: Any, name: str) -> int:
    return int(house.sql("SELECT id FROM players_player WHERE username = ?", name)[0][0])


def given(house: Any, name: str) -> int:
    statement = (
        "SELECT coalesce(sum(e.amount), 0) FROM wallets_entry e JOIN wallets_account a"
        " ON a.id = e.account_id JOIN wallets_transaction t ON t.id = e.transaction_id"
        " WHERE a.owner = ? AND t.kind = 'grant'"
    )
    return int(house.sql(statement, f"player:{number_of(house, name)}")[0][0])


def sit(who: Program, table: int, seat: int, amount: int = BUY_IN) -> Any:
    return who.post(f"tables/{table}/sit/", {"seat": seat, "amount": amount})


@attack(
    "money",
    "be welcomed twice",
    "a newcomer who only uses the API sits down, leaves, and sits down again at five tables",
    "welcome",
)
def _(house: Any) -> Outcome:
    signed_up = house.newcomer("robert")
    program = Program(house.address)
    program.sign_in("robert", "robert in the rain")
    games = ("blackjack", "baccarat", "russian_poker", "baccarat", "blackjack")
    answers = []
    for game in games:
        answers.append(sit(program, house.tables[game], 4).status)
        program.post(f"tables/{house.tables[game]}/leave/")
    if signed_up.status != 302 or answers[0] != 200:
        return broken(f"a program without a page cannot play: {signed_up.status}, {answers}")
    welcomed = given(house, "robert")
    return refused(f"given once: {welcomed}") if welcomed == WELCOME else broken(str(welcomed))


@attack(
    "money",
    "buy in with more than one has",
    "buy-ins beyond the wallet and the table, top-ups, negative and broken amounts",
    "turns",
)
def _(house: Any) -> Outcome:
    dave, table = house.program("dave"), house.tables["baccarat"]
    holes = []
    amounts: tuple[Any, ...] = (-BUY_IN, 0, 1, 10**12, 10**16, 100.5, "40000", True, None)
    holes += [
        f"{amount!r} buys a seat" for amount in amounts if sit(dave, table, 6, amount).status < 400
    ]
    sit(dave, table, 6)
    for amount in amounts:
        answer = dave.post(f"tables/{table}/top-up/", {"amount": amount})
        if answer.status < 400 and amount != 1:
            holes.append(f"{amount!r} tops up: {answer.status}")
    dave.post(f"tables/{table}/leave/")
    return unless(holes, refused(f"none of {2 * len(amounts)} amounts"))


def betting(who: Program, table: int) -> Any:
    """The table, once one may bet there."""

    def so() -> Any:
        board = who.at(table)
        return board if board["turn"] is not None else None

    return until(so)


@attack(
    "money",
    "bet out of turn and beyond one's stack",
    "another's turn, an old turn, a past hand, a bet twice, too high, below nothing",
    "turns",
)
def _(house: Any) -> Outcome:
    dave, carol, table = house.program("dave"), house.program("carol"), house.tables["baccarat"]
    sit(dave, table, 6)
    board = betting(dave, table)
    bet = {"do": "bet", "on": "player", "amount": 500}
    body = {"hand": board["hand"]["id"], "turn": board["turn"], "action": bet}
    tries = {
        "who does not sit": carol.post(f"tables/{table}/act/", body),
        "another turn": dave.post(f"tables/{table}/act/", {**body, "turn": board["turn"] + 7}),
        "another hand": dave.post(f"tables/{table}/act/", {**body, "hand": 999_999}),
    }
    for amount in (10**9, 0, -500, 500.5, "500"):
        wrong = {**body, "action": {**bet, "amount": amount}}
        tries[f"a bet of {amount}"] = dave.post(f"tables/{table}/act/", wrong)
    unknown = {**body, "action": {**bet, "payout": 10**9}}
    tries["a payout of one's own"] = dave.post(f"tables/{table}/act/", unknown)
    holes = [
        f"{name}: {response.status}" for name, response in tries.items() if response.status < 400
    ]
    # Hand and turn say which act it is: the same one is done once, and no other takes its place.
    repeated = [dave.post(f"tables/{table}/act/", body) for _ in range(2)]
    holes += [
        f"the bet itself: {response.status}" for response in repeated if response.status != 200
    ]
    other = {**body, "action": {**bet, "amount": 600}}
    answer = dave.post(f"tables/{table}/act/", other)
    moves = house.sql("SELECT count(*) FROM games_move WHERE hand_id = ?", body["hand"])
    if moves != [(1,)]:
        holes.append(f"one bet was taken {moves[0][0]} times")
    if answer.status < 400:
        holes.append(f"another bet for the same turn: {answer.status}")
    return unless(holes, refused(f"{len(tries)} bets, and the repeated one counts once"))


@attack(
    "money",
    "take a bet back by leaving",
    "dave leaves while he has a bet at baccarat, and takes it along",
    "leaving-seat",
)
def _(house: Any) -> Outcome:
    dave, table = house.program("dave"), house.tables["baccarat"]
    board = betting(dave, table) if dave.at(table)["mine"] else None
    if board is None or dave.at(table)["hand"] is None:
        return broken("dave has no bet there")
    stack = board["mine"]["purse"]
    answer = dave.post(f"tables/{table}/leave/")
    mine = answer.content["mine"] if answer.text else None
    if mine is None or not mine["leaves"]:
        return broken(f"he has left with {stack}, the bet included")
    dave.act(table, {"do": "done"})
    until(lambda: dave.at(table)["mine"] is None)
    finished = house.sql(
        "SELECT s.net FROM games_handseat s JOIN games_hand h ON h.id = s.hand_id"
        " WHERE h.table_id = ? AND s.player_id = ? ORDER BY h.id DESC LIMIT 1",
        table,
        number_of(house, "dave"),
    )
    return refused(f"the seat goes when the round is over ({finished[0][0]} for him)")


@attack(
    "money",
    "be held in a seat",
    "dave sits at blackjack without a bet, and asks to leave",
    "leaving-seat",
)
def _(house: Any) -> Outcome:
    dave, table = house.program("dave"), house.tables["blackjack"]
    sit(dave, table, 5)
    betting(dave, table)
    answer = dave.post(f"tables/{table}/leave/")
    board = answer.content if answer.text else {"mine": None}
    return broken("he has to wait") if board["mine"] else refused("he leaves at once")


@attack(
    "money",
    "lose the seat that one took again",
    "dave leaves and sits down again four times while the sweeper clears seats",
    "own-seat",
)
def _(house: Any) -> Outcome:
    dave, table = house.program("dave"), house.tables["doudizhu"]
    before = house.log().count("not_seated_here")
    holes = []
    for round_number in range(4):
        taken = until(lambda: sit(dave, table, 1).status == 200 or dave.at(table)["mine"])
        if round_number % 2:
            betting(dave, table)
        if not taken:
            holes.append("no seat could be taken")
        if round_number < 3:
            dave.post(f"tables/{table}/leave/")
            until(lambda: dave.at(table)["mine"] is None or _played_out(dave, table))
    version = dave.at(table)["version"]
    until(lambda: dave.at(table)["version"] != version or dave.at(table)["turn"] is not None)
    if dave.at(table)["mine"] is None:
        holes.append("the new seat has gone")
    if house.log().count("not_seated_here") > before:
        holes.append("the log says not_seated_here")
    _played_out(dave, table)
    dave.post(f"tables/{table}/leave/")
    return unless(holes, refused("the last seat is there, and the log is quiet"))


def _played_out(who: Program, table: int) -> bool:
    """Let the house play the hand to its end; True once the seat is free."""
    board = who.at(table)
    if board["mine"] is not None and board["hand"] and not board["mine"]["trustee"]:
        who.post(f"tables/{table}/trustee/")
    return board["mine"] is None


@attack(
    "money",
    "take every box",
    "carol antes on all boxes of casino hold'em while dave sits there, too",
    "boxes",
)
def _(house: Any) -> Outcome:
    carol, dave, table = (
        house.program("carol"),
        house.program("dave"),
        house.tables["casino_holdem"],
    )
    if carol.at(table)["mine"]:
        carol.post(f"tables/{table}/leave/")
        until(lambda: carol.at(table)["mine"] is None)
    for seat, who in ((1, carol), (2, dave)):
        answer = sit(who, table, seat)
        assert answer.status == 200, answer.text

    def both() -> bool:
        return all(who.at(table)["turn"] is not None for who in (carol, dave))

    until(both)
    answers = [
        carol.act(table, {"do": "ante", "box": box, "amount": 500, "blind": box > 1})
        for box in range(1, 8)
    ]
    taken = sum(answer.status == 200 for answer in answers)
    codes = sorted({answer.code for answer in answers if answer.status != 200})
    left = dave.act(table, {"do": "ante", "box": 7, "amount": 500})
    for box in range(1, 7):
        if left.status == 200:
            break
        left = dave.act(table, {"do": "ante", "box": box, "amount": 500})
    for who in (carol, dave):
        who.act(table, {"do": "done"})
    for who in (carol, dave):
        who.post(f"tables/{table}/trustee/")
        who.post(f"tables/{table}/leave/")
    if taken == 7 or left.status != 200:
        return broken(f"{taken} boxes for carol, and for dave {left.status}")
    return refused(f"{taken} of 7 boxes for carol ({', '.join(codes)}), and dave has his")


def evicted(house: Any) -> Iterator[tuple[str, str, str]]:
    """Dave sits down and is never seen again; what the ledger says of his going."""
    dave, table = house.program("dave"), house.tables["blackjack"]
    sit(dave, table, 6)
    (code,) = house.sql(
        "SELECT code FROM games_seat WHERE table_id = ? AND player_id = ? AND left_at IS NULL",
        table,
        number_of(house, "dave"),
    )[0]
    # He has been offline for an hour, and seats are given up after a minute.
    house.sql("UPDATE games_table SET idle_seconds = 1, grace_seconds = 1 WHERE id = ?", table)
    past = "strftime('%Y-%m-%d %H:%M:%f', 'now', '-1 hour')"
    house.sql(
        f"UPDATE games_seat SET seen_at = {past}, sits_out = 1, idle_since = {past} WHERE code = ?",
        code,
    )
    house.sql(f"UPDATE games_table SET due_at = {past} WHERE id = ?", table)
    gone = "SELECT left_at FROM games_seat WHERE code = ?"
    until(lambda: house.sql(gone, code)[0][0] is not None)
    yield from house.sql(
        "SELECT DISTINCT t.kind, t.actor, t.reason FROM wallets_transaction t JOIN wallets_entry e"
        " ON e.transaction_id = t.id JOIN wallets_account a ON a.id = e.account_id"
        " WHERE replace(a.owner, '-', '') LIKE ? ORDER BY t.id",
        f"seat:{code}",
    )


@attack(
    "money",
    "blame the player for an eviction",
    "the house gives up dave's seat; who does the ledger say has cashed out?",
    "true-actors",
)
def _(house: Any) -> Outcome:
    postings = list(evicted(house))
    if not postings:
        return broken("the ledger knows nothing of that seat")
    kind, actor, reason = postings[-1]
    if actor.startswith("player:") or not reason:
        return broken(f"{kind} by {actor}: {reason}")
    anonymous = house.sql("SELECT kind FROM wallets_transaction WHERE actor = '' OR reason = ''")
    if anonymous:
        return broken(f"{len(anonymous)} postings without actor or reason")
    return noticed(f"{kind} by {actor}: {reason}")


@attack(
    "money",
    "play as staff",
    "staff of each role sit down by page, quick seat and API, and open a table",
    "staff",
)
def _(house: Any) -> Outcome:
    table, holes = house.tables["baccarat"], []
    for name in STAFF:
        browser = house.browser(name)
        answers = {
            "page": browser.post(f"/tables/{table}/sit/", {"seat": 8, "amount": "400"}),
            "quick seat": browser.post("/play/baccarat/"),
            "private table": browser.post("/private/", {"like": table, "speed": "usual"}),
            "API": sit(house.program(name), table, 8),
        }
        holes += [
            f"{name} by {way}: {answer.status} {answer.code}"
            for way, answer in answers.items()
            if answer.code != "staff_do_not_play"
        ]
        if given(house, name):
            holes.append(f"{name} was given play money")
    return unless(holes, refused(f"staff_do_not_play, in four ways for each of {len(STAFF)} roles"))


@attack(
    "money",
    "act in another's name",
    "forms without the token of their pages, or from another site",
    "turns",
)
def _(house: Any) -> Outcome:
    browser, table = house.browser("carol"), house.tables["baccarat"]
    form = {"seat": 7, "amount": "400"}
    forged = browser.post(f"/tables/{table}/sit/", {**form, "csrfmiddlewaretoken": "0" * 64})
    foreign = browser.post(f"/tables/{table}/sit/", form, Origin="https://cheat.example")
    api = browser.request(
        "POST",
        f"/api/v1/tables/{table}/sit/",
        '{"seat": 7, "amount": 40000}',
        Content_Type="application/json",
        Idempotency_Key="from elsewhere",
    )
    tries = {"a form without a token": forged, "another site": foreign, "the API": api}
    holes = [
        f"{name}: {response.status}" for name, response in tries.items() if response.status != 403
    ]
    return unless(holes, refused("403, three times"))
