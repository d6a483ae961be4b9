"""The draws of a round, from a real shoe through the context to the verifiers, at three games."""

import json
from typing import Any

import msgspec
from msgspec import convert
from msgspec.structs import replace

from games.rules import verifying
from games.rules.baccarat.game import Baccarat
from games.rules.cards import DECK
from games.rules.contract import HOUSE, AnyGame
from games.rules.doudizhu.game import Doudizhu
from games.rules.house.actions import Close
from games.rules.house.bonus import BonusGame
from games.rules.house.sides import COMMON_FIELDS, Segment, SideContext
from games.rules.shoe import SeatProof, ShoeProof, ShoeProtocol
from games.rules.thirteen.banking import ThirteenHongkong
from games.rules.verifying import Step, drawn_context, draws_in, label_of, verify_draws
from tests.rules.boxes import GAME, STAKES, Bet, Boxes
from tests.rules.cases import each, every
from tests.rules.harness import Moves, Played, check_settlement
from tests.rules.verdicts import NOT_PROVED, WRONG, answer

ALL = {"bonus_card": 52, "wheel_card": 52, "wheel": 4, "lucky_card": 52, "lucky_game": 6}


class Plain(Boxes, frozen=True, kw_only=True):
    """A game that has the wheel alone."""

    features = COMMON_FIELDS


@each(
    (Doudizhu(), {"wild": 51}),
    (Baccarat(), {}),
    (ThirteenHongkong(), {}),
    (GAME, ALL),
    (replace(GAME, bonus_card=False), {name: ALL[name] for name in list(ALL)[1:]}),
    (replace(GAME, wheel=False), {"bonus_card": 52, "lucky_card": 52, "lucky_game": 6}),
    (
        replace(GAME, lucky_game=False, wheel_segments=(Segment(600, 1), Segment(400, 0))),
        {"bonus_card": 52, "wheel_card": 52, "wheel": 1_000},
    ),
    (Plain(), {"wheel_card": 52, "wheel": 100}),
    (Plain(wheel=False), {}),
)
def test_each_table_draws_for_what_it_plays(game: AnyGame, draws: dict[str, int]) -> None:
    assert game.draws() == draws
    drawn: list[tuple[str, int]] = []

    def last(label: str, size: int) -> int:
        drawn.append((label, size))
        return size - 1

    fields = drawn_context(game, last)
    assert drawn == [(label_of(name), size) for name, size in draws.items()]
    assert fields == {
        name: "As" if name.endswith("_card") else size - 1 for name, size in draws.items()
    }
    context = convert(fields, game.context_type)
    assert draws_in(context) == {label_of(name): value for name, value in fields.items()}


def test_a_feature_that_is_off_is_not_played_even_with_its_draws_in_the_context() -> None:
    drawn = SideContext(
        bonus_card=DECK[0],
        wheel_card=DECK[1],
        wheel=1,
        lucky_card=DECK[2],
        lucky_game=1,
        mystery_left=9,
    )
    off = replace(GAME, bonus_card=False, wheel=False, lucky_game=False)
    assert off.open(STAKES, (), drawn).draws == SideContext(mystery_left=9)
    assert replace(GAME, wheel=False).open(STAKES, (), drawn).draws == replace(
        drawn, wheel_card=None, wheel=None
    )
    assert GAME.open(STAKES, (), drawn).draws == drawn


def test_a_round_without_draws_tells_none() -> None:
    assert draws_in(SideContext(mystery_left=5)) == {}


class Dealt:
    """A round of bets on two boxes, dealt from a shoe that three seats have cut."""

    def __init__(self, game: BonusGame[Any] = GAME, name: str = "H-1") -> None:
        protocol, round_number = ShoeProtocol(name), 3
        sealed = protocol.seal(bytes(range(32)), DECK)
        reveals = {seat: bytes([seat]) * 32 for seat in (1, 2, 3)}
        commits = {seat: protocol.commitment(seat, reveal) for seat, reveal in reveals.items()}
        lock = protocol.lock(sealed.seal, commits)
        mix = protocol.mix(lock, reveals)
        order = protocol.cut(mix, len(DECK))
        x_m = sealed.hidden.draws[round_number]
        draws = []

        def draw(label: str, n: int) -> int:
            draws.append(protocol.draw(mix, x_m, label, n))
            return draws[-1].value

        self.game = game
        self.fields = drawn_context(game, draw)
        self.cards = sealed.deal(order)[:4]
        self.proof = ShoeProof(
            id=name,
            seal=sealed.seal.hex(),
            decks=1,
            jokers=False,
            key=sealed.key.hex(),
            x_0=sealed.x_0.hex(),
            leaves=tuple(leaf.hex() for leaf in sealed.leaves),
            first=0,
            round_number=round_number,
            version=protocol.version,
            seats=tuple(
                SeatProof(seat, "player", commits[seat].hex(), reveal.hex())
                for seat, reveal in reveals.items()
            ),
            lock=lock.hex(),
            mix=mix.hex(),
            x_m=x_m.hex(),
            draws=tuple(draws),
            openings=tuple(sealed.open(order, k) for k in range(4)),
        )

    def record(self) -> dict[str, Any]:
        """The parts of a hand record that the verifier reads."""
        return {
            "context": self.fields | {"mystery_left": 900},
            "cards": [card.text for card in self.cards],
            "shoe": json.loads(msgspec.json.encode(self.proof)),
        }


