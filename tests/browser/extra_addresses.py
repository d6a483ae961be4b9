"""What only tests ask their house for: addresses beside those of the site."""

from typing import Final

# A room like new; that every table waits; and that a table goes on.
FRESH: Final = "/fresh/"
# Let the house bring a table to where it waits for people, and say at which version that is.
REST: Final = "/rest/"
HOLD: Final = "/hold/"
GO_ON: Final = "/go-on/"
# An event by a structure, in JSON, and that it begins now: both name it.
ANNOUNCE: Final = "/announce/"
BEGIN: Final = "/begin/"
