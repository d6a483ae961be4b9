"""How everything is called: games, cards, actions, refusals, and the tables of their rules."""
