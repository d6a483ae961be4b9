"""The first run in front of players: currency, house accounts, first staff and first tables."""
