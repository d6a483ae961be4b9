"""Mathematics about the rules: odds, edges, the solver and models of opponents."""
