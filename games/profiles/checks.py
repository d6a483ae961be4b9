"""Refuse impossible versions, and versions with too few boxes for a table's seats."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.models import Profile, ProfileVersion, Table
from games.models.table_rules import COUNTS, SECONDS
from games.profiles.table_settings import bounds_of
from games.rules.contract import AnyGame, refused_options
from games.tables.hand_state import game_from
from games.tables.settings import RAKE_BP_MAX
from games.tables.table_rules import fits
from games.words.refusals import sentence_of
from wallets.values.errors import Refused

ABOUT_OPTIONS = "options"


def faults(
    profile: Profile, options: Mapping[str, object], settings: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Each contradiction, by the field of the form where it is shown."""
    yield from _of_the_rules(profile, options)
    if settings["buy_in_min"] > settings["buy_in_max"]:
        yield "buy_in_max", _("The smallest buy-in is above the largest.")
    if settings["stack_min"] > settings["buy_in_min"]:
        yield "stack_min", _("The minimum buy-in is below the stack needed to play.")
    for name in (*SECONDS, *COUNTS):
        least, most = bounds_of(name)
        if not least <= settings[name] <= most:
            yield name, _("This must be from {least} to {most}.").format(least=least, most=most)


def _of_the_rules(profile: Profile, options: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    try:
        game: AnyGame = game_from(profile.game, dict(options))
    except Refused as refusal:
        yield ABOUT_OPTIONS, sentence_of(refusal, profile.currency)
        return
    except ValueError as reason:
        yield ABOUT_OPTIONS, str(reason)
        return
    if refused := refused_options(game):
        yield ABOUT_OPTIONS, sentence_of(refused, profile.currency)
    played: Any = game
    if played.rake_bp > RAKE_BP_MAX:
        yield (
            ABOUT_OPTIONS,
            _("The rake can be at most {percent} %.").format(percent=RAKE_BP_MAX // 100),
        )
    payout = getattr(played, "max_payout", None)
    if payout is not None and payout < played.max:
        yield ABOUT_OPTIONS, _("The largest bet could not win as much as it stakes.")


def without_room(version: ProfileVersion) -> list[Table]:
    """The tables that follow the profile and have more seats than this version allows."""
    tables = Table.objects.filter(profile=version.profile_id).exclude(status=Table.Status.CLOSED)
    return [table for table in tables if not fits(table.places, table.game, version)]
