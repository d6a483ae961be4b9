"""The pages of tournaments, and the same for programs."""
