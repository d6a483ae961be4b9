"""Talk at a table: what people say to one another, and whom one would rather not hear."""
