"""The parts that the whole API shares: parsing, refusals, rate limits; see `docs/api.md`."""
