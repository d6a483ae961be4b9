"""Attacks on a house of its own: `python -m tests.attack`, or `make attack`.

Each is carried out as its attacker would: by HTTP as a cheat or as a member of staff, by SQL as
the owner of the database, by signals and sockets as an attacker who wants the house to stand
still. They look at what the house prints, answers and stores, and never into its code. One alone
(`withholding.py`) takes thousands of shoes, and simulates them with the house's own rule.
"""

from tests.attack import (
    fairness,
    forgeries,
    history,
    leaks,
    limits,
    money,
    outages,
    settings,
    streams,
    withholding,
)

# Importing them adds their attacks to the list; in this order they are carried out.
MODULES = (
    leaks,
    streams,
    fairness,
    withholding,
    forgeries,
    history,
    money,
    settings,
    limits,
    outages,
)
