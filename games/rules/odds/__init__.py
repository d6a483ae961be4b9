"""Exact odds of the games: what each bet costs, for any options."""
