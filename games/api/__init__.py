"""The house for programs: the same services as the pages, as JSON. `docs/api.md` describes it."""
