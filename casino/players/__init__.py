"""Players: who they are, how they sign up and in, and who works for the house."""
