"""The rules of every game in the house, as pure functions over frozen values.

Nothing here knows a clock, a source of randomness, a database or a wallet. Cards
and moves go in; states, views and settlements come out. `contract.py` says what every game keeps,
`catalogue.py` lists the games by their keys.
"""
