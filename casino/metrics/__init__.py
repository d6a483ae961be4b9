"""What the house measures of itself, for Prometheus: `docs/metrics.md` says what and how."""
