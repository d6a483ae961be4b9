"""Players that are programs. A bot sees a view and nothing else, and answers with an action.

Each family of games has a module here with its `STRATEGIES` by name; `best` is the one that sits at
tables, and `house` makes the house's moves for an absent player.
"""
