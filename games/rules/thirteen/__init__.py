"""The thirteen-card games, and what they share."""
