"""What all of the API has in common: reading, refusing, counting. `docs/api.md` describes it."""
