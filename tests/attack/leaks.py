"""An attacker wants to know a card, a draw or a password before it is their turn to know it."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from games.rules.cards import Card
from tests.attack.registry import Outcome, attack, broken, noticed, refused, unless
from tests.attack.stored import octets_in, stored
from tests.attack.target import STAFF
from tests.games.storage import found

LISTS = (
    "games/table", "games/hand", "games/move", "games/seat", "games/shoe", "games/chainentry",
    "games/day", "games/sharedhand", "games_chat/chatline", "games_chat/silence",
    "players/player", "wallets/account", "wallets/entry", "wallets/transaction", "wallets/book",
    "wallets/jackpot", "wallets/currency", "wallets/closing", "admin/logentry",
    "axes/accessattempt", "auth/group",
)  # fmt: skip
# Ways from a list to what it does not show, hidden relations ("+") among them.
WAYS = (
    ("games/seat", "table__hands__moves__action__front__icontains=Ad"),
    ("games/seat", "table__hands__context__bonus_card__icontains=9h"),
    ("games/seat", "table__shoe__secret__startswith=g"),
    ("games/hand", "shoe__secret__startswith=g"),
    ("games/hand", "sealed_context__startswith=g"),
    ("games/hand", "table__+__moves__action__icontains=Ad"),
    ("games/move", "sealed_action__startswith=g"),
    ("games/move", "hand__status=live"),
    ("games/shoe", "secret__regex=^g"),
    ("games/shoe", "seats__reveal__startswith=0"),
    ("games/table", "invitation__startswith=a"),
    ("games/table", "hands__moves__action__icontains=Ad"),
    ("games/table", "overflow_of__shoe__secret__startswith=g"),
    ("players/player", "groups__user__password__regex=^scrypt"),
    ("players/player", "password__startswith=scrypt"),
    ("players/player", "+__digest__startswith=0"),
    ("wallets/account", "currency__+__player__password__startswith=scrypt"),
    ("wallets/account", "entries__transaction__actor__startswith=p"),
    ("wallets/transaction", "entries__account__balance__gt=1"),
    ("wallets/jackpot", "triggers__sealed__startswith=g"),
    ("games_chat/chatline", "table__shoe__secret__startswith=g"),
    ("games_chat/chatline", "player__password__startswith=s"),
    ("admin/logentry", "user__password__startswith=s"),
    ("admin/logentry", "content_type__logentry__user__password__startswith=s"),
    ("axes/accessattempt", "post_data__icontains=password"),
)
# What may look like a card and is none: random tokens, and the strokes of icons ("3.4h-3.6").
TOKENS = re.compile(r'(?:nonce|value|name="csrf[a-z]*" value|\bd)="[^"]*"')


def open_to(browser: Any) -> int:
    """How many lists a role may read: one that may read none would be refused for that."""
    return sum(browser.get(f"/admin/{page}/").status == 200 for page in LISTS)


def holes_in(answers: Iterator[tuple[str, Any]]) -> Iterator[str]:
    """The requests that were answered although they should have been refused."""
    for what, answer in answers:
        if answer.status not in (302, 400, 403, 404):
            yield f"{what} is answered with {answer.status}"


@attack(
    "leaks",
    "guess by filters",
    "lists of the back office filtered by columns behind relations, '+' among them",
    "filters",
)
def _(house: Any) -> Outcome:
    def answers() -> Iterator[tuple[str, Any]]:
        for role in STAFF:
            browser = house.browser(role)
            for page, way in WAYS:
                yield (
                    f"{role} {page}?{way}",
                    browser.get(f"/admin/{page}/?{way.replace('+', '%2B')}"),
                )

    holes = list(holes_in(answers()))
    lists = {role: open_to(house.browser(role)) for role in STAFF}
    holes += [f"{role} reads no list at all" for role, count in lists.items() if not count]
    return unless(holes, refused(f"{len(WAYS)} ways for each of {len(STAFF)} roles"))


@attack(
    "leaks",
    "guess by keys of rows",
    "rows named by password, secret or invitation instead of their key",
    "filters",
)
def _(house: Any) -> Outcome:
    columns = ("password", "secret", "invitation", "sealed_action", "player__password", "+")

    def answers() -> Iterator[tuple[str, Any]]:
        for role in STAFF:
            for page in ("players/player", "games/table", "games/shoe", "games/move"):
                for column in columns:
                    way = f"_to_field={column.replace('+', '%2B')}"
                    yield (
                        f"{role} {page}?{way}",
                        house.browser(role).get(f"/admin/{page}/?{way}"),
                    )

    return unless(holes_in(answers()), refused("no row is named by another column"))


def rows_in_order(page: str) -> list[str]:
    return re.findall(r'href="(/admin/players/player/[0-9]+/change/)', page)


@attack(
    "leaks",
    "read an order",
    "players put in the order of their password hashes by ?o=",
    "filters",
)
def _(house: Any) -> Outcome:
    browser = house.browser("operator")
    plain = sorted(rows_in_order(browser.get("/admin/players/player/").text))
    hashes = house.sql("SELECT id FROM players_player WHERE is_bot = 0 ORDER BY password")
    wanted = [f"/admin/players/player/{number}/change/" for (number,) in hashes]
    holes = []
    for order in ("password", "-password", "1__password", "99", "-99", "1.password"):
        rows = rows_in_order(browser.get(f"/admin/players/player/?o={order}").text)
        mine = [row for row in rows if row in wanted]
        if len(plain) > 3 and mine in (wanted, wanted[::-1]):
            holes.append(f"?o={order} sorts by the hash")
    return unless(holes, refused("six orders change nothing"))


@attack(
    "leaks",
    "guess by suggestions",
    "suggestions for fields that no form has, and without parameters",
    "filters",
    "odd-input",
)
def _(house: Any) -> Outcome:
    fields = (
        ("games", "seat", "player"),
        ("games", "table", "opened_by"),
        ("games", "shoeseat", "shoe"),
        ("wallets", "jackpot", "pool"),
        ("admin", "logentry", "user"),
        ("players", "player", "groups"),
    )
    before = house.log().count("KeyError")

    def answers() -> Iterator[tuple[str, Any]]:
        for role in STAFF:
            browser = house.browser(role)
            yield f"{role} without parameters", browser.get("/admin/autocomplete/")
            for app, model, field in fields:
                way = f"app_label={app}&model_name={model}&field_name={field}&term=a"
                yield f"{role} {way}", browser.get(f"/admin/autocomplete/?{way}")

    holes = list(holes_in(answers()))
    if house.log().count("KeyError") > before:
        holes.append("the log has a KeyError")
    return unless(holes, refused("nothing is suggested, and nothing is logged"))


@attack(
    "leaks",
    "guess by the API's filters",
    "lists of the API filtered by columns that they do not offer",
    "filters",
)
def _(house: Any) -> Outcome:
    ways = (
        "hands/?shoe__secret__startswith=g", "hands/?seats__player__password__startswith=s",
        "hands/?ordering=-shoe__secret", "hands/?moves__action__icontains=Ad", "hands/?player=2",
        "tables/?hand__context__icontains=9h", "tables/?invitation__startswith=a",
        "tables/?ordering=invitation", "wallet/PLAY/?player=2", "wallet/PLAY/?account__owner=house",
    )  # fmt: skip
    program = house.program("bob")
    answers = ((way, program.get(way)) for way in ways)
    return unless(holes_in(answers), refused(f"{len(ways)} of {len(ways)} fields are unknown"))


@attack(
    "leaks",
    "read what is stored",
    "database file, Redis and log searched for any card while the first hands run",
    "at-rest",
)
def _(house: Any) -> Outcome:
    house.evening.deal()
    mine = house.evening.at("chinese_poker")["view"]["hand"]
    held = tuple(_card(card) for card in mine)
    # Where another player bid the most at Dou Dizhu, cards are on the table before alice's turn.
    moves = house.sql(
        "SELECT m.action FROM games_move m JOIN games_hand h ON h.id = m.hand_id"
        " WHERE h.game = 'doudizhu'"
    )
    played = {card for (action,) in moves for card in json.loads(action).get("cards") or ()}
    cells = list(stored(house))
    leaks = found(cells, {card.text for card in Card} - played, set(), [held])
    return unless(sorted(leaks), refused(f"no card in {len(cells)} cells"))


def _card(text: str) -> Card:
    return next(card for card in Card if card.text == text)


@attack(
    "leaks",
    "read what is drawn",
    "draws, arrangements and mystery prizes of live hands read out of their columns",
    "at-rest",
)
def _(house: Any) -> Outcome:
    house.evening.deal()
    holes = []
    hidden = {"bonus_card", "wheel_card", "wheel", "lucky_card", "lucky_game", "mystery_left"}
    rows = house.sql("SELECT id, context, draws FROM games_hand WHERE status = 'live'")
    for number, context, draws in rows:
        if early := hidden & json.loads(context).keys():
            holes.append(f"hand {number} tells {sorted(early)}")
        if json.loads(draws):
            holes.append(f"hand {number} tells its draws")
    moves = house.sql(
        "SELECT m.id, m.action FROM games_move m JOIN games_hand h ON h.id = m.hand_id"
        " WHERE h.status = 'live'"
    )
    arranged = [json.loads(action) for _, action in moves if '"arrange"' in action]
    holes += [
        "an arrangement is open to all"
        for arrangement in arranged
        if any([*(arrangement.get("front") or ()), *(arrangement.get("back") or ())])
    ]
    triggers = house.sql("SELECT published, sealed FROM wallets_trigger WHERE opened_at IS NULL")
    holes += ["a trigger is open to all" for _, sealed in triggers if str(sealed).isdigit()]
    what = f"{len(rows)} live hands, {len(arranged)} arrangements and {len(triggers)} triggers"
    return unless(holes, refused(f"{what} are closed"))


@attack(
    "leaks",
    "find a shoe's secret",
    "every 32 bytes of database, Redis and log taken for the secret of an open shoe",
    "at-rest",
)
def _(house: Any) -> Outcome:
    shoes = house.sql("SELECT code, key FROM games_shoe WHERE status IN ('sealed', 'open')")
    tried = {octets for cell in stored(house) for octets in octets_in(cell.value)}
    holes = []
    for code, key in shoes:
        start = f"CR1|{code}|key".encode()
        if any(hashlib.sha256(start + octets).hexdigest() == key for octets in tried):
            holes.append(f"the secret of {code} is readable")
    return unless(holes, refused(f"none of {len(tried)} opens any of {len(shoes)} shoes"))


def named(text: str, cards: list[str]) -> list[str]:
    plain = TOKENS.sub("", text)
    return [card for card in cards if re.search(rf"(?<![0-9A-Za-z]){card}(?![0-9A-Za-z])", plain)]


@attack(
    "leaks",
    "look over a shoulder",
    "another player, staff and strangers look at a table in every way while alice holds cards",
    "at-rest",
)
def _(house: Any) -> Outcome:
    house.evening.deal()
    mine = house.evening.at("chinese_poker")["view"]["hand"]
    table = house.tables["chinese_poker"]
    hand = house.evening.at("chinese_poker")["hand"]["id"]
    pages = [f"/tables/{table}/{page}" for page in ("", "board/", "rows/", "reading/", "shoes/")]
    pages += [f"/history/{hand}/{page}" for page in ("", "record/", "step/0/", "coach/")]
    holes, readers = [], ("bob", *STAFF, "")
    for name in readers:
        browser = house.browser(name)
        answers = [(page, browser.get(page)) for page in pages]
        if name == "bob":
            paths = (f"tables/{table}/", f"hands/{hand}/", f"hands/{hand}/record/")
            answers += [(path, house.program("bob").get(path)) for path in paths]
        holes += [
            f"{name or 'a stranger'} reads {seen} at {page}"
            for page, answer in answers
            if answer.status == 200 and (seen := named(answer.text, mine))
        ]
    return unless(holes, refused(f"{len(pages)} pages for {len(readers)} readers, and the API"))


@attack(
    "leaks",
    "export a live hand",
    "manage.py export while hands run and mystery prizes are closed",
    "at-rest",
)
def _(house: Any) -> Outcome:
    house.evening.deal()
    done = house.manage("export")
    rows = house.sql("SELECT table_id, number FROM games_hand WHERE status = 'live'")
    live = {f"T{table}-H{number}" for table, number in rows}
    exported = {json.loads(record)["id"] for record in done.stdout.splitlines()}
    return unless(sorted(live & exported), refused(f"none of {len(live)} live hands is exported"))


@attack(
    "leaks",
    "read lists of the back office",
    "every list and first row read by each role for hashes, secrets and alice's cards",
    "moves",
    "at-rest",
)
def _(house: Any) -> Outcome:
    house.evening.deal()
    mine = [f"'{card}'" for card in house.evening.at("chinese_poker")["view"]["hand"]]
    secrets = [row[0] for row in house.sql("SELECT password FROM players_player WHERE is_bot = 0")]
    secrets += [row[0] for row in house.sql("SELECT secret FROM games_shoe")]
    secrets += [row[0] for row in house.sql("SELECT sealed FROM wallets_trigger")]
    holes, seen = [], 0
    for role in STAFF:
        for page in LISTS:
            answer = house.browser(role).get(f"/admin/{page}/")
            rows = re.findall(rf'href="(/admin/{page}/[^"/]+/change/)', answer.text)[:2]
            for text in [answer.text, *(house.browser(role).get(row).text for row in rows)]:
                plain = text.replace("&#x27;", "'")
                seen += 1
                if any(secret and secret in plain for secret in (*secrets, *mine)):
                    holes.append(f"{role} reads one on {page}")
    return unless(holes, refused(f"{seen} pages without one"))


@attack(
    "leaks",
    "speak of one's cards",
    "free talk and sham phrases during live hands of Russian poker and hold'em",
    "quiet",
)
def _(house: Any) -> Outcome:
    house.evening.deal()
    browser, holes, tried = house.browser("alice"), [], 0
    said = ({"text": "I hold two aces"}, {"text": "AA"}, {"phrase": "two aces", "text": "A"})
    for game in ("russian_poker", "casino_holdem"):
        table = house.tables[game]
        if house.evening.at(game)["hand"] is None:
            house.evening.bet(game)
        for words in said:
            answer, tried = browser.post(f"/tables/{table}/chat/say/", words), tried + 1
            if answer.code not in ("phrases_only", "phrase"):
                holes.append(f"{words} at {game}: {answer.status} {answer.code}")
    return unless(holes, refused(f"{tried} of {tried} with a code"))


@attack(
    "leaks",
    "read an exchange",
    "an auditor looks in the list of moves for the cards that alice gave back",
    "moves",
)
def _(house: Any) -> Outcome:
    house.evening.play()
    ((number, hand),) = house.sql(
        "SELECT m.id, m.hand_id FROM games_move m JOIN games_hand h ON h.id = m.hand_id"
        " WHERE h.game = 'russian_poker' AND m.action LIKE '%exchange%' AND m.seat = 1"
        " ORDER BY m.id LIMIT 1"
    )
    auditor, cards = house.browser("auditor"), house.evening.exchanged
    pages = [auditor.get(f"/admin/games/move/{number}/change/").text]
    pages += [
        row
        for row in auditor.get("/admin/games/move/").text.split("<tr")
        if "exchange" in row.lower()
    ]
    if any(named(page, cards) for page in pages):
        return broken(f"the list tells one of {cards}")
    journal = "SELECT count(*) FROM wallets_journalentry"
    before = house.sql(journal)
    opened = auditor.post(f"/history/{hand}/open/", {"reason": "a complaint"})
    if opened.status == 302 and house.sql(journal) == before:
        return broken("all cards were opened, and the journal has not noted it")
    return noticed("the list does not tell it; opening all cards is noted")


@attack(
    "leaks",
    "search hands by cards",
    "an auditor and a player look for the hand in which alice gave her cards back",
    "moves",
    "filters",
)
def _(house: Any) -> Outcome:
    house.evening.play()
    words = f"?cards={'+'.join(house.evening.exchanged)}"
    searches = "SELECT count(*) FROM wallets_journalentry WHERE verb = 'hands.search_cards'"
    (before,) = house.sql(searches)[0]
    listed = [re.findall(r"T\d+-H\d+", house.browser("alice").get(page).text)
              for page in ("/history/", f"/history/{words}")]  # fmt: skip
    if listed[0] != listed[1] or house.sql(searches) != [(before,)]:
        return broken("a player's list is narrowed by cards")
    office = f"/admin/hands/{words}"
    pages = [house.browser("auditor").get(f"{office}{more}") for more in ("", "&before=999999")]
    if any(page.status != 200 for page in pages) or house.sql(searches) != [(before + 1,)]:
        return broken(f"{house.sql(searches)} entries after {before} of one search on two pages")
    return noticed("the list of a player takes no cards; an auditor's search is noted, once")
