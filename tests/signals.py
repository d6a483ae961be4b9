"""A Python that hears every signal, as one does that is started by hand.

What was started by `nohup`, or in the background of a script, ignores some signals, and so does all
that it starts in its turn: the tests, and what they start.
"""

import os
import signal
import sys
from typing import Final

PYTHON: Final = [sys.executable, "-m", "tests.signals"]


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])


if __name__ == "__main__":
    main()
