"""Russian poker: a hand of five cards against the dealer's, bought better with further antes.

Four boxes, one deck, shuffled for every round. Before the deal a seat puts an ante on a box, and a
bonus bet if it likes. Its first box is open. Its further boxes are blind: the same ante, and the
bet of twice that, are placed before the deal, and so is what its owner wants for it besides, a
sixth card and insurance. The cards of a blind box stay hidden until the settlement.

Five cards go to every box and to the dealer, one at a time, the dealer last and the dealer's first
one up. The open boxes decide one after the other in their order. Once, for one ante, a box may
exchange two to five of its cards or buy a sixth. Then three of a kind or better may be insured
against a dealer who does not qualify. At last the box bets twice the ante, or folds and loses the
ante. A blind box gets its sixth card when its turn would be.

Then the dealer's cards are turned, unless every box has folded uninsured. With less than ace-king
the dealer does not qualify: the ante wins 1:1 with any hand, and the bet comes back. Each
box still in accepts that, or buys the dealer a card for one ante (`dealer.py`). All boxes answer
before the card is drawn, it is the same card for all who buy, and who accepted is settled on the
dealer's first five.

A dealer who qualifies takes ante and bet of lower hands; equal hands tie. A higher hand gets the
ante back, and the bet wins by the paytable for the main combination and once more for the second
(`hands.py`): ace-king or a pair 1:1, two pair 2:1, three 3:1, straight 4:1, flush 5:1, full house
7:1, four 20:1, straight flush 50:1, royal flush 100:1. Insurance wins 1:1 where the dealer's first
five do not qualify and is lost where they do; bought cards do not matter. The antes that cards were
bought for are the house's. Payments are rounded down.

The bonus is settled on the five cards a box was dealt, after a fold too (`bonus.py`). Wheel card
and lucky card count among the same five, and the bonus card among the first few of them, as the
table says. When all has been decided, the holder of the lucky card picks one of three prizes that
are face down; the pick says only at which place the drawn prize is.

Once the round is over the cards of every box that has not folded lie open, and of folded boxes the
five of those that have a bonus bet. The others stay with their owner, and so do exchanged cards.
"""
