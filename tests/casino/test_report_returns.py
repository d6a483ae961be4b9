"""The share that the house keeps of each bet equals a second count by SQL, and raises an alarm."""

import json
import re
from datetime import timedelta
from fractions import Fraction
from math import hypot
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from casino.accounts.models import Player
from casino.office.alarms import condition_checks
from casino.office.alarms.conditions import words_of
from casino.office.alarms.models import Alarm
from casino.office.frame import significant_events
from casino.office.reports.facts import Sums
from casino.office.reports.figures import Figures
from casino.office.reports.hold import BetHold, Promise
from casino.office.reports.models import TableDay
from games.models import Hand
from games.profiles.public_figures import main_figure
from games.rules.analysis.edges import house_edges
from games.tables.hand_state import game_from
from tests.casino.report_rows import (
    SIGNED,
    days,
    rows,
    rows_by_sql,
    whole,
)
from tests.casino.seeded import SeededHouse

SCENE = "seeded"
pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.usefixtures("seeded")]


def test_returns_add_up_to_what_the_house_kept(seeded: SeededHouse) -> None:
    span = whole(seeded)
    report = rows("returns", span, "game")
    revenue = {row["game"]: row for row in rows("revenue", span, "game")}
    games = {row["game"] for row in report}
    assert games == {
        "baccarat",
        "baccarat_commission",
        "blackjack",
        "casino_holdem",
        "russian_poker",
    }
    for game in games:
        mine = [row for row in report if row["game"] == game]
        (every,) = [row for row in mine if not row.only["bet"]]
        assert every["kept"] == revenue[game]["gross"] - revenue[game]["pools"]
        assert every["handle"] == revenue[game]["handle"]
        parts = [row for row in mine if row.only["bet"]]
        assert sum(row["kept"] for row in parts) == every["kept"]
        assert sum(row["handle"] for row in parts) == every["handle"]
        for row in mine:
            if row["error"] is not None:
                assert row["low"] <= row["hold"] <= row["high"]


