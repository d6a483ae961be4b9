"""The pages of tournaments in the back office that are no lists of rows."""

from tournaments.office import series  # noqa: F401 - it declares them
