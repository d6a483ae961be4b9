"""The chat at a table: its lines, quick phrases, mutes and silences."""
