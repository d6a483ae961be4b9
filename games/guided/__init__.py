"""A guided first hand: an authored deal that a newcomer plays with a sentence of advice a step.

It is played by the real rules, and touches neither shoe nor money nor database: the address holds
what the learner has done so far, and each page replays the hand from it (`docs/guests.md`).
"""
