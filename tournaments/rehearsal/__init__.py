"""Rehearsals: whole tournaments of bots, played through the services by a clock that is passed in.

`python -m tournaments.rehearsal.rehearse` is their command line; `docs/tournaments.md` describes
it.
"""
