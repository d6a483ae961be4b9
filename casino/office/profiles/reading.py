"""The facts on the page of a version, gathered once: changes, figures, checks, people, hands."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Avg, F
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Hand, Profile, ProfileVersion, Reckoning, Table
from games.profiles import reckoning, warnings
from games.profiles.differences import Content, content_of, differences
from games.profiles.drafts import PERMISSION, usual_settings
from games.profiles.figures import DECISIONS, RAKE, Figure, figure_text
from games.profiles.options import defaults
from games.rules.catalogue import against_house
from games.tables.table_rules import version_in_force
from games.words.charts import ErrorBars, with_error
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import approvals
from wallets.values.amounts import show_amount
from wallets.values.player import Viewer

State = ProfileVersion.State
# Of so many hands, the last ones, is taken how long a hand lasts.
LASTING_HANDS: Final = 200


class FigureRow(NamedTuple):
    """A figure now and then, as text and as a chart."""

    words: str
    how: str
    now: str
    then: str
    change: str
    against: bool
    chart: ErrorBars | None


class VersionRow(NamedTuple):
    version: ProfileVersion
    standing: str
    hands: int
    address: str


class Tile(NamedTuple):
    words: str
    now: str
    then: str

    @property
    def same(self) -> bool:
        return self.now in ("", self.then)


def reader_context(version: ProfileVersion, viewer: Viewer, now: datetime) -> dict[str, object]:
    """All that the page says of a version; the forms are the view's."""
    profile = version.profile
    before = compared_with(version, now)
    rows = differences(content_of(before) if before else as_usual(profile), content_of(version))
    then_row = reckoning.of_version(version)
    then = reckoning.figures_of_version(version)
    current = reckoning.figures_of_version(before) if before else {}
    checked = warnings.checks(version, then)
    return {
        "version": version,
        "profile": profile,
        "before": before,
        "rows": rows,
        "changed": [row for row in rows if row.changed],
        "reckoning": then_row,
        "percent": percent_of(then_row),
        "busy": then_row is not None and then_row.state in reckoning_under_way(),
        "figures": figure_rows(version, current, then),
        "tiles": tiles(version, before, current, then),
        "checked": checked,
        "quiet": sum(not check.found for check in checked),
        "warned": [warned for part in checked for warned in part.found],
        "answers": [(warnings.title_of(code), text) for code, text in version.answers.items()],
        "tables": list(Table.objects.filter(profile=profile).order_by("name")),
        "versions": version_rows(profile, now),
        "standing": standing(version, now),
        "steps": steps(version, then_row, now),
        "may_change": viewer.has_perm(PERMISSION),
        "entries": list(
            JournalEntry.objects.filter(subject=version.reference).order_by("-position")[:5]
        ),
        "proposal": proposal_of(version),
    }


def as_usual(profile: Profile) -> Content:
    """Return the content to compare a first version with: standard rules, usual settings."""
    settings = usual_settings(profile.game)
    return Content(profile.game, profile.currency, defaults(profile.game), settings)


def reckoning_under_way() -> tuple[str, ...]:
    return (Reckoning.State.WAITING, Reckoning.State.RUNNING)


def compared_with(version: ProfileVersion, now: datetime) -> ProfileVersion | None:
    """The version that players have now; for one in force, the one that it was made from."""
    current = version_in_force(version.profile_id, now)
    if current is None or current.pk == version.pk or version.state == State.RETIRED:
        return version.based_on
    current.profile = version.profile
    return current


