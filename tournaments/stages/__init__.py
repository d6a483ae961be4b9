"""The differences between the stages of an event, and its end."""