def test_a_profile_whose_first_day_is_stored_meanwhile_has_its_promise(
    seeded: SeededHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = rows("returns", whole(seeded), "game")
    read, earlier = Figures.settings, iter([dict[Any, Any]()])
    monkeypatch.setattr(Figures, "settings", lambda own: next(earlier, None) or read(own))
    assert rows("returns", whole(seeded), "game") == expected


@pytest.mark.always
@pytest.mark.slow
def test_a_bet_stands_beside_its_promise_with_an_interval(seeded: SeededHouse) -> None:
    promised = []
    for row in rows("returns", whole(seeded), "table"):
        hand = Hand.objects.filter(table=row["number"]).latest("pk")
        edge = house_edges(game_from(hand.game, hand.options)).get(row.only["bet"])
        if edge is None or not row["error"]:
            continue
        promised.append(row.only["bet"])
        hold, error = row["hold"], row["error"]
        assert row["promised"] == pytest.approx(float(100 * edge))
        assert (row["low"], row["high"]) == pytest.approx(
            (hold - 1.96 * error, hold + 1.96 * error)
        )
        assert row["off"] == pytest.approx((hold - row["promised"]) / error)
        assert row["verdict"] == ("as promised" if row["hands"] >= 100 else "too few hands")
    assert {"player", "banker"} <= set(promised)
    # A main bet is promised what the best play leaves: people who play worse are no alarm.
    main = [row for row in rows("returns", whole(seeded), "table") if row.only["bet"] == "main"]
    assert len(main) == 3
    for row in main:
        hand = Hand.objects.filter(table=row["number"]).latest("pk")
        figure = main_figure(game_from(hand.game, hand.options))
        assert figure is not None
        assert row["promised"] == pytest.approx(100 * figure.mean)
        spread = hypot(row["error"], 100 * (figure.error or 0))
        assert row["off"] == pytest.approx((row["hold"] - row["promised"]) / spread)


def bend(row: TableDay, sign: int) -> None:
    """Make a day of many such hands, of which the house won, or lost, the handle once more."""
    for name in ("hands", "handle", "won", "rake", "pools"):
        setattr(row, name, 400 * getattr(row, name))
    for name in ("kept_squares", "products", "handle_squares"):
        setattr(row, name, str(400 * int(getattr(row, name))))
    row.won += sign * row.handle
    row.save()


@pytest.mark.always
def test_a_skewed_bet_raises_the_alarm_and_is_an_event(seeded: SeededHouse) -> None:
    now = timezone.now()
    spots = TableDay.objects.filter(game="baccarat", bet="player", handle__gt=0)
    straight = list(spots.all())
    assert straight
    raised = Alarm.objects.filter(kind="hold", subject="bet:baccarat:player:EUR", cleared_at=None)
    for hours, sign in ((0, -1), (4, 1)):
        for row in spots.all():
            bend(row, sign)
        condition_checks.look(now + timedelta(hours=hours))
        assert raised.count() == 1
        TableDay.objects.bulk_update(straight, [field.name for field in TableDay._meta.fields[1:]])
        condition_checks.look(now + timedelta(hours=hours + 2))
        assert not raised.exists()
    alarm = Alarm.objects.filter(subject="bet:baccarat:player:EUR").first()
    assert alarm is not None
    words, sentence = words_of(alarm)
    assert words == "A bet drifts from its promised hold"
    assert re.search(r"the house held -?\d+\.\d\d % of \d+ hands instead of 1\.", sentence)
    boss = Player.objects.get(username="boss")
    span = significant_events.Span(now - timedelta(days=1), now + timedelta(days=1))
    events = significant_events.events(boss, [significant_events.KINDS["mismatches"]], span)
    assert sentence in [event.detail for event in events]


@pytest.mark.always
@pytest.mark.parametrize(("sign", "drifts"), [(-1, True), (1, False)])
def test_of_a_main_bet_only_too_low_a_hold_is_wrong(sign: int, drifts: bool) -> None:
    held = BetHold()
    sums = Sums(hands=100, handle=1_000, won=sign * 900)
    sums.kept_squares, sums.products, sums.handle_squares = 8_200, sign * 9_000, 10_000
    held.add(sums, Promise(Fraction(1, 100), 0.01, at_best=True))
    assert held.off is not None
    assert abs(held.off) > 4
    assert held.drifts == drifts


@pytest.mark.always
def test_the_hold_of_each_spot_is_counted_as_by_sql(seeded: SeededHouse) -> None:
    """Baccarat has a bet for each spot: what was bet on it, and what the house kept of it."""
    span = whole(seeded)
    placed = rows_by_sql(
        f"""
        SELECT x.game, m.action ->> 'on', SUM(x.sign * CAST(m.action ->> 'amount' AS BIGINT))
        FROM ({SIGNED}) AS x JOIN games_move m ON m.hand_id = x.id
        WHERE x.game LIKE 'baccarat%%' AND m.action ->> 'do' = 'bet' AND x.at >= %s AND x.at < %s
        GROUP BY 1, 2
        """,
        *days(span),
    )
    kept: dict[tuple[str, str], int] = {}
    for game, sign, settlement in rows_by_sql(
        f"SELECT x.game, x.sign, h.settlement FROM ({SIGNED}) AS x JOIN games_hand h ON h.id = x.id"
        " WHERE x.game LIKE 'baccarat%%' AND x.at >= %s AND x.at < %s",
        *days(span),
    ):
        lines = (settlement if isinstance(settlement, dict) else json.loads(settlement))["lines"]
        of_hand: dict[str, int] = {}
        for line in lines:
            ends = line["source"], line["target"]
            if "house" in ends and "bet" in line.get("values", {}):
                won = line["amount"] if line["target"] == "house" else -line["amount"]
                spot = line["values"]["bet"]
                of_hand[spot] = of_hand.get(spot, 0) + won
        for spot, won in of_hand.items():
            kept[game, spot] = kept.get((game, spot), 0) + sign * won
    report = [row for row in rows("returns", span, "game") if row["game"].startswith("baccarat")]
    spots = {(row["game"], row.only["bet"]): row for row in report if row.only["bet"]}
    assert {key: row["handle"] for key, row in spots.items()} == {
        (game, spot): handle for game, spot, handle in placed if handle
    }
    assert {key: row["kept"] for key, row in spots.items()} == {
        key: kept.get(key, 0) for key in spots
    }


# Of which bet of a box a line of a settlement is: the moves of pools are none.
BET_OF_LINE = """
    SELECT h.id, CASE WHEN {line} ->> 'key' IN ('bonus_won', 'bonus_card', 'wheel', 'lucky_game',
            'jackpot', 'jackpot_least', 'mystery') OR {line} -> 'values' ->> 'bet' = 'bonus'
        THEN 'bonus' ELSE 'main' END AS bet,
        CAST({line} ->> 'amount' AS BIGINT)
            * CASE WHEN {line} ->> 'target' = 'house' THEN 1 ELSE -1 END AS won
    FROM games_hand h, {lines} WHERE h.game IN ('blackjack', 'casino_holdem', 'russian_poker')
        AND {line} ->> 'key' NOT IN ('pool_share', 'pool_paid')
        AND 'house' IN ({line} ->> 'source', {line} ->> 'target')
    UNION ALL
    SELECT h.id, 'bonus', CAST({line} ->> 'amount' AS BIGINT)
            * CASE WHEN {line} ->> 'key' = 'pool_share' THEN -1 ELSE 1 END
    FROM games_hand h, {lines} WHERE h.game IN ('blackjack', 'casino_holdem', 'russian_poker')
        AND {line} ->> 'key' IN ('pool_share', 'pool_paid')
"""
LINES = {
    "sqlite": ("l.value", "json_each(h.settlement, '$.lines') AS l"),
    "postgresql": ("l.line", "jsonb_array_elements(h.settlement -> 'lines') AS l(line)"),
}


def test_main_and_bonus_bets_and_their_errors_are_counted_as_by_sql(seeded: SeededHouse) -> None:
    """What was bet on each, what the house kept of it, and how far off the share may be."""
    span = whole(seeded)
    line, lines = LINES[connection.vendor]
    counted = rows_by_sql(
        f"""
        SELECT x.game, x.currency_id, b.bet, x.sign, b.placed, COALESCE(w.won, 0)
        FROM ({SIGNED}) AS x JOIN (
            SELECT m.hand_id, 'main' AS bet, SUM(CAST(m.action ->> 'amount' AS BIGINT)) AS placed
            FROM games_move m WHERE m.action ->> 'do' IN ('bet', 'ante') GROUP BY m.hand_id
            UNION ALL
            SELECT m.hand_id, 'bonus', SUM(CAST(m.action ->> 'bonus' AS BIGINT))
            FROM games_move m WHERE CAST(m.action ->> 'bonus' AS BIGINT) > 0 GROUP BY m.hand_id
        ) AS b ON b.hand_id = x.id
        LEFT JOIN (
            SELECT id, bet, SUM(won) AS won FROM ({BET_OF_LINE.format(line=line, lines=lines)}) AS l
            GROUP BY id, bet
        ) AS w ON w.id = x.id AND w.bet = b.bet
        WHERE x.game IN ('blackjack', 'casino_holdem', 'russian_poker')
            AND x.at >= %s AND x.at < %s
        """,
        *days(span),
    )
    by_bet: dict[tuple[str, str, str], list[tuple[int, int, int]]] = {}
    for game, currency, bet, *hand in counted:
        sign, placed, kept = map(int, hand)
        by_bet.setdefault((game, currency, bet), []).append((sign, placed, kept))
    report = {
        (row["game"], row["currency"], row.only["bet"]): row
        for row in rows("returns", span, "game")
        if row.only["bet"] in ("main", "bonus")
    }
    assert report.keys() == by_bet.keys()
    assert len({bet for _game, _currency, bet in report}) == 2
    for key, hands in by_bet.items():
        row = report[key]
        handle = sum(sign * placed for sign, placed, _kept in hands)
        kept = sum(sign * kept for sign, _placed, kept in hands)
        assert (row["handle"], row["kept"]) == (handle, kept), key
        # A ratio's error is that of what each hand lies off the share, hand by hand.
        off = sum(sign * (kept_ - placed * kept / handle) ** 2 for sign, placed, kept_ in hands)
        assert row["error"] == pytest.approx(100 * off**0.5 / handle), key
