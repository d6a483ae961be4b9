"""The pages of payments in the back office."""

from casino.office.payments.pages import staff_pages  # noqa: F401
