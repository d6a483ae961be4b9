"""Players: accounts, signing up and in, and staff."""
