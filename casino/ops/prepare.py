"""Prepare a server before it starts: database, translations, demo players.

Run `python -m casino.ops.prepare`; repeating it changes nothing.
"""

import os
import sys

import django
from django.core.management import call_command

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")


def prepare() -> None:
    django.setup()
    from django.conf import settings  # noqa: PLC0415

    from casino.ops.catalogues import compile_catalogues  # noqa: PLC0415
    from casino.web.static_files import collect_if_changed  # noqa: PLC0415
    from wallets.values.registry import AT_START  # noqa: PLC0415

    _say("its languages")
    for folder in settings.LOCALE_PATHS:
        compile_catalogues(folder)
    AT_START["pieces"]()
    _say("its database")
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    call_command("migrate", interactive=False, verbosity=0)
    if settings.DEMO:
        _say("the files of its pages")
        collect_if_changed()
        _say("its players and tables")
        call_command("demo")
        _say("its tournaments")
        _seed_tournaments()


def _seed_tournaments() -> None:
    from django.utils import timezone  # noqa: PLC0415

    from casino.accounts.demo import LATER_STEPS  # noqa: PLC0415
    from tournaments.running import demo  # noqa: PLC0415
    from wallets.of_record.verbs import under  # noqa: PLC0415

    with under("setup:demo"):
        demo.seed(timezone.now())
        for step in LATER_STEPS.values():
            step()


def _say(what: str) -> None:
    """Print what is being prepared: on a busy machine each step takes a while, the first time."""
    sys.stdout.write(f"  {what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    prepare()
