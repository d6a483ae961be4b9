"""The odds of blackjack: basic strategy, the house edge, insurance and the bonus table."""
