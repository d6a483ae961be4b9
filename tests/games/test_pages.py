"""Pages of tables and of hands: who sees what, and what one can send."""

import json
import random
import re
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client

from games.models import Hand, Move, Seat, Table
from games.rules.catalogue import GAMES
from games.tables.play import void
from tests.games.house import House
from tests.games.markup import Form, Page, cards_in
from tests.games.viewers import NAMES, cards_named, people_of, shown_to, staffed
from tests.people import HTMX, client_of

# What help one can ask for, by family; that of all others is the strategy.
HELP = {"thirteen": "best_expected", "doudizhu": "0"}


# Cards that a viewer may not see


def look(
    table: Table, clients: dict[str, Client], seats: dict[str, int], *, everywhere: bool
) -> None:
    """Search what anybody is answered for cards that they may not see.

    Pages that are not of this table or hand are asked for when everything is.
    """
    hand = Hand.objects.select_related("shoe").filter(table=table).latest("pk")
    here, there = f"/tables/{table.pk}/", f"/history/{hand.pk}/"
    help_ = HELP.get(GAMES[table.game].family, "strategy")
    addresses = [here, f"{here}board/", f"{here}board/?help={help_}"]
    if everywhere:
        addresses += ["/", "/history/", "/lobby/", "/running/"]
    addresses += [f"{there}{name}" for name in ("", "record/", "coach/")]
    posts = [f"{here}reading/", f"{here}rows/"]
    if hand.status != Hand.Status.LIVE:
        addresses += [f"{here}{name}/" for name in ("chat", "roads", "shoes")]
        addresses += [f"{there}step/0/", "/history/profit/", "/private/"]
        posts += [f"{there}share/", f"{there}open/"]
    for reader, (name, client) in enumerate(clients.items()):
        allowed = shown_to(hand, seats.get(name))
        for number, address in enumerate(addresses):
            # Each address in both languages, and each reader.
            language = ("en", "zh-hans")[(table.version + reader + number) % 2]
            answer = client.get(address, headers=HTMX | {"Accept-Language": language})
            found = cards_named(answer, language)
            assert found <= allowed, (name, address, hand.status, found - allowed)
        for address in posts:
            # The answer to a guess repeats no more than the guess.
            answer = client.post(address, {"cards": "3c", "place-4c": "front"}, headers=HTMX)
            found = cards_named(answer, "en") - {"3c", "4c"}
            assert found <= allowed, (name, address, hand.status, found - allowed)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_no_response_names_a_card_hidden_from_its_reader(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    clients = staffed(house) | {name: client_of(house.person(name)) for name in names}
    seats = {name: number for number, name in enumerate(names, 1)}
    for step in range(200):
        table.refresh_from_db()
        over = table.hand_id is None
        if step < 6 or step % 7 == 0 or over:
            look(table, clients, seats, everywhere=over or step in (0, 4))
        if over:
            break
        if not house.let_people_act(table):
            house.until_due(table)
    assert table.hand_id is None, "the hand has not ended"


def test_players_see_their_own_cards_and_no_others(house: House) -> None:
    table = house.dealt_in("chinese_poker", *NAMES)
    _hand, state = house.state(table)
    for name, own in zip(NAMES, state.hands, strict=True):
        text = client_of(house.person(name)).get(f"/tables/{table.pk}/").text
        assert cards_in(text) == {card.text for card in own}
    assert cards_in(Client().get(f"/tables/{table.pk}/").text) == set()


def test_sitting_down_during_a_hand_shows_none_of_its_cards(house: House) -> None:
    house.bots(2)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    Seat.objects.filter(table=table, number=2).update(left_at=house.now)
    house.sit(house.player("bob"), table, 2)
    client = client_of(house.person("bob"))
    for address in (f"/tables/{table.pk}/", f"/tables/{table.pk}/board/"):
        hand = Hand.objects.get(pk=table.hand_id)
        assert cards_in(client.get(address).text) <= shown_to(hand, None)


@pytest.mark.parametrize("game", GAMES)
def test_tables_keep_the_policy_of_pages(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    client = client_of(house.person("alice"))
    hand = table.hand_id
    texts = [client.get(f"/tables/{table.pk}/").text]
    house.until(table, lambda table: table.hand_id != hand)
    addresses = [f"/tables/{table.pk}/{name}" for name in ("", "chat/", "shoes/", "rules/")]
    addresses += [f"/history/{hand}/", f"/history/{hand}/coach/", "/history/profit/"]
    addresses += [f"/play/{game}/", "/", "/lobby/", "/private/"]
    for text in [*texts, *(client.get(address).text for address in addresses)]:
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


# What a page offers is accepted


def fill(form: Form, page: Callable[[str], Page], rng: random.Random) -> dict[str, list[str]]:
    """Fill a form as a person would: ask for help with cards, choose amounts within bounds."""
    button = rng.choice(form.buttons)
    if form.id == "act-arrange" and button.name != "declare":
        form = page(rng.choice(["best_expected", "safe", "strong_front"])).forms[form.id]
    elif form.id == "act-play":
        form = page("0").forms[form.id]
    data = form.sent(button)
    if form.id.startswith(("act-give", "act-exchange")) and any(
        n == "cards" for n, _ in form.boxes
    ):
        boxes = [value for name, value in form.boxes if name == "cards"]
        data["cards"] = rng.sample(boxes, 3 if form.id == "act-give" else rng.randint(2, 5))
    for name in set(form.typed) & {"amount", "bonus"}:
        if button.most:
            amount = min(max(Decimal(data[name][0]), Decimal(button.least)), Decimal(button.most))
            data[name] = [str(amount)]
    for name in ("rounds", "direction"):
        values = [value for one, value in form.boxes if one == name]
        if values:
            data[name] = [rng.choice(values)]
    return data


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_form_that_a_page_offers_is_accepted(house: House, game: str) -> None:
    """Random forms of the page, sent as they stand: none is refused, and the hand ends."""
    rng = random.Random(game)
    names = people_of(game)
    table = house.dealt_in(game, *names)
    first = table.hand_id
    clients = {name: client_of(house.person(name)) for name in names}
    address = f"/tables/{table.pk}/"
    for step in range(300):
        table.refresh_from_db()
        if table.hand_id != first:
            break
        offered = 0
        for name in names:

            def page(help_: str = "", client: Client = clients[name]) -> Page:
                return Page(client.get(address, {"help": help_} if help_ else {}).text)

            forms = [form for key, form in page().forms.items() if key.startswith("act-")]
            if step > 60:
                # Somebody must come to an end.
                forms = [one for one in forms if one.id in ("act-done", "act-close")] or forms
            if "act-play" in [form.id for form in forms] and not page("0").forms[
                "act-play"
            ].sent().get("cards"):
                forms = [form for form in forms if form.id != "act-play"]
            if not forms:
                continue
            offered += 1
            form = rng.choice(forms)
            values = fill(form, page, rng)
            moves = Move.objects.filter(hand=first).count()
            answer = clients[name].post(form.address, values)
            assert answer.status_code == 302, (said(answer.text), values)
            # A round that ends without a bet is no hand, and leaves no move.
            there = Hand.objects.filter(pk=first).exists()
            assert not there or Move.objects.filter(hand=first).count() > moves
            break
        if not offered:
            house.until_due(table)
    assert table.hand_id != first, "the hand has not ended"


def said(text: str) -> str:
    """The refusal that a page shows."""
    start = text.find('role="alert" data-code')
    return text[start : start + 300] if start >= 0 else ""


# What a table shows


def test_the_bar_hears_at_once_where_one_sits(house: House) -> None:
    table = house.table("baccarat")
    client = client_of(house.player("alice"))
    for verb in ("sit", "leave"):
        data = {"seat": "1", "amount": "200"}
        answer = client.post(f"/tables/{table.pk}/{verb}/", data, headers=HTMX)
        assert json.loads(answer["HX-Trigger"]) == {"room": {}}


def test_a_seat_can_sit_out_be_played_by_the_house_and_be_left(house: House) -> None:
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    client = client_of(house.person("alice"))
    for verb, word in (("sit-out", "sits out"), ("trustee", "Auto-play")):
        shown = client.post(f"/tables/{table.pk}/{verb}/", headers=HTMX)
        assert shown.status_code == 200
        assert word in shown.text
    for verb in ("sit-in", "take-over"):
        shown = client.post(f"/tables/{table.pk}/{verb}/", headers=HTMX)
    assert "sits out" not in shown.text
    assert "played by the house" not in shown.text
    assert client.post(f"/tables/{table.pk}/leave/").status_code == 302
    assert not Seat.objects.filter(table=table, left_at__isnull=True).exists()


def test_at_a_small_table_nobody_changes_sides_while_others_sit_down(house: House) -> None:
    table = house.table("thirteen_taiwan")
    house.sit(house.player("alice"), table, 1)
    client = client_of(house.person("alice"))
    sides: dict[str, set[tuple[str, ...]]] = {}
    for number, name in enumerate(("bob", "carol", "dave"), 2):
        house.sit(house.player(name), table, number)
        board = client.get(f"/tables/{table.pk}/board/").text
        # A free place is kept, and offered to nobody who sits already.
        assert "Take seat" not in board
        for side in ("left", "top", "right"):
            part = re.search(f'<ul class="side {side}".*?</ul>', board, re.DOTALL)
            assert part
            sides.setdefault(side, set()).add(tuple(re.findall(r'id="seat-(\d)"', part[0])))
    assert sides == {"left": {("2",)}, "top": {("3",)}, "right": {("4",)}}


def test_rows_are_called_by_their_names(house: House) -> None:
    table = house.table("chinese_poker")
    front, middle, back = "Kc Kd 2h", "3c 3d 4h 5s 7s", "9c 9d 9h 8s Jc"
    rows = {"front": front, "middle": middle, "back": back}
    placed = {f"place-{card}": row for row, cards in rows.items() for card in cards.split()}
    address = f"/tables/{table.pk}/rows/"
    names = Client().post(address, placed).json()
    assert {row: names[row] for row in rows} == {
        "front": "pair",
        "middle": "pair",
        "back": "three of a kind",
    }
    assert names["foul"] == "The front row is not lower than the middle row."
    del placed["place-2h"]
    assert set(Client().post(address, placed).json()) == {"middle", "back"}
    refused = Client().post(address, {"place-RJ": "front"})
    assert (refused.status_code, refused.json()["code"]) == (400, "card_not_in_shoe")
    assert Client().get(address).status_code == 405
    assert Client().post(f"/tables/{house.table('baccarat').pk}/rows/").json() == {}


def test_known_version_of_the_board_is_not_sent_again(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    client = client_of(house.person("alice"))
    known = f"/tables/{table.pk}/board/?known={table.version}"
    assert client.get(known).status_code == 204
    assert client.get(f"/tables/{table.pk}/board/?known={table.version - 1}").status_code == 200


def test_the_result_comes_first_and_then_its_reasons(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    hand = table.hand_id
    house.until(table, lambda table: table.hand_id is None)
    net = dict(Hand.objects.get(pk=hand).seats.values_list("player__username", "net"))
    for name in ("alice", "bob", "carol"):
        text = client_of(house.person(name)).get(f"/tables/{table.pk}/").text
        word = "You won" if net[name] > 0 else "You lost" if net[name] < 0 else "Nothing won"
        assert word in text
        if net[name]:
            assert text.index(word) < text.index("How it was settled")
    onlooker = client_of(house.player("eve")).get(f"/tables/{table.pk}/").text
    assert "You won" not in onlooker
    assert "You lost" not in onlooker


def test_a_voided_hand_is_announced(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    assert table.hand_id
    hand = void(table.hand_id, "a test", "operator", house.now)
    client = client_of(house.person("alice"))
    assert "was voided" in client.get(f"/tables/{table.pk}/").text
    page = client.get(f"/history/{hand.pk}/")
    assert page.status_code == 200
    assert "lost anything: a test" in page.text


# History


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_hand_can_be_read_by_its_players_and_auditors(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    hand_id = table.hand_id
    house.until(table, lambda table: table.hand_id != hand_id)
    hand = Hand.objects.select_related("shoe").get(pk=hand_id)
    clients = staffed(house)
    for name, number in zip(names, range(1, 9), strict=False):
        client = client_of(house.person(name))
        page = client.get(f"/history/{hand_id}/")
        assert page.status_code == 200
        assert hand.code in client.get("/history/").text
        assert hand.code in client.get("/history/", {"game": game, "code": hand.code}).text
        assert hand.code not in client.get("/history/", {"code": "T999999-H1"}).text
        assert hand.code not in client.get("/history/", {"before": str(hand_id)}).text
        allowed = shown_to(hand, number)
        assert cards_in(page.text) <= allowed
        record = client.get(f"/history/{hand_id}/record/")
        assert record["Content-Disposition"] == f'attachment; filename="{hand.code}.json"'
        assert cards_in(record.text) <= allowed
    assert clients["auditors"].get(f"/history/{hand_id}/").status_code == 200
    assert hand.code in clients["auditors"].get("/history/").text
    for name in ("eve", "managers"):
        assert clients[name].get(f"/history/{hand_id}/").status_code == 404
        assert clients[name].get(f"/history/{hand_id}/record/").status_code == 404
        assert hand.code not in clients[name].get("/history/").text
    for address in ("/history/", f"/history/{hand_id}/", f"/history/{hand_id}/record/"):
        assert "/players/sign-in/" in clients["anonymous"].get(address)["Location"]
        assert clients["eve"].post(address).status_code == 405
