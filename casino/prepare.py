"""What is done before a house is opened: its database, its languages, its demonstration players.

Run as `python -m casino.prepare`; repeating it changes nothing.
"""

import os

import django
from django.core.management import call_command

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")


def prepare() -> None:
    django.setup()
    from django.conf import settings  # noqa: PLC0415

    from casino.catalogues import compile_catalogues  # noqa: PLC0415

    for folder in settings.LOCALE_PATHS:
        compile_catalogues(folder)
    settings.STATIC_ROOT.mkdir(exist_ok=True)
    call_command("migrate", interactive=False, verbosity=0)
    if settings.DEMO:
        call_command("demo")


if __name__ == "__main__":
    prepare()
