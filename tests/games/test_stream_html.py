"""Streams that carry the HTML of a table: the board that a page would fetch, in pieces."""

import re
from typing import Any, Final

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games.boards.pieces import assembly
from games.boards.pieces.assembly import NAMES, Piece
from games.boards.table_version import version_of
from games.live.packing import STEP
from games.models import Hand, Table
from games.rules.catalogue import GAMES
from games.tables.lock import ROW, seats_at
from games.views import stream_parts
from games.views.stream_parts import board_for, shared_pieces
from games.views.streams import Streams
from tests.games.house import House
from tests.games.live_streams import meet
from tests.games.markup import cards_in
from tests.games.stream_contents import Carried, act, board_of, carried_now, opened, stranger
from tests.games.viewers import people_of, shown_to
from tests.people import HTMX, client_of
from wallets.values.player import Viewer

pytestmark = pytest.mark.django_db(transaction=True)

TRIO: Final = ("alice", "bob", "carol")
LOOKS: Final = 4
MOVES_MAX: Final = 24
ACTS: Final = 9
BYTES_OF_AN_ACT_MAX: Final = 1200
# Of four boards, with their frames: where a value has changed that the piece reads.
PIECES_OF_AN_ACT_MAX: Final = 34
# What differs in each answer, or is told by itself: the token of a form, the key of a top-up, the
# time, when a pass is sent, and who is away.
OF_THE_MOMENT: Final = re.compile(
    r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=name="key" value=")[0-9a-f-]+'
    r'| data-now="[^"]+"|(?<=class="countdown"\n)data-deadline="[^"]+"|(?<=badge away") hidden'
)


def fetched(client: Client, table: Table) -> str:
    return client.get(f"/tables/{table.pk}/board/", headers=HTMX).text


class Looks:
    """Boards that were fetched, compared with what streams have carried."""

    def __init__(self, house: House, table: Table, names: tuple[str, ...]) -> None:
        self.house, self.table, self.names = house, table, names
        self.hand_id = table.hand_id
        self.clients = {name: client_of(house.person(name)) for name in (*names, "eve")}
        self.clients[""] = Client()
        # An exchanged card stays known to the player who had it.
        self.seen: dict[str, set[str]] = {name: set() for name in self.clients}

    def compare(self, name: str, carried: Carried, text: str) -> None:
        boards = board_of(carried.table), fetched(self.clients[name], self.table)
        carried_board, fetched_board = (OF_THE_MOMENT.sub("", board.strip()) for board in boards)
        assert carried_board == fetched_board, name
        hand = Hand.objects.select_related("shoe").get(pk=self.hand_id)
        seat = self.names.index(name) + 1 if name in self.names else None
        self.seen[name] |= shown_to(hand, seat)
        assert cards_in(text.replace("\\n", "\n").replace('\\"', '"')) <= self.seen[name], name

    def go_on(self) -> None:
        if not self.house.let_people_act(self.table):
            self.house.until_due(self.table)
        self.table.refresh_from_db()


@pytest.mark.always
@pytest.mark.parametrize("game", GAMES)
def test_the_pieces_of_a_stream_are_the_board_and_show_no_other_card(
    house: House, game: str
) -> None:
    names = tuple(people_of(game))
    table = house.dealt_in(game, *names)
    house.player("eve")
    looks = Looks(house, table, names)

    async def meeting(at: Streams) -> None:
        streams = {"": stranger(at, table, "html")}
        for name in (*names, "eve"):
            streams[name] = await opened(at, house, table, name, "html")
        for _look in range(LOOKS):
            for (name, stream), carried in zip(
                streams.items(), await carried_now(at, table, *streams.values()), strict=True
            ):
                await at.hub.ask_database(
                    lambda name=name, carried=carried, text=stream.text: looks.compare(
                        name, carried, text
                    )
                )
            await at.hub.ask_database(looks.go_on)
            if table.hand_id != looks.hand_id:
                break

    meet(meeting)


