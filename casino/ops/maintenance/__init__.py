"""Maintenance mode: no new hand opens, live hands finish, and every page says why."""