def percent_of(row: Reckoning | None) -> int:
    return 0 if row is None else min(100, 100 * row.done // max(1, row.wanted))


def _share(figure: Figure | None) -> tuple[float, float] | None:
    return (figure.mean, figure.error or 0) if figure else None


def figure_rows(
    version: ProfileVersion, now: Mapping[str, Figure], then: Mapping[str, Figure]
) -> list[FigureRow]:
    currency = version.profile.currency
    rows = []
    for key, figure in then.items():
        is_share = key not in (RAKE, DECISIONS)
        was = now.get(key)
        rows.append(
            FigureRow(
                warnings.bet_words(key),
                _how(figure, against_house(version.profile.game)),
                figure_text(was, currency) if was else "",
                figure_text(figure, currency),
                _change(was, figure) if is_share else "",
                is_share and figure.mean < 0,
                with_error([_share(was), _share(figure)]) if is_share else None,
            )
        )
    return rows


def _how(figure: Figure, house: bool) -> str:
    if figure.error is None:
        return _("exact")
    if house and figure.key in (RAKE, DECISIONS):
        sentence = _("sampled, {count} rounds of one player at the smallest bet")
        return sentence.format(count=f"{figure.samples:,}")
    return _("sampled, {count} deals").format(count=f"{figure.samples:,}")


def _change(was: Figure | None, figure: Figure) -> str:
    if was is None:
        return ""
    points = 100 * (figure.mean - was.mean)
    sign = "+" if points >= 0.005 else "\N{MINUS SIGN}" if points <= -0.005 else ""
    return _("{points} points").format(points=f"{sign}{abs(points):.2f}")


def tiles(
    version: ProfileVersion,
    before: ProfileVersion | None,
    now: Mapping[str, Figure],
    then: Mapping[str, Figure],
) -> list[Tile]:
    """Return the tiles: how long a hand lasts, and the money at its bounds."""
    currency = version.profile.currency

    def both(words: str, value: Any) -> Tile:
        earlier = "" if before is None else value(before, now)
        return Tile(words, earlier, value(version, then))

    def payment(profile_version: ProfileVersion, _figures: object) -> str:
        return show_amount(profile_version.options["max_payout"], currency)

    def smallest(profile_version: ProfileVersion, _figures: object) -> str:
        return show_amount(profile_version.table_settings["buy_in_min"], currency)

    house = against_house(version.profile.game)
    words = _("A round of one player, seconds") if house else _("A hand takes at most, seconds")
    tiles = [both(words, longest)]
    if (played := _as_played(before or version)) is not None:
        tiles.append(Tile(_("It took on average, seconds"), "", f"{played:.0f}"))
    tiles.append(both(_("Smallest buy-in, {code}").format(code=currency.code), smallest))
    if "max_payout" in version.options:
        tiles.append(both(_("Largest payment, {code}").format(code=currency.code), payment))
    return tiles


def longest(version: ProfileVersion, figures: Mapping[str, Figure]) -> str:
    """A hand in which every player takes all their time, and the pause after it."""
    settings = version.table_settings
    decisions = figures.get(DECISIONS)
    if decisions is None:
        return "–"
    seconds = decisions.mean * settings["decision_seconds"] + settings["pause_seconds"]
    if against_house(version.profile.game):
        seconds += settings["betting_seconds"]
    return f"{seconds:.0f}"


def _as_played(version: ProfileVersion) -> float | None:
    """Return the average length of the last hands under this version, from deal to end."""
    hands = Hand.objects.filter(profile_version=version, status=Hand.Status.FINISHED)
    last = hands.order_by("-pk").values("pk")[:LASTING_HANDS]
    spent = Hand.objects.filter(pk__in=[row["pk"] for row in last])
    average = spent.aggregate(average=Avg(F("ended_at") - F("started_at")))["average"]
    return None if average is None else float(average.total_seconds())


def version_rows(profile: Profile, now: datetime) -> list[VersionRow]:
    hands = reverse("admin:games_hand_changelist")
    return [
        VersionRow(
            version,
            standing(version, now),
            Hand.objects.filter(profile_version=version).count(),
            f"{hands}?profile_version__id__exact={version.pk}",
        )
        for version in profile.versions.select_related("made_by").order_by("-number")
    ]


def standing(version: ProfileVersion, now: datetime) -> str:
    """The state of a version as people say it: published is in force, or will be."""
    if version.state != State.PUBLISHED:
        return str(version.get_state_display())
    assert version.published_from is not None
    if version.published_from > now:
        return _("will be in force")
    current = version_in_force(version.profile_id, now)
    return _("in force") if current is not None and current.pk == version.pk else _("replaced")


def steps(version: ProfileVersion, row: Reckoning | None, now: datetime) -> list[tuple[str, str]]:
    """The four steps of a version, each `done`, `now` or `later`."""
    reckoned = row is not None and row.state == Reckoning.State.DONE
    published = version.state in (State.PUBLISHED, State.RETIRED)
    done = [True, reckoned or version.state != State.DRAFT, published, published]
    words = [_("Drafted"), _("Calculated"), _("Approval"), _("Published")]
    first = done.index(False) if False in done else len(done)
    return [
        (word, "done" if number < first else "now" if number == first else "later")
        for number, word in enumerate(words)
    ]


def proposal_of(version: ProfileVersion) -> Proposal | None:
    number = version.proposal.partition(":")[2]
    return Proposal.objects.filter(pk=int(number)).first() if number else None


def may_decide(viewer: Viewer, version: ProfileVersion, now: datetime) -> bool:
    proposal = proposal_of(version)
    waits = version.state == State.PROPOSED and proposal is not None and proposal.expires_at > now
    return waits and proposal is not None and approvals.may_decide(viewer, proposal)
