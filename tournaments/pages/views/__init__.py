"""The pages of tournaments: they parse, call one function below, and render."""
