"""Basic strategy at blackjack as books have it, for tests of the odds and of the strategy."""

from games.rules.blackjack.analysis.strategy import Rules

PLAIN = Rules(hits_soft_17=False, original_bets_only=False)
UPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
# Basic strategy as books have it for many decks, the dealer standing on soft 17 and taking no hole
# card, doubles after splits, surrender against a ten but not against an ace: by the dealer's card
# from two to ten, then the ace.
HARD = {
    **dict.fromkeys((5, 6, 7, 8), "HHHHHHHHHH"),
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDHH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHRH",
    15: "SSSSSHHHRH",
    16: "SSSSSHHRRH",
    **dict.fromkeys((17, 18, 19, 20), "SSSSSSSSSS"),
}
PAIRS = {
    1: "PPPPPPPPPH",
    2: "PPPPPPHHHH",
    3: "PPPPPPHHHH",
    4: "HHHPPHHHHH",
    5: "DDDDDDDDHH",
    6: "PPPPPHHHHH",
    7: "PPPPPPHHRH",
    8: "PPPPPPPPRH",
    9: "PPPPPSPPSS",
    10: "SSSSSSSSSS",
}
