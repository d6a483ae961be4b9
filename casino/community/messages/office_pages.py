"""The pages of this app in the back office."""

from casino.community.messages.office import pages  # noqa: F401 - it declares them
