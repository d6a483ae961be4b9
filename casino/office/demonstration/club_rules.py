"""Profiles for some tables of a demonstration, published and applied by two managers."""

from collections.abc import Mapping
from datetime import datetime
from time import sleep
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth import get_user_model

from casino.office.demonstration import residents
from games.models import Profile, ProfileVersion, Reckoning, Table
from games.profiles import drafts, publishing, reckoning, setting_up, warnings
from games.profiles.main_bets import main_figure
from games.rules.analysis.figures import samples_of
from games.rules.catalogue import GAMES, against_house
from games.tables.demo import CURRENCY
from games.tables.replay import game_from
from games.tables.table_rules import jackpots_of, settings_of
from games.words.naming import game_name
from wallets.staff import approvals

NAME: Final = "Club rules, {game}"
MADE: Final = "rules of the club for all its tables"
READ: Final = "read and compared with the tables"
ANSWER: Final = "the custom of the club"
# A worker may be at the figures already: they take it no longer than this.
SECONDS_MAX: Final = 120


def make(now: datetime) -> None:
    """Publish each once, and let the tables of its game follow it."""
    players: Any = get_user_model().objects
    maker, checker = players.get(username="operator"), players.get(username="manager")
    for game in GAMES:
        model = Table.objects.filter(name=GAMES[game].table).first()
        name = NAME.format(game=game_name(game))
        if model is None or not is_exact(model) or Profile.objects.filter(name=name).exists():
            continue
        version = drafts.make_profile(maker, name, game, CURRENCY, reason=MADE, now=now)
        options, settings = model.options, settings_of(model)
        given = (version.pk, version.revision, options, settings)
        version = drafts.save_draft(maker, *given, reason=MADE)
        if not _reckon(version, now):
            continue
        found = warnings.warnings(version, reckoning.figures_of_version(version))
        answers = {one.code: ANSWER for one in found}
        proposal = publishing.propose(
            *(maker, version.pk, version.revision, now, answers),
            reason=MADE, key=uuid4(), now=now,
        )  # fmt: skip
        approvals.approve(checker, proposal.pk, reason=READ, now=now)
        for table in filter(None, (model, residents.table_of(game))):
            wanted = {"table": table.pk, "profile": version.profile_id, "places": table.places}
            _change(maker, checker, wanted | {"jackpots": jackpots_of(table)}, now)


def is_exact(table: Table) -> bool:
    """Whether no bet of its game takes a decision, so that a worker has the figures in a moment."""
    game = game_from(table.game, table.options)
    return against_house(table.game) and samples_of(game) == 1 and main_figure(game) is None


def _reckon(version: ProfileVersion, now: datetime) -> bool:
    """Compute the figures here, unless a worker does; return whether they are there."""
    row = reckoning.ask(version, now)
    reckoning.run(row.pk)
    for _second in range(SECONDS_MAX):
        row.refresh_from_db()
        if row.state in (Reckoning.State.DONE, Reckoning.State.FAILED):
            break
        sleep(1)
    return row.state == Reckoning.State.DONE


def _change(maker: Any, checker: Any, wanted: Mapping[str, object], now: datetime) -> None:
    submitted = approvals.submit(maker, setting_up.RULES, wanted, reason=MADE, key=uuid4(), now=now)
    assert submitted.proposal is not None, "the rules of a table change by two people"
    approvals.approve(checker, submitted.proposal.pk, reason=READ, now=now)
