"""The pages of this app in the back office."""

from casino.community.promotions.office import pages, shop  # noqa: F401 - they declare them
