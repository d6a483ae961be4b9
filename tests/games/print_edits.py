"""Print the tables of edits for the documentation: `python -m tests.games.print_edits`."""

import os
import sys

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.games.edits import table_of_edits
    from tests.games.edits_of_the_house import EDITS

    # The first is in docs/history.md, the second in docs/of-record.md.
    sys.stdout.write(f"{table_of_edits()}\n{table_of_edits(EDITS)}")


if __name__ == "__main__":
    main()
