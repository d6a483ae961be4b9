"""The house's measurements for Prometheus; `docs/metrics.md` lists and explains them."""
