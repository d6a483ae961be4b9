"""What a hand takes in the database: python -m bench.stored_bytes

It fills an empty house with an honest history (`manage.py seed`) and divides the size of each
table, with its indexes, by the hands, moves and seats that are stored. PostgreSQL alone.
"""

import argparse
import sys
from typing import Final

from tests.houses import open_house

SIZES: Final = """
    SELECT relname, pg_table_size(relid), pg_indexes_size(relid), n_live_tup
    FROM pg_stat_user_tables WHERE n_live_tup > 0
    ORDER BY pg_total_relation_size(relid) DESC
"""
SHOWN_FROM_BYTES: Final = 200


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.stored_bytes", description=__doc__)
    parser.add_argument("--hands", type=int, default=3_000)
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--players", type=int, default=100)
    chosen = parser.parse_args()
    with open_house(database="postgres"):
        from django.core.management import call_command
        from django.db import connection

        call_command("seed", seed=1, **vars(chosen))
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
            cursor.execute(SIZES)
            rows = cursor.fetchall()
    counted = {name: count for name, _table, _indexes, count in rows}
    hands = counted["games_hand"]
    print(f"{hands} hands, {counted['games_handseat']} seats, {counted['games_move']} moves")
    for name, size, indexes, count in rows:
        if (size + indexes) / hands >= SHOWN_FROM_BYTES:
            words = f"{size / hands:8.0f} + {indexes / hands:6.0f} bytes a hand"
            print(f"{name:<28}{count:>9} rows {words}, {(size + indexes) / count:7.0f} a row")
    whole = sum(size + indexes for _name, size, indexes, _count in rows)
    print(f"{'all tables':<28}{'':>14} {whole / hands:8.0f} bytes a hand")
    return 0


if __name__ == "__main__":
    sys.exit(main())
