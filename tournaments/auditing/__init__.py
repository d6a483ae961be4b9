"""The audit of tournaments, part by part; `tournaments.audit` is its door."""
