"""Whole hands of every game by the API alone, and no card to anybody who may not see it."""

import pytest

from games.models import Hand, Table
from games.records.audit import differences
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from tests.games.house import MONEY, House
from tests.games.program import Program, cards_in, play
from tests.games.viewers import people_of, shown_to


def seated(house: House, game: str) -> tuple[Table, list[Program]]:
    """A table of a game, and programs of as many people as it needs, of two at least."""
    table = house.table(game)
    names = people_of(game)
    programs = []
    for number, name in enumerate(names, 1):
        house.player(name)
        programs.append(Program(name))
        programs[-1].post(f"tables/{table.pk}/sit/", {"seat": number, "amount": 50_000})
        assert programs[-1].status == 200, programs[-1].text
    return table, programs


@pytest.mark.long
@pytest.mark.parametrize("game", list(GAMES))
def test_programs_play_whole_hands(house: House, game: str) -> None:
    table, programs = seated(house, game)
    for _ in play(house, table, programs, 2):
        pass
    for hand in Hand.objects.exclude(status=Hand.Status.LIVE):
        assert list(differences(hand)) == []
    assert house.total() == 0
    for number, program in enumerate(programs, 1):
        hands = program.get("hands/", game=game)["hands"]
        assert [hand["number"] for hand in hands] == [2, 1]
        nets = [
            next(seat["net"] for seat in hand["seats"] if seat["number"] == number)
            for hand in hands
        ]
        mine = program.get(f"tables/{table.pk}/")["mine"]
        assert mine["purse"] == 50_000 + sum(nets)
        record = program.get(f"hands/{hands[0]['id']}/record/")
        assert record["id"] == hands[0]["code"]
        assert program.post(f"tables/{table.pk}/leave/")["mine"] is None
        (held,) = program.get("wallet/")["accounts"]
        assert held["balance"] == MONEY + sum(nets)


@pytest.mark.long
@pytest.mark.parametrize("game", list(GAMES))
def test_no_answer_names_a_card_that_its_reader_may_not_see(house: House, game: str) -> None:
    table, programs = seated(house, game)
    house.player("eve")
    viewers = [*enumerate(programs, 1), (None, Program("eve")), (None, Program())]
    seen_of_all: set[str] = set()
    searched = 0
    for _ in play(house, table, programs, 1):
        # In the pause the hand that has ended is shown on.
        hand = Hand.objects.filter(table=table).first()
        if hand is None:
            continue
        for number, program in viewers:
            view = program.get(f"tables/{table.pk}/", help="true")
            assert program.status == 200
            may_see = shown_to(hand, number)
            assert cards_in(view) <= may_see, (number, cards_in(view) - may_see)
            seen_of_all |= cards_in(view)
            searched += 1
    assert searched >= 4
    # In a finished hand each sees what the seat saw in the end, and a stranger nothing.
    hand = Hand.objects.get(table=table, number=1)
    for number, program in viewers[:-2]:
        record = program.get(f"hands/{hand.pk}/record/")
        assert cards_in(record) <= shown_to(hand, number)
        seen_of_all |= cards_in(record)
    for _number, program in viewers[-2:]:
        for path in (f"hands/{hand.pk}/", f"hands/{hand.pk}/record/"):
            assert "card" not in program.get(path)
            assert program.status in (401, 404)
    assert seen_of_all
    assert seen_of_all <= {card.text for card in Card}


@pytest.mark.slow
def test_record_of_an_uncalled_hand_holds_the_readers_cards(house: House) -> None:
    table, programs = seated(house, "doudizhu")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    hand = Hand.objects.get()
    for number in (1, 2, 3, 1, 2):
        view = programs[number - 1].get(f"tables/{table.pk}/")
        if view["turn"] is not None and view["hand"]["status"] == "live":
            action = {"do": "call", "points": 0}
            body = {"hand": hand.pk, "turn": view["turn"], "action": action}
            programs[number - 1].post(f"tables/{table.pk}/act/", body)
            assert programs[number - 1].status == 200
    hand.refresh_from_db()
    assert hand.status == Hand.Status.FINISHED
    of_each = []
    for number, program in enumerate(programs, 1):
        cards = program.get(f"hands/{hand.pk}/record/")["cards"]
        view = {card for card in cards if card}
        assert view == shown_to(hand, number)
        assert len(view) < len(cards)
        of_each.append(view)
        record = program.get(f"hands/{hand.pk}/record/")
        assert len(record["shoe"]["openings"]) == len(view)
    assert len(set.union(*of_each)) > len(of_each[0])
