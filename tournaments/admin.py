"""The lists of tournaments in the back office; `tournaments.office` holds them."""

from tournaments.office import events, schedules, templates

__all__ = ["events", "schedules", "templates"]
