"""Charts: what is drawn, labelled, named and read of series over days, and of names and shares."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

import pytest

from games.words.charts import (
    LETTER,
    Band,
    Bar,
    Plot,
    Series,
    added_up,
    by_row,
    days_between,
    over_slots,
    round_marks,
    with_error,
)

FIRST = date(2026, 11, 1)
DAYS = [FIRST + timedelta(days=number) for number in range(30)]


def written(values: Sequence[int]) -> list[str]:
    return [str(value) for value in values]


def plotted(**given: object) -> str:
    plot = {"name": "a", "title": "Kept", "slots": days_between(DAYS), "write": written}
    return str(over_slots(Plot(**plot | given)))  # type: ignore[arg-type]


def readings(drawn: str) -> list[str]:
    return re.findall(r"<title>(.*?)</title>", drawn)


def test_marks_are_round_and_hold_all_values() -> None:
    for low, high in ((0, 7), (-1_234, 56_789), (0, 0), (-5, -1), (3, 10**12)):
        marks = round_marks(low, high)
        assert 0 in marks
        assert marks[0] <= low
        assert marks[-1] >= high
        assert len(marks) <= 7
        assert all(re.fullmatch(r"-?[125]?0*", str(b - a)) for a, b in pairwise(marks))


def test_a_day_without_a_value_has_its_place_on_the_axis() -> None:
    drawn = plotted(bars=[added_up("won", {DAYS[0]: 5, DAYS[29]: -7})])
    assert len(readings(drawn)) == 30
    assert readings(drawn)[0].endswith("won 5")
    assert readings(drawn)[1].endswith(": 0")
    bars = [float(x) for x in re.findall(r'class="series-\d" x="([\d.]+)"', drawn)]
    slots = [float(x) for x in re.findall(r'class="area" x="([\d.]+)"', drawn)]
    assert [slots[0] < bars[0] < slots[1], slots[29] < bars[1]] == [True, True]


def test_losses_hang_below_the_line_at_zero() -> None:
    drawn = plotted(bars=[added_up("won", {DAYS[3]: 50, DAYS[4]: -30})])
    zero = float(re.search(r'grid zero" d="M[\d.]+ ([\d.]+)', drawn)[1])  # type: ignore[index]
    (gain, tall), (loss, _deep) = [
        (float(y), float(height))
        for y, height in re.findall(
            r'series-\d" x=".*?" y="(.*?)" width=".*?" height="(.*?)"', drawn
        )
    ]
    assert gain + tall == pytest.approx(zero, abs=0.2)
    assert loss == pytest.approx(zero, abs=0.2)


def test_five_of_many_series_have_a_colour_and_the_table_names_them_all() -> None:
    series = [added_up(f"game {number}", {DAYS[0]: number}) for number in range(1, 12)]
    series.append(added_up("largest loss", {DAYS[0]: -500}))
    drawn = plotted(bars=series)
    legend = drawn[drawn.index('class="legend"') : drawn.index("<details>")]
    for number in range(8, 12):
        assert f"game {number} <b>{number}</b>" in legend
    assert legend.index("largest loss <b>-500</b>") < legend.index("game 11")
    assert f"7 others <b>{sum(range(1, 8))}</b>" in legend
    assert "game 7" not in legend
    table = drawn[drawn.index("<details>") :]
    assert all(f">game {number}<" in table for number in range(1, 12))
    # A slot says the sum and the largest two.
    whole = sum(range(1, 12)) - 500
    assert readings(drawn)[0].endswith(f": {whole}, largest loss -500, game 11 11, …")
    assert sorted(re.findall(r'rect\s+class="series-(\d)"', drawn)) == list("012345")


@pytest.mark.parametrize("words", ["17 Nov", "November 17", "11\u670817\u65e5", "x" * 20])
@pytest.mark.parametrize("count", [1, 2, 7, 24, 31, 366])
def test_no_label_is_over_another_or_over_an_edge(words: str, count: int) -> None:
    slots = dict.fromkeys(range(count), words)
    drawn = plotted(slots=slots, bars=[added_up("won", dict.fromkeys(slots, 123_456_789))])
    texts = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">', drawn)
    wide = LETTER * sum(2 if ord(sign) > 0x2E80 else 1 for sign in words)
    places = [float(x) for x in texts]
    assert places
    assert places[0] >= wide / 2 - 0.1
    assert places[-1] <= 480 - wide / 2 + 0.1
    assert all(after - before >= wide for before, after in pairwise(places))


def test_amounts_at_the_side_have_room() -> None:
    drawn = plotted(bars=[added_up("won", {DAYS[0]: -123_456_789_012})])
    for x, shown in re.findall(
        r'<text x="([\d.]+)" y="[\d.]+" dy="4" text-anchor="end">(.*?)<', drawn
    ):
        assert float(x) >= LETTER * len(shown)


def test_a_table_below_has_the_same_figures_with_totals_of_what_adds_up() -> None:
    held = Series("held", {DAYS[0]: 5, DAYS[1]: 6})
    drawn = plotted(bars=[added_up("won", {DAYS[0]: 5, DAYS[1]: -7}), held])
    foot = re.sub(r"\s*<[^>]*>\s*", "|", drawn[drawn.index("<tfoot>") :])
    assert re.findall(r"[^|]+", foot) == ["In all", "-2"]
    assert ">–</td>" in drawn
    assert "<table" not in plotted(bars=[held], has_table=False)


def test_there_is_no_chart_of_nothing() -> None:
    assert not plotted(bars=[added_up("won", {DAYS[0]: 0}), Series("held", {})])
    assert not plotted(slots=days_between([]))
    # A single day has bars, but no line.
    day, line = days_between(DAYS[:1]), Series("held", {DAYS[0]: 5})
    assert not plotted(slots=day, lines=[line])
    assert plotted(slots=day, bars=[line])


def test_one_slot_of_a_chart_is_in_the_order_of_the_tab_key() -> None:
    drawn = plotted(bars=[added_up("won", {DAYS[0]: 5})])
    assert drawn.count('tabindex="0"') == 1
    assert drawn.count('tabindex="-1"') == 29


def test_lines_and_their_band_are_named_and_read() -> None:
    held, low, high = {DAYS[0]: 5}, {DAYS[0]: 3}, {DAYS[0]: 9}
    drawn = plotted(lines=[Series("held", held)], band=Band("likely", low, high))
    assert readings(drawn)[0].endswith("held 5, 3 – 9")
    assert 'points="' in drawn
    assert '<i class="band"></i>likely' in drawn


def test_what_a_chart_says_is_escaped() -> None:
    charts = (
        by_row("a", ("<i>", "<u>"), [Bar("<b>", -3, "&")]),
        plotted(
            title="<i>",
            lines=[added_up("<b>", {DAYS[0]: 3})],
            write=lambda values: ["<u>" for _value in values],
        ),
    )
    for chart in charts:
        assert "<i>" not in chart
        assert "&lt;b&gt;" in chart
        assert "<u>" not in chart
    assert 'class="lost"' in charts[0]


def test_error_bars_stay_on_the_axis_and_tell_the_players_side() -> None:
    drawn = with_error([(-0.0956, 0.0), (0.0022, 0.0)])
    against, kept = drawn.points
    assert against
    assert kept
    assert 10 <= against.at < drawn.zero < kept.at <= 216
    assert (against.against, kept.against) == (True, False)
    assert drawn.players == pytest.approx(drawn.zero - 10)
    plain = with_error([None, (0.005, 0.0004)])
    assert plain.players == 0
    assert plain.points[0] is None
    assert plain.points[1]
    assert plain.points[1].low < plain.points[1].at < plain.points[1].high
    nothing = with_error([None, (0.0, 0.0)]).points[1]
    assert nothing
    assert nothing.at == 10
