"""Blackjack: nearer to 21 than the dealer, who has no hole card.

Six decks. Two to nine count what they show, ten and court cards ten, an ace one or eleven. An ace
and a ten-value in the first two cards are a blackjack, the highest hand.

**Boxes.** Up to seven, each with up to three players. The first to bet on a box is its controller
and plays its hands; the others are guests, and their stakes go with the hand. When the betting has
ended one card is dealt to each box in order, one open to the dealer, and a second to each box. The
dealer takes no second card before all boxes have been played, box by box and hand by hand.

**Playing a hand.** Hit as often as wanted, or stand. 21 stands by itself; above 21 the hand is bust
and lost at once. *Double* on two cards, after a split too: an equal stake, one card, no more.
*Split* two cards of equal points, a king and a ten too, up to three times: an equal stake on each
new hand. A split hand gets its second card when it is reached; split aces get that one card only
and are not split again, and an ace and a ten-value after a split are 21. *Surrender* the first two
cards, before anything else is done with them, for half of the stake, unless the dealer shows an
ace. Each guest says whether to follow a double or a split with an equal stake, before the card is
drawn. A bettor who does not follow a split stays on the first of its hands with the same stake; who
does not follow a double still plays on with the card. A surrender gives up all stakes on the box.

**Against an ace** each player may insure, for half a table minimum at least and half of the stake
at most, or as a table may say the whole of it; insurance pays 2:1 if the dealer has blackjack and
is lost if not. A player with a blackjack may instead take even money, 1:1 at once. Guests are asked
before the controller makes the box's first move, and the controller insures before any other move;
at a box with a blackjack all its players are asked together.

**The dealer** draws to 16 and stands on every 17, or as a table may say hits a soft one. If no hand
is left that needs the dealer's, the dealer does not draw, but for one card to decide insurance and
blackjacks that wait.

**Paying.** Blackjack pays 3:2 at once, but waits where the dealer shows an ace or a ten-value: it
is a tie with a dealer's blackjack. That beats every other hand, 21 too, and takes all that was
doubled and split; a table may say that it takes original bets only, and then what was added comes
back. Otherwise the higher total is paid 1:1, equal totals are a tie, and a bust dealer pays every
hand still in. Wins of a box above the maximum payout of a round are not paid. Payments are rounded
down.

**The bonus** is a separate bet on the box's cards: see `bonus.py`.
"""
