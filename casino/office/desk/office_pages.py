"""The desk's pages of the back office."""

from casino.office.desk.pages import desk_pages, pay_pages, till_pages  # noqa: F401
