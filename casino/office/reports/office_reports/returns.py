"""Whether games keep their promise: the hold of each bet compared with the share by the rules."""

from collections.abc import Iterator

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports.charts import bars_by_game, drifting_bets, hold_charts
from casino.office.reports.columns import (
    COUNTED,
    HANDLE,
    KEPT,
    By,
    Column,
    Row,
    key_columns,
    percent,
)
from casino.office.reports.facts import HOUSE
from casino.office.reports.figures import Figures, described
from casino.office.reports.hold import LIKELY, BetHold, bet_in_words, held_by, verdict
from casino.office.reports.report import Report, Shown
from games.rules.catalogue import against_house


class Returns(Report):
    name = "returns"
    title = _("Returns")
    symbol = "percent"
    place = 20
    allowed = ("game", "day", "table", "profile")

    def columns(self, by: By) -> list[Column]:
        return [
            *key_columns(by),
            Column("bet", _("Bet")),
            COUNTED._replace(name="hands", words=_("Hands less reversed"), figure=COUNTED.name),
            *(HANDLE, KEPT),
            Column("hold", _("Hold"), "percent", "ratio"),
            Column("promised", _("Promised"), "percent", "ratio"),
            Column("low", _("At least, 95%"), "percent", "ratio"),
            Column("high", _("At most, 95%"), "percent", "ratio"),
            Column("error", _("Standard error"), "percent", "ratio"),
            Column("off", _("Standard errors off"), "number", "ratio"),
            Column("verdict", _("Verdict")),
        ]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        holds, columns = held_by(figures, by), self.columns(by)
        row_of = described({group for group, _bet in holds}, by)
        for group, bet in sorted(holds, key=str):
            held = holds[group, bet]
            if not held.sums.handle:
                continue
            row = row_of(group)
            row.read(columns, held.sums)
            row.cells |= _cells(bet, held)
            row.only |= {"against": HOUSE, "bet": bet}
            row.is_part, row.is_alarm = bool(bet), held.drifts
            yield row

    def charts(self, shown: Shown) -> list[SafeString]:
        kept = bars_by_game(shown, lambda sums: sums.kept, against_house)
        return [*hold_charts(shown), kept]

    def notices(self, shown: Shown) -> SafeString:
        return drifting_bets(shown)


REPORT = Returns()


def _cells(bet: str, held: BetHold) -> dict[str, object]:
    sums, error = held.sums, held.error
    hold = percent(sums.kept, sums.handle)
    spread = None if error is None else 100 * LIKELY * error
    return {
        "bet": bet_in_words(bet),
        "hold": hold,
        "promised": None if held.share is None else float(100 * held.share),
        "low": None if spread is None or hold is None else hold - spread,
        "high": None if spread is None or hold is None else hold + spread,
        "error": None if error is None else 100 * error,
        "off": held.off,
        "verdict": verdict(held),
    }
