"""Names, sentences and charts: games, families, cards, actions, reasons, refusals, figures."""
