"""Run a program of the house whose clock is wrong: python -m bench.faults_clock SECONDS MODULE...

Django's `timezone.now`, from which everything in the house takes its time, is shifted; the
database and the system keep theirs.
"""

import runpy
import sys
from datetime import datetime, timedelta

from django.utils import timezone

from wallets.storage import database_time


def main() -> None:
    seconds, module = float(sys.argv[1]), sys.argv[2]
    right, machine = timezone.now, database_time.machine_now

    def now() -> datetime:
        return right() + timedelta(seconds=seconds)

    timezone.now = now
    database_time.machine_now = lambda: machine() + timedelta(seconds=seconds)
    sys.argv = [module, *sys.argv[3:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
