"""The audit of tournaments, part by part; `tournaments.audit.whole` is its door."""
