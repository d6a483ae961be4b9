"""The pages of payments: the player's, the office's, and the address that providers call."""
