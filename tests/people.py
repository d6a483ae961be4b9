"""What the people of the tests have in common."""

PASSWORD = "a long way to the river"
