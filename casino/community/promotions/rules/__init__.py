"""What a promotion is and how it counts: pure, without a clock and without a database."""
