"""The forms and lists of the back office, and its declared pages."""
