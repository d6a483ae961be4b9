// Three clients at each match: node clients.cjs PORT MATCHES MILLISECONDS
// Each answers its turn after so many milliseconds on average. For every line on the standard input
// it prints how many acts have been made so far.

const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Game, SEATS, chosen } = require("./game.cjs");

const [port, matches, wait] = process.argv.slice(2).map(Number);
const acts = Array(matches).fill(0);

function comes(match, seat) {
  const client = Client({
    game: Game,
    numPlayers: SEATS,
    matchID: `match-${match}`,
    playerID: String(seat),
    multiplayer: SocketIO({ server: `http://127.0.0.1:${port}` }),
    debug: false,
  });
  let answered = -1;
  client.subscribe((state) => {
    if (!state) return;
    acts[match] = Math.max(acts[match], state.G.acts);
    if (state.ctx.currentPlayer !== String(seat) || answered === state._stateID) return;
    answered = state._stateID;
    setTimeout(() => act(client, seat), -Math.log(1 - Math.random()) * wait);
  });
  client.start();
}

function act(client, seat) {
  const { G } = client.getState();
  const cards = chosen(G.held[seat], G.last);
  if (cards.length) client.moves.play(cards);
  else client.moves.pass();
}

for (let match = 0; match < matches; match++) {
  for (let seat = 0; seat < SEATS; seat++) comes(match, seat);
}
process.stdin.on("data", () => {
  console.log(acts.reduce((sum, one) => sum + one, 0));
});
process.stdin.on("end", () => process.exit(0));
