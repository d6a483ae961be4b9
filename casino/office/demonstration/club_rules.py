"""Profiles for the tables of a demonstration, published and applied by two managers.

Their figures take a worker minutes, so they are stored beside this module (`python -m
bench.club_rules`); those of other options are reckoned as always.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth import get_user_model

from casino.office.demonstration import residents
from games.models import Profile, Table
from games.profiles import drafts, publishing, reckoning, setting_up, warnings
from games.rules.catalogue import GAMES
from games.tables.demo import CURRENCY
from games.tables.table_rules import jackpots_of, settings_of
from games.words.naming import game_name
from wallets.staff import approvals

NAME: Final = "Club rules, {game}"
MADE: Final = "rules of the club for all its tables"
READ: Final = "read and compared with the tables"
ANSWER: Final = "the custom of the club"
# The figures of the demonstration's tables, by game.
FIGURES: Final = Path(__file__).with_name("club_rules.json")


def make(now: datetime) -> None:
    """Publish each once, and let the tables of its game follow it."""
    players: Any = get_user_model().objects
    maker, checker = players.get(username="operator"), players.get(username="manager")
    for game, known in json.loads(FIGURES.read_text()).items():
        model = Table.objects.get(name=GAMES[game].table)
        name = NAME.format(game=game_name(game))
        if Profile.objects.filter(name=name).exists():
            continue
        version = drafts.make_profile(maker, name, game, CURRENCY, reason=MADE, now=now)
        options, settings = model.options, settings_of(model)
        given = (version.pk, version.revision, options, settings)
        version = drafts.save_draft(maker, *given, reason=MADE)
        if reckoning.digest_of_version(version) != known["digest"]:
            # The rules have changed since: the draft waits for its figures.
            continue
        reckoning.store(version, known["figures"], now)
        warned = warnings.warnings(version, reckoning.figures_of_version(version))
        answers = {one.code: ANSWER for one in warned}
        proposal = publishing.propose(
            *(maker, version.pk, version.revision, now, answers),
            reason=MADE, key=uuid4(), now=now,
        )  # fmt: skip
        approvals.approve(checker, proposal.pk, reason=READ, now=now)
        for table in filter(None, (model, residents.table_of(game))):
            wanted = {"table": table.pk, "profile": version.profile_id, "places": table.places}
            _change(maker, checker, wanted | {"jackpots": jackpots_of(table)}, now)


def _change(maker: Any, checker: Any, wanted: Mapping[str, object], now: datetime) -> None:
    submitted = approvals.submit(maker, setting_up.RULES, wanted, reason=MADE, key=uuid4(), now=now)
    assert submitted.proposal is not None, "the rules of a table change by two people"
    approvals.approve(checker, submitted.proposal.pk, reason=READ, now=now)
