"""Dou Dizhu, the fight against the landlord: one player against the two others.

Three players and 54 cards: a deck with both jokers. From low to high the ranks are 3 4 5 6 7 8 9 10
J Q K A 2, then the black joker, then the red one; suits mean nothing. Each player gets seventeen
cards and three are face down in the middle. The first player without cards wins, and with a farmer
wins the other farmer.

**Bidding.** A preliminary round draws who calls first: the seat that is dealt the wild card. Each
seat in turn speaks once: it passes, or calls one, two or three points, higher than any call before.
Three ends the bidding at once. The highest caller is the landlord, shows the three middle cards and
takes them. If no player calls, the hand is over and nothing is paid; a new shoe and a new
preliminary round follow. In a tournament the first caller of the third such round in a row becomes
landlord at one point.

**Play.** The landlord leads any combination. In turn each plays a higher combination of the same
kind and the same number of cards, or a bomb, or the rocket, or passes; who passed may play again
later. When two in a row have passed, the last who played leads anything anew.

- Single, pair, trio; a trio with one single card or with one pair.
- Straight: five or more ranks in a row. Consecutive pairs: three or more. Airplane: two or more
  trios in a row, bare, or each with a single card, or each with a pair. Nothing here may be a 2 or
  a joker but for the cards carried along.
- Four with two single cards, or with two pairs: an ordinary combination.
- Bomb: four of one rank. It beats all but a higher bomb and the rocket.
- Rocket: both jokers. Nothing beats it.

Carried cards never decide, and never have the rank of the cards that carry them. Otherwise it may
be any cards: equal ones, both jokers as two singles, a trio next to the chain, four equal cards. A
table with strict wings refuses those last three, and four equal cards as two pairs. Some cards can
be read in several ways: a leader's are read as a bare airplane if they are one, else as the longest
chain, else as the highest; a follower's as the first of these that beats the last play.

**Points.** The call, doubled for each bomb, for the rocket, if the landlord wins before a farmer
has played (spring), and if the landlord has played only once (anti-spring). A landlord who goes out
with the first play gets both of these, unless the table says otherwise. Each farmer pays the
landlord so many points, or gets them.

**Short stacks.** No player loses more than their stack or, in a cash hand, wins more. A landlord
who cannot pay both pays in equal halves, and the part that one farmer may not take is paid to the
other. If a farmer cannot pay all, both pay the smaller amount. A landlord who may not win so much
gets half from each.
"""
