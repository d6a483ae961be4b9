"""The read side of a live table: its state, seat by seat, and what each family adds."""