@pytest.mark.always
@pytest.mark.parametrize("game", GAMES)
def test_pieces_that_all_share_have_nothing_of_a_viewer(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    viewers: list[Viewer] = [house.person(name) for name in names]
    viewers += [AnonymousUser(), house.player("eve")]
    shared_ones = set[str]()
    for _move in range(LOOKS):
        row = ROW.get(table.pk)
        seats = seats_at(row)
        shared = shared_pieces(row, seats)
        shared_ones |= {piece.name for piece in shared.values()}
        assert shared.keys() == board_for(AnonymousUser(), row, seats, house.now).alike
        for viewer in viewers:
            board = board_for(viewer, row, seats, house.now)
            for key in board.alike:
                assert board.made[key].markup == shared[key].markup
            assert "seal" in board.alike
        if not house.let_people_act(table):
            house.until_due(table)
        table.refresh_from_db()
    assert shared_ones >= {"place", "seal"}


@pytest.mark.always
@pytest.mark.parametrize("game", GAMES)
def test_pieces_that_are_not_made_again_are_as_if_they_were(house: House, game: str) -> None:
    """From the deal to the end of the hand and the next deal."""
    names = people_of(game)
    table = house.dealt_in(game, *names)
    viewers: list[Viewer] = [house.person(name) for name in names]
    viewers += [AnonymousUser(), house.player("eve")]
    hands, kept = {table.hand_id}, 0
    for _move in range(MOVES_MAX):
        row = ROW.get(table.pk)
        seats = seats_at(row)
        version = version_of(row, seats)
        before = version.before
        for viewer in viewers:
            version.before = {}
            whole = board_for(viewer, row, seats, house.now)
            version.before = before
            board = board_for(viewer, row, seats, house.now)
            assert board.sent == whole.sent
            known = before.get(("board.html", viewer.pk, "en", False), {})
            kept += sum(known.get(at) is record for at, record in board.records.items())
        if len(hands - {None}) > 1:
            break
        if not house.let_people_act(table):
            house.until_due(table)
        table.refresh_from_db()
        hands.add(table.hand_id)
    assert kept > MOVES_MAX


def test_no_piece_has_a_token_or_the_key_of_a_top_up(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        alice = await opened(at, house, table, "alice", "html")
        (carried,) = await carried_now(at, table, alice)
        board = board_of(carried.table)
        for name in ("csrfmiddlewaretoken", "key"):
            assert set(re.findall(f'name="{name}" value="([^"]*)"', board)) == {""}

    meet(meeting)


def test_viewers_without_a_seat_share_all_but_the_form_to_take_one(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)
    house.player("eve")

    async def meeting(at: Streams) -> None:
        eve = await opened(at, house, table, "eve", "html")
        listener = stranger(at, table, "html")
        for _look in range(2):
            signed_in, public = await carried_now(at, table, eve, listener)
            assert signed_in.public == public.public
            differing = {key for key in public.own if signed_in.own[key] != public.own[key]}
            assert differing == {"my-seat"}
            await at.hub.ask_database(lambda: act(house, table))
        (after,) = await carried_now(at, table, eve)
        # No player has sat down or stood up.
        assert "my-seat" not in after.events[-1].own
        await at.hub.ask_database(lambda: house.until(table, lambda one: one.hand_id is None))
        await at.hub.ask_database(lambda: house.leave(house.person("bob"), table))
        (free,) = await carried_now(at, table, eve)
        assert b"Take a seat" in free.own["my-seat"]

    meet(meeting)


def test_a_player_who_stands_up_is_offered_a_seat_by_the_stream(house: House) -> None:
    table = house.table("doudizhu")
    house.sit(house.player("alice"), table, 1)

    async def meeting(at: Streams) -> None:
        alice = await opened(at, house, table, "alice", "html")
        (seated,) = await carried_now(at, table, alice)
        assert 'data-mine="1"' in board_of(seated.table)
        await at.hub.ask_database(lambda: house.leave(house.person("alice"), table))
        (stood,) = await carried_now(at, table, alice)
        board = board_of(stood.table)
        assert 'data-mine=""' in board
        assert 'id="sit"' in board

    meet(meeting)


@pytest.mark.always
def test_an_act_makes_one_board_for_each_player_and_one_for_all_without_a_seat(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("doudizhu", *TRIO)
    house.player("eve")
    made: list[str] = []
    real = stream_parts.board_for

    def noted(viewer: Any, *given: Any, **options: Any) -> Any:
        made.append(viewer.get_username())
        return real(viewer, *given, **options)

    monkeypatch.setattr(stream_parts, "board_for", noted)
    pieces: list[str] = []

    def counted(name: str, *given: str) -> Piece:
        pieces.append(name)
        return Piece(name, *given)

    monkeypatch.setattr(assembly, "Piece", counted)

    async def meeting(at: Streams) -> None:
        streams = [await opened(at, house, table, name, "html") for name in (*TRIO, "eve")]
        streams += [stranger(at, table, "html") for _ in range(30)]
        await carried_now(at, table, *streams)
        # The second act of a hand: the first has made what the deal has changed.
        await at.hub.ask_database(lambda: act(house, table))
        await carried_now(at, table, *streams)
        made.clear()
        pieces.clear()
        await at.hub.ask_database(lambda: act(house, table))
        await carried_now(at, table, *streams)

    meet(meeting)
    # And, of a stranger's board, the pieces that all share.
    assert sorted(made) == ["", "", *TRIO]
    assert len(pieces) <= PIECES_OF_AN_ACT_MAX


@pytest.mark.always
@pytest.mark.parametrize("game", ["doudizhu", "blackjack"])
def test_an_act_is_carried_to_a_viewer_in_few_bytes(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    packed = {"accept_encoding": "br, gzip"}
    sizes: list[int] = []

    def go_on() -> None:
        if not house.let_people_act(table):
            house.until_due(table)
        table.refresh_from_db()

    async def meeting(at: Streams) -> None:
        streams = [await opened(at, house, table, name, "html", **packed) for name in names]
        streams.append(stranger(at, table, "html", **packed))
        for _act in range(ACTS):
            await carried_now(at, table, *streams)
            before = [len(stream.sizes) for stream in streams]
            await at.hub.ask_database(go_on)
            await carried_now(at, table, *streams)
            sizes.extend(
                sum(stream.sizes[number:]) for stream, number in zip(streams, before, strict=True)
            )
        assert all(stream.headers["content-encoding"] == "gzip" for stream in streams)
        assert {size % STEP for stream in streams for size in stream.sizes} == {0}

    meet(meeting)
    assert sum(sizes) / len(sizes) <= BYTES_OF_AN_ACT_MAX


def test_the_register_has_the_pieces_of_the_templates() -> None:
    folder = settings.BASE_DIR / "templates" / "pieces"
    texts = [file.read_text(encoding="utf-8") for file in folder.rglob("*.html")]
    assert {name for text in texts for name in re.findall(r'{% piece "(\w+)"', text)} == NAMES


def test_what_stands_for_a_piece_cannot_be_typed(house: House) -> None:
    """An amount that is refused is shown again as it was sent."""
    table = house.table("doudizhu")
    alice = client_of(house.player("alice"))
    typed = "\1\2\3\1seat-1\1\1piece:seat-1\1"
    sent = {"seat": "1", "amount": typed}
    refused = alice.post(f"/tables/{table.pk}/sit/", sent, headers=HTMX)
    assert refused.status_code == 400
    assert f'value="{typed}"' in refused.text