DEALT = Dealt()


def failed(record: dict[str, Any]) -> list[str]:
    """The steps that the stand-alone verifier does not believe."""
    status, lines = answer(json.dumps(record))
    steps = [line.removesuffix(": FAILED") for line in lines if line.endswith(": FAILED")]
    # A record of these parts alone, without a digest, is never proved as a whole.
    assert status == (WRONG if steps else NOT_PROVED)
    return steps


@every(game=[GAME, replace(GAME, wheel=False), Plain(bonus_min=10)])
def test_a_round_drawn_from_a_shoe_is_played_and_proven(game: BonusGame[Any]) -> None:
    dealt = Dealt(game)
    context = convert(dealt.fields, SideContext)
    moves: Moves = [(1, Bet(1, 100, 50)), (2, Bet(2, 100, 50)), (HOUSE, Close())]
    path = [game.open(STAKES, dealt.cards, context)]
    for party, action in moves:
        path.append(game.apply(path[-1], party, action))
    assert path[-1].draws == context
    settlement = game.settle(path[-1])
    check_settlement(Played(game, STAKES, list(dealt.cards), context, moves, path, settlement))
    assert verifying.verify(dealt.proof) == ()
    assert verifying.verify_hand(dealt.proof, dealt.cards, draws_in(context)) == ()
    assert list(verify_draws(game, dealt.proof)) == []
    assert failed(dealt.record()) == []


@every(place=range(5))
def test_a_draw_that_was_made_up_fails_at_the_draw(place: int) -> None:
    record = DEALT.record()
    draw = record["shoe"]["draws"][place]
    draw["value"] = (draw["value"] + 1) % draw["n"]
    assert failed(record) == ["draw", "context"]
    findings = verifying.verify(convert(record["shoe"], ShoeProof))
    assert [finding.step for finding in findings] == [Step.DRAW]


@every(name=list(ALL))
def test_a_record_with_another_draw_fails_at_the_context(name: str) -> None:
    record = DEALT.record()
    value = record["context"][name]
    other = {"2c": "2d"}.get(value, "2c") if ALL[name] == 52 else (value + 1) % ALL[name]
    record["context"][name] = other
    assert failed(record) == ["context"]
    context = convert(record["context"], SideContext)
    findings = verifying.verify_hand(DEALT.proof, DEALT.cards, draws_in(context))
    assert [finding.sentence for finding in findings] == [f"The hand's {label_of(name)} is another"]


@every(name=list(ALL))
def test_a_draw_kept_from_the_round_fails_at_the_context(name: str) -> None:
    record = DEALT.record()
    del record["context"][name]
    assert failed(record) == ["context"]


def test_draws_that_are_not_those_of_the_table_are_found() -> None:
    proof = DEALT.proof
    without = replace(proof, draws=proof.draws[1:])
    assert [draw.sentence for draw in verify_draws(GAME, without)] == [
        "bonus-card of 52 was due and is not proven"
    ]
    off = replace(GAME, bonus_card=False)
    assert [(draw.step, draw.sentence) for draw in verify_draws(off, proof)] == [
        (Step.DRAW, "bonus-card of 52 is no draw of this table")
    ]
    # The wheel was drawn from four numbers, and the options give it a hundred.
    other = replace(GAME, wheel_segments=Boxes().wheel_segments)
    assert [draw.sentence for draw in verify_draws(other, proof)] == [
        "wheel of 4 is no draw of this table",
        "wheel of 100 was due and is not proven",
    ]
