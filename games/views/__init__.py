"""The pages of lobby, tables and history: they parse, call and render."""
