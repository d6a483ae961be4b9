// A game of the kind of Dou Dizhu, as a server of boardgame.io plays it: three hidden hands, a
// landlord with three more cards, and single cards or pairs that each beat the one before.

const SEATS = 3;

function shuffled() {
  const cards = [...Array(54).keys()].map((card) => Math.floor(card / 4));
  for (let last = cards.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

function dealt(acts = 0, hands = 0) {
  const cards = shuffled();
  const held = [0, 1, 2].map((seat) => cards.slice(17 * seat, 17 * (seat + 1)));
  held[0] = [...held[0], ...cards.slice(51)];
  const sorted = held.map((hand) => hand.sort((a, b) => a - b));
  return { held: sorted, last: [], leader: 0, passes: 0, acts, hands };
}

function beats(played, last) {
  if (played.length === 2 && played[0] !== played[1]) return false;
  return !last.length || (played.length === last.length && played[0] > last[0]);
}

function play({ G, playerID }, cards) {
  const seat = Number(playerID);
  const left = [...G.held[seat]];
  for (const card of cards) {
    const at = left.indexOf(card);
    if (at < 0) return "INVALID_MOVE";
    left.splice(at, 1);
  }
  if (!cards.length || !beats(cards, G.last)) return "INVALID_MOVE";
  if (!left.length) return dealt(G.acts + 1, G.hands + 1);
  G.held[seat] = left;
  [G.last, G.leader, G.passes] = [cards, seat, 0];
  G.acts += 1;
  return undefined;
}

function pass({ G }) {
  if (!G.last.length) return "INVALID_MOVE";
  G.passes += 1;
  G.acts += 1;
  if (G.passes === SEATS - 1) [G.last, G.passes] = [[], 0];
  return undefined;
}

function playerView({ G, playerID }) {
  const held = G.held.map((hand, seat) => (String(seat) === playerID ? hand : hand.length));
  return { ...G, held };
}

// What a player does who takes the first way to go on.
function chosen(held, last) {
  if (!last.length) return held.slice(0, held[0] === held[1] ? 2 : 1);
  for (let at = 0; at + last.length <= held.length; at++) {
    const cards = held.slice(at, at + last.length);
    if (beats(cards, last)) return cards;
  }
  return [];
}

const Game = {
  name: "peer",
  setup: () => dealt(),
  // The moves are made by the server alone, as the house's are: no client knows the other hands.
  moves: { play: { move: play, client: false }, pass: { move: pass, client: false } },
  turn: { minMoves: 1, maxMoves: 1 },
  playerView,
};

module.exports = { Game, SEATS, chosen };
