"""Which code made a package, as its manifest says."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def code_version() -> str:
    """The version of the card room; empty where it runs without being installed."""
    try:
        return version("card-room")
    except PackageNotFoundError:
        return ""
