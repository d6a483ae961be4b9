"""Both baccarats: the coup, the two games, the road maps."""
