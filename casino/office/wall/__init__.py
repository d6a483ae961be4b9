"""The wall screen: the room in figures, behind a secret link, without sign-in and without names."""
