"""Names and sentences: games and families, cards, actions, reasons and refusals."""
