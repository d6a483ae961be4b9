"""The reports of the toy."""
