"""Any event adds up: of every kind and game, with absent players, and with ties."""

from collections import defaultdict
from contextlib import suppress
from itertools import cycle
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.accounts.models import Player
from tests.games.house import House
from tests.tournaments.events import Event, structure
from tournaments.mathematics.structure import GAMES, Structure
from tournaments.models import Entry, HandEnded, Payout, Tournament
from tournaments.running import entries
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)

BANKERS: Final = ("thirteen_hongkong", "thirteen_philippine")
# By these games' rules every table has as many seats.
SEATS: Final = {
    "doudizhu": 3,
    "thirteen_taiwan": 4,
    "thirteen_philippine": 4,
    "thirteen_fujian": 4,
}
SHARES: Final = ([10_000], [7_000, 3_000], [5_000, 3_333, 1_667])
# What players may pay for in the first level, beside their entry.
PAID_AGAIN: Final[dict[str, Any]] = {
    "reentries": {"most": 1, "until_level": 1},
    "add_on": {"chips": 333, "stake": 300, "fee": 30, "until_level": 1},
}
# A knock-out of two at a table; two are left for the rounds.
TO_ROUNDS: Final[dict[str, Any]] = {
    "knock_out": {"line_points": 2, "until": 2},
    "rounds": {
        "manner": "swiss",
        "count": 2,
        "hands": 1,
        "point": 10,
        "chips": 500,
        "carry": {"divide_by": 3, "most": 700},
    },
}


@st.composite
def freeze_outs(draw: st.DrawFn) -> tuple[Structure, int]:
    game = draw(st.sampled_from(GAMES))
    size = SEATS.get(game) or draw(st.sampled_from([2, 4]))
    high = {"bet_min": 500, "bet_max": 1_000} if game in BANKERS else {"point": 900}
    late = draw(st.sampled_from([0, 1]))
    lasting = draw(st.sampled_from(["seconds", "hands"]))
    lengths = {"seconds": 300, "hands": 4}
    given: dict[str, Any] = {
        "game": game,
        "table_size": size,
        "field_min": SEATS.get(game, 2),
        "levels": [high | {lasting: lengths[lasting]}, high],
        "late_registration_level": late,
    }
    if late and draw(st.booleans()):
        given |= PAID_AGAIN
    return _paid(draw, given), draw(st.integers(given["field_min"], max(5, size)))


@st.composite
def knock_outs(draw: st.DrawFn) -> tuple[Structure, int]:
    given = {
        "kind": "knock_out",
        "game": "chinese_poker",
        "table_size": 2,
        "field_min": 3,
        "levels": [{"point": 400}],
    }
    return _paid(draw, given | TO_ROUNDS), draw(st.integers(3, 5))


@st.composite
def duplicates(draw: st.DrawFn) -> tuple[Structure, int]:
    game = draw(st.sampled_from([game for game in GAMES if game not in BANKERS]))
    size = SEATS.get(game, 2)
    given = {
        "kind": "duplicate",
        "game": game,
        "table_size": size,
        "field_min": 2 * size,
        "levels": [{"point": 10}],
        # In a single round an absent player finishes level with the same seat at the other table.
        "duplicate": {
            "rounds": draw(st.sampled_from([1, 2])),
            "deals": 1,
            "manner": draw(st.sampled_from(["fixed", "swiss"])),
        },
    }
    return _paid(draw, given), 2 * size + draw(st.integers(0, 1))


def _paid(draw: st.DrawFn, given: dict[str, Any]) -> Structure:
    """Stakes of any size, in a pool that is seldom shared without a rest."""
    stake = draw(st.sampled_from([0, 7, 1_000]))
    shares = [{"share": share} for share in draw(st.sampled_from(SHARES))]
    return structure(
        **given,
        stake=stake,
        fee=stake // 10,
        guarantee=draw(st.sampled_from([3_333, 1])),
        payouts={"by": "percentage", "shares": shares},
    )


# At each step a player comes or goes, or (0) no player does; at first no player is there.
PRESENCE: Final = st.lists(st.integers(0, 4), min_size=1, max_size=12)
KINDS: Final = freeze_outs() | knock_outs() | duplicates()


def come_or_go(event: Event, players: list[Player], who: int) -> None:
    if 0 < who <= len(players):
        event.house.away ^= {players[who - 1].username}


def enter_late(event: Event) -> None:
    if event.row.registration_open:
        event.enter(event.people(1))


def pay_again(event: Event, played: Structure) -> None:
    """Players who are out enter again, and the others add on, as long as the event allows it."""
    verbs = [entries.enter_again] if played.reentries else []
    verbs += [entries.add_on] if played.add_on else []
    for entry in Entry.objects.filter(tournament=event.number).order_by("number"):
        for verb in verbs:
            with suppress(Refused):
                verb(entry.player, event.number, event.house.now)


def check_tables(event: Event) -> None:
    """Whenever no player is to be moved, tables differ by one player at most."""
    row = event.row
    if row.state == Tournament.State.RUNNING and not row.moves_due:
        # No player is seated while a single one waits for late entries.
        sizes = event.sizes() or [0]
        assert max(sizes) - min(sizes) <= 1


def check_ties(event: Event) -> None:
    """Players who finish a duplicate level share their prizes; odd units go to the first."""
    prizes: dict[tuple[int, int], list[int]] = defaultdict(list)
    for entry in Entry.objects.filter(tournament=event.number).order_by("place"):
        prizes[entry.points, entry.chips_won].append(entry.prize)
    for shared in prizes.values():
        assert shared == sorted(shared, reverse=True)
        assert shared[0] - shared[-1] <= 1


@settings(
    max_examples=max(1, settings().max_examples // 33),
    # An event is small already, and looking for a smaller one takes minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_event_adds_up(house: House, data: st.DataObject) -> None:
    (played, count), event = data.draw(KINDS), Event(house)
    players = event.open(played, count)
    event.until(lambda: event.row.started_at is not None)
    if played.late_registration_level:
        enter_late(event)
    ended = 0
    for who in cycle(data.draw(PRESENCE)):
        if event.is_over():
            break
        come_or_go(event, players, who)
        event.people_act()
        pay_again(event, played)
        if event.next_time() is not None:
            event.step()
        if (now := HandEnded.objects.filter(tournament=event.number).count()) != ended:
            event.check()
            check_tables(event)
            ended = now
    event.check()
    assert event.row.state == Tournament.State.FINISHED
    assert Payout.objects.filter(tournament=event.number).exists()
    if played.kind == "duplicate":
        check_ties(event)
