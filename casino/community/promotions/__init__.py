"""Promotions: what the house gives to players who come back, proved like a hand.

- `rules/`: pure functions. `facts.py` says by what one earns, `kinds.py` has the protocol,
  `shares.py`, `ladders.py` and `bonuses.py` the kinds. `declaration.py` is a promotion as values
  and refuses contradictions; `engine.py` plays facts through it, with budget and caps;
  `exploiting.py` says what a cheat could expect,
  `levels.py` has points and levels.
- `books/`: `facts.py` makes facts from hands and deposits, `earners.py` says who may earn,
  `stored_runs.py` loads and stores the engine's state, `taking_facts.py` is the verb that takes
  facts in, `paying.py` posts, `audit.py` plays everything again, `preview.py` plays a draft through
  a month. `running.py` says what runs now, `visibility.py` who sees it, `task_sums.py` what tasks
  bring. Players give bonuses up (`forfeiting.py`), invite friends (`inviting.py`), show their level
  (`shown_levels.py`) and spend points (`shop.py`); `alarms.py` tells staff.
- `office/`: drafts, proposals and pages of the back office. `pages/`: terms in words, and the page
  "Rewards" of a player.
- `models.py`: promotions in versions, progress, awards, and until when facts were taken.

The same engine runs live, in the preview and in the audit, so what a promotion says, costs and does
cannot differ.
"""
