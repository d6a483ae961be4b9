"""What processes are told of sign-ins that have changed."""

from casino.accounts import sign_in_cache
from games.live import announcing
from tests.waiting import until


def all_heard() -> None:
    """Wait until this process has heard its own announcements: they come in their order."""

    def is_marked() -> bool:
        sign_in_cache.remember("session", "marker", lambda: "a row")
        return sign_in_cache.is_cached("session", "marker")

    until(is_marked)
    announcing.client().publish(announcing.FORGET, "session:marker")
    until(lambda: not sign_in_cache.is_cached("session", "marker"))
