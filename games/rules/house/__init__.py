"""The parts that all games against the house share: betting, side features, pools and paying."""
