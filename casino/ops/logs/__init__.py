"""The log: its lines, their format, and what no line may contain."""
