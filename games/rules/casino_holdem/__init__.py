"""Casino hold'em: two cards for a box, two for the dealer, five on the board for both.

One deck, shuffled for every round, and seven boxes. Before the deal a seat puts an ante on a box,
and a bonus bet if it likes. Its first box is open. Its further boxes are blind: ante and call are
placed before the deal, the ante is that of the open box, and its cards stay hidden until the
settlement, their owner no more than others.

The cards are dealt in two rounds, one to each box and to the dealer, then three to the board, the
flop. Each owner sees the two cards of the open box and the flop, and the open boxes decide one
after the other in their order: call, at twice the ante, or fold, which loses the ante. Then turn
and river come to the board, and the dealer's cards are turned. Each hand is the best five of its
two cards and the board. When every box has folded, turn and river are not dealt and the dealer's
cards stay closed.

The dealer plays with a pair of fours or better; the board counts, so a pair of fours on it is
enough. When the dealer does not play, the ante of each box is paid by the table of its own hand,
with any hand, and the call comes back. When the dealer plays, a higher hand wins the ante by the
table and the call 1:1, an equal one gets both back, and a lower one loses both. The ante's table:
straight or lower 1:1, flush 2:1, full house 3:1, four of a kind 10:1, straight flush 20:1, royal
flush 100:1.

The bonus is settled on the two cards and the flop, after a fold too, and on blind boxes alike:
pair of aces 4:1, two pair 4:1, three of a kind 8:1, straight 10:1, flush 20:1, full house 40:1,
four of a kind 100:1; straight flush and royal flush win a share of the progressive jackpot, at
least 15 and 50 hundredths. Without a jackpot they pay what four of a kind pays. The wheel card
counts among the two cards of a box and never in the flop. There is no bonus card.

Once the round is over the cards of every box that has not folded lie open, and of folded boxes
those that have a bonus bet, as it was settled on them. The others stay with their owner.
"""
