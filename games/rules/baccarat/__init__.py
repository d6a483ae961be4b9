"""The room of both baccarats: the coup, the two games, the road maps."""
