"""What staff see and decide."""
