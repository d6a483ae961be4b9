"""Print which edits are tried, and what notices each: `python -m tests.tournaments.print_edits`."""

import os
import sys

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.tournaments import edits_while_open
    from tests.tournaments.edits import table_of_edits

    assert edits_while_open.OPEN

    sys.stdout.write(table_of_edits())


if __name__ == "__main__":
    main()
