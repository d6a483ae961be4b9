"""Dou Dizhu: input that means nothing is refused where it is wrong."""

import msgspec
import pytest

from games.rules.cards import Card
from games.rules.contract import SeatStack, action_decoder
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.state import DoudizhuContext
from games.rules.errors import Unreadable
from games.rules.reading import read_json
from games.rules.record import read_record
from tests.rules.cases import each, every

GAME = Doudizhu()
ANY = [SeatStack(seat, 1_000) for seat in (2, 5, 9)]


@every(
    text=[
        '{"do":"call","points":4}',
        '{"do":"call","points":-1}',
        '{"do":"call","points":true}',
        '{"do":"call","points":1.5}',
        '{"do":"call"}',
        '{"do":"play","cards":[]}',
        '{"do":"play","cards":["1c"]}',
        '{"do":"play","cards":"3c"}',
        '{"do":"play","cards":["3c"],"as":"bomb"}',
        '{"do":"pass","why":1}',
        '{"do":"double"}',
        '{"do":"play","cards":[' + ",".join(['"3c"'] * 21) + "]}",
    ]
)
def test_what_is_no_action_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        read_json(text, action_decoder(Doudizhu))


@each(
    ('"options":{"wings":"loose"}', "$.options.wings"),
    ('"options":{"point":0}', "$.options.point"),
    ('"options":{"point":100000000000001}', "$.options.point"),
    ('"options":{"rake_bp":10001}', "$.options.rake_bp"),
    ('"options":{"jokers":2}', "$.options"),
    ('"context":{"wild":51}', "$.context.wild"),
    ('"context":{"wild":-1}', "$.context.wild"),
    ('"context":{"redeals":-1}', "$.context.redeals"),
    ('"context":{"button":0}', "$.context.button"),
    ('"moves":[{"seat":1,"action":{"do":"call","points":9}}]', "$.moves[0].action.points"),
)
def test_a_bad_record_is_unreadable_where_it_is_bad(part: str, path: str) -> None:
    record = '{"game":"doudizhu","stakes":[],"cards":[],' + part + "}"
    with pytest.raises(Unreadable) as refused:
        read_record(record)
    assert refused.value.path == path


@every(context=['"wild":0', '"wild":50', '"redeals":0', '"button":255'])
def test_the_bounds_of_the_context_are_inside(context: str) -> None:
    record = read_record('{"game":"doudizhu","stakes":[],"cards":[],"context":{' + context + "}}")
    text = msgspec.json.encode(record.context).decode()
    assert context in text


@each(
    (GAME.composition()[:53], 2, "too_few_cards", "$.cards"),
    (GAME.composition()[:53] * 2, 2, "card_not_in_shoe", "$.cards[53]"),
    (GAME.composition(), 3, "context_seat", "$.context.button"),
)
def test_a_deal_that_cannot_be_is_unreadable(
    cards: tuple[Card, ...], button: int, code: str, path: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        GAME.open(ANY, cards, DoudizhuContext(button=button))
    assert (refused.value.code, refused.value.path) == (code, path)


@every(stakes=[ANY[:2], [*ANY, SeatStack(10, 1)], [ANY[0], ANY[0], ANY[1]]])
def test_three_seats_play(stakes: list[SeatStack]) -> None:
    with pytest.raises(Unreadable):
        GAME.open(stakes, GAME.composition(), DoudizhuContext())
