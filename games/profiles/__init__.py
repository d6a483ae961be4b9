"""Profiles: options of a game and settings of a table, named, in versions, with what they do.

A version is drafted, reckoned, proposed, approved by a second person, and published from a day and
hour; tables follow it from their next hand. `docs/compliance.md` says more.
"""
