"""What the whole API shares: parsing, refusals, rate limits. `docs/api.md` describes it."""
