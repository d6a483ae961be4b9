"""Print which edits are tried, and what notices each: `python -m tests.games.print_edits`."""

import os
import sys

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.games.edits import table_of_edits
    from tests.games.edits_of_the_house import EDITS

    # Hands, shoes, chain and ledger; then what else staff or the owner could change.
    sys.stdout.write(f"{table_of_edits()}\n{table_of_edits(EDITS)}")


if __name__ == "__main__":
    main()
