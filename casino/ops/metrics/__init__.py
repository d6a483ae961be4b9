"""The house's measurements for Prometheus; `docs/operations.md` lists and explains them."""
