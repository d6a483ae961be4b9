"""The settings of the house as that version has them."""

from casino.settings import *  # noqa: F403
from casino.settings import INSTALLED_APPS as CURRENT

INSTALLED_APPS = [*CURRENT, "bench.upgrade"]
