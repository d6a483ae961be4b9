"""What a viewer of a table is told: the board, seat by seat, and what each family adds to it."""
