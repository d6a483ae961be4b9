"""Messages: what the house writes to some of its players, and reports to staff by mail.

- `segments.py` says to whom: one query that all segments begin from, and filters.
- `office/`: `drafts.py` and `publishing.py` are the verbs of staff, `forms.py` and `pages.py` their
  pages, and what came of a message.
- `outbox.py` takes the players of a message down, with a tenth that is held out to compare, says by
  which ways a player is reached, and sends what waits, once.
- `letters.py` writes the mails: to players, and of staff, with yesterday and alarms.
- `wishes.py` has the verbs of players: which kinds they want, and where they read mail.
- `pages.py`: the inbox, the choices, and the way out of a mail.
"""
