"""The page of a player's wallet."""
