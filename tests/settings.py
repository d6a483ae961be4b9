"""The house as the tests start it: its own keys, and a database of its own."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from tests.houses.surroundings import KEYS, NO_REDIS

for name, value in {"DEMO": "1", "DEMO_LIFE": "0", "REDIS_URL": NO_REDIS, **KEYS}.items():
    os.environ.setdefault(name, value)


# Only now, since the settings are read as they are imported.
# ruff: noqa: E402
from casino.ops.catalogues import compile_catalogues
from casino.settings import *  # noqa: F403
from casino.settings import DATABASES, LOCALE_PATHS, STATIC_ROOT

STATIC_ROOT.mkdir(parents=True, exist_ok=True)
for folder in LOCALE_PATHS:
    compile_catalogues(folder)

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as threads share one here as processes do in the house; one for each run of the tests,
    # so that two at once do not meet.
    DATA = Path(tempfile.mkdtemp(prefix="card-room-tests-"))
    atexit.register(shutil.rmtree, DATA, ignore_errors=True)
    DATABASES["default"]["TEST"] = {"NAME": DATA / "test.sqlite3"}
    # Threads of a test that all write wait for one another, on a busy machine for long.
    DATABASES["default"]["OPTIONS"]["timeout"] = 240

# Each process of the tests writes anchors of its own, and notes a release of its own.
OUTSIDE = Path(tempfile.mkdtemp(prefix="card-room-anchors-"))
atexit.register(shutil.rmtree, OUTSIDE, ignore_errors=True)
ANCHORS_FILE = OUTSIDE / "anchors.jsonl"
RELEASE_FILE = OUTSIDE / "release.sha256"

# Every client of a test is a server of its own: it looks for a file when one is asked for, and does
# not read all of them first.
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A test's clock is the one that it sets.
COMPARE_CLOCKS = False

# Days pass between the clicks of a test.
PLAYER_IDLE_MINUTES = 0
