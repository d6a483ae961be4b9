"""Announcing new versions of tables and the lobby to watchers, and counting spectators."""
