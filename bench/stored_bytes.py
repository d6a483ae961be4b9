"""What a hand takes in the database: python -m tests.cluster python -m bench.stored_bytes

It fills an empty house with an honest history (`manage.py seed`) and divides the size of each
table, with its indexes, by the hands, moves and seats that are stored. PostgreSQL alone.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import psycopg

from tests.casino.processes import KEYS, environment

REPOSITORY: Final = Path(__file__).resolve().parent.parent
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
    url = os.environ["DATABASE_URL"]
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(
            Path(folder), **KEYS, DATABASE_URL=url, REDIS_URL="redis://127.0.0.1:1/0", DEMO="1"
        )
        seed = ["seed", "--hands", str(chosen.hands), "--days", str(chosen.days)]
        seed += ["--players", str(chosen.players), "--seed", "1"]
        for command in (["migrate", "-v0"], seed):
            program = [sys.executable, "manage.py", *command]
            subprocess.run(program, env=variables, cwd=REPOSITORY, check=True)
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("VACUUM ANALYZE")
        rows = database.execute(SIZES).fetchall()
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
